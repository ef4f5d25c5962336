internal import MessagePictures
internal import TerminalText

/// Drawn pictures in view; others are dropped. Draws one at a time, so that fast scrolling leaves no queue of
/// obsolete pictures.
struct PictureGallery {
  private enum State: Hashable {
    case drawn(DrawnPicture)
    /// There was nothing to draw.
    case missing
  }

  private var states: [PictureKey: State] = [:]
  private var inView: [PictureKey] = []
  private var beingDrawn: PictureKey?

  var byteCount: Int {
    states.values.reduce(0) { sum, state in
      if case .drawn(let picture) = state { sum + picture.byteCost } else { sum }
    }
  }

  var count: Int { states.count }

  mutating func fill(_ rows: inout [Row]) {
    var seen: Set<PictureKey> = []
    inView = []
    for index in rows.indices {
      for (place, slot) in rows[index].pictures.enumerated() {
        if seen.insert(slot.key).inserted { inView.append(slot.key) }
        guard case .drawn(let picture) = states[slot.key], picture.rows.indices.contains(slot.row) else {
          continue
        }
        rows[index].pictures[place].strip = picture.rows[slot.row]
      }
    }
    if states.contains(where: { !seen.contains($0.key) }) { states = states.filter { seen.contains($0.key) } }
  }

  /// `nil` if all visible ones are drawn, or one is in progress.
  mutating func next() -> PictureKey? {
    guard beingDrawn == nil, let key = inView.first(where: { states[$0] == nil }) else { return nil }
    beingDrawn = key
    return key
  }

  /// - Parameter picture: `nil` if it could not be drawn.
  mutating func take(_ picture: DrawnPicture?, of key: PictureKey) {
    beingDrawn = nil
    guard inView.contains(key) else { return }
    states[key] = picture.map(State.drawn) ?? .missing
  }

  mutating func removeAll() { states = [:] }
}

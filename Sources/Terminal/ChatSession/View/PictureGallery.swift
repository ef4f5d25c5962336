internal import MessagePictures
internal import TerminalText

/// The pictures that are in view, drawn; what has left the view is let go.
///
/// One is drawn at a time, so that fast scrolling leaves no queue of pictures nobody sees any more.
struct PictureGallery {
  private enum State: Hashable {
    case drawn(DrawnPicture)
    /// There was nothing to draw.
    case missing
  }

  private var states: [PictureKey: State] = [:]
  private var inView: [PictureKey] = []
  private var beingDrawn: PictureKey?

  /// About how many bytes of memory the pictures take.
  var byteCount: Int {
    states.values.reduce(0) { sum, state in
      if case .drawn(let picture) = state { sum + picture.byteCost } else { sum }
    }
  }

  /// The number of pictures held.
  var count: Int { states.count }

  /// Fills the rows in view that have been drawn, and lets go of all that is not in view.
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

  /// The next picture to draw; `nil` if all in view are drawn or one is under way.
  mutating func next() -> PictureKey? {
    guard beingDrawn == nil, let key = inView.first(where: { states[$0] == nil }) else { return nil }
    beingDrawn = key
    return key
  }

  /// Takes a picture that was drawn; `nil` if it could not be.
  mutating func take(_ picture: DrawnPicture?, of key: PictureKey) {
    beingDrawn = nil
    guard inView.contains(key) else { return }
    states[key] = picture.map(State.drawn) ?? .missing
  }

  /// Forgets all pictures: they are to be drawn in another way.
  mutating func removeAll() { states = [:] }
}

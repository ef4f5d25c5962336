internal import MessageModel
internal import MessagePictures
internal import MessageStorage
internal import TerminalText

/// Drawn pictures in view. It draws one at a time, so that fast scrolling leaves no queue of obsolete ones.
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

extension ScreenReader {
  mutating func pictureJobs(_ context: ReplContext) -> [Job] {
    guard context.showsPictures || cover.gallery != nil, let drawer = context.drawer,
      let key = gallery.next()
    else { return [] }
    let store = context.store
    return [
      Job(.picture) { report, _ in
        let bytes = try? Self.bytes(of: key, in: store)
        report(.picture(key, bytes.flatMap { try? drawer.draw($0, columns: key.columns, rows: key.rows) }))
      }
    ]
  }

  private static func bytes(
    of key: PictureKey, in store: SynchronousMessageStore
  ) throws(StoreError) -> [UInt8]? {
    guard let small = try store.picture(key.kind, of: key.sha256) else { return nil }
    // Not through the cache of contents: the drawn picture is cached.
    let content = try store.openContent(small.sha256)
    return try content.read(at: 0, count: content.byteCount)
  }

  func thumbnailRoom(_ context: ReplContext) -> PictureArea? {
    guard context.showsPictures, let drawer = context.drawer else { return nil }
    let columns = view.settings.textColumns
    return PictureArea(columns: min(columns, 48), rows: max(1, min(12, view.height / 2)), cell: drawer.cell)
  }

  func previewRows(of id: Message.ID, _ context: ReplContext) -> [Row] {
    guard context.showsPictures, let drawer = context.drawer, let message = view.window.message(id) else {
      return []
    }
    let room = PictureArea(columns: columns, rows: max(1, view.height - 2), cell: drawer.cell)
    return message.attachments.flatMap { room.rows(for: $0, .preview) }
  }
}

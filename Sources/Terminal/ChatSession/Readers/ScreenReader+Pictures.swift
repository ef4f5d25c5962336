internal import MessageModel
internal import MessagePictures
internal import MessageStorage
internal import TerminalText

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

internal import GRDB
internal import MessageModel

struct Attacher {
  let db: Database
  let folder: ContentFolder
  let inlineLimit: Int
  let doing: String

  init(_ db: Database, of store: SynchronousMessageStore, doing: String) {
    self.db = db
    folder = store.contents
    inlineLimit = store.options.inlineByteCount
    self.doing = doing
  }

  struct Item {
    var name: String
    var content: StagedContent
  }

  /// Also queues a picture for thumbnails.
  func put(_ content: StagedContent) throws {
    try content.put(into: db, folder, inlineLimit: inlineLimit, doing: doing)
    guard content.sniffedType.hasPrefix("image/") else { return }
    try RawStatement.run(
      db, "UPDATE content SET pictures = 'pending' WHERE sha256 = ? AND pictures IS NULL",
      content.key.description)
  }

  /// The caller updates the message's row.
  func add(_ items: [Item], to id: Message.ID) throws {
    var place =
      try RawStatement.number(db, "SELECT max(place) + 1 FROM attachment WHERE message = ?", id.rawValue) ?? 0
    for item in items {
      try put(item.content)
      try RawStatement.run(
        db, "INSERT INTO attachment VALUES (?, ?, ?, ?, ?, ?, NULL)", id.rawValue, place, item.name,
        item.content.mediaType, item.content.byteCount,
        item.content.key.description)
      try AttachmentStep.referenced.pass()
      place = place.adding(1)
    }
  }

  func note(_ id: Message.ID) throws {
    try RawStatement.run(
      db, "UPDATE message SET revision = revision + 1, features = features | ?2 WHERE id = ?1", id.rawValue,
      MessageRow.Feature.attachment)
  }
}

internal import GRDB
internal import MessageModel

/// Attaches contents that were taken in to messages, within a transaction.
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

  /// A content, and its name on a message.
  struct Item {
    var name: String
    var content: StagedContent
  }

  /// Puts a content into the store, and marks a picture as one of which small ones are to be made.
  func put(_ content: StagedContent) throws {
    try content.put(into: db, folder, inlineLimit: inlineLimit, doing: doing)
    guard content.sniffedType.hasPrefix("image/") else { return }
    try RawStatement.run(
      db, "UPDATE content SET pictures = 'pending' WHERE sha256 = ? AND pictures IS NULL",
      content.key.description)
  }

  /// Adds attachments behind those that a message has. Its row is the caller's business.
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

  /// Notes in the row of a message that its attachments have changed.
  func note(_ id: Message.ID) throws {
    try RawStatement.run(
      db, "UPDATE message SET revision = revision + 1, features = features | ?2 WHERE id = ?1", id.rawValue,
      MessageRow.Feature.attachment)
  }
}

internal import Foundation
internal import GRDB
public import MessageModel

/// A file to attach to a message.
public struct NewAttachment: Hashable, Sendable {
  /// The source of its bytes.
  public enum Content: Hashable, Sendable {
    /// A file, which is read once and not changed.
    case file(path: String)
    /// Bytes in memory.
    case bytes([UInt8])
  }

  /// Its name, for people.
  public var name: String
  /// The media type given by the sender; used only where it is more exact than what the bytes show.
  public var claimedType: String?
  /// The bytes or their file.
  public var content: Content

  /// Creates an attachment of a file, under the name of that file.
  public init(file path: String, name: String? = nil, claimedType: String? = nil) {
    self.name = name ?? path.split(separator: "/").last.map(String.init) ?? "attachment"
    self.claimedType = claimedType
    content = .file(path: path)
  }

  init(_ content: Content, name: String, claimedType: String?) {
    (self.content, self.name, self.claimedType) = (content, name, claimedType)
  }

  /// Creates an attachment of bytes.
  public init(_ bytes: [UInt8], name: String, claimedType: String? = nil) {
    self.name = name
    self.claimedType = claimedType
    content = .bytes(bytes)
  }
}

extension StoreWriting {
  /// Attaches files to a message, after those it has, in one transaction; they are on disk when it returns.
  ///
  /// A content that the store has already is not stored twice. If anything fails, no file is attached and
  /// none is left behind.
  ///
  /// - Returns: All attachments of the message, as facts.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` if it was
  ///   redacted; for a file `noSuchFile`, `notPermitted`, `invalidRequest` if it is not a regular file, and
  ///   `inputOutput` if it changes while it is read.
  /// - Complexity: O(bytes) once, in pieces of 256 KiB, before the transaction begins.
  @discardableResult
  public func attach(
    _ files: [NewAttachment], to id: Message.ID
  ) throws(StoreError) -> [Message.Attachment] {
    let doing = "cannot attach to message #\(id)"
    try store.writing(doing) { db in _ = try SynchronousMessageStore.placed(id, doing, in: db) }
    let items = try store.stage(files, doing: doing)
    return try store.referring(to: items.map(\.content), doing) { db in
      let id = try SynchronousMessageStore.placed(id, doing, in: db)
      try SynchronousMessageStore.requireContents(of: id, in: db, doing)
      let attacher = Attacher(db, of: store, doing: doing)
      try attacher.add(items, to: id)
      try attacher.note(id)
      return try MessageRow.attachments(of: id, in: db)
    }
  }
}

extension SynchronousMessageStore {
  /// Begins to receive a content in pieces; see ``setContent(_:of:)``.
  package func beginContent(doing: String = "cannot take a content in") -> ContentIntake {
    ContentIntake(contents, memoryLimit: options.inlineByteCount, doing: doing)
  }

  /// Stages a file without referring to it.
  ///
  /// - Throws: As ``attach(_:to:)``.
  package func stage(_ attachment: NewAttachment, doing: String) throws(StoreError) -> StagedContent {
    let intake = beginContent(doing: doing)
    switch attachment.content {
    case .file(let path): try intake.write(fileAt: path)
    case .bytes(let bytes): try bytes.lend(intake.write)
    }
    return try intake.finish(claimedType: attachment.claimedType)
  }

  func stage(_ files: [NewAttachment], doing: String) throws(StoreError) -> [Attacher.Item] {
    var items: [Attacher.Item] = []
    for file in files { items.append(Attacher.Item(name: file.name, content: try stage(file, doing: doing))) }
    return items
  }

  /// Writes references to contents in one transaction; if it fails, the files of these contents are removed.
  /// Within an open transaction of this thread that waits for its end, since a rollback may restore other
  /// references.
  func referring<Value>(
    to contents: [StagedContent], _ doing: String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    let draft = openWrite?.draft
    draft?.contents += contents.map(\.key)
    do {
      let value = try writing(doing) { db in
        try AttachmentStep.locked.pass()
        return try body(db)
      }
      try AttachmentStep.committed.pass()
      return value
    } catch {
      if draft == nil { removeUnreferenced(contents.map(\.key), doing: doing) }
      throw StoreError(error, doing: doing)
    }
  }

  func removeUnreferenced(_ keys: [ContentKey], doing: String) {
    if keys.isEmpty { return }
    try? writing(doing) { db in
      for key in keys { try contents.removeUnreferenced(key, in: db, doing: doing) }
    }
  }

  fileprivate static func placed(_ id: Message.ID, _ doing: String, in db: Database) throws -> Message.ID {
    if let present = try FormerIDs(db: db).present(id) { return present }
    throw StoreError(
      .notFound, doing, cause: "there is no such message", remedy: .searchMessages)
  }
}

extension ContentFolder {
  /// Removes the file of a content without a row. The caller holds the write lock.
  func removeUnreferenced(_ key: ContentKey, in db: Database, doing: String) throws {
    guard try ContentRow(key, in: db) == nil, facts(of: key) != nil else { return }
    try remove(key, doing: doing)
  }
}

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

/// A text too long for a message, which keeps its beginning and has the whole attached.
struct LongText {
  let previewByteCount: Int
  let content: StagedContent

  static let name = "message.txt"

  /// `nil` unless the text is too long.
  init?(_ text: UnsafeRawBufferPointer, for store: SynchronousMessageStore, doing: String) throws(StoreError)
  {
    guard text.count > SynchronousMessageStore.maxTextByteCount else { return nil }
    let intake = store.beginContent(doing: doing)
    try intake.write(text)
    content = try intake.finish(claimedType: "text/plain")
    previewByteCount = MessageWriter.preview(of: text, limit: store.options.previewByteCount).count
  }

  init?(_ text: String, for store: SynchronousMessageStore, doing: String) throws(StoreError) {
    guard text.utf8.count > SynchronousMessageStore.maxTextByteCount else { return nil }
    var text = text
    let result = text.withUTF8 { utf8 in
      Result<LongText?, StoreError> { () throws(StoreError) in
        try LongText(UnsafeRawBufferPointer(utf8), for: store, doing: doing)
      }
    }
    guard let made = try result.get() else { return nil }
    self = made
  }

  var item: Attacher.Item { Attacher.Item(name: Self.name, content: content) }
}

/// A moment at which attaching or moving may be interrupted and must leave the store intact. Tests stop
/// there.
package enum AttachmentStep: String, Sendable, CaseIterable {
  case opened, made, copied, synced, locked, renamed, folderSynced, described, written, referenced
  case committed, moved, compared, removed

  /// Called at each step; it may throw or end the process.
  @TaskLocal package static var hook: (@Sendable (AttachmentStep) throws -> Void)?

  func pass() throws { try Self.hook?(self) }
}

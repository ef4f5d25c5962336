internal import Foundation
internal import GRDB
public import MessageModel

extension StoreWriting {
  /// Attaches files to a message, behind those it has, in one transaction; they are on the disk when it returns.
  ///
  /// A content that the store has already is not stored twice. If anything fails, none of them is attached, and no file
  /// is left behind.
  ///
  /// - Returns: All that is attached to the message now, as facts.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `noSuchFile`, `notPermitted`,
  ///   `invalidRequest` for what is no file, `inputOutput` also for a file that changes while it is read, `readOnly`,
  ///   `busy`.
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
      let attacher = Attacher(db, of: store, doing: doing)
      try attacher.add(items, to: id)
      try attacher.note(id)
      return try MessageRow.attachments(of: id, in: db)
    }
  }
}

extension SynchronousMessageStore {
  /// Begins to take in a content that comes in pieces; see ``setContent(_:of:)``.
  package func beginContent(doing: String = "cannot take a content in") -> ContentIntake {
    ContentIntake(contents, memoryLimit: options.inlineByteCount, doing: doing)
  }

  /// Takes a file in without referring to it.
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

  /// Writes in one transaction that refers to contents; if it fails, their files go again.
  func referring<Value>(
    to contents: [StagedContent], _ doing: String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    do {
      let value = try writing(doing) { db in
        try AttachmentStep.locked.pass()
        return try body(db)
      }
      try AttachmentStep.committed.pass()
      openWrite?.draft?.contents += contents.map(\.key)
      return value
    } catch {
      removeUnreferenced(contents.map(\.key), doing: doing)
      throw StoreError(error, doing: doing)
    }
  }

  /// Removes the files of those contents that nothing refers to.
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
  /// Removes the file of a content of which the store knows nothing. The caller holds the write lock.
  func removeUnreferenced(_ key: ContentKey, in db: Database, doing: String) throws {
    guard try ContentRow(key, in: db) == nil, facts(of: key) != nil else { return }
    try remove(key, doing: doing)
  }
}

package import Foundation
package import HistoryQueries
package import MessageModel
package import MessageStorage
internal import TerminalText

/// What the REPL needs of a store, besides pages and what queries need.
package protocol ReplStore: SynchronousMessageSource, QueriedStore {
  /// Whether anything can be written to it.
  var isWritable: Bool { get }
  /// Throws if what the store is kept in is not where it was any more.
  func checkPlace() throws(StoreError)
  /// Returns all conversations by name.
  func conversations() throws(StoreError) -> [Conversation]
  /// Returns the version that a page of a selection would have now, reading no message.
  func version(of selection: Selection) throws(StoreError) -> SourceVersion
  /// Appends a message that somebody writes now and returns its id.
  ///
  /// - Parameter positions: Up to where they have read, to be written with it, which counts as read then; `nil` marks
  ///   nothing as read.
  func append(
    _ message: NewMessage, to conversation: Conversation.ID, marking positions: ReadPositions?
  ) throws(StoreError) -> Message.ID
  /// Returns the newest message of a conversation that counts as read; `nil` if none does.
  func readMark(of conversation: Conversation.ID) throws(StoreError) -> Message.ID?
  /// Returns how many messages of conversations are unread, in their order.
  func unreadCounts(of conversations: [Conversation]) throws(StoreError) -> [Int]
  /// Returns what is made of the newest messages of conversations.
  func newestMessages<Kept>(
    of conversations: [Conversation], _ transform: (Message) -> Kept
  ) throws(StoreError) -> [Conversation.ID: Kept]
  /// Returns the thread that a message belongs to, oldest first.
  func thread(of id: Message.ID, limit: Int) throws(StoreError) -> [Message]
  /// Returns the import that a conversation came with; `nil` if it was written here.
  func origin(of conversation: Conversation.ID) throws(StoreError) -> StoredImport?
  /// Returns the texts that a message had before, oldest first.
  func edits(of id: Message.ID) throws(StoreError) -> [Message.Edit]
  /// Returns the whole text of a message, or `nil` if it is not there.
  func text(of id: Message.ID) throws(StoreError) -> String?
  /// Says up to which messages conversations have been read; no mark moves back.
  func markRead(_ positions: ReadPositions) throws(StoreError)
  /// Returns the days or months of a conversation that hold messages, oldest first.
  func sections(
    of conversation: Conversation.ID?, by span: HistorySection.Span, zone: TimeZone
  ) throws(StoreError) -> [HistorySection]
  /// Returns the first days or months from one on, at most `limit`.
  func sections(
    of conversation: Conversation.ID?, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID,
    limit: Int
  ) throws(StoreError) -> [HistorySection]
  /// Returns all marks by name.
  func marks() throws(StoreError) -> [NamedMark]
  /// Sets a mark; one of the same name moves there.
  func setMark(_ mark: NamedMark) throws(StoreError)
  /// Gives a message another text and returns what takes that back; `nil` if it has that text already.
  func change(_ id: Message.ID, text: String) throws(StoreError) -> Restoration?
  /// Deletes a message and returns what brings it back.
  func delete(_ id: Message.ID) throws(StoreError) -> Restoration
  /// Adds a reaction; whether it is new.
  @discardableResult
  func react(_ emoji: String, to id: Message.ID, from sender: String) throws(StoreError) -> Bool
  /// Takes a reaction back; whether it was there.
  @discardableResult
  func withdraw(_ emoji: String, from id: Message.ID, by sender: String) throws(StoreError) -> Bool
  /// Returns a message with the places where a search finds it; `nil` if it is not there.
  func hit(_ id: Message.ID, of pattern: SearchPattern) throws(StoreError) -> SearchHit?
  /// Returns hits newer than a message, the nearest first, without a gap.
  func nextHits(
    _ pattern: SearchPattern, in selection: Selection, after id: Message.ID, limit: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> [Message.ID]
  /// Returns hits older than a message, the nearest first, without a gap.
  func previousHits(
    _ pattern: SearchPattern, in selection: Selection, before id: Message.ID, limit: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> [Message.ID]
  /// Returns hits next to an anchor, newest first.
  func hits(
    _ pattern: SearchPattern, in selection: Selection, anchor: PageAnchor, limit: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> SearchPage
  /// Returns the number of hits.
  func hitCount(
    _ pattern: SearchPattern, in selection: Selection, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> Int
  /// Returns the number of hits that are older than a message.
  func hitCount(
    _ pattern: SearchPattern, in selection: Selection, olderThan id: Message.ID,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> Int
  /// Returns the messages that were passed over since this was asked last: a regular expression took too long on them.
  func takeCostlyMessages() -> [Message.ID]
  /// Returns a small picture of an attached one as the bytes of a file; `nil` if there is none.
  func pictureBytes(_ kind: PictureKind, of sha256: String) throws(StoreError) -> [UInt8]?
  /// Appends a message with a file attached and returns its id.
  func append(
    _ text: String, file: String, from sender: String, to conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID
  /// Returns what is attached to a message.
  func attachments(of id: Message.ID) throws(StoreError) -> [Message.Attachment]
  /// Makes a folder to write into, unless it is there.
  func makeFolder(_ path: String) throws
  /// Writes what is attached into a folder and returns the path.
  func save(_ attachment: Message.Attachment, to folder: String) throws(StoreError) -> String
  /// Returns what the store holds in memory; `nil` if it cannot tell.
  func heldMemory() -> StoreMemory?
  /// Saves a filter by a name; one of the same name gives way.
  func saveFilter(named name: String, words: String, predicate: MessagePredicate) throws(StoreError)
  /// Counts the messages that were there before a filter was saved.
  @discardableResult
  func countFilter(
    named name: String, progress: (_ seen: Int, _ all: Int) -> Bool
  ) throws(StoreError) -> SavedFilter
  /// Returns a source that answers from the present state as long as it lives. It keeps what is written meanwhile in
  /// the log.
  func presentState() throws(StoreError) -> any SynchronousMessageSource
  /// The size of the log.
  var logByteCount: Int { get }
  /// Opens the same store once more, for long work on another thread.
  func reopened() throws(StoreError) -> SynchronousMessageStore
  /// Returns counts and sizes, a line per figure.
  func figures() throws -> String
}

extension ReplStore {
  package func checkPlace() throws(StoreError) {}
}

/// Brings something back as it was.
package typealias Restoration = @Sendable () throws(StoreError) -> Void

extension ReplStore {
  package func takeCostlyMessages() -> [Message.ID] { [] }
}

extension SynchronousMessageStore: ReplStore {
  package func delete(_ id: Message.ID) throws(StoreError) -> Restoration {
    let deleted: DeletedMessages = try delete([id])
    return { () throws(StoreError) in try self.restore(deleted) }
  }

  package func change(_ id: Message.ID, text: String) throws(StoreError) -> Restoration? {
    guard let edit = try reversibleEdit(id, text: text) else { return nil }
    return { () throws(StoreError) in try self.takeBack(edit) }
  }

  package func append(
    _ message: NewMessage, to conversation: Conversation.ID, marking positions: ReadPositions?
  ) throws(StoreError) -> Message.ID {
    let ids = try append([message], to: conversation, reading: positions)
    guard let id = ids.first else { throw StoreError(.damaged, "the message has no id") }
    return id
  }

  package func pictureBytes(_ kind: PictureKind, of sha256: String) throws(StoreError) -> [UInt8]? {
    guard let small = try picture(kind, of: sha256) else { return nil }
    // Not through the cache of contents: what is drawn is held already.
    let content = try openContent(small.sha256)
    return try content.read(at: 0, count: content.byteCount)
  }

  package func append(
    _ text: String, file: String, from sender: String, to conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    let new = NewMessage(text, from: sender, attachments: [NewAttachment(file: file)])
    guard let id = try append([new], to: conversation).first else {
      throw StoreError(.damaged, "the message has no id")
    }
    return id
  }

  package func makeFolder(_ path: String) throws { try FolderMaking.make(path, sparing: files) }

  package func edits(of id: Message.ID) throws(StoreError) -> [Message.Edit] {
    try records(of: [id]).records.first?.edits ?? []
  }

  package func heldMemory() -> StoreMemory? { memory() }

  package func reopened() throws(StoreError) -> SynchronousMessageStore {
    var options = options
    if options.access == .create { options.access = .readWrite }
    try checkPlace()
    return try SynchronousMessageStore(path: path, options: options)
  }

  package func presentState() throws(StoreError) -> any SynchronousMessageSource { try snapshot() }

  package func figures() throws -> String {
    StatisticsTable.text(of: try HistoryQueries(self).statistics())
  }
}

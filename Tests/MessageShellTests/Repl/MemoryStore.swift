import Foundation
import HistoryQueries
import MessageModel
import MessageShell
import MessageSourceTesting
import MessageStorage
import Synchronization
import TerminalText

/// A store of two conversations in memory: `general` (1) and `random` (2).
final class MemoryStore: ReplStore {
  let source: ReferenceSource
  let failure = Mutex<StoreError?>(nil)
  /// Whether pages are not answered for now.
  let isSlow = Mutex(false)
  /// How far it looks for what a filter lets through; `nil` for all the way.
  let reach: Int?
  /// How many pages were read.
  let pageCount = Mutex(0)
  private let readMarks = Mutex<[Conversation.ID: Message.ID]>([:])

  /// Creates a store whose `general` holds `count` messages of alice and bob, a minute apart from 2024-05-01 12:00
  /// UTC, their texts their numbers from 1.
  init(count: Int) {
    reach = nil
    let start = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1, hour: 12))
    source = ReferenceSource(
      (0..<count).map { index in
        Message(
          id: Message.ID(time: start.advanced(byMilliseconds: Int64(index) * 60_000)),
          conversation: Conversation.ID(rawValue: 1),
          sender: Sender(
            id: Sender.ID(rawValue: Int64(index % 2)), name: index.isMultiple(of: 2) ? "alice" : "bob"),
          precision: .minute, text: "message \(index + 1)")
      })
  }

  /// Creates a store of these messages.
  init(_ messages: [Message], reach: Int? = nil) {
    self.reach = reach
    source = ReferenceSource(messages)
  }

  func page(_ request: PageRequest) throws(StoreError) -> Page {
    pageCount.withLock { $0 += 1 }
    while isSlow.withLock({ $0 }) {
      if SynchronousMessageStore.isCancelled?() == true {
        throw StoreError(.cancelled, "cannot read messages")
      }
      usleep(500)
    }
    guard let reach, request.selection.predicate != .everything else { return try source.page(request) }
    return try shortSighted(request, reach: reach)
  }

  /// Looks for what a filter lets through among the next `reach` messages alone, and says so.
  private func shortSighted(_ request: PageRequest, reach: Int) throws(StoreError) -> Page {
    let edge: Message.ID
    switch request.anchor {
    case .before(let id): edge = id
    case .newest: edge = .highest
    default: return try source.page(request)
    }
    let looked = source.messages.filter { $0.id < edge }.suffix(reach)
    let all = try source.page(PageRequest(request.selection, anchor: .oldest, fetchLimit: .max)).messages
    let found = all.filter { $0.id < edge && $0.id >= looked.first?.id ?? .highest }
    let isAtEnd = looked.first?.id == source.messages.first?.id || looked.isEmpty
    var page = Page(
      messages: Array(found.suffix(request.fetchLimit)),
      hasOlder: found.count > request.fetchLimit || !isAtEnd,
      hasNewer: all.contains { $0.id >= edge }, version: try version(of: request.selection))
    if found.count < request.fetchLimit, !isAtEnd { page.resumption = looked.first.map { .before($0.id) } }
    return page
  }

  func version(of selection: Selection) throws(StoreError) -> SourceVersion {
    try source.page(PageRequest(selection, fetchLimit: 0, wantsCounts: false)).version
  }

  func changes() -> AsyncStream<SourceChange> { source.changes() }

  func conversations() throws(StoreError) -> [Conversation] {
    ["general", "random"].enumerated().map { index, name in
      let id = Conversation.ID(rawValue: Int64(index + 1))
      let messages = source.messages.filter { $0.conversation == id }
      return Conversation(
        id: id, name: name, messageCount: messages.count, oldest: messages.first?.id,
        newest: messages.last?.id,
        readUpTo: readMarks.withLock { $0[id] })
    }
  }

  func conversationNames() throws(StoreError) -> [String] { try conversations().map(\.name) }

  func conversation(_ id: Conversation.ID) throws(StoreError) -> Conversation? {
    try conversations().first { $0.id == id }
  }

  func conversation(named name: String) throws(StoreError) -> Conversation? {
    try conversations().first { $0.name == name }
  }

  func append(
    _ new: NewMessage, to conversation: Conversation.ID, marking positions: ReadPositions?
  ) throws(StoreError) -> Message.ID {
    if let error = failure.withLock({ $0 }) { throw error }
    let id = source.append(new.text, to: conversation)
    source.edit(id) { message in
      message.sender = Sender(id: Sender.ID(rawValue: 9), name: new.sender ?? "")
      message.replyTo = new.replyTo
      message.kind = new.kind
      message.precision = .minute
    }
    if var positions {
      positions.note(id, in: conversation)
      try markRead(positions)
    }
    return id
  }

  func hits(
    _ pattern: SearchPattern, in selection: Selection, anchor: PageAnchor, limit: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> SearchPage {
    throw StoreError(.invalidRequest, "there is no search here")
  }

  func readMark(of conversation: Conversation.ID) throws(StoreError) -> Message.ID? {
    readMarks.withLock { $0[conversation] }
  }

  func unreadCounts(of conversations: [Conversation]) throws(StoreError) -> [Int] {
    conversations.map { conversation in
      source.messages.count {
        $0.conversation == conversation.id && $0.id > conversation.readUpTo ?? .lowest
      }
    }
  }

  var isWritable: Bool { true }

  func newestMessages<Kept>(
    of conversations: [Conversation], _ transform: (Message) -> Kept
  ) throws(StoreError) -> [Conversation.ID: Kept] {
    source.messages.reduce(into: [:]) { $0[$1.conversation] = transform($1) }
  }

  func thread(of id: Message.ID, limit: Int) throws(StoreError) -> [Message] { [] }

  func text(of id: Message.ID) throws(StoreError) -> String? {
    source.messages.first { $0.id == id }?.text
  }

  func markRead(_ positions: ReadPositions) throws(StoreError) {
    for conversation in try conversations() {
      guard let id = positions[conversation.id] else { continue }
      source.setReadMark(id, of: conversation.id)
      readMarks.withLock { $0[conversation.id] = id }
    }
  }

  // What the store proper does is tested with the store proper.
  func senders() throws(StoreError) -> [SenderSummary] { [] }
  func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID> {
    Set(source.messages.compactMap { $0.sender?.name == name ? $0.sender?.id : nil })
  }
  func sections(
    of conversation: Conversation.ID?, by span: HistorySection.Span, zone: TimeZone
  ) throws(StoreError) -> [HistorySection] { [] }
  func sections(
    of conversation: Conversation.ID?, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID,
    limit: Int
  ) throws(StoreError) -> [HistorySection] { [] }
  func marks() throws(StoreError) -> [NamedMark] { [] }
  func setMark(_ mark: NamedMark) throws(StoreError) { throw StoreError(.readOnly, "cannot set a mark") }

  func hit(_ id: Message.ID, of pattern: SearchPattern) throws(StoreError) -> SearchHit? {
    throw StoreError(.invalidRequest, "cannot search")
  }
  func nextHits(
    _ pattern: SearchPattern, in selection: Selection, after id: Message.ID, limit: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> [Message.ID] { [] }
  func previousHits(
    _ pattern: SearchPattern, in selection: Selection, before id: Message.ID, limit: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> [Message.ID] { [] }
  func hitCount(
    _ pattern: SearchPattern, in selection: Selection, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> Int { 0 }
  func hitCount(
    _ pattern: SearchPattern, in selection: Selection, olderThan id: Message.ID,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> Int { 0 }

  func change(_ id: Message.ID, text: String) throws(StoreError) -> Restoration? {
    if let error = failure.withLock({ $0 }) { throw error }
    let old = try self.text(of: id) ?? ""
    source.edit(id, text: text)
    return { () throws(StoreError) in self.source.edit(id, text: old) }
  }

  func delete(_ id: Message.ID) throws(StoreError) -> Restoration {
    source.delete([id])
    return { () throws(StoreError) in throw StoreError(.readOnly, "cannot restore messages") }
  }

  func react(_ emoji: String, to id: Message.ID, from sender: String) throws(StoreError) -> Bool { true }
  func withdraw(_ emoji: String, from id: Message.ID, by sender: String) throws(StoreError) -> Bool { true }

  func pictureBytes(_ kind: PictureKind, of sha256: String) throws(StoreError) -> [UInt8]? {
    sha256 == "missing" ? nil : Array("\(kind) of \(sha256)".utf8)
  }

  func append(
    _ text: String, file: String, from sender: String, to conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    try append(NewMessage(text, from: sender), to: conversation, marking: nil)
  }
  func origin(of conversation: Conversation.ID) throws(StoreError) -> StoredImport? { nil }
  func attachments(of id: Message.ID) throws(StoreError) -> [Message.Attachment] { [] }
  func save(_ attachment: Message.Attachment, to folder: String) throws(StoreError) -> String { folder }
  func makeFolder(_ path: String) throws {}
  func edits(of id: Message.ID) throws(StoreError) -> [Message.Edit] { [] }
  func heldMemory() -> StoreMemory? { nil }
  func savedFilters() throws(StoreError) -> [SavedFilter] { [] }
  func savedFilter(named name: String) throws(StoreError) -> SavedFilter? { nil }
  func saveFilter(named name: String, words: String, predicate: MessagePredicate) throws(StoreError) {
    throw StoreError(.readOnly, "cannot save a filter")
  }
  func countFilter(
    named name: String, progress: (_ seen: Int, _ all: Int) -> Bool
  ) throws(StoreError) -> SavedFilter { throw StoreError(.readOnly, "cannot count a filter") }
  func presentState() throws(StoreError) -> any SynchronousMessageSource { ReferenceSource(source.messages) }
  var logByteCount: Int { 0 }

  func reopened() throws(StoreError) -> SynchronousMessageStore {
    throw StoreError(.noSuchStore, "it is in memory")
  }

  func figures() throws -> String { "messages  \(source.messages.count)\n" }

  /// A context in `general`, on 2024-05-15 12:00 UTC, as carol.
  func context() throws -> ReplContext {
    ReplContext(
      store: self, conversation: try conversations()[0], me: "carol", zone: .gmt,
      now: { Timestamp(utc: CivilTime(year: 2024, month: 5, day: 15, hour: 12)) })
  }
}

extension ReplStore {
  /// Appends a message that somebody writes now, which marks nothing as read, and returns its id.
  @discardableResult
  func append(
    _ text: String, from sender: String, replyTo: Message.ID?, to conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    try append(NewMessage(text, from: sender, replyTo: replyTo), to: conversation, marking: nil)
  }
}

internal import Foundation
package import MessageModel
package import MessageStorage
package import Redaction
internal import Synchronization

/// A store as others see it: texts and names with stand-ins, and no answer that depends on what those stand for (docs/redact.md).
///
/// It is the one place that redacted answers come from: a reader of a store over it has no way to the original. The indexes of the
/// original propose messages; a condition is then asked of what they show (``ShownCondition``), and only what is left is read, counted
/// and ranked. What the store is asked for by name is looked up among the names that are shown.
package final class RedactedHistory: HistoryArchive {
  package let place: String
  package let identity: String
  let original: SynchronousMessageStore
  let redactor: Redactor
  private let state = Mutex(State())

  private struct State {
    var names: MaskedNames?
    /// What was found by conditions, the last one asked for last.
    var found: [FoundMessages] = []
  }

  /// The most conditions whose messages are kept.
  private static let mostFound = 8

  /// - Throws: ``StoreError`` as reading a store does.
  package init(_ original: SynchronousMessageStore, by redactor: Redactor) throws(StoreError) {
    (self.original, self.redactor) = (original, redactor)
    place = redactor.text(original.path)
    identity = try original.storeIdentity() ?? ""
  }

  package var refusal: (cause: String, remedy: Remedy) {
    ("a redacted history does not answer that", "the same without --redact")
  }

  package var hidesMemory: Bool { true }
  package var ranksExchanges: Bool { true }

  /// The names that are shown now.
  func names() throws(StoreError) -> MaskedNames {
    let version = try original.version(of: .everything)
    if let known = state.withLock({ $0.names }), known.version == version { return known }
    let names = try MaskedNames(version, of: original, redactor)
    state.withLock { $0.names = names }
    return names
  }

  /// Returns what was found by a condition, as far as it was looked for in this version of the store.
  func found(_ selection: Selection, at version: SourceVersion) -> FoundMessages {
    let fresh = FoundMessages(selection, version, standInCount: redactor.standInCount)
    return state.withLock { state in
      state.found.removeAll { $0.version != version || $0.standInCount != fresh.standInCount }
      return state.found.first { $0.selection == selection } ?? fresh
    }
  }

  /// Keeps what was found.
  func keep(_ found: FoundMessages) {
    state.withLock { state in
      state.found.removeAll { $0.selection == found.selection }
      state.found.append(found)
      if state.found.count > Self.mostFound { state.found.removeFirst() }
    }
  }

  // MARK: Messages

  package func page(_ request: PageRequest) throws(StoreError) -> Page {
    try request.checkCounts()
    let condition = try ShownCondition(request.selection.predicate, of: original, redactor)
    var page =
      condition.isOfFacts ? try original.page(request) : try FoundPage(request, condition, of: self).page()
    page.messages = try shown(page.messages)
    return page
  }

  package func records(of ids: [Message.ID]) throws(StoreError) -> [Message.ID: MessageRecord] {
    let names = try names()
    var records: [Message.ID: MessageRecord] = [:]
    for record in try original.records(of: ids[...]).records {
      records[record.message.id] = shown(record, names)
    }
    for id in ids where records[id] == nil {
      // It may have had this id before it was moved.
      guard let record = try original.records(of: [id]).records.first else { continue }
      records[id] = shown(record, names)
    }
    return records
  }

  package func threadStart(of id: Message.ID) throws(StoreError) -> Message.ID {
    try original.threadStart(of: id)
  }

  package func answered(among ids: [Message.ID]) throws(StoreError) -> [Message.ID] {
    let counts = try original.answerCounts(of: ids, in: .all, unreadAfter: nil) ?? [:]
    return ids.filter { counts[$0] != nil }
  }

  package func messageID(platform: String, id external: String) throws(StoreError) -> Message.ID? {
    guard let id = try original.messageID(platform: platform, id: external),
      let record = try original.records(of: [id]).records.first,
      let own = record.source?.id, redactor.look(at: own).text == external
    else { return nil }
    return id
  }

  // MARK: Names

  package func conversations(_ wanted: WantedConversations) throws(StoreError) -> [Conversation] {
    let names = try names()
    switch wanted {
    case .after(let name, let limit):
      let rest = names.conversations.drop { conversation in
        name.map { !$0.utf8.lexicographicallyPrecedes(conversation.name.utf8) } ?? false
      }
      return Array(rest.prefix(max(limit, 0)))
    case .id(let id): return names.conversation(id).map { [$0] } ?? []
    case .named(let name): return names.conversation(named: name).map { [$0] } ?? []
    }
  }

  package func conversationName(_ id: Conversation.ID) throws(StoreError) -> String? {
    try names().conversation(id)?.name
  }

  package func conversationNames(limit: Int) throws(StoreError) -> [String] {
    try names().conversations.prefix(max(limit, 0)).map(\.name)
  }

  package func senders(in conversations: Selection.Conversations) throws(StoreError) -> [SenderSummary] {
    let names = try names()
    return try original.senders(in: conversations).map { shown($0, names) }.sorted {
      ($1.messageCount, $0.sender.name, $0.sender.id) < ($0.messageCount, $1.sender.name, $1.sender.id)
    }
  }

  package func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID> {
    let all = try senders(in: .all)
    let meant = Set(all.filter { $0.sender.name == name }.map { $0.aliasOf ?? $0.sender.id })
    return Set(all.filter { meant.contains($0.aliasOf ?? $0.sender.id) }.map(\.sender.id))
  }

  package func senderIDs(onPlatforms externals: Set<String>) throws(StoreError) -> Set<Sender.ID> {
    let all = try original.senders().filter { sender in
      sender.external.map { externals.contains(redactor.text($0)) } ?? false
    }
    return Set(all.map(\.sender.id))
  }

  package func people(
    of conversations: [Conversation.ID]?, me: String?
  ) throws(StoreError) -> [Conversation.ID: ConversationPeople] {
    let names = Dictionary(
      try shownPeople().map { ($0.original.name, $0.shown.name) }, uniquingKeysWith: { first, _ in first })
    return try original.peopleCounts(of: conversations, me: me).mapValues { people in
      var people = people
      people.linked = people.linked.map { names[$0] ?? redactor.sender($0) }.sorted()
      return people
    }
  }

  // MARK: State

  package func changes() -> AsyncStream<SourceChange> { original.changes() }

  package func unreadCounts(of conversations: [Conversation]) throws(StoreError) -> [Int] {
    try original.unreadCounts(of: conversations)
  }

  package func platform(of conversation: Conversation.ID) throws(StoreError) -> String? {
    try original.platform(of: conversation)
  }

  /// The original stays open: its opener closes it.
  package func close() {}
}

/// A store with what is shown of it: itself, or a store over a ``RedactedHistory``.
package struct ShownStore: Sendable {
  /// The store in its file.
  package let original: SynchronousMessageStore
  /// The store that questions are asked of.
  package let shown: SynchronousMessageStore

  /// - Throws: ``StoreError`` as reading a store does.
  package init(_ original: SynchronousMessageStore, by redactor: Redactor?) throws(StoreError) {
    self.original = original
    guard let redactor else {
      shown = original
      return
    }
    shown = try SynchronousMessageStore(reading: RedactedHistory(original, by: redactor))
  }

  /// Does something with what is shown; no error names the path of the original.
  package func reading<Value>(_ body: (SynchronousMessageStore) throws -> Value) throws -> Value {
    do {
      return try body(shown)
    } catch let error as StoreError {
      throw told(error)
    }
  }

  /// Returns an error as it is told.
  package func told(_ error: StoreError) -> StoreError {
    guard shown !== original else { return error }
    var error = error
    error.summary = error.summary.replacing(original.path, with: shown.path)
    error.cause = error.cause?.replacing(original.path, with: shown.path)
    return error
  }

  /// Closes both.
  package func close() {
    if shown !== original { shown.close() }
    original.close()
  }
}

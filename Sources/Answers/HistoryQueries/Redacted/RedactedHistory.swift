internal import Foundation
package import MessageModel
package import MessageStorage
package import Redaction
internal import Synchronization

/// A redacted store: texts and names contain stand-ins, and no answer depends on what they replace
/// (docs/redact.md).
///
/// All redacted answers come from here: a store opened over it has no access to the original. The indexes of
/// the original propose messages; the condition is then evaluated on their redacted form
/// (``ShownCondition``), and only the remaining ones are read, counted and ranked. Names in requests are
/// looked up among the redacted names.
package final class RedactedHistory: HistoryArchive {
  package let place: String
  package let identity: String
  let original: SynchronousMessageStore
  let redactor: Redactor
  private let state = Mutex(State())

  private struct State {
    var names: MaskedNames?
    /// Results for recent conditions, the last used at the end.
    var found: [FoundMessages] = []
  }

  private static let mostFound = 8

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

  func names() throws(StoreError) -> MaskedNames {
    let version = try original.version(of: .everything)
    if let known = state.withLock({ $0.names }), known.version == version { return known }
    let names = try MaskedNames(version, of: original, redactor)
    state.withLock { $0.names = names }
    return names
  }

  /// Returns the results for a condition at this version of the store, as far as they are known.
  func found(_ selection: Selection, at version: SourceVersion) -> FoundMessages {
    let fresh = FoundMessages(selection, version, standInCount: redactor.standInCount)
    return state.withLock { state in
      state.found.removeAll { $0.version != version || $0.standInCount != fresh.standInCount }
      return state.found.first { $0.selection == selection } ?? fresh
    }
  }

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

  package func senderCount() throws(StoreError) -> Int { try original.senderCount() }

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

  package func changes() -> AsyncStream<Void> { original.changes() }

  package func unread(of conversations: [Conversation]) throws(StoreError) -> [UnreadStretch] {
    try original.unread(of: conversations)
  }

  package func platform(of conversation: Conversation.ID) throws(StoreError) -> String? {
    try original.platform(of: conversation)
  }

  /// Leaves the original open: its opener closes it.
  package func close() {}
}

/// A store and its redacted form: the store itself, or a store over a ``RedactedHistory``.
package struct ShownStore: Sendable {
  package let original: SynchronousMessageStore
  /// The store that answers questions.
  package let shown: SynchronousMessageStore

  package init(_ original: SynchronousMessageStore, by redactor: Redactor?) throws(StoreError) {
    self.original = original
    guard let redactor else {
      shown = original
      return
    }
    shown = try SynchronousMessageStore(reading: RedactedHistory(original, by: redactor))
  }

  /// Reads the redacted store; errors do not contain the path of the original.
  package func reading<Value>(_ body: (SynchronousMessageStore) throws -> Value) throws -> Value {
    do {
      return try body(shown)
    } catch let error as StoreError {
      throw told(error)
    }
  }

  /// Removes the path of the original from an error.
  package func told(_ error: StoreError) -> StoreError {
    guard shown !== original else { return error }
    var error = error
    error.summary = error.summary.replacing(original.path, with: shown.path)
    error.cause = error.cause?.replacing(original.path, with: shown.path)
    return error
  }

  package func close() {
    if shown !== original { shown.close() }
    original.close()
  }
}

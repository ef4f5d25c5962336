internal import HistoryModel
internal import MessageMarkup
internal import MessageModel
internal import MessageStorage
internal import Synchronization
internal import TerminalText

/// Names of conversations and people of shown messages, each looked up once until it may have changed.
package final class NameCache: Sendable {
  private struct Names {
    var conversations: [Conversation.ID: String] = [:]
    var dialects: [Conversation.ID: MarkupDialect] = [:]
    /// `nil` for senders that are linked to no person.
    var people: [Sender.ID: String?] = [:]
    var hasPeople: Bool?
    /// The names of the reader's accounts.
    var own: [String]?
    /// The store's version that the names reflect at least; `nil` if unknown.
    var version: SourceVersion?
    /// Increases when names are dropped: look-ups begun before are not kept.
    var generation = 0
  }

  private let store: SynchronousMessageStore
  private let names = Mutex(Names())
  private static let most = 4_096
  /// With more changes, dropping all names is as fast.
  private static let mostSteps = 256

  init(_ store: SynchronousMessageStore) { self.store = store }

  /// Drops names that may have changed; all if it cannot be told which. Platforms stay as first looked up.
  func forgetChanged() {
    let known = names.withLock { $0.version }
    let changes = known.flatMap { try? store.changes(since: $0, limit: Self.mostSteps) }
    let version = changes?.version ?? (try? store.version(of: .everything))
    names.withLock { names in
      (names.version, names.generation) = (version, names.generation + 1)
      // A link or an import may concern any sender.
      guard let changes, !changes.isEverything else {
        (names.conversations, names.people, names.hasPeople, names.own) = ([:], [:], nil, nil)
        return
      }
      for id in changes.conversations { names.conversations[id] = nil }
    }
  }

  /// Empty on a read error.
  func conversation(_ id: Conversation.ID) -> String {
    let (generation, known) = names.withLock { ($0.generation, $0.conversations[id]) }
    if let known { return known }
    guard let found = try? store.conversationName(id) else { return "" }
    names.withLock {
      guard $0.generation == generation else { return }
      if $0.conversations.count >= Self.most { $0.conversations = [:] }
      $0.conversations[id] = found
    }
    return found
  }

  func dialect(of id: Conversation.ID) -> MarkupDialect {
    if let known = names.withLock({ $0.dialects[id] }) { return known }
    guard let found = try? store.platform(of: id) as String?? else { return .none }
    let dialect = MarkupDialect(platform: found)
    names.withLock {
      if $0.dialects.count >= Self.most { $0.dialects = [:] }
      $0.dialects[id] = dialect
    }
    return dialect
  }

  func person(_ id: Sender.ID) -> String? {
    let (generation, hasPeople, known) = names.withLock { ($0.generation, $0.hasPeople, $0.people[id]) }
    if let known { return known }
    guard hasPeople ?? learnWhetherThereArePeople(generation) else { return nil }
    guard let found = try? store.personName(of: id) as String?? else { return nil }
    names.withLock {
      guard $0.generation == generation else { return }
      if $0.people.count >= Self.most { $0.people = [:] }
      $0.people[id] = .some(found)
    }
    return found
  }

  /// The names of the accounts of the person `me`; none on a read error.
  func own() -> [String] {
    let (generation, hasPeople, known) = names.withLock { ($0.generation, $0.hasPeople, $0.own) }
    if let known { return known }
    guard hasPeople ?? learnWhetherThereArePeople(generation) else { return [] }
    guard let found = try? store.ownNames() else { return [] }
    names.withLock { if $0.generation == generation { $0.own = found } }
    return found
  }

  private func learnWhetherThereArePeople(_ generation: Int) -> Bool {
    guard let found = try? store.hasLinkedAccounts() else { return false }
    names.withLock { if $0.generation == generation { $0.hasPeople = found } }
    return found
  }
}

struct MessageNaming: Sendable {
  let cache: NameCache
  let showsConversations: Bool

  /// The reader's own accounts keep their names.
  func names(of message: Message) -> ShownNames {
    let person = message.sender.flatMap { cache.person($0.id) }
    let isOwn = person == Person.me
    return ShownNames(
      conversation: showsConversations ? cache.conversation(message.conversation) : nil,
      person: isOwn ? nil : person, isOwn: isOwn, dialect: cache.dialect(of: message.conversation))
  }

  func named(_ message: Message) -> Message {
    var message = message
    if let person = names(of: message).person { message.sender?.name = person }
    return message
  }
}

internal import MessageMarkup
internal import MessageModel
internal import MessageStorage
internal import Synchronization
internal import TerminalText

/// The names of conversations and people as far as messages have been shown under them: each is looked up once, until it may
/// be another one.
package final class NameCache: Sendable {
  private struct Names {
    var conversations: [Conversation.ID: String] = [:]
    var dialects: [Conversation.ID: MarkupDialect] = [:]
    /// The people of senders; of `nil` for those whom nobody has linked.
    var people: [Sender.ID: String?] = [:]
    /// Whether anybody is linked; `nil` if that is not known.
    var hasPeople: Bool?
    /// The version of the store that they are of at least; `nil` if that is not known.
    var version: SourceVersion?
    /// The number of times that names were forgotten: what was looked up before is not kept afterwards.
    var generation = 0
  }

  private let store: SynchronousMessageStore
  private let names = Mutex(Names())
  /// The most names of each sort that are held.
  private static let most = 4_096
  /// After more changes than these all names are looked up anew, which takes no longer.
  private static let mostSteps = 256

  init(_ store: SynchronousMessageStore) { self.store = store }

  /// Forgets the names that may be others by now: all if it cannot be told which. The platform that a conversation came from
  /// stays the one that it was when it was first shown.
  func forgetChanged() {
    let known = names.withLock { $0.version }
    let changes = known.flatMap { try? store.changes(since: $0, limit: Self.mostSteps) }
    let version = changes?.version ?? (try? store.version(of: .everything))
    names.withLock { names in
      (names.version, names.generation) = (version, names.generation + 1)
      // Who is linked, or not any more, and what an import brings may be anybody.
      guard let changes, !changes.isEverything else {
        (names.conversations, names.people, names.hasPeople) = ([:], [:], nil)
        return
      }
      for id in changes.conversations { names.conversations[id] = nil }
    }
  }

  /// Returns the name of a conversation. What cannot be read now is looked for again.
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

  /// Returns the manner in which the texts of a conversation are marked.
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

  /// Returns the name of the person whose account a sender is; `nil` if nobody has said.
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

  private func learnWhetherThereArePeople(_ generation: Int) -> Bool {
    guard let found = try? store.hasLinkedAccounts() else { return false }
    names.withLock { if $0.generation == generation { $0.hasPeople = found } }
    return found
  }
}

/// The manner in which a view names messages.
struct MessageNaming: Sendable {
  let cache: NameCache
  /// Whether messages of several conversations are shown.
  let showsConversations: Bool

  /// Returns the names under which a message is shown. The reader's own accounts keep the names that they have.
  func names(of message: Message) -> ShownNames {
    let person = message.sender.flatMap { cache.person($0.id) }
    let isOwn = person == Person.me
    return ShownNames(
      conversation: showsConversations ? cache.conversation(message.conversation) : nil,
      person: isOwn ? nil : person, isOwn: isOwn, dialect: cache.dialect(of: message.conversation))
  }

  /// Returns a message under the name of the person who wrote it.
  func named(_ message: Message) -> Message {
    var message = message
    if let person = names(of: message).person { message.sender?.name = person }
    return message
  }
}

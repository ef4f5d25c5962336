/// The messages of some conversations that match a predicate.
public struct Selection: Hashable, Sendable {
  /// The conversations of a selection: all of them, or some.
  public enum Conversations: Hashable, Sendable {
    /// All conversations, interleaved by time.
    case all
    /// These conversations, interleaved by time. An empty set selects nothing.
    case some(Set<Conversation.ID>)
  }

  /// The conversations.
  public var conversations: Conversations
  /// The condition that messages must match.
  public var predicate: MessagePredicate

  /// Selects the messages of `conversations` that match `predicate`.
  public init(_ conversations: Conversations, where predicate: MessagePredicate = .everything) {
    self.conversations = conversations
    self.predicate = predicate
  }

  /// Returns the messages that also match a predicate. Conversations in the predicate become the result's;
  /// otherwise both predicates are kept whole, so that saved filters among them are recognised.
  package func narrowed(to predicate: MessagePredicate) -> Selection {
    var narrowed = self
    let parts = predicate.parts.filter { part in
      guard case .conversation(let ids) = part else { return true }
      if case .some(let present) = narrowed.conversations {
        narrowed.conversations = .some(present.intersection(ids))
      } else {
        narrowed.conversations = .some(ids)
      }
      return false
    }
    narrowed.predicate = .all(of: [self.predicate, .all(of: parts)].filter { $0 != .everything })
    return narrowed
  }

  /// Selects the messages of a conversation that match `predicate`.
  public init(_ conversation: Conversation.ID, where predicate: MessagePredicate = .everything) {
    self.init(.some([conversation]), where: predicate)
  }

  /// All messages.
  public static let everything = Selection(.all)

  /// Whether the selection contains `message`, according to ``MessagePredicate/holds(for:)``.
  public func contains(_ message: Message) -> Bool {
    switch conversations {
    case .all: predicate.holds(for: message)
    case .some(let ids): ids.contains(message.conversation) && predicate.holds(for: message)
    }
  }
}

/// A condition on messages.
public indirect enum MessagePredicate: Hashable, Sendable {
  /// Every message.
  case everything
  /// Messages by one of these senders.
  case sender(Set<Sender.ID>)
  /// Messages in one of these conversations.
  case conversation(Set<Conversation.ID>)
  /// Messages of one of these kinds.
  case kind(Set<Message.Kind>)
  /// Messages with an id in this range.
  case ids(ClosedRange<Message.ID>)
  /// Messages written within this range, both ends included.
  case written(ClosedRange<Timestamp>)
  /// Messages with a feature.
  case has(Feature)
  /// Messages with an attached file whose name matches a regular expression.
  case file(String)
  /// Messages that were forwarded from an author or a conversation whose name matches a regular expression.
  case forwarded(String)
  /// The first message of a thread and all that belong to it: they name it as their thread, or reply to one
  /// of them and name no thread.
  case thread(Message.ID)
  /// Messages found by a full-text query: words that must all be there, `"phrases"`, `prefixes*`, `OR`,
  /// `-without`, parentheses. Case and accents are ignored. A store uses its search index.
  case matching(String)
  /// Messages that match a regular expression in Perl's syntax. A store reads one text after another.
  case regex(String)
  /// Messages that do not match this.
  case not(MessagePredicate)
  /// Messages that match all of these; every message if there are none.
  case and([MessagePredicate])
  /// Messages that match one of these; no message if there are none.
  case or([MessagePredicate])

  /// A property of a message.
  public enum Feature: String, Hashable, Sendable, CaseIterable, Codable {
    /// An attached file.
    case attachment
    /// A link in its text.
    case link
    /// A message that it replies to.
    case reply
    /// An edited text.
    case edit
    /// A star.
    case star
    /// An author other than the sender: it was forwarded.
    case forward
  }

  /// Messages with this literal text, ignoring case, by an equivalent regular expression.
  public static func substring(_ text: String) -> MessagePredicate { .regex("(?i)" + ExactText.quoted(text)) }

  /// Messages that people wrote: text and actions, without events and notices.
  public static let textOnly = MessagePredicate.kind([.text, .action])

  /// Messages written at or after `start` and before `end`; `nil` is unbounded. An empty interval matches
  /// nothing.
  public static func time(from start: Timestamp?, until end: Timestamp?) -> MessagePredicate {
    guard end != Timestamp.supported.lowerBound else { return .or([]) }
    let lower = start ?? Timestamp.supported.lowerBound
    let upper = end?.advanced(byMilliseconds: -1) ?? Timestamp.supported.upperBound
    return lower <= upper ? .written(lower...upper) : .or([])
  }

  /// Returns the conjunction in its shortest form.
  package static func all(of parts: [MessagePredicate]) -> MessagePredicate {
    if parts.isEmpty { return .everything }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// The parts, unchanged: a saved filter among them is recognised later.
  fileprivate var parts: [MessagePredicate] {
    if case .and(let all) = self { return all }
    return self == .everything ? [] : [self]
  }

  package var conjuncts: [MessagePredicate] {
    switch self {
    case .everything: []
    case .and(let all): all.flatMap(\.conjuncts)
    case .sender, .conversation, .kind, .ids, .written, .has, .file, .forwarded, .thread, .matching, .regex,
      .not, .or:
      [self]
    }
  }
}

extension MessagePredicate {
  package var asksForTimes: Bool {
    switch self {
    case .written: true
    case .not(let inner): inner.asksForTimes
    case .and(let parts), .or(let parts): parts.contains(where: \.asksForTimes)
    case .everything, .sender, .conversation, .kind, .ids, .has, .file, .forwarded, .thread, .matching,
      .regex:
      false
    }
  }
}

extension MessagePredicate {
  /// Whether `message` matches, according to its content in a page.
  ///
  /// This is a simple model for tests: a full-text query is a list of words that must all be there, and
  /// regular expressions search the text in the page. A store gives the same results from its indexes.
  public func holds(for message: Message) -> Bool {
    switch self {
    case .everything: true
    case .sender(let ids): message.sender.map { ids.contains($0.id) } ?? false
    case .conversation(let ids): ids.contains(message.conversation)
    case .kind(let kinds): kinds.contains(message.kind)
    case .ids(let range): range.contains(message.id)
    case .written(let range): range.contains(message.moment)
    case .has(.attachment): !message.attachments.isEmpty
    case .has(.link): message.text.contains("http://") || message.text.contains("https://")
    case .has(.reply): message.replyTo != nil
    case .has(.edit): message.isEdited
    case .has(.star): message.starredAt != nil
    case .has(.forward): message.forward != nil
    case .file(let pattern):
      (try? Regex(pattern)).map { name in message.attachments.contains { $0.name.contains(name) } } ?? false
    case .forwarded(let pattern):
      (try? Regex(pattern)).map { name in message.forward?.names.contains { $0.contains(name) } ?? false }
        ?? false
    case .thread(let id): message.id == id || message.thread == id
    case .matching(let query):
      query.lowercased().split { !$0.isLetter && !$0.isNumber }.allSatisfy { word in
        message.text.lowercased().split { !$0.isLetter && !$0.isNumber }.contains(word)
      }
    case .regex(let pattern): (try? Regex(pattern)).map { message.text.contains($0) } ?? false
    case .not(let inner): !inner.holds(for: message)
    case .and(let all): all.allSatisfy { $0.holds(for: message) }
    case .or(let any): any.contains { $0.holds(for: message) }
    }
  }
}

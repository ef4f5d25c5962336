/// The messages of some conversations for which a predicate holds.
public struct Selection: Hashable, Sendable {
  /// The conversations of a selection: all of them, or some.
  public enum Conversations: Hashable, Sendable {
    /// Of all, interleaved by time.
    case all
    /// Of these, interleaved by time. An empty set selects nothing.
    case some(Set<Conversation.ID>)
  }

  /// The conversations.
  public var conversations: Conversations
  /// The condition that must hold for the messages.
  public var predicate: MessagePredicate

  /// Selects the messages of `conversations` for which `predicate` holds.
  public init(_ conversations: Conversations, where predicate: MessagePredicate = .everything) {
    self.conversations = conversations
    self.predicate = predicate
  }

  /// The messages of the selection for which a predicate holds, too. Conversations that it asks for are those of the
  /// selection returned; otherwise both predicates stay whole, and either is known again as a saved filter.
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

  /// Selects the messages of one conversation for which `predicate` holds.
  public init(_ conversation: Conversation.ID, where predicate: MessagePredicate = .everything) {
    self.init(.some([conversation]), where: predicate)
  }

  /// All messages there are.
  public static let everything = Selection(.all)

  /// Whether `message` belongs to the selection, by ``MessagePredicate/holds(for:)``.
  public func contains(_ message: Message) -> Bool {
    switch conversations {
    case .all: predicate.holds(for: message)
    case .some(let ids): ids.contains(message.conversation) && predicate.holds(for: message)
    }
  }
}

/// A condition on messages.
public indirect enum MessagePredicate: Hashable, Sendable {
  /// Holds for each message.
  case everything
  /// Written by one of these.
  case sender(Set<Sender.ID>)
  /// In one of these conversations.
  case conversation(Set<Conversation.ID>)
  /// Of one of these kinds.
  case kind(Set<Message.Kind>)
  /// With an id in this range: between two places.
  case ids(ClosedRange<Message.ID>)
  /// Written within these milliseconds, both ends included.
  case written(ClosedRange<Timestamp>)
  /// Having a feature.
  case has(Feature)
  /// With an attached file in whose name a regular expression finds something.
  case file(String)
  /// The first message of a thread, and those that belong to it: that name it as their thread, or answer one of them and
  /// name none.
  case thread(Message.ID)
  /// Found by a full-text query: words that must all be there, `"phrases"`, `prefixes*`, `OR`, `-without`, parentheses. Case
  /// and accents do not matter. A store answers from its search index.
  case matching(String)
  /// Found by a regular expression in Perl's syntax, for which a store looks at one text after the other.
  case regex(String)
  /// For which this does not hold.
  case not(MessagePredicate)
  /// For which all of these hold; all messages if there are none.
  case and([MessagePredicate])
  /// For which one of these holds; no message if there are none.
  case or([MessagePredicate])

  /// A thing that a message may have.
  public enum Feature: String, Hashable, Sendable, CaseIterable, Codable {
    /// A file attached to it.
    case attachment
    /// A link in its text.
    case link
    /// A message that it answers.
    case reply
    /// A text that was changed.
    case edit
    /// A star.
    case star
  }

  /// Having a text within theirs as it stands, regardless of case: the regular expression for just that.
  public static func substring(_ text: String) -> MessagePredicate { .regex("(?i)" + ExactText.quoted(text)) }

  /// The messages that somebody wrote: text and actions, without events and notices.
  public static let textOnly = MessagePredicate.kind([.text, .action])

  /// Written at or after `start` and before `end`; `nil` leaves that side open. An empty interval holds for nothing.
  public static func time(from start: Timestamp?, until end: Timestamp?) -> MessagePredicate {
    guard end != Timestamp.supported.lowerBound else { return .or([]) }
    let lower = start ?? Timestamp.supported.lowerBound
    let upper = end?.advanced(byMilliseconds: -1) ?? Timestamp.supported.upperBound
    return lower <= upper ? .written(lower...upper) : .or([])
  }

  /// Holds where all of these do, in the shortest form.
  package static func all(of parts: [MessagePredicate]) -> MessagePredicate {
    if parts.isEmpty { return .everything }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// The conditions that it is put together from, as they are: a saved filter among them stays one.
  fileprivate var parts: [MessagePredicate] {
    if case .and(let all) = self { return all }
    return self == .everything ? [] : [self]
  }

  /// The conditions that must all hold; none for ``everything``.
  package var conjuncts: [MessagePredicate] {
    switch self {
    case .everything: []
    case .and(let all): all.flatMap(\.conjuncts)
    case .sender, .conversation, .kind, .ids, .written, .has, .file, .thread, .matching, .regex, .not, .or:
      [self]
    }
  }
}

extension MessagePredicate {
  /// Whether a part of it asks when messages were written.
  package var asksForTimes: Bool {
    switch self {
    case .written: true
    case .not(let inner): inner.asksForTimes
    case .and(let parts), .or(let parts): parts.contains(where: \.asksForTimes)
    case .everything, .sender, .conversation, .kind, .ids, .has, .file, .thread, .matching, .regex: false
    }
  }
}

extension MessagePredicate {
  /// Whether the predicate holds for `message`, judged by what a page carries of it.
  ///
  /// A plain meaning for models and tests: a full-text query is a list of words that all must be there, a regular
  /// expression is looked for as it is in the text the page carries. A store answers the same from its indexes.
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
    case .file(let pattern):
      (try? Regex(pattern)).map { name in message.attachments.contains { $0.name.contains(name) } } ?? false
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

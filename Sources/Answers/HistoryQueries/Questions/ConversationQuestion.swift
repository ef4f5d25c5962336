internal import MessageMarkup
public import MessageModel
package import MessageStorage

/// Asks for one conversation.
public struct ConversationQuestion: HistoryQuestion, ServedQuestion {
  /// Its word in JSON.
  public static let word = "conversation"

  /// The conversation.
  public var conversation: ConversationReference
  /// Whether to include the sender and the beginning of the newest message.
  public var newest: Bool?
  /// The last known name of a conversation given by its id. If it was merged, the answer is the conversation
  /// it was merged into.
  public var knownAs: String?

  /// Creates a question.
  public init(conversation: ConversationReference, newest: Bool? = nil, knownAs: String? = nil) {
    (self.conversation, self.newest, self.knownAs) = (conversation, newest, knownAs)
  }
}

extension ConversationQuestion {
  /// Returns the conversation.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> ConversationAnswer {
    try queries.conversation(try present(in: queries), wantsNewest: newest ?? false)
  }

  /// Returns the conversation that exists now: for a merged one the one that it was merged
  /// into; if no conversation has the name any more, the one that had it.
  private func present(in queries: QuestionAnswerer) throws(StoreError) -> ConversationReference {
    switch conversation {
    case .named(let name):
      guard try queries.store.conversation(named: name) == nil,
        let heir = try queries.store.conversation(importedAs: name)
      else { return conversation }
      return .id(heir.id)
    case .id(let id):
      guard let name = knownAs else { return conversation }
      switch try queries.store.fate(of: id, named: name, holding: nil) {
      case .present(let conversation), .merged(into: let conversation): return .id(conversation.id)
      case .deleted:
        // It may have been imported again.
        guard let again = try queries.store.conversation(named: name) else {
          throw QuestionAnswerer.notFound("conversation", name)
        }
        return .id(again.id)
      }
    }
  }
}

/// A conversation.
public struct ConversationAnswer: HistoryAnswer, ServedAnswer {
  /// Its name.
  public var name: String
  /// The number of its messages.
  public var messages: Int
  /// The time of its oldest message; `nil` if it is empty.
  public var first: Timestamp?
  /// The time of its newest message.
  public var last: Timestamp?
  /// The number of its senders; `nil` if they were not counted.
  public var senders: Int?
  /// Its id in the store.
  public var id: Conversation.ID
  /// Its oldest message.
  public var firstID: Message.ID?
  /// Its newest message.
  public var lastID: Message.ID?
  /// The precision of ``first``; `nil` for milliseconds.
  public var firstPrecision: TimePrecision?
  /// The precision of ``last``; `nil` for milliseconds.
  public var lastPrecision: TimePrecision?
  /// The newest read message; `nil` if none was read.
  public var readUpTo: Message.ID?
  /// The number of unread messages: those by others after ``readUpTo`` or, if nothing was read, after the
  /// newest imported message. `nil` if they were not counted.
  public var unread: Int?
  /// The number of all messages there, if some of them are by the user; else `nil`.
  public var newer: Int?
  /// Whether it is between two people. The source tells it or, failing that, the senders; `nil` if unknown.
  public var direct: Bool?
  /// The names of the linked people in a direct conversation, except the user; `nil` if there are none, or if
  /// its source does not say that it is direct.
  public var people: [String]?
  /// The sender of the newest message; `nil` if not requested.
  public var lastSender: String?
  /// The beginning of the newest message's text, without markup, or that it was deleted and by whom; `nil` if
  /// not requested.
  public var lastText: String?

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - people: Its senders; `nil` if unknown.
  ///   - newest: Its newest message; `nil` to leave that out.
  package init(
    _ conversation: Conversation, people: ConversationPeople? = nil, unread: UnreadStretch? = nil,
    newest: Newest? = nil
  ) {
    name = conversation.name
    messages = conversation.messageCount
    first = conversation.oldestTime
    last = conversation.newestTime
    senders = people?.count
    id = conversation.id
    firstID = conversation.oldest
    lastID = conversation.newest
    firstPrecision = conversation.oldestPrecision.unlessMillisecond
    lastPrecision = conversation.newestPrecision.unlessMillisecond
    readUpTo = unread?.readUpTo ?? conversation.readUpTo
    self.unread = unread?.count
    newer = unread.flatMap { $0.newerCount == $0.count ? nil : $0.newerCount }
    direct = conversation.isDirect ?? people?.isDirect
    self.people = people.flatMap { $0.linked.isEmpty ? nil : $0.linked }
    lastSender = newest?.sender
    lastText = newest?.text
  }

  /// The newest message of a conversation, as lists show it.
  public struct Newest: Hashable, Sendable {
    let sender: String?
    private(set) var text: String

    private static let length = 200

    /// Creates it from a message without markup.
    public init(_ message: Message) {
      sender = message.sender?.name
      text = message.deletion?.line ?? String(message.text.prefix(Self.length))
    }

    init(_ message: Message, as dialect: MarkupDialect) {
      self.init(message)
      guard message.deletion == nil, message.kind.mayBeMarked else { return }
      text = Markup.beginning(of: message.text, as: dialect, length: Self.length)
    }
  }
}

extension TimePrecision {
  var unlessMillisecond: TimePrecision? { self == .millisecond ? nil : self }
}

extension QuestionAnswerer {
  /// Returns a conversation with the numbers of its senders and of unread messages.
  ///
  /// - Parameters:
  ///   - reference: The conversation.
  ///   - wantsNewest: Whether to include the sender and the beginning of its newest message.
  public func conversation(
    _ reference: ConversationReference, wantsNewest: Bool = false
  ) throws(StoreError) -> ConversationAnswer {
    let found = try find(reference)
    let newest = wantsNewest ? try store.newestShown(of: [found]) : [:]
    return ConversationAnswer(
      found, people: try store.peopleCounts(of: [found.id], me: me)[found.id],
      unread: try store.unread(of: [found]).first, newest: newest[found.id])
  }

}

/// A conversation by name, a string in JSON, or by id, a number.
public enum ConversationReference: Hashable, Sendable {
  /// The conversation with this name.
  case named(String)
  /// The conversation with this id.
  case id(Conversation.ID)
}

extension ConversationReference: Codable {
  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let id = try? container.decode(Conversation.ID.self) {
      self = .id(id)
    } else {
      self = .named(try container.decode(String.self))
    }
  }

  /// Writes it as docs/json.md describes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .named(let name): try container.encode(name)
    case .id(let id): try container.encode(id)
    }
  }
}

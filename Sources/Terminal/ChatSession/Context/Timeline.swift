package import HistoryModel
package import MessageModel
package import MessageStorage
internal import TerminalText

/// The messages that a session shows as one history.
package enum Timeline: Hashable, Sendable {
  /// A conversation; typed messages are appended to it.
  case conversation(Conversation)
  /// All messages.
  case everything
  /// Messages between the user and a person, and that person's messages elsewhere.
  case person(PersonTimeline)

  /// A timeline's identity, independent of read marks and linked accounts.
  package enum Key: Hashable, Sendable {
    case conversation(Conversation.ID)
    case everything
    case person(Person.ID)
  }

  package var key: Key {
    switch self {
    case .conversation(let conversation): .conversation(conversation.id)
    case .everything: .everything
    case .person(let person): .person(person.id)
    }
  }

  /// The open conversation; `nil` where several are shown and nothing is appended.
  package var conversation: Conversation? {
    switch self {
    case .conversation(let conversation): conversation
    case .everything, .person: nil
    }
  }

  /// Not yet safe for display.
  package var name: String {
    switch self {
    case .conversation(let conversation): conversation.name
    case .everything: Self.everythingName
    case .person(let person): "@" + person.name
    }
  }

  static let everythingName = "Everything"
  static let everythingSign = "*"

  /// The key of a saved place; names of other timelines begin with a line break, unlike those of
  /// conversations.
  package var keptName: String {
    switch self {
    case .conversation(let conversation): conversation.name
    case .everything: Self.keptEverything
    case .person(let person): Self.keptPerson + person.name
    }
  }

  private static let keptEverything = "\n*"
  private static let keptPerson = "\n@"

  package static func opening(keptAs name: String) -> ReplCommand.Opening {
    if name == keptEverything { return .everything }
    return name.hasPrefix(keptPerson)
      ? .person(String(name.dropFirst(keptPerson.count))) : .conversation(name)
  }

  func selection(_ extent: PersonTimeline.Extent) -> Selection {
    switch self {
    case .conversation(let conversation): Selection(conversation.id)
    case .everything: .everything
    case .person(let person): person.selection(extent)
    }
  }

  /// Conversations shown completely: what is seen of them counts as read.
  var wholeConversations: Selection.Conversations {
    switch self {
    case .conversation(let conversation): .some([conversation.id])
    case .everything: .all
    case .person(let person): .some(person.direct)
    }
  }

  func showsAll(of conversation: Conversation.ID) -> Bool {
    switch wholeConversations {
    case .all: true
    case .some(let ids): ids.contains(conversation)
    }
  }
}

/// A person's timeline, by the accounts linked now.
package struct PersonTimeline: Hashable, Sendable {
  let id: Person.ID
  var name: String
  var senders: Set<Sender.ID>
  var direct: Set<Conversation.ID>

  package enum Extent: String, Hashable, Sendable, CaseIterable {
    /// Only the direct conversations.
    case direct
    /// Also the person's messages elsewhere.
    case all
  }

  func selection(_ extent: Extent) -> Selection {
    switch extent {
    case .direct: Selection(.some(direct))
    case .all: Selection(.all, where: .or([.conversation(direct), .sender(senders)]))
    }
  }
}

extension SynchronousMessageStore {
  func timeline(ofPersonNamed name: String) throws(StoreError) -> PersonTimeline {
    try timeline(of: try senders(ofPersonNamed: name))
  }

  func timeline(ofPerson id: Person.ID) throws(StoreError) -> PersonTimeline? {
    guard let person = try senders(of: id) else { return nil }
    return try timeline(of: person)
  }

  private func timeline(of person: PersonSenders) throws(StoreError) -> PersonTimeline {
    PersonTimeline(
      id: person.id, name: person.name, senders: person.senders,
      direct: try directConversations(with: person.senders))
  }
}

extension ReplCommand {
  /// A typed name of something to open.
  package enum Opening: Hashable, Sendable {
    /// As typed: a conversation of this name, else `*`, `@person`, or a message by letter or id.
    case typed(String)
    case conversation(String)
    case everything
    case person(String)
    /// A message's conversation, at the message.
    case message(Message.ID)

    init?(_ text: Substring) {
      let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      switch (words.first, words.count) {
      case (nil, _): return nil
      case ("--all", 1): self = .everything
      case ("--person", 2): self = .person(String(words[1]))
      case (_, _): self = .typed(String(text))
      }
    }
  }
}

extension SynchronousMessageStore {
  /// Finds a timeline.
  ///
  /// - Parameter remedy: The remedy for an unknown conversation.
  /// - Throws: ``UsageError`` for an unknown conversation, ``StoreError`` for an unknown person, with the
  ///   nearest name.
  package func timeline(
    _ opening: ReplCommand.Opening, listing remedy: Remedy = "/conversations"
  ) throws -> Timeline {
    switch opening {
    case .everything: return .everything
    case .person(let name): return .person(try timeline(ofPersonNamed: name))
    case .message(let id):
      let request = PageRequest(.everything, anchor: .around(id), fetchLimit: 1, wantsCounts: false)
      guard let message = try page(request).messages.first(where: { $0.id == id }),
        let found = try conversation(message.conversation)
      else { throw UsageError("there is no message #\(id)", status: .nothingFound) }
      return .conversation(found)
    case .conversation(let name):
      if let found = try conversation(named: name) { return .conversation(found) }
      throw try noConversation(name, remedy)
    case .typed(let text):
      if let found = try conversation(named: text) { return .conversation(found) }
      if text == Timeline.everythingSign { return .everything }
      if text.hasPrefix("@") { return .person(try timeline(ofPersonNamed: text)) }
      throw try noConversation(text, remedy)
    }
  }

  private func noConversation(_ name: String, _ remedy: Remedy) throws -> UsageError {
    let near = Nearest.name(to: name, among: try conversationNames())
    return UsageError(
      "no conversation '\(SafeText.oneLine(name))'",
      cause: near.map { "did you mean '\(SafeText.oneLine($0))'?" },
      remedy: near == nil ? remedy : nil, status: .nothingFound)
  }
}

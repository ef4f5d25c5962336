package import MessageModel
package import MessageStorage

/// The messages that a session shows as one history.
package enum Timeline: Hashable, Sendable {
  /// Those of a conversation, to which what is typed is appended.
  case conversation(Conversation)
  /// All there are.
  case everything
  /// Those between the user and a person, and what that person wrote elsewhere.
  case person(PersonTimeline)

  /// The identity of a timeline, whatever has been read of it and whoever is linked by then.
  package enum Key: Hashable, Sendable {
    case conversation(Conversation.ID)
    case everything
    case person(Person.ID)
  }

  /// The key by which it is recognised.
  package var key: Key {
    switch self {
    case .conversation(let conversation): .conversation(conversation.id)
    case .everything: .everything
    case .person(let person): .person(person.id)
    }
  }

  /// The conversation that is open; `nil` where messages of several are shown, and nothing that is typed is appended.
  package var conversation: Conversation? {
    switch self {
    case .conversation(let conversation): conversation
    case .everything, .person: nil
    }
  }

  /// Its name, as it is to be shown when it is safe.
  package var name: String {
    switch self {
    case .conversation(let conversation): conversation.name
    case .everything: Self.everythingName
    case .person(let person): "@" + person.name
    }
  }

  /// The name of all messages there are.
  static let everythingName = "Everything"
  /// The sign for all messages where conversations are named.
  static let everythingSign = "*"

  /// The name under which a place in it is kept; what is no conversation has a line break in front, which names hardly have.
  package var keptName: String {
    switch self {
    case .conversation(let conversation): conversation.name
    case .everything: Self.keptEverything
    case .person(let person): Self.keptPerson + person.name
    }
  }

  private static let keptEverything = "\n*"
  private static let keptPerson = "\n@"

  /// Returns the meaning of a kept name.
  package static func opening(keptAs name: String) -> ReplCommand.Opening {
    if name == keptEverything { return .everything }
    return name.hasPrefix(keptPerson)
      ? .person(String(name.dropFirst(keptPerson.count))) : .conversation(name)
  }

  /// Returns its messages.
  func selection(_ extent: PersonTimeline.Extent) -> Selection {
    switch self {
    case .conversation(let conversation): Selection(conversation.id)
    case .everything: .everything
    case .person(let person): person.selection(extent)
    }
  }

  /// The conversations of which it shows every message: what is seen of them there counts as read.
  var wholeConversations: Selection.Conversations {
    switch self {
    case .conversation(let conversation): .some([conversation.id])
    case .everything: .all
    case .person(let person): .some(person.direct)
    }
  }

  /// Whether it shows every message of a conversation.
  func showsAll(of conversation: Conversation.ID) -> Bool {
    switch wholeConversations {
    case .all: true
    case .some(let ids): ids.contains(conversation)
    }
  }
}

/// The messages between the user and a person, as the accounts are linked now.
package struct PersonTimeline: Hashable, Sendable {
  let id: Person.ID
  /// The person's name.
  var name: String
  /// The senders of their accounts.
  var senders: Set<Sender.ID>
  /// The direct conversations in which they wrote.
  var direct: Set<Conversation.ID>

  /// Which of them are shown.
  package enum Extent: String, Hashable, Sendable, CaseIterable {
    /// The direct conversations with them alone.
    case direct
    /// Those, and what they wrote elsewhere.
    case all
  }

  /// Returns the messages that are shown.
  func selection(_ extent: Extent) -> Selection {
    switch extent {
    case .direct: Selection(.some(direct))
    case .all: Selection(.all, where: .or([.conversation(direct), .sender(senders)]))
    }
  }
}

extension SynchronousMessageStore {
  /// Returns the messages between the user and a person of this name.
  ///
  /// - Throws: As ``senders(ofPersonNamed:)``.
  func timeline(ofPersonNamed name: String) throws(StoreError) -> PersonTimeline {
    try timeline(of: try senders(ofPersonNamed: name))
  }

  /// Returns the messages between the user and a person as they are by now; `nil` for a person who is gone.
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

package import MessageModel
package import MessageStorage

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

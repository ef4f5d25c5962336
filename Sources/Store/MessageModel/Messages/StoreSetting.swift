/// Content of a store besides messages, for another store: a record in JSON Lines (docs/json.md).
///
/// It names conversations and messages as the exported messages do, so that it can be mapped to new ids.
package enum StoreSetting: Hashable, Sendable {
  /// An import of messages.
  case `import`(Import)
  /// The facts about a conversation.
  case conversation(Conversation)
  /// Another name of a sender.
  case alias(String, of: String)
  /// A person and their accounts.
  case person(Person)
  /// A saved filter as it was typed.
  case filter(name: String, words: String)
  /// A named place.
  case mark(Mark)
  /// A gap of a conversation.
  case gap(Gap)
  /// A followed file or folder.
  case followed(Source)

  /// The kinds in the order of writing; the names are JSON keys.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case `import`, conversation, alias, person, filter, mark, gap, followed
  }

  package var kind: Kind {
    switch self {
    case .import: .import
    case .conversation: .conversation
    case .alias: .alias
    case .person: .person
    case .filter: .filter
    case .mark: .mark
    case .gap: .gap
    case .followed: .followed
    }
  }

  package struct Import: Hashable, Sendable {
    /// The number that messages refer to.
    package var number: Int64
    package var time: Timestamp
    package var name: String
    package var format = ""
    package var zone = ""
    package var options = ""
    /// Whether it was complete.
    package var isFinished = true
    /// The number of files with messages, if known.
    package var fileCount: Int64?

    package init(number: Int64, time: Timestamp, name: String) {
      (self.number, self.time, self.name) = (number, time, name)
    }
  }

  package struct Place: Hashable, Sendable {
    package var name: String
    /// The platform's key, which takes precedence over the name.
    package var identity: ConversationIdentity?

    package init(name: String, identity: ConversationIdentity? = nil) {
      (self.name, self.identity) = (name, identity)
    }
  }

  package struct Conversation: Hashable, Sendable {
    package var place: Place
    /// The read mark.
    package var readUpTo: Message.ID?
    /// The read marks of threads that have one, by their first messages.
    package var readThreads: [Message.ID: Message.ID] = [:]
    package var isDirect: Bool?
    /// Further names by which imports find it.
    package var formerNames: [String] = []
    /// Further keys besides that of ``place``.
    package var otherIdentities: [ConversationIdentity] = []
    /// The app's data of the conversation.
    package var payload: [UInt8]?

    package init(_ place: Place) { self.place = place }

    package var isEmpty: Bool { self == Conversation(place) }
  }

  package struct Person: Hashable, Sendable {
    package var name: String
    package var accounts: [Account]

    package init(name: String, accounts: [Account]) { (self.name, self.accounts) = (name, accounts) }
  }

  /// An account: an id on a platform or, without one, a name.
  package struct Account: Hashable, Sendable {
    package var name: String
    package var senderID: String?

    package init(name: String, senderID: String? = nil) { (self.name, self.senderID) = (name, senderID) }
  }

  /// A named place.
  package struct Mark: Hashable, Sendable {
    package var name: String
    package var place: Place
    package var message: Message.ID
    /// The view of several conversations in which it was set.
    package var view: String?

    package init(name: String, place: Place, message: Message.ID, view: String? = nil) {
      (self.name, self.place, self.message, self.view) = (name, place, message, view)
    }
  }

  package struct Gap: Hashable, Sendable {
    package var place: Place
    package var after: Message.ID?
    package var before: Message.ID?
    package var token: String?
    package var size: Int?

    package init(
      _ place: Place, after: Message.ID?, before: Message.ID?, token: String? = nil, size: Int? = nil
    ) {
      (self.place, self.after, self.before) = (place, after, before)
      (self.token, self.size) = (token, size)
    }
  }

  package struct Source: Hashable, Sendable {
    package var path: String
    /// The options of its import, by name.
    package var settings: [String: String]
    package var formats: [String]
    package var addedAt: Timestamp
    /// The import that lists its messages.
    package var importNumber: Int64?

    package init(
      path: String, settings: [String: String], formats: [String], addedAt: Timestamp, importNumber: Int64?
    ) {
      (self.path, self.settings, self.formats) = (path, settings, formats)
      (self.addedAt, self.importNumber) = (addedAt, importNumber)
    }
  }
}

/// What a store holds besides messages, on its way to another one: a record of its own kind in JSON Lines (docs/json.md).
///
/// It names conversations and messages as the messages beside it do, so that it fits wherever those get other ids.
package enum StoreSetting: Hashable, Sendable {
  /// An import that brought messages.
  case `import`(Import)
  /// What is known of a conversation.
  case conversation(Conversation)
  /// Another name of a sender.
  case alias(String, of: String)
  /// A person and their accounts.
  case person(Person)
  /// A saved filter, as it was put.
  case filter(name: String, words: String)
  /// A place with a name.
  case mark(Mark)
  /// A stretch of a conversation of which not all is here.
  case gap(Gap)
  /// A file or folder that is followed.
  case followed(Source)

  /// The kinds, in the order in which they are written; the names are keys of JSON.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case `import`, conversation, alias, person, filter, mark, gap, followed
  }

  /// Its kind.
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

  /// An import, as the list of imports has it.
  package struct Import: Hashable, Sendable {
    /// The number by which messages name it.
    package var number: Int64
    package var time: Timestamp
    package var name: String
    package var format = ""
    package var zone = ""
    package var options = ""
    /// Whether it came to its end.
    package var isFinished = true
    /// The number of files that it brought messages from; `nil` if that is not known.
    package var fileCount: Int64?

    package init(number: Int64, time: Timestamp, name: String) {
      (self.number, self.time, self.name) = (number, time, name)
    }
  }

  /// A conversation, as messages name it.
  package struct Place: Hashable, Sendable {
    package var name: String
    /// What its platform knows it by, which counts rather than the name.
    package var identity: ConversationIdentity?

    package init(name: String, identity: ConversationIdentity? = nil) {
      (self.name, self.identity) = (name, identity)
    }
  }

  /// What is known of a conversation besides its messages.
  package struct Conversation: Hashable, Sendable {
    package var place: Place
    /// The newest message that was read.
    package var readUpTo: Message.ID?
    package var isDirect: Bool?
    /// The names by which imports find it, too.
    package var formerNames: [String] = []
    /// What platforms know it by besides ``place``.
    package var otherIdentities: [ConversationIdentity] = []
    /// The data that an app keeps with it.
    package var payload: [UInt8]?

    package init(_ place: Place) { self.place = place }

    /// Whether there is nothing to be said of it.
    package var isEmpty: Bool { self == Conversation(place) }
  }

  /// A person and their accounts.
  package struct Person: Hashable, Sendable {
    package var name: String
    package var accounts: [Account]

    package init(name: String, accounts: [Account]) { (self.name, self.accounts) = (name, accounts) }
  }

  /// An account: the id on a platform or, without one, a name.
  package struct Account: Hashable, Sendable {
    package var name: String
    package var senderID: String?

    package init(name: String, senderID: String? = nil) { (self.name, self.senderID) = (name, senderID) }
  }

  /// A place with a name.
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

  /// A stretch of a conversation of which not all is here.
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

  /// A file or folder that is followed.
  package struct Source: Hashable, Sendable {
    package var path: String
    /// The options with which it is read, by their names.
    package var settings: [String: String]
    package var formats: [String]
    package var addedAt: Timestamp
    /// The number of the import under which its messages are listed.
    package var importNumber: Int64?

    package init(
      path: String, settings: [String: String], formats: [String], addedAt: Timestamp, importNumber: Int64?
    ) {
      (self.path, self.settings, self.formats) = (path, settings, formats)
      (self.addedAt, self.importNumber) = (addedAt, importNumber)
    }
  }
}

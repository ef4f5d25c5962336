public import MessageModel

/// Somebody's account, as a store knows it: by the id on its platform, whatever name stands beside that, else by the name.
///
/// Whoever has another name from tomorrow on keeps the account where their platform says an id.
public enum SenderAccount: Hashable, Sendable {
  /// The id on a platform.
  case id(String)
  /// A name that no platform has given an id.
  case name(String)

  /// Creates the account of a sender of this name and, if it is known, this id on their platform.
  public init(name: String, external: String?) {
    if let external, !external.isEmpty {
      self = .id(external)
    } else {
      self = .name(name)
    }
  }

  /// The id or the name.
  public var text: String {
    switch self {
    case .id(let text), .name(let text): text
    }
  }

  /// The account as it can be typed where several are called alike: `id:U1`, `name:ann`.
  public var typed: String {
    switch self {
    case .id(let text): "id:\(text)"
    case .name(let text): "name:\(text)"
    }
  }

  /// The columns that it is kept in.
  var columns: (external: String, name: String) {
    switch self {
    case .id(let text): (text, "")
    case .name(let text): ("", text)
    }
  }

  init(columns external: String, _ name: String) {
    self = external.isEmpty ? .name(name) : .id(external)
  }
}

/// A person: accounts that the user has said are one person's, over all conversations and platforms.
public struct Person: Identifiable, Hashable, Sendable {
  /// A small number given by the store, and never to another person.
  public struct ID: RawRepresentable, Hashable, Comparable, Sendable {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
  }

  public let id: ID
  /// The name that the user gave them; two people differ in more than the case of their letters.
  public var name: String
  /// Their accounts, those with the most messages first.
  public var accounts: [Account]

  /// The name of the person who uses the store.
  public static let me = "me"

  /// An account of a person, with who it has been in the store.
  public struct Account: Hashable, Sendable {
    /// The account.
    public var account: SenderAccount
    /// Its senders, those with the most messages first; none where nothing of it is in the store (any more).
    public var senders: [SenderSummary]

    /// The name that most of its messages have, or what it is known by.
    public var name: String { senders.first?.sender.name ?? account.text }
    /// The number of its messages.
    public var messageCount: Int { senders.reduce(0) { $0.adding($1.messageCount) } }
  }

  /// The senders of all accounts.
  public var senders: Set<Sender.ID> { Set(accounts.flatMap { $0.senders.map(\.sender.id) }) }
  /// The number of messages of all accounts.
  public var messageCount: Int { accounts.reduce(0) { $0.adding($1.messageCount) } }
}

extension MessagePredicate {
  /// Written by a person, from whichever account: all that `person:` means.
  public static func person(_ senders: Set<Sender.ID>) -> MessagePredicate { .sender(senders) }
}

/// The accounts that are to be one person's.
public struct PersonLink: Hashable, Sendable {
  /// The name of the person; who is not there is made.
  public var person: String
  /// The accounts.
  public var accounts: [SenderAccount]

  /// Creates a link.
  public init(_ accounts: [SenderAccount], to person: String) {
    (self.person, self.accounts) = (person, accounts)
  }
}

/// A change of people, as the store remembers it so that it can be undone.
public struct PersonEntry: Identifiable, Hashable, Sendable {
  /// Numbers from 1.
  public let id: Int64
  /// The time at which it was made.
  public var time: Timestamp
  /// Whether it was undone.
  public var isUndone: Bool
  /// The accounts that were linked or unlinked, with the names of the people before and after; `nil` for nobody.
  public var links: [Change<SenderAccount>]
  /// The people who came, were renamed or went, with their names before and after.
  public var names: [Change<Person.ID>]

  /// A step of something from one name to another.
  public struct Change<Subject: Hashable & Sendable>: Hashable, Sendable {
    /// The subject of the step: an account, or a person.
    public var subject: Subject
    /// The name before it; `nil` for none.
    public var before: String?
    /// The name behind it; `nil` for none.
    public var after: String?
  }
}

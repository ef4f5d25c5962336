public import MessageModel

/// A sender's account: its id on a platform or, without one, its name.
///
/// An account with an id stays the same when its name changes.
public enum SenderAccount: Hashable, Sendable {
  /// The id on a platform.
  case id(String)
  /// A name without an id.
  case name(String)

  /// Creates the account of a sender with a name and, if known, an id on a platform.
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

  /// The account as typed where names are ambiguous: `id:U1`, `name:ann`.
  public var typed: String {
    switch self {
    case .id(let text): "id:\(text)"
    case .name(let text): "name:\(text)"
    }
  }

  package var columns: (external: String, name: String) {
    switch self {
    case .id(let text): (text, "")
    case .name(let text): ("", text)
    }
  }

  package init(columns external: String, _ name: String) {
    self = external.isEmpty ? .name(name) : .id(external)
  }
}

/// A person: accounts that the user has linked, across conversations and platforms.
public struct Person: Identifiable, Hashable, Sendable {
  /// A small number given by the store and never reused.
  public struct ID: RawRepresentable, Hashable, Comparable, Sendable {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
  }

  /// The number.
  public let id: ID
  /// The name that the user chose; two people's names differ in more than case.
  public var name: String
  /// Their accounts, those with the most messages first.
  public var accounts: [Account]

  /// The name of the person who uses the store.
  public static let me = "me"

  /// An account of a person, with its senders in the store.
  public struct Account: Hashable, Sendable {
    /// The account.
    public var account: SenderAccount
    /// Its senders, those with the most messages first; empty if the store has none of its messages.
    public var senders: [SenderSummary]

    package init(account: SenderAccount, senders: [SenderSummary]) {
      (self.account, self.senders) = (account, senders)
    }

    /// The name on most of its messages, or its id or name.
    public var name: String { senders.first?.sender.name ?? account.text }
    /// The number of its messages.
    public var messageCount: Int { senders.reduce(0) { $0.adding($1.messageCount) } }
  }

  package init(id: ID, name: String, accounts: [Account]) {
    (self.id, self.name, self.accounts) = (id, name, accounts)
  }

  /// The senders of all accounts.
  public var senders: Set<Sender.ID> { Set(accounts.flatMap { $0.senders.map(\.sender.id) }) }
  /// The number of messages of all accounts.
  public var messageCount: Int { accounts.reduce(0) { $0.adding($1.messageCount) } }
}

extension MessagePredicate {
  /// Matches messages from all accounts of a person, as `person:` does.
  public static func person(_ senders: Set<Sender.ID>) -> MessagePredicate { .sender(senders) }
}

/// Accounts to be linked to a person.
public struct PersonLink: Hashable, Sendable {
  /// The name of the person, who is made if necessary.
  public var person: String
  /// The accounts.
  public var accounts: [SenderAccount]

  /// Creates a link.
  public init(_ accounts: [SenderAccount], to person: String) {
    (self.person, self.accounts) = (person, accounts)
  }
}

/// A change of people, recorded so that it can be undone.
public struct PersonEntry: Identifiable, Hashable, Sendable {
  /// A number from 1.
  public let id: Int64
  /// The time at which it was made.
  public var time: Timestamp
  /// Whether it was undone.
  public var isUndone: Bool
  /// The accounts that were linked or unlinked, with the names of their people before and after: `nil`
  /// without a person.
  public var links: [Change<SenderAccount>]
  /// The people who were added, renamed or removed, with their names before and after.
  public var names: [Change<Person.ID>]

  package init(
    id: Int64, time: Timestamp, isUndone: Bool, links: [Change<SenderAccount>], names: [Change<Person.ID>]
  ) {
    (self.id, self.time, self.isUndone, self.links, self.names) = (id, time, isUndone, links, names)
  }

  /// A change from one name to another.
  public struct Change<Subject: Hashable & Sendable>: Hashable, Sendable {
    /// What changed: an account or a person.
    public var subject: Subject
    /// The name before; `nil` for none.
    public var before: String?
    /// The name after; `nil` for none.
    public var after: String?

    package init(subject: Subject, before: String?, after: String?) {
      (self.subject, self.before, self.after) = (subject, before, after)
    }
  }
}

extension SenderSummary {
  /// The account that the sender belongs to.
  public var account: SenderAccount { SenderAccount(name: sender.name, external: external) }
}

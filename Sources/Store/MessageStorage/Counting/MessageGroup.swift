internal import GRDB
package import HistoryModel
package import MessageModel

/// A group of messages with a common property, and their number.
package struct MessageGroup: Hashable, Sendable {
  /// The property that they have in common.
  package enum Key: Hashable, Sendable {
    /// The year, month or day, by its first midnight on the clock of the zone, and its oldest message.
    case date(CivilTime, oldest: Message.ID)
    /// The day of the week: 0 for Sunday to 6 for Saturday.
    case weekday(Int)
    /// The hour of the day, 0 to 23; `nil` for messages of which only the day is known.
    case hour(Int?)
    /// The sender; `nil` for messages without one.
    case sender(Sender?)
    /// The person, with the name that the user chose.
    case person(Person.ID, name: String)
    /// The conversation.
    case conversation(Conversation.ID)
    /// The kind.
    case kind(Message.Kind)
  }

  /// The property that they have in common.
  package var key: Key
  /// The number of messages; at least one.
  package var count: Int

  /// Creates a group.
  package init(key: Key, count: Int) {
    self.key = key
    self.count = count
  }
}

/// A person's accounts are one speaker, and so are a sender's other names.
struct Speakers {
  enum Speaker: Hashable {
    case person(Int64)
    case sender(Int64)
  }

  private let persons: [Int64: Int64]
  private let bearers: [Int64: Int64]

  init(_ db: Database, knowsPeople: Bool = true) throws {
    bearers = try Self.pairs("SELECT id, alias_of FROM sender WHERE alias_of IS NOT NULL", in: db)
    guard knowsPeople else {
      persons = [:]
      return
    }
    persons = try Self.pairs(
      """
      SELECT sender.id, account.person FROM sender CROSS JOIN person_account AS account
        ON account.external = sender.external AND account.name = iif(sender.external = '', sender.name, '')
      """, in: db)
  }

  func speaker(of sender: Int64) -> Speaker {
    let bearer = bearers[sender] ?? sender
    return (persons[sender] ?? persons[bearer]).map { .person($0) } ?? .sender(bearer)
  }

  private static func pairs(_ sql: String, in db: Database) throws -> [Int64: Int64] {
    let pairs = try RawStatement(db, sql).map { ($0.int(0), $0.int(1)) }
    return Dictionary(pairs) { first, _ in first }
  }
}

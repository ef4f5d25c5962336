internal import GRDB

/// Whose messages are whose: those of a person's accounts are the person's, those of another name are the bearer's.
struct Speakers {
  /// Somebody who wrote messages.
  enum Speaker: Hashable {
    case person(Int64)
    case sender(Int64)
  }

  /// The person of each sender that is an account of one.
  private let persons: [Int64: Int64]
  /// The sender whose other name each of these is.
  private let bearers: [Int64: Int64]

  /// - Parameter knowsPeople: Whether accounts of a person are one; else each is somebody.
  /// - Complexity: O(senders).
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

  /// Returns whose messages those of a sender are.
  func speaker(of sender: Int64) -> Speaker {
    let bearer = bearers[sender] ?? sender
    return (persons[sender] ?? persons[bearer]).map { .person($0) } ?? .sender(bearer)
  }

  private static func pairs(_ sql: String, in db: Database) throws -> [Int64: Int64] {
    let pairs = try RawStatement(db, sql).map { ($0.int(0), $0.int(1)) }
    return Dictionary(pairs) { first, _ in first }
  }
}

internal import GRDB

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

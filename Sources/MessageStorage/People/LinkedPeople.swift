internal import GRDB
internal import MessageModel

/// Looks up the people to whom the senders of a conversation are linked.
struct LinkedPeople {
  private let db: Database
  private let direct: RawStatement
  private let person: RawStatement

  /// Creates one; `nil` if nobody is linked.
  init?(_ db: Database) throws {
    guard try SynchronousMessageStore.hasLinkedAccounts(db) else { return nil }
    self.db = db
    direct = try RawStatement(db, "SELECT direct FROM conversation WHERE id = ?1")
    person = try RawStatement(
      db,
      """
      SELECT person.name FROM sender CROSS JOIN person_account AS account
        ON account.external = sender.external AND account.name = iif(sender.external = '', sender.name, '')
        CROSS JOIN person ON person.id = account.person WHERE sender.id = ?1 AND person.name <> ?2
      """)
  }

  /// Returns the people with whom a conversation is, by name; none unless it is a direct one.
  ///
  /// - Complexity: As for the senders of a conversation (``FacetSums/counts(of:)``), if it is a direct one.
  func names(in conversation: Int64) throws -> [String] {
    guard try isDirect(conversation) else { return [] }
    let counts = try FacetSums(db: db, scope: conversation).counts(of: .sender)
    return try names(of: counts.lazy.filter { $0.value > 0 }.map(\.key))
  }

  /// Returns the people among those who have written in a conversation, by name; none unless it is a direct one.
  func names(ofSenders senders: some Sequence<Int64>, in conversation: Int64) throws -> [String] {
    try isDirect(conversation) ? names(of: senders) : []
  }

  private func names(of senders: some Sequence<Int64>) throws -> [String] {
    var names: Set<String> = []
    for sender in senders {
      person.bind(sender, Person.me)
      if let name = try person.first({ $0.text(0) }) { names.insert(name) }
    }
    return names.sorted()
  }

  private func isDirect(_ conversation: Int64) throws -> Bool {
    direct.bind(conversation)
    return try direct.first { $0.int(0) == 1 } ?? false
  }
}

internal import GRDB

/// Looks up the people linked to a conversation's senders.
///
/// If its source does not say whether a conversation is direct, it is if two people wrote in it and the user
/// is one of them.
struct LinkedPeople {
  private let db: Database
  private let direct: RawStatement
  private let person: RawStatement
  private let knowsMe: Bool

  init?(_ db: Database) throws {
    guard try SynchronousMessageStore.hasLinkedAccounts(db) else { return nil }
    self.db = db
    direct = try RawStatement(db, "SELECT direct FROM conversation WHERE id = ?1")
    person = try RawStatement(db, "SELECT person.name \(Self.linkedSenders) WHERE sender.id = ?1")
    let mine = try RawStatement(
      db, "SELECT 1 \(Self.linkedSenders) WHERE person.name = ?1 LIMIT 1", Person.me)
    knowsMe = try mine.first { _ in true } ?? false
  }

  private static let linkedSenders = """
    FROM sender CROSS JOIN person_account AS account
      ON account.external = sender.external AND account.name = iif(sender.external = '', sender.name, '')
      CROSS JOIN person ON person.id = account.person
    """

  // MARK: Of a conversation

  /// Returns the other people of a direct conversation, by name.
  func names(in conversation: Int64) throws -> [String] {
    guard try isDirect(conversation) ?? knowsMe else { return [] }
    return try names(ofSenders: try senders(in: conversation), in: conversation)
  }

  /// Returns the people among the senders of a direct conversation, by name.
  func names(ofSenders senders: some Sequence<Int64>, in conversation: Int64) throws -> [String] {
    guard let isDirect = try isDirect(conversation) else { return try namesBetweenTwo(senders) }
    return isDirect ? try names(of: senders) : []
  }

  private func names(of senders: some Sequence<Int64>) throws -> [String] {
    Set(try senders.compactMap(name)).subtracting([Person.me]).sorted()
  }

  /// Returns the other person's name, if the user and one more person wrote.
  private func namesBetweenTwo(_ senders: some Sequence<Int64>) throws -> [String] {
    var names: Set<String> = []
    guard knowsMe else { return [] }
    for sender in senders {
      guard let name = try name(of: sender) else { return [] }
      names.insert(name)
      if names.count > 2 { return [] }
    }
    return names.remove(Person.me) == nil ? [] : names.sorted()
  }

  private func name(of sender: Int64) throws -> String? {
    person.bind(sender)
    return try person.first { $0.text(0) }
  }

  private func senders(in conversation: Int64) throws -> [Int64] {
    try FacetSums(db: db, scope: conversation).counts(of: .sender).filter { $0.value > 0 }.map(\.key)
  }

  private func isDirect(_ conversation: Int64) throws -> Bool? {
    direct.bind(conversation)
    return try direct.first { $0.optionalInt(0).map { $0 == 1 } } ?? nil
  }

  // MARK: Of a person

  /// Returns conversations between the user and one of these senders whose sources do not say whether they
  /// are direct.
  func conversationsBetweenTwo(with wanted: Set<Int64>) throws -> [Int64] {
    guard knowsMe else { return [] }
    let people = Set(try RawStatement(db, "SELECT sender.id \(Self.linkedSenders)").map { $0.int(0) })
    let sender = "SELECT sender FROM message WHERE conversation = conversation.id ORDER BY id"
    let edges = try RawStatement(
      db,
      """
      SELECT id, (\(sender) LIMIT 1), (\(sender) DESC LIMIT 1) FROM conversation WHERE direct IS NULL
      """)
    // Conversations whose first or last message is by an unlinked sender need no count.
    let likely = try edges.map { ($0.int(0), [$0.optionalInt(1), $0.optionalInt(2)]) }
      .filter { _, senders in senders.allSatisfy { $0.map(people.contains) ?? true } }
    return try likely.map(\.0).filter { conversation in
      let senders = try senders(in: conversation)
      return try !wanted.isDisjoint(with: senders) && !namesBetweenTwo(senders).isEmpty
    }
  }
}

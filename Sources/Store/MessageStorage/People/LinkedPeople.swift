internal import GRDB

/// Looks up the people to whom the senders of a conversation are linked.
///
/// A conversation whose source does not say whether it is direct is, if two people wrote in it and the user is one of them.
struct LinkedPeople {
  private let db: Database
  private let direct: RawStatement
  private let person: RawStatement
  /// Whether any account is linked to the user.
  private let knowsMe: Bool

  /// Creates one; `nil` if nobody is linked.
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

  /// Returns the people with whom a conversation is, by name; none unless it is a direct one.
  ///
  /// - Complexity: As for the senders of a conversation (``FacetSums/counts(of:)``), if it may be a direct one.
  func names(in conversation: Int64) throws -> [String] {
    guard try isDirect(conversation) ?? knowsMe else { return [] }
    return try names(ofSenders: try senders(in: conversation), in: conversation)
  }

  /// Returns the people among those who have written in a conversation, by name; none unless it is a direct one.
  func names(ofSenders senders: some Sequence<Int64>, in conversation: Int64) throws -> [String] {
    guard let isDirect = try isDirect(conversation) else { return try namesBetweenTwo(senders) }
    return isDirect ? try names(of: senders) : []
  }

  private func names(of senders: some Sequence<Int64>) throws -> [String] {
    Set(try senders.compactMap(name)).subtracting([Person.me]).sorted()
  }

  /// Returns the name of the other one, if the user and one person more wrote.
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

  /// Whether a conversation is between two people, as its source says; `nil` if it does not say.
  private func isDirect(_ conversation: Int64) throws -> Bool? {
    direct.bind(conversation)
    return try direct.first { $0.optionalInt(0).map { $0 == 1 } } ?? nil
  }

  // MARK: Of a person

  /// Returns the conversations between the user and one person more in which one of these senders wrote and whose sources do not
  /// say whether they are direct.
  ///
  /// - Complexity: O(conversations whose sources do not say) looks into an index; none as long as the user is not linked.
  func conversationsBetweenTwo(with wanted: Set<Int64>) throws -> [Int64] {
    guard knowsMe else { return [] }
    let people = Set(try RawStatement(db, "SELECT sender.id \(Self.linkedSenders)").map { $0.int(0) })
    let sender = "SELECT sender FROM message WHERE conversation = conversation.id ORDER BY id"
    let edges = try RawStatement(
      db,
      """
      SELECT id, (\(sender) LIMIT 1), (\(sender) DESC LIMIT 1) FROM conversation WHERE direct IS NULL
      """)
    // Whose first or last message is a stranger's is not counted.
    let likely = try edges.map { ($0.int(0), [$0.optionalInt(1), $0.optionalInt(2)]) }
      .filter { _, senders in senders.allSatisfy { $0.map(people.contains) ?? true } }
    return try likely.map(\.0).filter { conversation in
      let senders = try senders(in: conversation)
      return try !wanted.isDisjoint(with: senders) && !namesBetweenTwo(senders).isEmpty
    }
  }
}

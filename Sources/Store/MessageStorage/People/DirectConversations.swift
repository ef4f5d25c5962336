internal import GRDB
package import HistoryModel
package import MessageModel

/// A person by number and name, with the senders of their accounts.
package struct PersonSenders: Hashable, Sendable {
  package var id: Person.ID
  package var name: String
  package var senders: Set<Sender.ID>
}

extension SynchronousMessageStore {
  /// Returns the direct conversations in which one of these senders wrote: those that their sources call
  /// direct and, if a source says nothing, those in which the user (``Person/me``) and one other person
  /// wrote.
  ///
  /// - Complexity: O(direct conversations × senders of one), by the counts of facets: no message is read. If
  ///   the user's accounts are linked, also two look-ups in each conversation whose source says nothing.
  package func directConversations(with senders: Set<Sender.ID>) throws(StoreError) -> Set<Conversation.ID> {
    if senders.isEmpty { return [] }
    return try reading(
      "cannot list the direct conversations of '\(path)'",
      archived: { try $0.directConversations(with: senders) }
    ) { db in
      let wanted = Set(senders.map(\.rawValue))
      let said = try RawStatement(db, "SELECT id FROM conversation WHERE direct = 1").map { $0.int(0) }
        .filter { conversation in
          let counts = try FacetSums(db: db, scope: conversation).counts(of: .sender)
          return counts.contains { $0.value > 0 && wanted.contains($0.key) }
        }
      let unsaid = try LinkedPeople(db)?.conversationsBetweenTwo(with: wanted) ?? []
      return Set((said + unsaid).map(Conversation.ID.init(rawValue:)))
    }
  }
}

extension SynchronousMessageStore {
  /// Returns the person that ``person(named:)`` finds, without the details of their accounts.
  ///
  /// - Throws: As ``person(named:)``.
  /// - Complexity: O(senders × log accounts).
  package func senders(ofPersonNamed name: String) throws(StoreError) -> PersonSenders {
    try reading("cannot look up the person '\(name)'") { db in
      let found = try found(name, in: db)
      return PersonSenders(
        id: Person.ID(rawValue: found.id), name: found.name,
        senders: try PersonRows(db, now: clock()).senders(of: found.id))
    }
  }

  /// Returns a person by number; `nil` if there is none.
  ///
  /// - Complexity: O(senders × log accounts).
  package func senders(of person: Person.ID) throws(StoreError) -> PersonSenders? {
    try reading("cannot look up a person in '\(path)'") { db in
      let rows = PersonRows(db, now: clock())
      guard let name = try rows.name(of: person.rawValue) else { return nil }
      return PersonSenders(id: person, name: name, senders: try rows.senders(of: person.rawValue))
    }
  }

  /// Returns the name of the person whose account a sender is; `nil` if it is not linked.
  ///
  /// - Complexity: O(log senders + log accounts).
  package func personName(of sender: Sender.ID) throws(StoreError) -> String? {
    try reading("cannot look up a person in '\(path)'", unpublished: nil) { db in
      try RawStatement(
        db,
        """
        SELECT person.name FROM sender CROSS JOIN person_account AS account
          ON account.external = sender.external AND account.name = iif(sender.external = '', sender.name, '')
          CROSS JOIN person ON person.id = account.person WHERE sender.id = ?
        """, sender.rawValue
      ).first { $0.text(0) }
    }
  }

  /// Whether any account is linked to a person.
  package func hasLinkedAccounts() throws(StoreError) -> Bool {
    try reading("cannot look up a person in '\(path)'", unpublished: false) { db in
      try Self.hasLinkedAccounts(db)
    }
  }

  static func hasLinkedAccounts(_ db: Database) throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM person_account LIMIT 1") != nil
  }
}

/// Looks up the people linked to a conversation's senders. If its source does not say whether a conversation
/// is direct, it is if two people wrote in it and the user is one of them.
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

  /// Returns conversations between the user and one of these senders whose sources say nothing.
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

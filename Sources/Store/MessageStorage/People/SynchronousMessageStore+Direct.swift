internal import GRDB
public import MessageModel

/// A person by number and name, with the senders of their accounts.
package struct PersonSenders: Hashable, Sendable {
  package var id: Person.ID
  package var name: String
  package var senders: Set<Sender.ID>
}

/// The messages between the user and a person, and who wrote a message.
extension StoreReading {
  /// Returns the direct conversations in which one of these senders wrote: what their sources say are direct and, where a source
  /// does not say, those in which the user (``Person/me``) and one person more wrote.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: O(direct conversations × senders of one), by the counts of facets: no message is read. Where the user is linked,
  ///   also two looks into each conversation whose source does not say.
  public func directConversations(with senders: Set<Sender.ID>) throws(StoreError) -> Set<Conversation.ID> {
    if senders.isEmpty { return [] }
    if let known = try store.archive?.directConversations(with: senders) { return known }
    return try store.reading("cannot list the direct conversations of '\(store.path)'") { db in
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
  /// Returns the person of a name as ``person(named:)`` finds them, without what is known of their accounts.
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

  /// Returns a person by number; `nil` if there is none any more.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: O(senders × log accounts).
  package func senders(of person: Person.ID) throws(StoreError) -> PersonSenders? {
    try reading("cannot look up a person in '\(path)'") { db in
      let rows = PersonRows(db, now: clock())
      guard let name = try rows.name(of: person.rawValue) else { return nil }
      return PersonSenders(id: person, name: name, senders: try rows.senders(of: person.rawValue))
    }
  }

  /// Returns the name of the person whose account a sender is; `nil` if nobody has said.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: O(log senders + log accounts).
  package func personName(of sender: Sender.ID) throws(StoreError) -> String? {
    if archive != nil { return nil }
    return try reading("cannot look up a person in '\(path)'") { db in
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

  /// Whether anybody is linked to a person.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  package func hasLinkedAccounts() throws(StoreError) -> Bool {
    if archive != nil { return false }
    return try reading("cannot look up a person in '\(path)'") { db in try Self.hasLinkedAccounts(db) }
  }

  /// Whether anybody is linked to a person.
  static func hasLinkedAccounts(_ db: Database) throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM person_account LIMIT 1") != nil
  }
}

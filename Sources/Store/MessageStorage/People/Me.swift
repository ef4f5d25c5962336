internal import GRDB
internal import HistoryModel
public import MessageModel

extension StoreReading {
  /// Returns the ids of the user's senders: those of the person ``Person/me``, who is set by ``StoreWriting/setMe(_:)``,
  /// by a link of accounts, or by an import that names the owner of a history.
  ///
  /// Messages of these senders are never unread. An archive has none.
  ///
  /// - Complexity: O(1); O(senders) after a change of people or a new sender.
  public func me() throws(StoreError) -> Set<Sender.ID> {
    try store.reading("cannot look up the user's senders in '\(store.path)'", unpublished: []) { db in
      try store.senderNames.own.ids(in: db)
    }
  }
}

extension SynchronousMessageStore {
  /// Returns the names of the user's senders, of which ``StoreReading/me()`` has the ids.
  ///
  /// - Complexity: As for ``StoreReading/me()``, and O(log senders) for each.
  package func ownNames() throws(StoreError) -> [String] {
    try reading("cannot look up the user's names in '\(path)'", unpublished: []) { db in
      try senderNames.own.ids(in: db).map(\.rawValue).sorted().compactMap { id in
        try RawStatement(db, "SELECT name FROM sender WHERE id = ?1", id).first { $0.text(0) }
      }
    }
  }
}

extension StoreWriting {
  /// Sets which senders are the user: those with these platform ids, under any name, or without an id those
  /// with these names. They become the accounts of the person ``Person/me``, instead of its former ones.
  ///
  /// What the user wrote, here or on another device, is never unread. Open lists and feeds show the new
  /// counts at once. It is one change of people, which can be undone; nothing changes if these are the user's
  /// senders already.
  ///
  /// ```swift
  /// try await store.write { try $0.setMe([SenderKey(name: "Ada", externalID: "U024BE7LH")]) }
  /// ```
  ///
  /// - Throws: ``StoreError`` of kind `alreadyExists` if an account is another person's.
  /// - Complexity: O(people + senders given).
  public func setMe(_ senders: [SenderKey]) throws(StoreError) {
    let wanted = Set(senders.map { SenderAccount(name: $0.name, external: $0.externalID) })
    _ = try store.changingPeople("cannot set the user's senders") { db, rows in
      let known = try rows.names().first { $0.name == Person.me }?.id
      let present = Set(try known.map { try rows.accounts(of: $0).map(\.account) } ?? [])
      if wanted == present { return }
      for account in present.subtracting(wanted) { try rows.setPerson(of: account, to: nil) }
      let person = try known ?? rows.make(Person.me)
      for account in wanted.subtracting(present) {
        try rows.link(account, to: person, named: Person.me)
      }
    }
  }
}

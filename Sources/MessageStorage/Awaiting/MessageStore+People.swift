public import MessageModel

extension MessageStore {
  /// Returns all people, those with the most messages first.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func people() async throws(StoreError) -> [Person] {
    try await read { store throws(StoreError) in try store.people() }
  }

  /// Returns the person of a name.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func person(named name: String) async throws(StoreError) -> Person {
    try await read { store throws(StoreError) in try store.person(named: name) }
  }

  /// Returns the accounts that somebody means.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func accounts(called text: String) async throws(StoreError)
    -> [SenderAccount]
  {
    try await read { store throws(StoreError) in try store.accounts(called: text) }
  }

  /// Makes accounts those of people, in one entry.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  @discardableResult
  public nonisolated(nonsending) func linkAccounts(_ links: [PersonLink]) async throws(StoreError)
    -> PersonEntry?
  {
    try await write { store throws(StoreError) in try store.linkAccounts(links) }
  }

  /// Makes accounts nobody's.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  @discardableResult
  public nonisolated(nonsending) func unlinkAccounts(
    _ accounts: [SenderAccount]
  ) async throws(StoreError) -> PersonEntry? {
    try await write { store throws(StoreError) in try store.unlinkAccounts(accounts) }
  }

  /// Removes a person and all their links.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  @discardableResult
  public nonisolated(nonsending) func removePerson(_ person: Person.ID) async throws(StoreError)
    -> PersonEntry?
  {
    try await write { store throws(StoreError) in try store.removePerson(person) }
  }

  /// Gives a person another name.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  @discardableResult
  public nonisolated(nonsending) func renamePerson(
    _ person: Person.ID, to name: String
  ) async throws(StoreError) -> PersonEntry? {
    try await write { store throws(StoreError) in try store.renamePerson(person, to: name) }
  }

  /// Undoes a change of people, the last one that stands without a number.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  @discardableResult
  public nonisolated(nonsending) func undoPeople(
    _ entry: PersonEntry.ID? = nil
  ) async throws(StoreError) -> PersonEntry {
    try await write { store throws(StoreError) in try store.undoPeople(entry) }
  }

  /// Returns the last changes of people, the newest first.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func peopleEntries(limit: Int = 100) async throws(StoreError)
    -> [PersonEntry]
  {
    try await read { store throws(StoreError) in try store.peopleEntries(limit: limit) }
  }
}

internal import MessageModel

extension MessageStore {
  /// Returns all people, those with the most messages first.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `CancellationError`.
  public nonisolated(nonsending) func people() async throws -> [Person] {
    try await read { try $0.people() }
  }

  /// Returns the person of a name.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `CancellationError`.
  public nonisolated(nonsending) func person(named name: String) async throws -> Person {
    try await read { try $0.person(named: name) }
  }

  /// Returns the accounts that somebody means.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `CancellationError`.
  public nonisolated(nonsending) func accounts(called text: String) async throws
    -> [SenderAccount]
  {
    try await read { try $0.accounts(called: text) }
  }

  /// Makes accounts those of people, in one entry.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func linkAccounts(_ links: [PersonLink]) async throws
    -> PersonEntry?
  {
    try await write { try $0.linkAccounts(links) }
  }

  /// Makes accounts nobody's.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func unlinkAccounts(
    _ accounts: [SenderAccount]
  ) async throws -> PersonEntry? {
    try await write { try $0.unlinkAccounts(accounts) }
  }

  /// Removes a person and all their links.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func removePerson(_ person: Person.ID) async throws
    -> PersonEntry?
  {
    try await write { try $0.removePerson(person) }
  }

  /// Gives a person another name.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func renamePerson(
    _ person: Person.ID, to name: String
  ) async throws -> PersonEntry? {
    try await write { try $0.renamePerson(person, to: name) }
  }

  /// Undoes a change of people, the last one that stands without a number.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func undoPeople(
    _ entry: PersonEntry.ID? = nil
  ) async throws -> PersonEntry {
    try await write { try $0.undoPeople(entry) }
  }

  /// Returns the last changes of people, the newest first.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `CancellationError`.
  public nonisolated(nonsending) func peopleEntries(limit: Int = 100) async throws
    -> [PersonEntry]
  {
    try await read { try $0.peopleEntries(limit: limit) }
  }
}

internal import MessageModel

extension MessageStore {
  /// Returns all people, those with the most messages first.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func people() async throws -> [Person] {
    try await read { try $0.people() }
  }

  /// Returns the person of a name.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` that lists the nearest names, `damaged`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func person(named name: String) async throws -> Person {
    try await read { try $0.person(named: name) }
  }

  /// Returns the accounts that somebody means.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` that lists the nearest names, `invalidRequest` if several are called so who
  ///   were never said to be one, `damaged`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func accounts(called text: String) async throws
    -> [SenderAccount]
  {
    try await read { try $0.accounts(called: text) }
  }

  /// Makes accounts those of people, in one entry.
  ///
  /// - Throws: ``StoreError`` of kind `alreadyExists` with both people named if an account is another's, `invalidRequest` if a
  ///   name is none, `readOnly`, `busy`, `inputOutput`. Nothing is linked then.
  @discardableResult
  public nonisolated(nonsending) func linkAccounts(_ links: [PersonLink]) async throws
    -> PersonEntry?
  {
    try await write { try $0.linkAccounts(links) }
  }

  /// Makes accounts nobody's.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` that names an account that is nobody's, `readOnly`, `busy`, `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func unlinkAccounts(
    _ accounts: [SenderAccount]
  ) async throws -> PersonEntry? {
    try await write { try $0.unlinkAccounts(accounts) }
  }

  /// Removes a person and all their links.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, `readOnly`, `busy`, `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func removePerson(_ person: Person.ID) async throws
    -> PersonEntry?
  {
    try await write { try $0.removePerson(person) }
  }

  /// Gives a person another name.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, `alreadyExists` if another person has the name, `invalidRequest` if it is
  ///   none, `readOnly`, `busy`, `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func renamePerson(
    _ person: Person.ID, to name: String
  ) async throws -> PersonEntry? {
    try await write { try $0.renamePerson(person, to: name) }
  }

  /// Undoes a change of people, the last one that stands without a number.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, `invalidRequest` if it was undone or a later change that stands on it is to
  ///   be undone first, `alreadyExists` if a name that it would give back is another person's, `readOnly`, `busy`,
  ///   `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func undoPeople(
    _ entry: PersonEntry.ID? = nil
  ) async throws -> PersonEntry {
    try await write { try $0.undoPeople(entry) }
  }

  /// Returns the last changes of people, the newest first.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func peopleEntries(limit: Int = 100) async throws
    -> [PersonEntry]
  {
    try await read { try $0.peopleEntries(limit: limit) }
  }
}

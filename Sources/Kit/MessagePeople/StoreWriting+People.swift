public import HistoryModel
public import MessageModel
public import MessageStorage

extension StoreWriting {
  /// Links accounts to people, who are made if necessary, in one entry.
  ///
  /// - Returns: The entry; `nil` if nothing changed.
  /// - Throws: ``StoreError`` of kind `alreadyExists` that names both people if an account is another
  ///   person's, `invalidRequest` for an invalid name.
  /// - Complexity: O(people + accounts linked).
  @discardableResult
  public func linkAccounts(_ links: [PersonLink]) throws(StoreError) -> PersonEntry? {
    try synchronous.linkAccounts(links)
  }

  /// Unlinks accounts. A person without accounts stays.
  ///
  /// - Returns: The entry.
  /// - Throws: ``StoreError`` of kind `notFound` that names an account without a person.
  @discardableResult
  public func unlinkAccounts(_ accounts: [SenderAccount]) throws(StoreError) -> PersonEntry? {
    try synchronous.unlinkAccounts(accounts)
  }

  /// Removes a person and all their links. Messages do not change.
  ///
  /// - Returns: The entry.
  /// - Throws: ``StoreError`` of kind `notFound`.
  @discardableResult
  public func removePerson(_ person: Person.ID) throws(StoreError) -> PersonEntry? {
    try synchronous.removePerson(person)
  }

  /// Renames a person.
  ///
  /// - Returns: The entry; `nil` if the name is the same.
  /// - Throws: ``StoreError`` of kind `notFound`, `alreadyExists` if another person has the name,
  ///   `invalidRequest` for an invalid name.
  @discardableResult
  public func renamePerson(_ person: Person.ID, to name: String) throws(StoreError) -> PersonEntry? {
    try synchronous.renamePerson(person, to: name)
  }

  /// Undoes a change of people, whatever changed in conversations and messages since.
  ///
  /// - Parameter entry: The number of the entry; `nil` for the latest one not undone.
  /// - Returns: The entry that was undone.
  /// - Throws: ``StoreError`` of kind `notFound`, `invalidRequest` if it was undone already or a later change
  ///   that builds on it must be undone first, `alreadyExists` if another person has a name that it would
  ///   restore.
  @discardableResult
  public func undoPeople(_ entry: PersonEntry.ID? = nil) throws(StoreError) -> PersonEntry {
    try synchronous.undoPeople(entry)
  }
}

@_exported public import HistoryModel
public import MessageModel
public import MessageStorage

extension StoreReading {
  /// Returns all people, those with the most messages first.
  ///
  /// - Complexity: As for ``senders()``, and O(accounts).
  public func people() throws(StoreError) -> [Person] { try synchronous.people() }

  /// Returns the person with a name, ignoring case and a leading `@`.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` with the nearest names.
  /// - Complexity: As for ``people()``, with the accounts of one.
  public func person(named name: String) throws(StoreError) -> Person {
    try synchronous.person(named: name)
  }

  /// Returns the account with an id or typed form (``SenderAccount/typed``), else those of senders with a
  /// name, and their aliases.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` with the nearest names, `invalidRequest` if the name is
  ///   ambiguous.
  /// - Complexity: O(senders).
  public func accounts(called text: String) throws(StoreError) -> [SenderAccount] {
    try synchronous.accounts(called: [text])
  }

  /// Returns the direct conversations in which one of these senders wrote: those that their sources call
  /// direct and, if a source says nothing, those in which the user (``Person/me``) and one other person
  /// wrote.
  ///
  /// - Complexity: O(direct conversations × senders of one): no message is read.
  public func directConversations(with senders: Set<Sender.ID>) throws(StoreError) -> Set<Conversation.ID> {
    try synchronous.directConversations(with: senders)
  }

  /// Returns accounts that seem to belong to one person: they share a telephone number or mail address, or
  /// the name of one is the id of the other. Equal names only add a reason. Accounts of two people are left
  /// out.
  ///
  /// - Parameter country: The country of numbers that name none; without it these are compared by their
  ///   digits.
  /// - Complexity: As for ``people()``, and O(senders).
  public func suggestedPeople(country: CallingCode? = nil) throws(StoreError) -> [PersonSuggestion] {
    try synchronous.suggestedPeople(country: country)
  }

  /// Returns the latest changes of people, the newest first.
  public func peopleEntries(limit: Int = 100) throws(StoreError) -> [PersonEntry] {
    try synchronous.peopleEntries(limit: limit)
  }
}

/// Accounts that seem to belong to one person, with the reasons. A suggestion links nothing.
public struct PersonSuggestion: Hashable, Sendable {
  /// Why accounts seem to belong together.
  public enum Reason: Hashable, Sendable {
    /// The same telephone number or mail address.
    case contact(ContactKey)
    /// The name of one account is the other's id on a platform.
    case id(String)
    /// The same full name; never the only reason.
    case name(String)
  }

  /// The name of the person that some of the accounts are linked to, else a name that the accounts have.
  public var person: String
  /// Whether that person exists.
  public var isKnown: Bool
  /// The accounts, those with the most messages first, including the person's present ones.
  public var accounts: [Person.Account]
  /// The accounts that would be linked.
  public var news: [SenderAccount]
  /// The reasons, names last.
  public var reasons: [Reason]

  package init(
    person: String, isKnown: Bool, accounts: [Person.Account], news: [SenderAccount], reasons: [Reason]
  ) {
    (self.person, self.isKnown, self.accounts) = (person, isKnown, accounts)
    (self.news, self.reasons) = (news, reasons)
  }
}

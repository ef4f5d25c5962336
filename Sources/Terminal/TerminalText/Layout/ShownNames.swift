package import MessageMarkup

/// The names under which a message is shown, where they are not in the message itself.
package struct ShownNames: Hashable, Sendable {
  /// The conversation of the message; `nil` where messages of one alone are shown.
  package var conversation: String?
  /// The person who wrote it, in place of the name that stands in it; `nil` for that name.
  package var person: String?
  /// Whether an account of the reader's wrote it.
  package var isOwn: Bool
  /// The manner in which the text of the message is marked.
  package var dialect: MarkupDialect

  /// Creates names; without any a message is shown as it is.
  package init(
    conversation: String? = nil, person: String? = nil, isOwn: Bool = false, dialect: MarkupDialect = .none
  ) {
    self.conversation = conversation
    self.person = person
    self.isOwn = isOwn
    self.dialect = dialect
  }
}

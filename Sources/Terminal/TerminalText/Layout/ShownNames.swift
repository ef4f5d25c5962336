package import MessageMarkup

/// Names for a message that its record does not contain.
package struct ShownNames: Hashable, Sendable {
  /// `nil` where a single conversation is shown.
  package var conversation: String?
  /// The sender's person; `nil` to show the name in the message.
  package var person: String?
  /// Whether one of the reader's accounts wrote it.
  package var isOwn: Bool
  package var dialect: MarkupDialect

  package init(
    conversation: String? = nil, person: String? = nil, isOwn: Bool = false, dialect: MarkupDialect = .none
  ) {
    self.conversation = conversation
    self.person = person
    self.isOwn = isOwn
    self.dialect = dialect
  }
}

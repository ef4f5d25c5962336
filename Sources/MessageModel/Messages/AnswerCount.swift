/// The number of answers in the thread that a message began.
package struct AnswerCount: Hashable, Sendable {
  /// How many there are; if there are more than were counted, so many.
  package var total: Int
  /// How many of them are unread.
  package var unread: Int
  /// Whether there are more than ``total``.
  package var isMore: Bool

  /// Creates a count.
  package init(total: Int, unread: Int = 0, isMore: Bool = false) {
    self.total = total
    self.unread = unread
    self.isMore = isMore
  }
}

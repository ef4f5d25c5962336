/// The number of answers in the thread that a message began.
package struct AnswerCount: Hashable, Sendable {
  /// The number of answers; if there are more than were counted, the number that was counted.
  package var total: Int
  /// The number of them that are unread.
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

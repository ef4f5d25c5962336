/// The number of replies in a thread.
package struct AnswerCount: Hashable, Sendable {
  /// The number of replies counted.
  package var total: Int
  /// The number of these that are unread.
  package var unread: Int
  /// Whether there are more than ``total``.
  package var isMore: Bool

  package init(total: Int, unread: Int = 0, isMore: Bool = false) {
    self.total = total
    self.unread = unread
    self.isMore = isMore
  }
}

public import MessageModel

/// A source that stores gaps in its messages, so that a check can make and close them.
///
/// Every call changes nothing if it throws.
public protocol GapKeepingSource: MutableMessageSource {
  /// Records that messages may be missing between two messages of a conversation, or beyond one at an end.
  ///
  /// - Throws: An error if it cannot be written.
  func setGap(_ gap: MessageGap) async throws

  /// Records that no messages are missing any more between two messages, or beyond one at an end.
  ///
  /// - Throws: An error if it cannot be written.
  func removeGaps(in conversation: Conversation.ID, after: Message.ID?, before: Message.ID?)
    async throws
}

extension ReferenceSource: GapKeepingSource {}

struct GapList {
  private(set) var gaps: [MessageGap] = []

  mutating func add(_ new: MessageGap) {
    var sum = new
    for gap in gaps where gap.overlaps(new) {
      if gap.newest > sum.newest { (sum.before, sum.token) = (gap.before, gap.token) }
      if gap.oldest < sum.oldest { sum.after = gap.after }
    }
    if (sum.after, sum.before) != (new.after, new.before) { sum.size = nil }
    gaps.removeAll { $0.overlaps(new) }
    gaps.append(sum)
  }

  mutating func remove(_ known: MessageGap) {
    gaps = gaps.flatMap { gap in
      guard gap.overlaps(known) else { return [gap] }
      var rest: [MessageGap] = []
      if gap.oldest < known.oldest {
        rest.append(MessageGap(in: gap.conversation, after: gap.after, before: known.after))
      }
      if gap.newest > known.newest {
        rest.append(
          MessageGap(in: gap.conversation, after: known.before, before: gap.before, token: gap.token))
      }
      return rest
    }
  }
}

extension MessageGap {
  fileprivate var oldest: Message.ID { after ?? .lowest }
  fileprivate var newest: Message.ID { before ?? .highest }

  fileprivate func overlaps(_ other: MessageGap) -> Bool {
    conversation == other.conversation && oldest < other.newest && other.oldest < newest
  }
}

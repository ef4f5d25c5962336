public import MessageModel

/// A writable source, which a check changes in step with the naive model.
///
/// Each call is one commit, which is complete when it returns. A call that throws changes nothing.
public protocol MutableMessageSource: MessageSource {
  /// Creates an empty conversation and returns its id.
  ///
  /// - Throws: An error if it cannot be created.
  func makeConversation(named name: String) async throws -> Conversation.ID

  /// Adds a message after the newest one of its conversation and returns its id.
  ///
  /// - Throws: An error if it cannot be written.
  func append(_ text: String, to conversation: Conversation.ID) async throws -> Message.ID

  /// Adds a message at a time, wherever that puts it, and returns its id, which lies within that millisecond.
  ///
  /// - Throws: An error if it cannot be written, for example because the millisecond is full.
  func insert(_ text: String, at time: Timestamp, in conversation: Conversation.ID) async throws
    -> Message.ID

  /// Deletes messages, all of which exist.
  ///
  /// - Throws: An error if not all can be deleted; then none is.
  func delete(_ ids: [Message.ID]) async throws

  /// Changes the text of a message that exists: its revision increases by one, and it counts as edited.
  ///
  /// - Throws: An error if it cannot be written.
  func edit(_ id: Message.ID, text: String) async throws
}

/// A source with read marks, so that a check can ask for the first unread message.
public protocol ReadMarkingSource: MutableMessageSource {
  /// Marks a conversation as read up to and including a message. A mark never moves back.
  ///
  /// Versions stay the same, since no message changes.
  ///
  /// - Throws: An error if it cannot be written.
  func markRead(_ conversation: Conversation.ID, upTo id: Message.ID) async throws
}

extension ReferenceSource: ReadMarkingSource {
  public func markRead(_ conversation: Conversation.ID, upTo id: Message.ID) {
    moveReadMark(id, of: conversation)
  }
}

extension ReferenceSource: MutableMessageSource {
  public func makeConversation(named name: String) -> Conversation.ID { newConversation() }

  /// Adds a message in the first unused place of a millisecond and returns its id.
  ///
  /// - Throws: `StoreError` of kind `invalidRequest` if the millisecond is full; nothing is changed then.
  public func insert(
    _ text: String, at time: Timestamp, in conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    guard let id = insertIfThereIsRoom(text, at: time, in: conversation) else {
      throw StoreError(.invalidRequest, "cannot add a message: the millisecond is full")
    }
    return id
  }

  public func delete(_ ids: [Message.ID]) { delete(AnySequence(ids)) }
}

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

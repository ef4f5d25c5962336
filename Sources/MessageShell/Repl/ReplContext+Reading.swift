internal import MessageModel

extension ReplContext {
  /// Notes that a run of messages was on the screen. All up to its end counts as read then, unless there are unread
  /// messages before it; a filter hides some, so nothing is read under one.
  ///
  /// - Complexity: O(1) for who reads on from where the mark is; a page of one message for others.
  mutating func noteSeen(from first: Message.ID, through last: Message.ID) {
    guard filter == nil else { return }
    if let mark = conversation.readUpTo {
      guard last > mark else { return }
      if first > mark, hasUnread(before: first) { return }
    }
    countAsRead(upTo: last)
  }

  /// Notes that all messages up to this one count as read: who writes has caught up.
  mutating func countAsRead(upTo id: Message.ID) {
    if let mark = conversation.readUpTo, id <= mark { return }
    conversation.readUpTo = id
    // A store that cannot be written to can still be read.
    try? store.markRead(conversation.id, upTo: id)
  }

  /// Whether messages lie between the mark and this one, the mark being where others may have put it by now.
  private mutating func hasUnread(before id: Message.ID) -> Bool {
    guard let next = firstUnread, next < id else { return false }
    guard let mark = try? store.conversation(named: conversation.name)?.readUpTo,
      mark > conversation.readUpTo ?? .lowest
    else { return true }
    conversation.readUpTo = mark
    return firstUnread.map { $0 < id } ?? false
  }

  /// The first message behind the mark; `nil` if there is none, or no mark.
  var firstUnread: Message.ID? {
    guard let mark = conversation.readUpTo else { return nil }
    let request = FetchRequest(
      Selection(conversation.id), anchor: .after(mark), fetchLimit: 1, wantsCounts: false)
    return (try? store.page(request))?.messages.first?.id
  }
}

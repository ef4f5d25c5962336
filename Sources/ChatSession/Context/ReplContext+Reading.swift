internal import MessageModel
internal import MessageStorage

extension ReplContext {
  /// Takes over what counts as read where nobody has said so: what was imported. It is written down, so that it stays so.
  mutating func adoptReadMark() throws(StoreError) {
    guard conversation.readUpTo == nil, let mark = try store.readMark(of: conversation.id) else { return }
    countAsRead(upTo: mark)
  }

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
  private mutating func countAsRead(upTo id: Message.ID) {
    if let mark = conversation.readUpTo, id <= mark { return }
    conversation.readUpTo = id
    unwritten.note(id, in: conversation.id)
  }

  /// Writes how far was read. A store that cannot be written to can still be read.
  package mutating func writeReadPositions() {
    do { try store.markRead(unwritten) } catch { return }
    unwritten = ReadPositions()
  }

  /// Returns the first unread message that the filter lets through, those behind `mark` being unread.
  ///
  /// - Parameter mark: `nil` for where the store has it.
  func anchor(ofUnreadAfter mark: Message.ID?) throws(StoreError) -> PageAnchor {
    guard let mark else { return .firstUnread }
    let request = PageRequest(selection, anchor: .after(mark), fetchLimit: 1, wantsCounts: false)
    return try store.page(request).messages.first.map { .around($0.id) } ?? .newest
  }

  /// Whether messages lie between the mark and this one, the mark being where others may have put it by now. What cannot
  /// be read now has not been read.
  private mutating func hasUnread(before id: Message.ID) -> Bool {
    do throws(StoreError) {
      guard let next = try firstUnread, next < id else { return false }
      guard let mark = try store.readMark(of: conversation.id),
        mark > conversation.readUpTo ?? .lowest
      else { return true }
      conversation.readUpTo = mark
      return try firstUnread.map { $0 < id } ?? false
    } catch {
      return true
    }
  }

  /// The first message behind the mark; `nil` if there is none, or no mark.
  var firstUnread: Message.ID? {
    get throws(StoreError) {
      guard let mark = conversation.readUpTo else { return nil }
      let request = PageRequest(
        Selection(conversation.id), anchor: .after(mark), fetchLimit: 1, wantsCounts: false)
      return try store.page(request).messages.first?.id
    }
  }
}

internal import MessageModel
internal import MessageStorage

/// The first unread message of several conversations, as far as it is known: each of them is looked at for it, on another thread.
struct UnreadLook: Hashable {
  /// The first unread message; `nil` if there is none, or nothing is known yet.
  fileprivate(set) var found: Message.ID?
  /// Whether it has been looked for since the timeline was opened.
  fileprivate var isAnswered = false
  fileprivate var isDue = true
  fileprivate var isUnderWay = false

  /// Takes note that messages may have come in. One that is known stays the first until it is read.
  mutating func noticeChange() { if found == nil { isDue = true } }
}

extension ScreenReader {
  /// The work of looking for the first unread message, if that is not known.
  mutating func unreadJob(in context: ReplContext) -> Job? {
    guard var look = unreadLook else { return nil }
    defer { unreadLook = look }
    if let found = look.found, let message = view.window.message(found), context.hasRead(message) {
      look.isDue = true
    }
    guard look.isDue, !look.isUnderWay, context.filter == nil else { return nil }
    (look.isDue, look.isUnderWay) = (false, true)
    let (conversations, unwritten) = (context.timeline.wholeConversations, context.unwritten)
    return Job(.unread) { [store = context.store, viewNumber, isFirst = !look.isAnswered] report, _ in
      // What has been on the screen since it was opened was unread then.
      let before = isFirst ? try store.firstUnread(in: conversations) : nil
      let found = try store.firstUnread(in: conversations, beyond: unwritten)
      report(.firstUnread(found, whenOpened: before, view: viewNumber))
    }
  }

  /// Takes in where unread messages begin, and where they began when the timeline was opened.
  mutating func takeUnread(
    _ found: Message.ID?, before: Message.ID?, _ context: ReplContext
  ) throws(StoreError) {
    guard var look = unreadLook else { return }
    let isFirst = !look.isAnswered
    (look.found, look.isUnderWay, look.isAnswered) = (found, false, true)
    unreadLook = look
    if isFirst, view.unreadAfter == nil, let before { try view.showUnread(behind: before.predecessor) }
  }
}

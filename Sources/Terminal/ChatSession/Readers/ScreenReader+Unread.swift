internal import MessageModel
internal import MessageStorage

/// The first unread message of several conversations, which another thread looks up.
struct UnreadLook: Hashable {
  /// `nil` if there is none, or none is known yet.
  fileprivate(set) var found: Message.ID?
  fileprivate var isAnswered = false
  fileprivate var isDue = true
  fileprivate var isUnderWay = false

  /// A known first unread message remains so until it is read.
  mutating func noticeChange() { if found == nil { isDue = true } }
}

extension ScreenReader {
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
      // Messages shown since opening were unread when it was opened.
      let before = isFirst ? try store.firstUnread(in: conversations) : nil
      let found = try store.firstUnread(in: conversations, beyond: unwritten)
      report(.firstUnread(found, whenOpened: before, view: viewNumber))
    }
  }

  /// - Parameter before: The first unread message when the timeline was opened.
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

internal import MessageModel

extension ReplSession {
  /// Where the unread messages begin or, when all were read, where they began before. The line that parts them goes there.
  mutating func firstUnread() throws(StoreError) -> Anchor {
    if let mark = context.conversation.readUpTo, context.firstUnread != nil { view.unreadAfter = mark }
    guard let mark = view.unreadAfter else { return .firstUnread }
    let request = FetchRequest(context.selection, anchor: .after(mark), fetchLimit: 1, wantsCounts: false)
    return try context.store.page(request).messages.first.map { .around($0.id) } ?? .newest
  }

  /// Whether the first unread message is above what is in view.
  var hasUnreadAbove: Bool {
    guard context.filter == nil, overlay == nil, let mark = context.conversation.readUpTo,
      let first = view.visible.first
    else { return false }
    return mark < first
  }
}

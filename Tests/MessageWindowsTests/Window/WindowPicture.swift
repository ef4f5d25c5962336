import MessageModel
import MessageWindows

extension MessageWindow {
  /// The ids held, with … where the selection goes on: `…4 5 6 7…`.
  var picture: String {
    let ids = messages.map(\.id.description).joined(separator: " ")
    return (header.hasOlder ? "…" : "") + ids + (header.hasNewer ? "…" : "")
  }

  /// Tells the window that the reader sees the messages from one id to another.
  @discardableResult
  mutating func show(
    _ first: Int64, _ last: Int64, in source: some SynchronousMessageSource
  ) throws(StoreError) -> [WindowDelta] {
    try perform(
      .readerMoved(first: Message.ID(rawValue: first), last: Message.ID(rawValue: last)), in: source)
  }
}

extension WindowLimits {
  /// A window of `messages` that reads `page` at once and makes nothing ready beforehand.
  static func small(_ messages: Int, page: Int, prefetch: Int = 0) throws -> WindowLimits {
    try WindowLimits(messages: messages, pageSize: page, prefetchDistance: prefetch)
  }
}

let conversation = Conversation.ID(rawValue: 1)

func id(_ number: Int64) -> Message.ID { Message.ID(rawValue: number) }

/// Creates a window over the conversation of `source` that has jumped to `anchor`.
func openWindow(
  at anchor: PageAnchor = .newest, limits: WindowLimits = .standard, in source: some SynchronousMessageSource
) throws -> MessageWindow {
  var window = MessageWindow(Selection(conversation), limits: limits)
  try window.perform(.jump(to: anchor), in: source)
  return window
}

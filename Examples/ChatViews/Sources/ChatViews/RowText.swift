public import ScrollbackKit

/// What a row says, whichever view draws it.
public struct RowText: Hashable, Sendable {
  /// The sender, above the first message of a group.
  public let title: String?
  public let text: String

  public init(_ item: MessageRows.Row) {
    switch item {
    case .message(let message, let group):
      title = group.isFirst ? message.sender?.name : nil
      text = message.text
    case .day(let day): (title, text) = (nil, "\(day.date.year)-\(day.date.month)-\(day.date.day)")
    case .unread: (title, text) = (nil, "Unread")
    case .beginning: (title, text) = (nil, "The beginning")
    case .gap: (title, text) = (nil, "Messages are missing here")
    case .loading: (title, text) = (nil, "Loading …")
    case .failed: (title, text) = (nil, "Cannot load messages")
    }
  }
}

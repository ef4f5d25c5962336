public import MessageModel
internal import MessageStorage

/// Messages counted by a property.
public struct GroupsAnswer: Codable, Hashable, Sendable {
  /// The groups: times in their order, others with the most messages first.
  public var groups: [GroupAnswer]
  /// The number of messages of all groups, also of those that are not among these.
  public var total: Int
  /// The number of groups with fewer messages that are left out; `nil` if there are none.
  public var others: Int?
  /// From which message years, months or days go on; `nil` at the end.
  public var next: Message.ID?
}

/// Messages that have one property in common: the key that says which.
public struct GroupAnswer: Codable, Hashable, Sendable {
  /// The year: `2024`.
  public var year: String?
  /// The month: `2024-05`.
  public var month: String?
  /// The date: `2024-05-01`.
  public var day: String?
  /// The day of the week: `monday`.
  public var weekday: String?
  /// The hour of the day, 0 to 23; `nil` for messages of which only the day is known.
  public var hour: Int?
  /// The sender; `nil` for messages that nobody wrote.
  public var sender: String?
  /// The person.
  public var person: String?
  /// The conversation.
  public var conversation: String?
  /// The kind.
  public var kind: Message.Kind?
  /// The number of messages.
  public var messages: Int
  /// The oldest of them in a year, month or day.
  public var firstID: Message.ID?

  init(_ group: MessageGroup, _ grouping: MessageGrouping, conversation: String?) {
    messages = group.count
    self.conversation = conversation
    switch group.key {
    case .date(let date, let oldest):
      firstID = oldest
      let text = date.dateText
      switch grouping {
      case .year: year = String(text.dropLast(6))
      case .month: month = String(text.dropLast(3))
      case .day, .weekday, .hour, .sender, .person, .conversation, .kind: day = text
      }
    case .weekday(let number): weekday = Self.weekdays[min(max(0, number), 6)]
    case .hour(let hour): self.hour = hour
    case .sender(let sender): self.sender = sender?.name
    case .person(_, let name): person = name
    case .kind(let kind): self.kind = kind
    case .conversation: break
    }
  }

  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
}

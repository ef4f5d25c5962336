public import MessageModel
public import MessageStorage

/// The days or months that hold messages, oldest first.
public struct DaysAnswer: Codable, Hashable, Sendable {
  /// The days or months that have messages, oldest first.
  public var days: [DayAnswer]
  /// From which message to go on; `nil` at the end.
  public var next: Message.ID?
}

/// A day or a month that holds messages.
public struct DayAnswer: Codable, Hashable, Sendable {
  /// The conversation, if it is that of one.
  public var conversation: String?
  /// The date: `2024-05-01`; `nil` for a month.
  public var day: String?
  /// The month: `2024-05`; `nil` for a day.
  public var month: String?
  /// The number of messages in it.
  public var messages: Int
  /// The number of its oldest message.
  public var firstNumber: Int
  /// Its oldest message.
  public var firstID: Message.ID

  /// Creates an answer.
  public init(_ section: HistorySection, _ span: HistorySection.Span, conversation: String? = nil) {
    self.conversation = conversation
    let date = section.start.dateText
    switch span {
    case .day: day = date
    case .month: month = String(date.dropLast(3))
    }
    messages = section.count
    firstNumber = section.firstOrdinal.adding(1)
    firstID = section.oldest
  }
}

extension CivilTime {
  /// The date of ISO 8601.
  var dateText: String {
    var bytes: [UInt8] = []
    ISO8601.writeDate(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

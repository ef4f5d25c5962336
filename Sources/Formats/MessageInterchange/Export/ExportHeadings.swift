internal import Foundation
internal import MessageModel

/// The headings of formats for reading: the conversation and day of the last message, by which a new one is told.
struct ExportHeadings {
  private var clock: WallClock
  private var conversation: String?
  private var day: [UInt8] = []

  /// Headings by the clock of `timeZone`.
  init(timeZone: TimeZone) { clock = WallClock(zone: timeZone) }

  /// The headings that a message begins, and its time of day as exactly as it is known, to the second; empty for a day.
  struct Position {
    var newConversation: String?
    /// The date, if it is another one than before or begins a conversation.
    var newDay: String?
    var timeOfDay: String
  }

  /// Moves on to a message.
  mutating func move(to record: ExportRecord) -> Position {
    // A day is the same in every zone.
    let civil = record.precision == .day ? record.time.utc : clock.civil(at: record.time)
    var date: [UInt8] = []
    ISO8601.writeDate(civil, to: &date)
    var time: [UInt8] = []
    ISO8601.writeTime(
      civil, precision: record.precision == .millisecond ? .second : record.precision, to: &time)
    let isNew = conversation != record.conversation
    let isNewDay = isNew || day != date
    (conversation, day) = (record.conversation, date)
    return Position(
      newConversation: isNew ? record.conversation : nil,
      newDay: isNewDay ? String(decoding: date, as: UTF8.self) : nil,
      timeOfDay: String(decoding: time, as: UTF8.self))
  }
}

internal import Foundation
internal import MessageModel

struct ExportHeadings {
  private var clock: WallClock
  private var conversation: String?
  private var day: [UInt8] = []

  init(timeZone: TimeZone) { clock = WallClock(zone: timeZone) }

  /// The headings before a message, and its time of day, to the second at most; empty if only the day is
  /// known.
  struct Position {
    var newConversation: String?
    var newDay: String?
    var timeOfDay: String
  }

  mutating func move(to record: ExportRecord) -> Position {
    // A day is not converted between zones.
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

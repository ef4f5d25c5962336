package import Foundation
package import HistoryQueries
internal import MessageModel
package import TerminalText

/// Conversations in columns: name, messages, first and last time and, where that was counted, senders.
package struct ConversationTable {
  private var clock: WallClock

  /// Creates a table.
  ///
  /// - Parameter timeZone: The zone of the times shown.
  package init(timeZone: TimeZone) { clock = WallClock(zone: timeZone) }

  /// Returns a line per conversation.
  package func text(of conversations: [ConversationAnswer], encoder: StyleEncoder = .plain) -> String {
    var clock = clock
    let rows = conversations.map { conversation in
      var times = Self.edges(of: conversation).map { Span(Self.minute(of: $0, &clock), .dim) }
      if let senders = conversation.senders {
        times += Array(repeating: Span(""), count: 2 - times.count)
        times.append(Span(NumberText.counted(senders, "sender")))
      }
      return [
        Span(VisibleText.of(conversation.name), .heading), Span(NumberText.grouped(conversation.messages)),
      ] + times
    }
    return TextTable.text(rows, alignsRight: [1, 4], encoder: encoder)
  }

  /// When the oldest and the newest message were written, and how exactly that is known; none if there is none.
  private static func edges(
    of conversation: ConversationAnswer
  ) -> [(time: Timestamp, precision: TimePrecision?)] {
    [
      (conversation.first, conversation.firstPrecision), (conversation.last, conversation.lastPrecision),
    ].compactMap { time, precision in time.map { ($0, precision) } }
  }

  private static func minute(
    of edge: (time: Timestamp, precision: TimePrecision?), _ clock: inout WallClock
  ) -> String {
    // A date without a time is the same in every zone.
    let isDay = edge.precision == .day
    let civil = isDay ? edge.time.utc : clock.civil(at: edge.time)
    return DateText.dateAndTime(civil, precision: isDay ? .day : .minute)
  }
}

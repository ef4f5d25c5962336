package import Foundation
package import MessageModel
package import TerminalText

/// `conversations`: lists the conversations of a store.
package struct ConversationsCommand {
  private var clock: WallClock

  /// Creates the command.
  ///
  /// - Parameter timeZone: The zone of the times shown.
  package init(timeZone: TimeZone) { clock = WallClock(zone: timeZone) }

  /// Returns a table with a line per conversation: name, messages, first and last time and, where that was counted,
  /// senders.
  package func table(
    of conversations: [Conversation], senders: [Conversation.ID: Int]? = nil, encoder: StyleEncoder = .plain
  ) -> String {
    var clock = clock
    var rows: [[Span]] = []
    for conversation in conversations {
      var times = Self.edges(of: conversation).map { Span(Self.minute(of: $0, &clock), .dim) }
      if let senders {
        times += Array(repeating: Span(""), count: 2 - times.count)
        times.append(Span(NumberText.counted(senders[conversation.id] ?? 0, "sender")))
      }
      rows.append(
        [
          Span(VisibleText.of(conversation.name), .heading),
          Span(NumberText.grouped(conversation.messageCount)),
        ] + times)
    }
    return TextTable.text(rows, alignsRight: [1, 4], encoder: encoder)
  }

  /// Returns a JSON object a line. Times are those of exported messages.
  package func json(
    of conversations: [Conversation], senders: [Conversation.ID: Int]
  ) -> String {
    var lines = ""
    for conversation in conversations {
      let times = Self.edges(of: conversation).map { ISOTime.text($0.time) }
      let fields =
        ["\"name\":\(JSONString.of(conversation.name))", "\"messages\":\(conversation.messageCount)"]
        + zip(["first", "last"], times).map { "\"\($0)\":\"\($1)\"" }
        + ["\"senders\":\(senders[conversation.id] ?? 0)"]
      lines += "{\(fields.joined(separator: ","))}\n"
    }
    return lines
  }

  /// When the oldest and the newest message were written, and how exactly that is known; none if there is none.
  private static func edges(of conversation: Conversation) -> [(time: Timestamp, precision: TimePrecision)] {
    let edges = [
      (conversation.oldest, conversation.oldestPrecision),
      (conversation.newest, conversation.newestPrecision),
    ]
    return edges.compactMap { id, precision in id.map { ($0.time.rounded(to: precision), precision) } }
  }

  private static func minute(
    of edge: (time: Timestamp, precision: TimePrecision), _ clock: inout WallClock
  ) -> String {
    // A date without a time is the same in every zone.
    let isDay = edge.precision == .day
    let civil = isDay ? edge.time.utc : clock.civil(at: edge.time)
    return DateText.dateAndTime(civil, precision: isDay ? .day : .minute)
  }
}

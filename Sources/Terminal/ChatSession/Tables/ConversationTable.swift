package import Foundation
package import HistoryQueries
internal import MessageModel
package import TerminalText

/// Conversations in columns: name, messages, first and last time and, if known, senders, unread messages and
/// the newest one.
package struct ConversationTable {
  private var clock: WallClock

  /// - Parameter timeZone: The zone of the times shown.
  package init(timeZone: TimeZone) { clock = WallClock(zone: timeZone) }

  /// A narrow terminal cuts names and the newest messages, and omits the first time and the senders.
  package func text(of conversations: [ConversationAnswer], layout: TableLayout = .plain) -> String {
    var clock = clock
    let hasUnread = conversations.contains { ($0.unread ?? 0) > 0 }
    let rows = conversations.map { conversation in
      var times = Self.edges(of: conversation).map {
        Span(DateText.minute(of: $0.time, $0.precision, &clock), .dim)
      }
      if let senders = conversation.senders {
        times += Array(repeating: Span(""), count: 2 - times.count)
        times.append(Span(NumberText.counted(senders, "sender")))
      }
      if hasUnread { times.append(Self.unread(conversation)) }
      times.append(Span(Self.newest(conversation, columns: 40), .dim))
      return [
        Span(VisibleText.of(conversation.name), .heading), Span(NumberText.grouped(conversation.messages)),
      ] + times
    }
    let newest = hasUnread ? 6 : 5
    return TextTable.text(
      rows, alignsRight: hasUnread ? [1, 4, 5] : [1, 4], layout: layout, cutting: [newest, 0],
      leavingOut: [2, 4, newest])
  }

  /// Limited to `columns`: name, messages, last time, unread messages and the newest one.
  package func overview(of conversations: [ConversationAnswer], columns: Int) -> String {
    var clock = clock
    var rows = conversations.map { conversation in
      [
        VisibleText.of(conversation.name).cut(columns: max(8, columns / 4)),
        NumberText.grouped(conversation.messages),
        Self.edges(of: conversation).last.map { DateText.minute(of: $0.time, $0.precision, &clock) } ?? "",
        Self.unread(conversation).text,
      ]
    }
    let used = (0..<4).reduce(0) { width, column in
      width + 2 + (rows.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0)
    }
    for (index, conversation) in conversations.enumerated() where columns - used >= 10 {
      rows[index].append(Self.newest(conversation, columns: columns - used))
    }
    return TextTable.text(rows, alignsRight: [1, 3], layout: TableLayout(columns: columns))
  }

  private static func unread(_ conversation: ConversationAnswer) -> Span {
    guard let unread = conversation.unread, unread > 0 else { return Span("") }
    return Span("\(NumberText.grouped(unread)) unread", Style(color: .notice))
  }

  private static func newest(_ conversation: ConversationAnswer, columns: Int) -> String {
    guard let text = conversation.lastText else { return "" }
    let sender = conversation.lastSender.map { $0 + ": " } ?? ""
    return SafeText.oneLine(sender + text).cut(columns: columns)
  }

  private static func edges(
    of conversation: ConversationAnswer
  ) -> [(time: Timestamp, precision: TimePrecision?)] {
    [
      (conversation.first, conversation.firstPrecision), (conversation.last, conversation.lastPrecision),
    ].compactMap { time, precision in time.map { ($0, precision) } }
  }
}

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

/// Assistants' sessions in columns: newest message's time, program, model, branch, messages, duration,
/// tokens, cost, failures, folder, and title.
package struct SessionTable {
  private let clock: WallClock
  private let home: String?

  /// - Parameters:
  ///   - timeZone: The zone of the times shown.
  ///   - home: The user's home folder, shown as `~`; `nil` if unknown.
  package init(timeZone: TimeZone, home: String?) {
    clock = WallClock(zone: timeZone)
    self.home = home
  }

  /// A narrow terminal cuts texts and omits figures.
  package func text(of sessions: [SessionAnswer], layout: TableLayout = .plain) -> String {
    var clock = clock
    let rows = sessions.map { session in
      [
        Span(DateText.minute(of: session.newestTime, session.newestPrecision, &clock), .dim),
        Span(Self.shown(session.program)),
        Span(Self.shown(session.models.first ?? ""), .dim),
        Span(Self.shown(session.branch ?? ""), .dim),
        Span(NumberText.counted(session.messages, "message")),
        Span(session.seconds > 0 ? PaceTable.duration(session.seconds) : ""),
        Span(Self.tokens(of: session)),
        Span(session.dollars.map(Self.dollars) ?? ""),
        Span(session.failed.map { "\(NumberText.grouped($0)) failed" } ?? "", Style(color: .notice)),
        Span(folder(session.project), .heading),
        Span(Self.title(of: session)),
      ]
    }
    return TextTable.text(
      ofUsed: rows, where: { isShown($0, layout.columns) }, alignsRight: [4, 5, 6, 7], layout: layout,
      cutting: [9, 10, 3, 2], leavingOut: [6, 7, 2, 5, 3, 4, 8, 1, 9])
  }

  /// The title needs room before figures do.
  private func isShown(_ column: Int, _ columns: Int?) -> Bool {
    let needed = [2: 140, 3: 110, 5: 120, 6: 180, 7: 150]
    return (columns ?? .max) >= needed[column] ?? 0
  }

  package static func title(of session: SessionAnswer) -> String { shown(session.title) }

  /// A folder as it is shown; empty if it is unknown.
  func folder(_ project: String?) -> String { project.map { Self.folder($0, home: home) } ?? "" }

  static func folder(_ path: String, home: String?) -> String {
    guard let home, !home.isEmpty, path == home || path.hasPrefix("\(home)/") else { return shown(path) }
    return shown("~\(path.dropFirst(home.count))")
  }

  private static func shown(_ text: String) -> String { VisibleText.of(text, keepsTabs: false) }

  private static func tokens(of session: SessionAnswer) -> String {
    guard session.tokensSent != nil || session.tokensReceived != nil else { return "" }
    let (sent, received) = (Int(session.tokensSent ?? 0), Int(session.tokensReceived ?? 0))
    return "\(NumberText.short(sent)) in, \(NumberText.short(received)) out"
  }

  static func dollars(_ amount: Double) -> String {
    let cents = Int64((min(max(amount, 0), 1e12) * 100).rounded())
    return cents == 0 && amount > 0
      ? "under $0.01" : "$\(cents / 100).\(String(cents % 100 + 100).dropFirst())"
  }
}

/// Threads in columns: id, newest reply's time, replies, unread ones, first sender, conversation, and first
/// words.
package struct ThreadTable {
  private let clock: WallClock
  private let isOfSeveral: Bool
  private let showsIDs: Bool

  /// - Parameters:
  ///   - timeZone: The zone of the times shown.
  ///   - isOfSeveral: Whether to show conversations.
  ///   - showsIDs: Whether to show ids.
  package init(timeZone: TimeZone, isOfSeveral: Bool, showsIDs: Bool = true) {
    clock = WallClock(zone: timeZone)
    self.isOfSeveral = isOfSeveral
    self.showsIDs = showsIDs
  }

  /// A narrow terminal cuts texts, then conversations and names, and omits ids.
  package func text(of threads: [ThreadAnswer], layout: TableLayout = .plain) -> String {
    var clock = clock
    let rows = threads.map { thread in
      [
        Span(showsIDs ? "#\(thread.id)" : "", .dim),
        Span(DateText.minute(of: thread.newestTime, thread.newestPrecision, &clock), .dim),
        Span(Self.count(of: thread)),
        Span(thread.unread.map { "\(NumberText.grouped($0)) new" } ?? "", Style(color: .notice)),
        Span(
          VisibleText.of(thread.sender ?? "", keepsTabs: false),
          thread.sender.map { .sender(SafeText.oneLine($0)) } ?? .plain),
        Span(isOfSeveral ? VisibleText.of(thread.conversation, keepsTabs: false) : "", .heading),
        Span(Self.words(of: thread), thread.missing == true ? .dim : .plain),
      ]
    }
    return TextTable.text(
      ofUsed: rows, alignsRight: [2], layout: layout, cutting: [6, 5, 4], leavingOut: [0])
  }

  package static func count(of thread: ThreadAnswer) -> String {
    let isMore = thread.exact == false
    let noun = thread.answers == 1 && !isMore ? "reply" : "replies"
    return "\(NumberText.grouped(thread.answers))\(isMore ? "+" : "") \(noun)"
  }

  package static func words(of thread: ThreadAnswer) -> String {
    if thread.missing == true { return "(its first message is not in the store)" }
    return VisibleText.of(thread.text ?? "", keepsTabs: false)
  }
}

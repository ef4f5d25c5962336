package import Foundation
package import HistoryQueries
internal import MessageModel
package import TerminalText

/// Assistants' sessions in columns: newest message's time, program, model, branch, messages, duration,
/// tokens, cost, failures, folder, and first question.
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
        Span(folder(of: session), .heading),
        Span(Self.title(of: session)),
      ]
    }
    return TextTable.text(
      ofUsed: rows, where: { isShown($0, layout.columns) }, alignsRight: [4, 5, 6, 7], layout: layout,
      cutting: [9, 10, 3, 2], leavingOut: [6, 7, 2, 5, 3, 4, 8, 1, 9])
  }

  /// The first question needs room before figures do.
  private func isShown(_ column: Int, _ columns: Int?) -> Bool {
    let needed = [2: 140, 3: 110, 5: 120, 6: 180, 7: 150]
    return (columns ?? .max) >= needed[column] ?? 0
  }

  /// The first question, else the conversation's name.
  package static func title(of session: SessionAnswer) -> String {
    shown(session.question ?? session.conversation)
  }

  package func folder(of session: SessionAnswer) -> String {
    guard let project = session.project else { return "" }
    guard let home, !home.isEmpty, project == home || project.hasPrefix("\(home)/") else {
      return Self.shown(project)
    }
    return Self.shown("~\(project.dropFirst(home.count))")
  }

  private static func shown(_ text: String) -> String { VisibleText.of(text, keepsTabs: false) }

  private static func tokens(of session: SessionAnswer) -> String {
    guard session.tokensSent != nil || session.tokensReceived != nil else { return "" }
    let (sent, received) = (Int(session.tokensSent ?? 0), Int(session.tokensReceived ?? 0))
    return "\(NumberText.short(sent)) in, \(NumberText.short(received)) out"
  }

  private static func dollars(_ amount: Double) -> String {
    let cents = Int64((min(max(amount, 0), 1e12) * 100).rounded())
    return cents == 0 && amount > 0
      ? "under $0.01" : "$\(cents / 100).\(String(cents % 100 + 100).dropFirst())"
  }
}

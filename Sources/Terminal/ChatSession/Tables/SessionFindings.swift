package import Foundation
package import HistoryQueries
internal import MessageModel
package import TerminalText

/// Changes of a file, or failures, in sessions of assistants: a heading for each, and below it lines with ids.
package struct SessionFindings {
  private let clock: WallClock
  private let sessions: SessionTable

  /// - Parameters:
  ///   - timeZone: The zone of the times shown.
  ///   - home: The user's home folder, shown as `~`; `nil` if unknown.
  package init(timeZone: TimeZone, home: String?) {
    clock = WallClock(zone: timeZone)
    sessions = SessionTable(timeZone: timeZone, home: home)
  }

  /// A narrow terminal cuts lines.
  package func text(of changes: [FileChangeAnswer], layout: TableLayout = .plain) -> String {
    var clock = clock
    return changes.map { change in
      var call = Self.row("#\(change.id)", "▸ \(change.tool) \(change.file)")
      if let lines = change.lines { call.append("  \(Self.numbers(lines))", .dim) }
      let changed = (change.change?.split(separator: "\n") ?? []).map(Self.changed)
      let heading = heading(
        DateText.minute(of: change.time, change.precision, &clock), change.program, change.project,
        change.title ?? change.conversation)
      return Self.text([heading, call] + changed, layout)
    }.joined()
  }

  /// A narrow terminal cuts lines.
  package func text(of failures: [FailureAnswer], layout: TableLayout = .plain) -> String {
    var clock = clock
    return failures.map { failure in
      let heading = heading(
        DateText.minute(of: failure.time, failure.precision, &clock), failure.program, failure.project,
        failure.title ?? failure.conversation)
      let error = Self.row("#\(failure.id)", failure.text, Style(color: .problem))
      var steps = failure.steps.map(Self.step)
      if failure.more == true { steps.append(Row("  …", .dim)) }
      if let id = failure.resolved, !failure.steps.contains(where: { $0.id == id }) {
        steps.append(Self.row("#\(id)", "did not fail"))
      }
      return Self.text([heading] + (failure.call.map { [Self.step($0)] } ?? []) + [error] + steps, layout)
    }.joined()
  }

  private func heading(_ time: String, _ program: String?, _ project: String?, _ title: String) -> Row {
    var row = Row(time, .dim)
    for (text, style) in [
      (VisibleText.of(program ?? "", keepsTabs: false), Style.plain), (sessions.folder(project), .heading),
      (VisibleText.of(title, keepsTabs: false), .plain),
    ] where !text.isEmpty {
      row.append("  ")
      row.append(text, style)
    }
    return row
  }

  private static func row(_ id: String, _ text: String, _ style: Style = .plain) -> Row {
    var row = Row("  \(id)  ", .dim)
    row.append(SafeText.oneLine(text), style)
    return row
  }

  private static func step(_ step: StepAnswer) -> Row {
    let name = step.sender.map { "\($0): " } ?? ""
    let text = step.kind == .tool ? "▸ \(step.text)" : name + step.text
    return row("#\(step.id)", text, step.failed == true ? Style(color: .problem) : .plain)
  }

  private static func changed(_ line: Substring) -> Row {
    let style: Style =
      switch line.first {
      case "+": Style(color: .added)
      case "-": Style(color: .removed)
      default: .plain
      }
    return Row("    \(SafeText.oneLine(line))", style)
  }

  /// `line 3`, `lines 3-5, 9`
  private static func numbers(_ lines: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for line in lines {
      if let last = runs.last, last.upperBound.adding(1) == line {
        runs[runs.count - 1] = last.lowerBound...line
      } else {
        runs.append(line...line)
      }
    }
    let texts = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    return "\(lines.count == 1 ? "line" : "lines") \(texts.joined(separator: ", "))"
  }

  private static func text(_ rows: [Row], _ layout: TableLayout) -> String {
    rows.map { row in
      layout.encoder.string(layout.columns.map { row.cut(to: $0) } ?? row) + "\n"
    }.joined()
  }
}

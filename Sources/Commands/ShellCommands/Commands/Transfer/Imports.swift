internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import TerminalText

struct Imports: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "imports",
    abstract: "List the imports; `undo` removes one.",
    discussion: """
      Examples:
        scrollback imports
        scrollback imports --json
      """)

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let zone = try common.zone(in: shell)
    return try common.list(in: shell, as: json, by: pager, otherwise: "there are no imports") { store in
      try QuestionAnswerer(store).imports().imports
    } table: {
      Self.table(of: $0, zone: zone, $1)
    }
  }

  private static func table(of imports: [ImportAnswer], zone: TimeZone, _ layout: TableLayout) -> String {
    var clock = WallClock(zone: zone)
    let rows = imports.map { one in
      [
        String(one.import), DateText.dateAndTime(clock.civil(at: one.time), precision: .minute),
        NumberText.grouped(one.messages), VisibleText.of(one.format), VisibleText.of(one.timeZone),
        VisibleText.of(one.name, keepsTabs: false), one.finished ? "" : "(not finished)",
      ]
    }
    return TextTable.text(rows, alignsRight: [0, 2], layout: layout, cutting: [5, 4], leavingOut: [4])
  }
}

internal import ArgumentParser
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

/// `imports`: the imports that a store remembers.
struct Imports: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "imports",
    abstract: "List the imports, as `undo` takes them back.")

  @Flag(help: "Print JSON, an object a line.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try SynchronousMessageStore(path: common.path(in: shell), options: .reading)
    defer { store.close() }
    let zone = try common.zone(in: shell)
    let imports = try HistoryQueries(store).imports().imports
    let console = common.console(in: shell)
    if json {
      try console.write(answers: imports)
    } else {
      console.write(Self.table(of: imports, zone: zone))
    }
    console.flush()
    return .done
  }

  /// Returns a table with a line per import: number, when, messages, format, zone, what.
  private static func table(of imports: [ImportAnswer], zone: TimeZone) -> String {
    var clock = WallClock(zone: zone)
    let rows = imports.map { one in
      [
        String(one.import), DateText.dateAndTime(clock.civil(at: one.time), precision: .minute),
        NumberText.grouped(one.messages), VisibleText.of(one.format), VisibleText.of(one.timeZone),
        VisibleText.of(one.name, keepsTabs: false), one.finished ? "" : "(not finished)",
      ]
    }
    return TextTable.text(rows, alignsRight: [0, 2])
  }
}

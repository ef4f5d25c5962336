internal import ArgumentParser
internal import Foundation
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
    let imports = try store.imports()
    let console = common.console(in: shell)
    console.write(json ? Self.json(of: imports) : Self.table(of: imports, zone: zone))
    console.flush()
    return .done
  }

  /// Returns a table with a line per import: number, when, messages, format, zone, what.
  private static func table(of imports: [StoredImport], zone: TimeZone) -> String {
    var clock = WallClock(zone: zone)
    let rows = imports.map { batch in
      [
        String(batch.id), DateText.dateAndTime(clock.civil(at: batch.time), precision: .minute),
        NumberText.grouped(batch.addedCount), VisibleText.of(batch.description.format),
        VisibleText.of(batch.description.zone), VisibleText.of(batch.description.name, keepsTabs: false),
        batch.isFinished ? "" : "(not finished)",
      ]
    }
    return TextTable.text(rows, alignsRight: [0, 2])
  }

  /// Returns a JSON object a line.
  private static func json(of imports: [StoredImport]) -> String {
    imports.map { batch in
      let description = batch.description
      let fields = [
        "\"import\":\(batch.id)", "\"time\":\(JSONString.of(ISOTime.text(batch.time)))",
        "\"messages\":\(batch.addedCount)", "\"format\":\(JSONString.of(description.format))",
        "\"timeZone\":\(JSONString.of(description.zone))", "\"name\":\(JSONString.of(description.name))",
        "\"finished\":\(batch.isFinished)",
      ]
      return "{\(fields.joined(separator: ","))}\n"
    }.joined()
  }
}

internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import MessageStorage

struct SQL: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "sql",
    abstract: "Query a store in SQL, for reading only.",
    discussion: """
      The statement is the argument, or what comes by standard input; in a terminal each line is asked for, and a statement ends with a \
      semicolon. --views lists the views and their columns. They are a part of the file, so sqlite3, DuckDB, datasette \
      and pandas read them, too: docs/sql.md has recipes.

      A time is text in UTC. To look at a day only, compare ids, which are milliseconds since 1970 times 4096: \
      id >= strftime('%s', '2024-05-01') * 4096000.

      Examples:
        scrollback sql --views
        scrollback sql "SELECT sender, count(*) FROM messages GROUP BY 1"
        scrollback sql --csv "SELECT time, sender, text FROM messages" >all.csv
      """)

  @Argument(help: "The statement; standard input if there is none.") var statement: String?
  @Flag(help: "Print comma-separated values, the names of the columns first.") var csv = false
  @Flag(help: "List the views and their columns.") var views = false
  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if csv, json.json { throw ValidationError("choose --csv or --json") }
    if views, statement != nil { throw ValidationError("--views takes no statement") }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try SynchronousMessageStore(path: common.path(in: shell), options: .readOnly)
    defer { store.close() }
    let console = pager.console(common, in: shell)
    shell.listenForInterruption()
    if views {
      try answer(Self.columnsOfViews, of: store, console)
    } else if let statement {
      try answer(statement, of: store, console)
    } else if shell.isInteractive {
      converse(with: store, console)
    } else {
      try answer(Self.text(of: shell.standardInput), of: store, console)
    }
    console.flush()
    return .done
  }

  private func converse(with store: SynchronousMessageStore, _ console: Console) {
    var statement = ""
    while true {
      console.ask(statement.isEmpty ? "sql> " : "...> ")
      guard let line = readLine(strippingNewline: false) else { return console.complain("") }
      statement += line
      guard line.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix(";") else { continue }
      do {
        try answer(statement, of: store, console)
      } catch {
        console.note("\(error)")
      }
      console.flush()
      statement = ""
    }
  }

  private func answer(_ text: String, of store: SynchronousMessageStore, _ console: Console) throws {
    var writer = RowWriter(form: csv ? .csv : json.json ? .json : .table, console)
    try store.answer(text) {
      Interruption.isAskedFor
    } columns: { names in
      try writer.begin(names)
    } row: { row in
      try writer.write(row)
      return true
    }
    try writer.finish()
  }

  private static func text(of descriptor: Int32) throws -> String {
    let data = try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  private static var columnsOfViews: String {
    let names = SynchronousMessageStore.viewNames
    let parts = names.enumerated().map { place, name in
      "SELECT \(place) AS place, '\(name)' AS view, cid, name AS column FROM pragma_table_info('\(name)')"
    }
    return "SELECT view, column FROM (\(parts.joined(separator: " UNION ALL "))) ORDER BY place, cid"
  }
}

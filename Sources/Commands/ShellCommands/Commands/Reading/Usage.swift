internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Usage: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "usage",
    abstract: "Show tokens and cost of assistants by day, model, project or program.",
    discussion: """
      Each turn counts once, also where a session was resumed, forked or compacted. QUERY selects sessions, as in \
      `sessions`; since:TIME, until:TIME and model:PART also select the turns within them. Bars on a terminal; into a pipe \
      a name, tokens sent, tokens received and dollars, with tabs between them.

      The cost is what the program wrote, else that of the tokens at the makers' list prices. A file of --prices replaces \
      such prices by lines like `claude-opus-5-5 4 20 0.20 5`: dollars for a million tokens sent, received, read from a \
      cache, written to one; or by JSON. Tokens of models without a price are counted without a cost.

      With --line, one line of today's tokens and cost, for a prompt or a status bar. It reads today's turns, not the \
      sessions.

      Examples:
        scrollback usage
        scrollback usage --by model since:2026-01-01
        scrollback usage --by project codex --json
        scrollback usage --line
      """)

  @Argument(help: "Words and terms that select sessions; all sessions if left out.")
  var query: [String] = []

  @Option(
    help: ArgumentHelp(
      "Add up by \(UsageGrouping.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "property"),
    completion: .list(UsageGrouping.allCases.map(\.rawValue)), transform: { try Usage.grouping($0) })
  var by: UsageGrouping?

  @Option(
    help: ArgumentHelp("Prices that replace built-in ones: a table or JSON.", valueName: "file"),
    completion: .file())
  var prices: String?

  @Flag(help: "Print one line of today's tokens and cost.")
  var line = false

  @OptionGroup var limit: LimitOption
  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if line, by != nil || !query.isEmpty {
      throw ValidationError("--line cannot be combined with --by or a query")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.readableStore(in: shell, readerCount: 1)
    defer { store.close() }
    let zone = try common.zone(in: shell)
    var queries = QuestionAnswerer(store, me: shell.userName, now: shell.now)
    if let prices { queries.prices = try Self.prices(prices) }
    if line { return try showToday(queries, zone, in: shell) }
    let console = pager.console(common, in: shell)
    let grouping = by ?? .day
    let answer = try queries.usage(
      by: grouping, matching: query.joined(separator: " "), limit: limit.count, timeZone: zone)
    if !answer.groups.isEmpty || json.json {
      try console.write(answers: answer.groups, asJSON: json.json) { layout in
        UsageTable.text(of: answer, by: grouping, home: shell.environment["HOME"], layout: layout)
      }
    }
    console.flush()
    let isEmpty = answer.groups.isEmpty
    if isEmpty, console.errorsAreTerminal { console.note("no session says how many tokens it used") }
    return DamageReport.status(isEmpty ? .nothingFound : .done, after: store, console)
  }

  private func showToday(
    _ queries: QuestionAnswerer, _ zone: TimeZone, in shell: Shell
  ) throws -> ExitStatus {
    let console = common.console(in: shell)
    try console.write(try queries.usageToday(timeZone: zone), asJSON: json.json) {
      UsageTable.line($0) + "\n"
    }
    console.flush()
    return .done
  }

  private static func grouping(_ text: String) throws -> UsageGrouping {
    if let grouping = UsageGrouping(rawValue: text) { return grouping }
    let names = UsageGrouping.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("--by is one of \(names)")
  }

  private static func prices(_ name: String) throws -> PriceTable {
    let path = PathText.expanded(name)
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw UsageError(
        "cannot read prices from '\(VisibleText.of(name, keepsTabs: false))'",
        cause: FileManager.default.fileExists(atPath: path) ? "it is not text" : "No such file or directory",
        remedy: "a file of lines such as: claude-opus-5-5 4 20 0.20 5", status: .noSuchFile)
    }
    return try PriceTable(reading: text, from: name)
  }
}

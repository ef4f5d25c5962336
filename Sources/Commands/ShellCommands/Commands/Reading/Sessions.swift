internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Sessions: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "sessions",
    abstract: "List sessions of assistants: when, where, which model, what was asked first.",
    discussion: """
      Newest first. QUERY is words of their titles and first questions, and terms: project:PART of the path of a folder, \
      branch:PART, model:PART, tool:NAME, file:PATH that a call names, is:failed, since:TIME, until:TIME. Sessions \
      imported with an older version lack these details: import them again.

      --file lists the sessions that changed a file, each with its last call; with a line or lines, the calls that \
      last wrote their text. --error lists the sessions in which an error came, with the steps that followed. Numbers, \
      paths and addresses in the error do not matter.

      Examples:
        scrollback sessions
        scrollback sessions project:tea model:opus is:failed
        scrollback sessions 'file:src/x.swift since:last week' --json
        scrollback sessions --file src/x.swift:120-140
        scrollback sessions --error 'cannot find type in scope' project:tea
      """)

  @Argument(help: "Words and terms that all must hold; all sessions if left out.")
  var query: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only sessions that changed this file; with :120 or :120-140, the calls that last wrote these lines.",
      valueName: "path"), completion: .file())
  var file: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only sessions in which this error came, with what followed it.", valueName: "text"))
  var error: String?

  @OptionGroup var limit: LimitOption

  @Option(
    help: ArgumentHelp(
      "Only sessions whose newest message is older than this one: the next page.", valueName: "id"))
  var before: String?

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if file != nil, error != nil { throw ValidationError("--file and --error cannot be combined") }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.readableStore(in: shell, readerCount: 1)
    defer { store.close() }
    let console = pager.console(common, in: shell)
    let place = Place(
      part: try ListPart(by: command, of: "sessions", before: before), zone: try common.zone(in: shell),
      queries: QuestionAnswerer(store, me: shell.userName, now: shell.now))
    if file != nil || error != nil { shell.listenForInterruption() }
    let (isEmpty, next) =
      if let file {
        try writeChanges(of: FileLines(file), at: place, in: shell, console)
      } else if let error {
        try writeFailures(with: error, at: place, in: shell, console)
      } else {
        try writeSessions(at: place, in: shell, console)
      }
    if Interruption.isAskedFor { return .interrupted }
    return place.part.end(
      isEmpty: isEmpty, next: next, condition, after: store, console)
  }

  private struct Place {
    let part: ListPart
    let zone: TimeZone
    let queries: QuestionAnswerer
  }

  /// What lists the next page.
  private var command: String {
    if let file { return "sessions --file \(ShellWord.quoted(file))" }
    if let error { return "sessions --error \(ShellWord.quoted(error))" }
    return "sessions"
  }

  private var condition: String {
    if file != nil { return " that changed it" }
    return error != nil ? " with this error" : query.isEmpty ? "" : " that match"
  }

  private var words: String { query.joined(separator: " ") }

  private typealias Written = (isEmpty: Bool, next: Message.ID?)

  private func writeSessions(at place: Place, in shell: Shell, _ console: Console) throws -> Written {
    let answer = try place.queries.sessions(
      matching: words, before: place.part.start, limit: limit.count, timeZone: place.zone)
    try console.write(answers: answer.sessions, asJSON: json.json) { layout in
      SessionTable(timeZone: place.zone, home: shell.environment["HOME"])
        .text(of: answer.sessions, layout: layout)
    }
    return (answer.sessions.isEmpty, answer.next)
  }

  private func writeChanges(
    of lines: FileLines, at place: Place, in shell: Shell, _ console: Console
  ) throws -> Written {
    if let trouble = lines.trouble { console.note(trouble) }
    let answer = try place.queries.fileChanges(
      to: lines.path, lines: lines.texts, firstLine: lines.first, matching: words, before: place.part.start,
      limit: limit.count, timeZone: place.zone
    ) { Interruption.isAskedFor }
    if !lines.texts.isEmpty, answer.changes.first?.found == .file {
      console.note("no call has the text of these lines: these sessions changed the file")
    }
    try console.write(answers: answer.changes, asJSON: json.json) { layout in
      SessionFindings(timeZone: place.zone, home: shell.environment["HOME"])
        .text(of: answer.changes, layout: layout)
    }
    return (answer.changes.isEmpty, answer.next)
  }

  private func writeFailures(
    with error: String, at place: Place, in shell: Shell, _ console: Console
  ) throws -> Written {
    let answer = try place.queries.failures(
      with: error, matching: words, before: place.part.start, limit: limit.count, timeZone: place.zone
    ) { Interruption.isAskedFor }
    try console.write(answers: answer.failures, asJSON: json.json) { layout in
      SessionFindings(timeZone: place.zone, home: shell.environment["HOME"])
        .text(of: answer.failures, layout: layout)
    }
    return (answer.failures.isEmpty, answer.next)
  }
}

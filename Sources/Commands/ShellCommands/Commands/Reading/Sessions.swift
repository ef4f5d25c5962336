internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
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

      Examples:
        scrollback sessions
        scrollback sessions project:tea model:opus is:failed
        scrollback sessions 'file:src/x.swift since:last week' --json
      """)

  @Argument(help: "Words and terms that all must hold; all sessions if left out.")
  var query: [String] = []

  @OptionGroup var limit: LimitOption

  @Option(
    help: ArgumentHelp(
      "Only sessions whose newest message is older than this one: the next page.", valueName: "id"))
  var before: String?

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.readableStore(in: shell, readerCount: 1)
    defer { store.close() }
    let console = pager.console(common, in: shell)
    let part = try ListPart(by: "sessions", before: before)
    let zone = try common.zone(in: shell)
    let answer = try QuestionAnswerer(store, me: shell.userName, now: shell.now).sessions(
      matching: query.joined(separator: " "), before: part.start, limit: limit.count, timeZone: zone)
    try console.write(answers: answer.sessions, asJSON: json.json) { layout in
      SessionTable(timeZone: zone, home: shell.environment["HOME"]).text(of: answer.sessions, layout: layout)
    }
    return part.end(
      isEmpty: answer.sessions.isEmpty, next: answer.next, query.isEmpty ? "" : " that match", after: store,
      console)
  }
}

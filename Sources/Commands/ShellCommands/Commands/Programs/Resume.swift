internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Resume: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "resume",
    abstract: "Continue an assistant's session in its own program.",
    discussion: """
      Lists the matching sessions, newest first, each with the command that continues it. --run starts the first of \
      them, or the one with the number of --pick, in its folder, after asking. QUERY is as for `sessions`. \
      docs/sessions.md says which programs can.

      Examples:
        scrollback resume
        scrollback resume project:tea parser
        scrollback resume model:opus --run
      """)

  @Argument(help: "Words and terms that all must hold; all sessions if left out.")
  var query: [String] = []

  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("limit")], parsing: .unconditional,
    help: ArgumentHelp("How many.", valueName: "count"))
  var count = 10

  @Flag(name: .customLong("run"), help: "Start the program, after asking.")
  var starts = false

  @Option(help: ArgumentHelp("Which session of the list to start; 1 is the newest.", valueName: "number"))
  var pick = 1

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if count < 1 { throw ValidationError("-n must be 1 or more") }
    if pick < 1 { throw ValidationError("--pick must be 1 or more") }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.readableStore(in: shell, readerCount: 1)
    let console = common.console(in: shell)
    let zone = try common.zone(in: shell)
    let found = try QuestionAnswerer(store, me: shell.userName, now: shell.now).sessions(
      matching: query.joined(separator: " "), limit: starts ? pick : count, timeZone: zone)
    store.close()
    guard !found.sessions.isEmpty else {
      console.complain("no session matches")
      return .nothingFound
    }
    if starts { return try start(found.sessions, in: shell, console) }
    let layout = TableLayout(encoder: console.encoder, columns: console.size.map { max(40, $0.columns - 4) })
    let table = SessionTable(timeZone: zone, home: shell.environment["HOME"])
    for (place, session) in found.sessions.enumerated() {
      let text = table.heading(of: session, layout)
      console.write(styled: "\(place + 1)  \(text)\n   \(ResumeOffer(session).line)\n")
    }
    console.flush()
    return .done
  }

  private func start(_ sessions: [SessionAnswer], in shell: Shell, _ console: Console) throws -> ExitStatus {
    guard pick <= sessions.count else {
      throw UsageError(
        "there is no session \(pick): \(NumberText.counted(sessions.count, "session")) match",
        status: .nothingFound)
    }
    let session = sessions[pick - 1]
    let command = ResumeOffer(session)
    let words = try command.runnable()
    guard shell.canAsk else {
      throw UsageError(
        "cannot ask whether to start '\(words[0])'", cause: "there is no terminal",
        remedy: .words("without --run the command is printed"))
    }
    console.ask("\(SessionTable.title(of: session))\n  \(command.line)\nStart it? [y/N] ")
    var lines = ArrivingLines(descriptor: shell.standardInput)
    let answer = try lines.next()?.first
    let word = answer?.trimming(while: \.isWhitespace).lowercased()
    guard word == "y" || word == "yes" else {
      throw UsageError("nothing was started", status: .interrupted)
    }
    switch shell.runProgram(words, session.project) {
    case .notThere(let program):
      throw UsageError(
        "cannot start '\(program)'", cause: "no folder of PATH has it",
        remedy: .words("install it, or set PATH"),
        status: .noSuchFile)
    case .failed(let cause):
      throw UsageError("cannot start '\(words[0])'", cause: cause, status: .inputOutput)
    }
  }
}

struct ResumeOffer {
  private let session: SessionAnswer
  private let words: [String]?
  private let isResumable: Bool

  init(_ session: SessionAnswer) {
    self.session = session
    let resumeCommand = ImportFormats.resumeCommand(ofPlatform: session.program)
    isResumable = resumeCommand != nil
    words = resumeCommand?.command(forSession: session.session)
  }

  private var program: String { VisibleText.of(session.program, keepsTabs: false) }

  private var reason: String {
    isResumable
      ? "\(program) gives no such id to a session: '\(VisibleText.of(session.session, keepsTabs: false))'"
      : "\(program) has no command that goes on with a session: open it there"
  }

  /// The command, or in parentheses the reason why there is none.
  var line: String {
    guard let words else { return "(\(reason))" }
    // The id was checked: the shell treats no character of it specially.
    let command = words.joined(separator: " ")
    guard let folder = session.project, folder.hasPrefix("/") else { return command }
    return "cd \(ShellWord.quoted(folder)) && \(command)"
  }

  /// Throws ``UsageError`` if the program has no such command, or the session's folder is gone.
  func runnable() throws(UsageError) -> [String] {
    guard let words else {
      throw UsageError(
        "cannot go on with this session", cause: reason,
        remedy: .words("--pick NUMBER starts another one of the list"),
        status: .nothingFound)
    }
    if let folder = session.project {
      var isFolder: ObjCBool = false
      let isThere =
        folder.hasPrefix("/") && FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
      guard isThere, isFolder.boolValue else {
        throw UsageError(
          "cannot go on with this session",
          cause: "its folder '\(VisibleText.of(folder, keepsTabs: false))' is not there", status: .noSuchFile)
      }
    }
    return words
  }
}

extension SessionTable {
  fileprivate func heading(of session: SessionAnswer, _ layout: TableLayout) -> String {
    String(text(of: [session], layout: layout).trimming(while: \.isNewline))
  }
}

internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageInterchange
package import MessageModel
internal import MessageStorage
internal import TerminalText

struct Assistants: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "assistants",
    abstract: "List the sessions of assistants on this computer, and the command that follows all of them.",
    discussion: """
      Lists folders and counts files; no session is opened, except with --verify. docs/assistants.md lists the programs and their places. \
      --home names the home folder of another user, of a container (/proc/4711/root/home/ann) or of Windows \
      (/mnt/c/Users/ann). Folders of projects are searched for hidden files of assistants (.aider.chat.history.md, \
      .crush).

      Examples:
        scrollback assistants
        scrollback assistants ~/src
        scrollback assistants --home backup/ann --home backup/bob
        scrollback assistants --verify backup/ann
        scrollback assistants --json
      """)

  @Argument(
    help: ArgumentHelp("Folders of projects to search as well.", valueName: "folder"), completion: .directory)
  var projects: [String] = []

  @Option(
    help: ArgumentHelp(
      "Search this home instead of your own: another user's, a container's, one of Windows. May be repeated.",
      valueName: "folder"), completion: .directory)
  var home: [String] = []

  @Option(
    help: ArgumentHelp(
      "Read the sessions in this home without importing them: which places have some, and what of them is not understood. Their contents are not shown.",
      valueName: "folder"), completion: .directory)
  var verify: String?

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if verify != nil, !home.isEmpty || !projects.isEmpty {
      throw ValidationError("--verify cannot be combined with --home or folders of projects")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let console = pager.console(common, in: shell)
    shell.listenForInterruption()
    if let verify { return try run(verifying: try Self.folder(verify), console, in: shell) }
    var search = AssistantSearch(followed: try followed(in: shell)) { Interruption.isAskedFor }
    for home in try homes(in: shell) { search.look(into: home) }
    for folder in projects { search.look(intoProjects: try Self.folder(folder)) }
    if Interruption.isAskedFor { return .interrupted }
    let command = AssistantsAnswer.followCommand(for: search.findings, store: common.store)
    if json.json {
      let answer = AssistantsAnswer(search.findings, command: command)
      try console.write(answers: CollectionOfOne(answer))
    } else if let command {
      let zone = try common.zone(in: shell)
      console.write(
        styled: Self.table(
          of: search.findings, home: shell.environment["HOME"], zone: zone, console.tableLayout))
      console.write("\nTo follow all of it:\n  \(PathBytes.shown(command))\n")
    } else {
      console.note("no sessions of assistants found (docs/assistants.md lists where they are looked for)")
    }
    console.flush()
    return search.findings.isEmpty ? .nothingFound : .done
  }

  private func run(verifying home: String, _ console: Console, in shell: Shell) throws -> ExitStatus {
    var search = AssistantSearch { Interruption.isAskedFor }
    search.look(into: AssistantHome(at: home))
    search.look(intoProjects: home)
    let zone = try common.zone(in: shell)
    // The home itself may be a project.
    var paths: Set<String> = []
    let findings = search.findings.filter { paths.insert($0.path).inserted }
    let checks = findings.map { AssistantCheck(of: $0, zone: zone) }
    if Interruption.isAskedFor { return .interrupted }
    if json.json {
      try console.write(answers: CollectionOfOne(VerificationAnswer(checks)))
    } else {
      console.write(AssistantCheck.text(of: checks, console.tableLayout))
    }
    console.flush()
    return checks.isEmpty ? .nothingFound : .done
  }

  private func homes(in shell: Shell) throws -> [AssistantHome] {
    if home.isEmpty { return [AssistantHome(environment: shell.environment)] }
    return try home.map { AssistantHome(at: try Self.folder($0)) }
  }

  private static func folder(_ path: String) throws -> String {
    let place = URL(fileURLWithPath: PathText.expanded(path)).standardizedFileURL.path
    guard PathBytes.withBytes(of: place, { access($0, R_OK | X_OK) }) == 0 else {
      throw UsageError(
        "cannot look into '\(PathBytes.shown(path))'", cause: String(cString: strerror(errno)),
        status: .noSuchFile)
    }
    return place
  }

  private func followed(in shell: Shell) throws -> [String] {
    let path = try common.path(in: shell)
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let store = try common.readableStore(in: shell, readerCount: 1)
    defer { store.close() }
    return try store.sources().map(\.source.path)
  }

  private static func table(
    of findings: [AssistantFinding], home: String?, zone: TimeZone, _ layout: TableLayout
  ) -> String {
    var clock = WallClock(zone: zone)
    let rows = findings.map { finding in
      [
        finding.program, NumberText.counted(finding.count, finding.isDatabase ? "database" : "session"),
        NumberText.bytes(Int(finding.byteCount)),
        finding.newest.map { DateText.dateAndTime(clock.civil(at: $0), precision: .minute) } ?? "",
        finding.following.words,
        VisibleText.of(PathBytes.shown(Self.short(finding.path, home: home)), keepsTabs: false),
        finding.trouble.map { "(\(VisibleText.of(PathBytes.shown($0), keepsTabs: false)))" }
          ?? (finding.isRepeated ? "(the same sessions)" : ""),
      ]
    }
    return TextTable.text(rows, alignsRight: [1, 2], layout: layout, leavingOut: [2, 3])
  }

  private static func short(_ path: String, home: String?) -> String {
    guard let home, home.count > 1, path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }
}

extension AssistantFinding {
  /// Whether it has sessions that no other place has.
  var isWorthFollowing: Bool { count > 0 && !isRepeated }

  fileprivate var newest: Timestamp? {
    count > 0 ? Timestamp(millisecondsSince1970: changedAt / 1_000_000) : nil
  }
}

extension AssistantFinding.Following {
  fileprivate var words: String {
    switch self {
    case .yes: "followed"
    case .partly: "partly followed"
    case .no: "not followed"
    }
  }
}

/// The sessions of assistants on this computer.
package struct AssistantsAnswer: Codable, Hashable, Sendable {
  /// The places with sessions.
  package var assistants: [AssistantAnswer]
  /// The command that follows all of them; `nil` if there are none.
  package var command: String?
}

extension AssistantsAnswer {
  init(_ findings: [AssistantFinding], command: String?) {
    self.init(assistants: findings.map(AssistantAnswer.init), command: command.map(PathBytes.shown))
  }

  static func followCommand(for findings: [AssistantFinding], store: String?) -> String? {
    let words = findings.filter(\.isWorthFollowing).map(\.shellWord)
    guard !words.isEmpty else { return nil }
    let option = store.map { ["--store", ShellWord.quoted($0)] } ?? []
    return (["scrollback", "follow"] + option + words).joined(separator: " ")
  }
}

/// A place where a program keeps its sessions.
package struct AssistantAnswer: Codable, Hashable, Sendable {
  package var program: String
  /// The format of the sessions.
  package var format: String
  /// The folder or file; `*` in it stands for several folders.
  package var path: String
  /// The number of sessions; `nil` for databases.
  package var sessions: Int?
  /// The number of databases, whose sessions are not counted.
  package var databases: Int?
  /// The size of the files.
  package var bytes: Int64
  /// The newest modification time.
  package var newest: Timestamp?
  /// `yes`, `partly` or `no`.
  package var followed: String
  /// Whether another place has the same sessions, so that the command leaves this one out; `nil` if not.
  package var repeated: Bool?
  /// Why a part of it cannot be read.
  package var trouble: String?
}

extension AssistantAnswer {
  fileprivate init(_ finding: AssistantFinding) {
    self.init(
      program: finding.program, format: finding.format, path: PathBytes.shown(finding.path),
      sessions: finding.isDatabase ? nil : finding.count, databases: finding.isDatabase ? finding.count : nil,
      bytes: finding.byteCount, newest: finding.newest, followed: finding.following.rawValue,
      repeated: finding.isRepeated ? true : nil,
      trouble: finding.trouble.map(PathBytes.shown))
  }
}

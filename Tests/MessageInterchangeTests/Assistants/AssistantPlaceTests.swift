import Foundation
import TestSupport
import Testing

@testable import MessageInterchange

/// Where programs that answer keep their sessions, and how those are found.
@Suite struct AssistantPlaceTests {
  private static let all = ImportFormats.assistants.flatMap { entry in
    entry.places.map { Known(format: entry.format, place: $0) }
  }

  struct Known: CustomTestStringConvertible, Sendable {
    let format: String
    let place: AssistantPlace
    var testDescription: String { "\(format) \(place.shown)" }

    /// The files of two sessions, in a folder that a `*` stands for.
    func files(named name: String) -> [String] {
      let folder = place.parts.map { $0 == "*" ? name : $0 }
      let depth = Array(repeating: "deeper", count: place.depth)
      return place.files.prefix(place.isFolderOneSession ? 2 : 1).map { pattern in
        (folder + depth + [pattern.replacing("*", with: "one")]).joined(separator: "/")
      }
    }
  }

  /// The folders in a home that a base may be on one of three systems.
  private static func folders(of base: AssistantPlace.Base) -> [String] {
    let settings = [".config", "Library/Application Support", "AppData/Roaming"]
    switch base {
    case .home, .project: return [""]
    case .settings: return settings
    case .data: return [".local/share"]
    case .editor: return settings.map { "\($0)/Code/User" } + [".vscode-server/data/User"]
    case .root: return []
    }
  }

  private static func write(_ bytes: Int, to path: String) throws {
    try Fixture.write(Array(repeating: 0x20, count: bytes), to: path)
  }

  @Test(arguments: all) func `sessions are found where a program keeps them, on three systems`(
    known: Known
  ) throws {
    for base in Self.folders(of: known.place.base) {
      try Fixture.withFolder { home in
        for file in known.files(named: "tea") { try Self.write(100, to: "\(home)/\(base)/\(file)") }
        // What lies beside, is hidden or is led to by a link is none.
        let session = known.files(named: "tea")[0]
        let folder = "\(home)/\(base)/\(session)".split(separator: "/").dropLast().joined(separator: "/")
        try Self.write(7, to: "/\(folder)/notes.txt")
        try FileManager.default.createSymbolicLink(
          atPath: "/\(folder)/link\(session.suffix(6))", withDestinationPath: "/etc/passwd")
        var search = AssistantSearch()
        search.look(into: AssistantHome(at: home + "/"))
        let found = try #require(search.findings.first { $0.format == known.format })
        #expect(search.findings.filter { $0.format == known.format }.count == 1)
        #expect(found.program == known.place.program && found.count == 1)
        #expect(found.byteCount == Int64(100 * known.files(named: "tea").count))
        #expect(found.path == [home, base, known.place.shown].filter { !$0.isEmpty }.joined(separator: "/"))
        #expect(found.following == .no && found.isDatabase == known.place.isDatabase)
      }
    }
  }

  @Test(arguments: all.filter { $0.place.variable != nil })
  func `variables name other places for oneself alone`(
    known: Known
  ) throws {
    try Fixture.withFolder { folder in
      let parts = known.place.partsOfOwn.map { $0 == "*" ? "tea" : $0 }
      let file = known.files(named: "tea")[0].split(separator: "/").suffix(known.place.depth + 1)
      try Self.write(1, to: ([folder, "own"] + parts + file.map(String.init)).joined(separator: "/"))
      var search = AssistantSearch()
      search.look(
        into: AssistantHome(environment: [
          "HOME": "\(folder)/home", try #require(known.place.variable): "\(folder)/own",
        ]))
      #expect(search.findings.map(\.format) == [known.format])
      var other = AssistantSearch()
      other.look(into: AssistantHome(at: "\(folder)/home"))
      #expect(other.findings.isEmpty)
    }
  }

  @Test func `what is followed is known, be it all of a place or a part`() throws {
    try Fixture.withFolder { home in
      for name in ["tea", "pot"] {
        try Self.write(1, to: "\(home)/.gemini/tmp/\(name)/chats/session-1.json")
        try Self.write(1, to: "\(home)/.claude/projects/\(name)/1.jsonl")
      }
      func following(_ paths: String...) -> [AssistantFinding.Following] {
        var search = AssistantSearch(followed: paths.map { "\(home)/\($0)" })
        search.look(into: AssistantHome(at: home))
        return search.findings.map(\.following)
      }
      #expect(following() == [.no, .no])
      #expect(following(".claude/projects", ".gemini/tmp/tea/chats") == [.yes, .partly])
      #expect(
        following(".claude/projects/tea", ".gemini/tmp/tea/chats", ".gemini/tmp/pot") == [.partly, .yes])
      #expect(following("") == [.yes, .yes])
    }
  }

  @Test func `projects are gone through for what programs hide in them`() throws {
    try Fixture.withFolder { folder in
      try Self.write(10, to: "\(folder)/src/tea/.aider.chat.history.md")
      try Self.write(20, to: "\(folder)/src/tea/deep/.crush/crush.db")
      try Self.write(5, to: "\(folder)/src/tea/deep/.crush/crush.db-wal")
      try Self.write(5, to: "\(folder)/src/tea/deep/.crush/logs/crush.log")
      try Self.write(5, to: "\(folder)/src/.hidden/.aider.chat.history.md")
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/src/loop", withDestinationPath: "\(folder)/src")
      var search = AssistantSearch()
      search.look(intoProjects: "\(folder)/src")
      let found = search.findings.map { "\($0.program) \($0.path.suffix(30)) \($0.byteCount)" }.sorted()
      #expect(
        found == [
          "Crush \("\(folder)/src/tea/deep/.crush/crush.db".suffix(30)) 25",
          "aider \("\(folder)/src/tea/.aider.chat.history.md".suffix(30)) 10",
        ])
    }
  }

  @Test
  func `a folder that is named is read with what assistants hide in it, and nothing else that is hidden`()
    throws
  {
    try Fixture.withFolder { folder in
      let project = "\(folder)/tea"
      try FileManager.default.createDirectory(atPath: "\(project)/.crush", withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: Fixture.path("crush/tea/crush.db"), toPath: "\(project)/.crush/crush.db")
      try Fixture.write(Array("ann: no log of ours".utf8), to: "\(project)/.crush/logs/crush.log")
      try Fixture.write(Array("2024-05-01 10:00:00\tann\thidden\n".utf8), to: "\(project)/.git/tea.log")
      let direct = try ImportPicture(["\(project)/.crush/crush.db"]).messages.map(\.text)
      let found = try ImportPicture([project]).messages.map(\.text)
      #expect(found == direct && !found.isEmpty)
      #expect(try FolderScan(project).files.map(\.path) == ["\(project)/.crush/crush.db"])
    }
  }

  @Test
  func
    `sessions of Claude Cowork are found and read though hidden, by their titles, and nothing beside them`()
    throws
  {
    try Fixture.withFolder { home in
      let sessions = "\(home)/.config/Claude/local-agent-mode-sessions"
      let task = "\(sessions)/a1/b2/local_5"
      let line =
        #"{"parentUuid":null,"isSidechain":false,"cwd":"/sessions/calm-cup","sessionId":"c9","type":"user","#
        + #""message":{"role":"user","content":"Sort my receipts"},"uuid":"u1","timestamp":"2026-03-01T10:00:00Z"}"#
      for project in ["local_5", "agent/local_ditto_6"] {
        try Fixture.write(
          Array(line.replacing("u1", with: project).utf8),
          to: "\(sessions)/a1/b2/\(project)/.claude/projects/-sessions-calm-cup/c9.jsonl")
      }
      for (name, text) in [
        ("local_5.json", #"{"sessionId":"local_5","cliSessionId":"c9","title":"Receipts"}"#),
        ("local_5/audit.jsonl", #"{"type":"user","session_id":"c9","uuid":"u1"}"#),
        ("local_5/.claude/todos/1.json", #"[{"content":"sort"}]"#),
        ("local_5/uploads/tea.jsonl", #"{"id":"1","time":"2024-05-01T10:00:00Z","text":"uploaded"}"#),
      ] {
        try Fixture.write(Array(text.utf8), to: "\(sessions)/a1/b2/\(name)")
      }
      var search = AssistantSearch()
      search.look(into: AssistantHome(at: home))
      #expect(search.findings.map(\.program) == ["Claude Cowork"])
      #expect(search.findings.map(\.count) == [2])
      let found = try ImportPicture([sessions])
      #expect(found.conversations == ["calm-cup > Receipts"])
      #expect(
        found.messages.filter { $0.kind == .text }.map(\.body) == ["Sort my receipts", "Sort my receipts"])
      #expect(found.skipped.map(\.reason) == ["it goes with a session of Claude Code"])
      #expect(
        try FolderScan(task).files.map(\.path) == ["\(task)/.claude/projects/-sessions-calm-cup/c9.jsonl"])
    }
  }

  @Test func `sessions of Codex are counted when it has compressed them, too`() throws {
    try Fixture.withFolder { home in
      for name in ["rollout-1.jsonl", "rollout-2.jsonl.zst", "rollout-3.txt"] {
        try Self.write(10, to: "\(home)/.codex/sessions/2026/10/01/\(name)")
      }
      var search = AssistantSearch()
      search.look(into: AssistantHome(at: home))
      #expect(search.findings.map(\.count) == [2])
    }
  }

  @Test func `a checkpoint of OpenClaw is no session of its own, and an archive is one`() throws {
    try Fixture.withFolder { home in
      for name in [
        "1.jsonl", "1.checkpoint.2.jsonl", "1.trajectory.jsonl", "3.jsonl.reset.2026-03-01T10-00-00.000Z.zst",
        "sessions.json", "1.jsonl.lock",
      ] {
        try Self.write(10, to: "\(home)/.openclaw/agents/main/sessions/\(name)")
      }
      var search = AssistantSearch()
      search.look(into: AssistantHome(at: home))
      #expect(search.findings.map(\.count) == [2])
    }
  }

  @Test(arguments: [
    ("a.b", "a.b", true), ("a.b", "*", true), ("a.x.b", "a*b", true), ("ab", "a*b", true),
    ("a", "a*a", false),
    ("1.checkpoint.2.jsonl", "*.checkpoint.*.jsonl", true),
    ("1.checkpoint.jsonl", "*.checkpoint.*.jsonl", false),
  ])
  func `a star of a pattern stands for any text`(name: String, pattern: String, fits: Bool) {
    #expect(AssistantPlace.fits(name, pattern) == fits)
  }

  @Test func `a word for a shell names what was found, whatever is in a name`() throws {
    try Fixture.withFolder { folder in
      let home = "\(folder)/it's $(touch x) *"
      try Self.write(1, to: "\(home)/.gemini/tmp/tea/chats/session-1.json")
      try Self.write(1, to: "\(home)/.claude/projects/tea/1.jsonl")
      var search = AssistantSearch()
      search.look(into: AssistantHome(at: home))
      let words = search.findings.map(\.shellWord).joined(separator: " ")
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "printf '%s\\n' \(words)"]
      process.currentDirectoryURL = URL(filePath: folder)
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(output == "\(home)/.claude/projects\n\(home)/.gemini/tmp/tea/chats\n")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/x"))
    }
  }

  @Test func `thousands of sessions are counted`() throws {
    try Fixture.withFolder { home in
      for project in 0..<50 {
        let folder = "\(home)/.claude/projects/-p\(project)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for session in 0..<100 { close(creat("\(folder)/\(session).jsonl", 0o600)) }
      }
      var search = AssistantSearch()
      search.look(into: AssistantHome(at: home))
      #expect(search.findings.map(\.count) == [5_000])
    }
  }

  // MARK: The document

  private static let document = GoldenFile.root.appending(path: "docs/assistants.md")

  @Test(arguments: ["places", "programs"]) func `the document lists the programs and their places`(
    name: String
  ) throws {
    let table = name == "places" ? Self.table : Self.programs
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let start = try #require(text.range(of: "<!-- \(name) -->\n")).upperBound
    let end = try #require(text.range(of: "<!-- end of \(name) -->\n")).lowerBound
    let picture = String(text[..<start]) + table + text[end...]
    let difference = try GoldenFile(Self.document.path).difference(from: picture)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test func `the document has one row for each format that has places, and those without are exports`()
    throws
  {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("(`") }.filter {
      $0.split(separator: "|", omittingEmptySubsequences: false).count == 7
    }
    let formats = rows.compactMap { row in
      row.hasPrefix("| program")
        ? nil : row.split(separator: "(`").dropFirst().first?.split(separator: "`)").first.map(String.init)
    }
    #expect(Set(formats).count == formats.count)
    #expect(Set(formats) == Set(ImportFormats.assistants.map(\.format)))
    for entry in ImportFormats.assistants { #expect(entry.places.isEmpty == (entry.kind == .export)) }
  }

  @Test func `each program says which versions were seen, and when it was verified`() {
    for entry in ImportFormats.assistants {
      #expect(!entry.versions.isEmpty)
      #expect(entry.verified.wholeMatch(of: /20\d\d-(0[1-9]|1[0-2])(: .+)?/) != nil, "\(entry.program)")
    }
  }

  private static var programs: String {
    let rows = ImportFormats.assistants.map { entry in
      let kind = entry.shape == nil ? entry.kind.rawValue : "lines of role and content"
      return "| \(entry.program) (`\(entry.format)`) | \(kind) | \(entry.versions) | \(entry.verified) |\n"
    }
    return "| program (`--format`) | files | versions seen | last verified |\n|---|---|---|---|\n"
      + rows.joined()
  }

  private static var table: String {
    let rows = all.map { known -> String in
      let base =
        switch known.place.base {
        case .home: "~/"
        case .settings: "SETTINGS/"
        case .data: "DATA/"
        case .editor: "EDITOR/"
        case .root: "/"
        case .project: "PROJECT/"
        }
      let files = known.place.followsFile ? "" : known.place.files.map { "`\($0)`" }.joined(separator: ", ")
      let variable = known.place.variable.map { "`\($0)` for `\(base)\(known.place.own)`" } ?? ""
      return
        "| \(known.place.program) | `\(known.format)` | `\(base)\(known.place.shown)` | \(files) | \(variable) |\n"
    }
    return "| program | format | place | files | variable |\n|---|---|---|---|---|\n" + rows.joined()
  }
}

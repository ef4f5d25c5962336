import Foundation
import GRDB
import ShellTesting
import TestSupport
import Testing

/// The examples of `--help` run as they stand.
@Suite(.serialized) struct ExampleTests {
  private let fixture: ShellFixture

  /// A folder in which there is all that the examples name.
  init() throws {
    fixture = try ShellFixture(count: 0, texts: ["more tea"], environment: ["TERM": "dumb"])
    try fixture.add(
      """
      {"id":"7022857543691537","conversation":"general","time":"2024-05-01T12:00:30.002Z","sender":"alice","text":"tea?"}
      {"conversation":"general","time":"2024-05-01T08:01:00Z","sender":"alice_","text":"release notes of v1.2"}
      {"conversation":"general-old","time":"2024-05-01T08:02:00Z","sender":"bob","text":"https://example.org",\
      "source":{"platform":"slack","id":"C1/1714567890.123456"}}
      {"conversation":"notes","time":"2024-05-01T08:03:00Z","sender":"bob","text":"the first note"}
      {"conversation":"general","time":"2024-05-01T08:04:00Z","sender":"ann","senderID":"U024BE7LH",\
      "text":"tea: https://example.com/tea","attachments":[{"name":"kettle.jpg"}]}
      {"conversation":"general-old","time":"2024-05-01T08:05:00Z","sender":"ann_","text":"more tea"}
      {"conversation":"notes","time":"2024-05-01T08:06:00Z","sender":"robin","text":"my own note"}
      {"conversation":"notes","time":"2024-05-01T08:07:00Z","sender":"+43 664 7654321","text":"hello"}
      {"conversation":"notes","time":"2024-05-01T08:08:00Z","sender":"Ann Smith",\
      "senderID":"436641234567@s.whatsapp.net","text":"hello"}
      {"conversation":"notes","time":"2024-05-01T08:09:00Z","sender":"0664 1234567","text":"hello"}
      {"id":"7022800896000001","conversation":"general","time":"2024-05-01T08:10:00Z","sender":"ann","text":"Ann knows a plumber"}
      {"conversation":"general","time":"2024-05-01T08:11:00Z","sender":"bob","text":"the plumber comes","replyTo":"7022800896000001"}

      """ + Self.anniversaries())
    let files = [
      "chat.log": "--- Log opened Wed May 01 08:00:00 2024\n08:00 <alice> hello\n08:01 <bob> hello alice\n",
      "table.csv": "when,who,what\n2024-05-01 08:00,alice,hello\n", "photo.jpg": "no picture",
      "notes.pdf": "notes",
      "contacts.vcf": "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bob Ross\r\nTEL:0664 7654321\r\nEND:VCARD\r\n",
      "questions.jsonl": #"{"question":"conversations"}"# + "\n",
      "make": "#!/bin/sh\necho built\n", "rules.txt": "name ann\nword tea\n",
    ]
    for (folder, place) in [("claude-code", ".claude/projects"), ("codex", ".codex/sessions")] {
      let copy = fixture.folder.appending(path: place)
      try FileManager.default.createDirectory(
        at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: GoldenFile.root.appending(path: "Fixtures/\(folder)"), to: copy)
    }
    // This one has lines that end too early, to be skipped.
    try FileManager.default.removeItem(
      at: fixture.folder.appending(
        path: ".claude/projects/-home-ann-tea/5b1c7a10-0000-4000-8000-000000000001.jsonl"))
    for place in ["logs", "inbox", "irclogs", ".weechat/logs", ".zfunc"] + [
      ".config/fish/completions", ".config/systemd/user", "Library/Messages",
    ] {
      try FileManager.default.createDirectory(
        at: fixture.folder.appending(path: place), withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(
      at: GoldenFile.root.appending(path: "Fixtures/imessage/chat.db"),
      to: fixture.folder.appending(path: "Library/Messages/chat.db"))
    for (name, text) in files { try Data(text.utf8).write(to: fixture.folder.appending(path: name)) }
    let cards = try DatabaseQueue(path: fixture.folder.path + "/cards.db")
    try cards.write { db in
      try db.execute(
        sql: "CREATE TABLE card(id INTEGER PRIMARY KEY, picture BLOB, title TEXT, created INTEGER)")
      try db.execute(sql: "INSERT INTO card(picture, title, created) VALUES (x'0102', 'one', 1714550400)")
    }
    try cards.close()
    let prepared = try Self.run(
      """
      chmod +x make && cp chat.log logs/general.log &&
      tar cf logs.tar.xz logs && scrollback export --json | gzip >export.jsonl.gz && scrollback backup chats.db &&
      scrollback filters save links --has link && scrollback attach '#7022857543691537' photo.jpg
      """, in: fixture.folder, fixture)
    try #require(prepared.status == 0, "\(prepared.output)")
  }

  @Test func `each command has examples, and each of them does what it is to`() throws {
    let commands = try Self.commands(below: [], fixture)
    #expect(commands.count > 30)
    for command in commands {
      let examples = try Self.examples(of: command, fixture)
      #expect(!examples.isEmpty, "\(command) has no examples")
      // Each command finds the folder as it was made.
      let folder = fixture.folder.appendingPathExtension("examples")
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.copyItem(at: fixture.folder, to: folder)
      defer { try? FileManager.default.removeItem(at: folder) }
      if let preparation = Self.preparation(of: command) {
        let prepared = try Self.run(preparation, in: folder, fixture)
        try #require(prepared.status == 0, "\(prepared.output)")
      }
      for example in examples {
        // Archives have tests of their own, with a server.
        if example.contains("postgres://") || example.contains("psql") { continue }
        // Where age is not installed, its files cannot be made; other computers are not asked.
        if example.contains(".age"), !Self.hasAge { continue }
        if example.contains("scrollback sync") { continue }
        // Pages are installed beside a program.
        if example.hasPrefix("scrollback help docs/") { continue }
        // It would start the assistant.
        if example.hasSuffix("--run") { continue }
        let answer = try Self.run(example, in: folder, fixture)
        let mayFindNothing = Self.mayFindNothing.contains(command.first ?? "")
        let isDone = answer.status == 0 || (answer.status == 1 && mayFindNothing)
        #expect(isDone, "\(command.joined(separator: " ")): \(example)\n\(answer.output)")
      }
    }
  }

  private static let hasAge = FileManager.default.isExecutableFile(atPath: "/usr/bin/age")

  /// The commands whose examples ask for what this history does not have: they say so by their status, as `grep` does.
  private static let mayFindNothing: Set = ["assistants", "secrets", "sessions", "usage", "resume"]

  /// What somebody has done who has a use for a command.
  private static func preparation(of command: [String]) -> String? {
    switch command.prefix(2) {
    case let names where names.first == "sources":
      "scrollback sources add inbox && scrollback sources add logs"
    case ["open"], ["people", "show"], ["people", "unlink"], ["people", "rename"]:
      "scrollback people link Ann ann_ U024BE7LH"
    case ["people", "log"], ["people", "undo"]:
      "scrollback people link Ann ann_ && for n in {2..13}; do scrollback people rename Ann$o Ann$n && o=$n; done"
    case ["backup"], ["restore"]:
      hasAge
        ? """
        age-keygen -o key.txt && age-keygen -y key.txt >recipients.txt && scrollback backup --age recipients.txt chats.age &&
        { \(command == ["backup"] ? "rm chats.age" : "true"); }
        """ : nil
    case ["assistants"]: "mkdir -p src backup/ann backup/bob"
    case let names where names.first.map(mayFindNothing.contains) == true:
      "scrollback import --me Ann .claude/projects .codex/sessions; scrollback conversations"
    default: nil
    }
  }

  /// Messages of this day of the year, whose examples may be run around midnight, in a year that has all days.
  private static func anniversaries() -> String {
    [0, 86_400].map { seconds in
      let date = (Date() + seconds).formatted(.iso8601.month().day())
      return """
        {"conversation":"general","time":"2016-\(date)T12:00:00Z","sender":"ann","text":"on this day"}

        """
    }.joined()
  }

  /// The commands there are, and what is below them.
  private static func commands(below command: [String], _ fixture: ShellFixture) throws -> [[String]] {
    let help = try fixture.run(command + ["--help"]).output
    let below = help.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
    let names = below.prefix { $0.hasPrefix("  ") }.compactMap { line in
      line.dropFirst(2).first == " " || line.hasPrefix("  See '")
        ? nil : line.split(separator: " ").first.map(String.init)
    }
    return try [command] + names.flatMap { try commands(below: command + [$0], fixture) }
  }

  /// The lines below `Examples:`, without what is said of them behind several spaces.
  private static func examples(of command: [String], _ fixture: ShellFixture) throws -> [String] {
    let help = try fixture.run(command + ["--help"]).output
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.firstIndex { $0 == "Examples:" || $0 == "Example:" }
    guard let first else { return [] }
    return lines[(first + 1)...].prefix { $0.hasPrefix("  ") }.map { line in
      String(line.dropFirst(2)).split(separator: "    ").first.map(String.init) ?? ""
    }
  }

  /// Whether a command line goes on until it is stopped: it follows sources or a store, or serves pages.
  private static func goesOn(_ command: String) -> Bool {
    guard !command.hasPrefix("timeout ") else { return false }
    let ends = ["--once", "--systemd", "--launchd"].contains { command.contains($0) }
    return command.hasPrefix("scrollback serve") || (command.hasPrefix("scrollback follow") && !ends)
      || command.contains("tail -f")
  }

  /// Runs a command line in a shell, in a folder that is also the home.
  ///
  /// One that goes on for ever is ended after two seconds, or when it has shown something.
  private static func run(
    _ command: String, in folder: URL, _ fixture: ShellFixture
  ) throws -> (output: String, status: Int32) {
    let goesOn = goesOn(command)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments =
      goesOn
      ? ["-c", #"exec timeout --signal=INT 2 bash -c "exec $0""#, command] : ["-c", command]
    process.currentDirectoryURL = folder
    process.environment = fixture.environment.merging([
      "PATH": "\(folder.path):\(BuiltProduct.folder.path):/usr/bin:/bin", "HOME": folder.path,
      "SCROLLBACK_STORE": folder.path + "/store.db",
    ]) { $1 }
    (process.standardInput, process.standardOutput, process.standardError) = (
      FileHandle.nullDevice, output, output
    )
    try process.run()
    if goesOn, command.contains("tail -f"), !command.contains("--exec") {
      let some = output.fileHandleForReading.availableData
      process.terminate()
      process.waitUntilExit()
      return (String(decoding: some, as: UTF8.self), some.isEmpty ? process.terminationStatus : 0)
    }
    let all = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // 124: it was ended by the time.
    let status = goesOn && process.terminationStatus == 124 ? 0 : process.terminationStatus
    return (String(decoding: all, as: UTF8.self), status)
  }
}

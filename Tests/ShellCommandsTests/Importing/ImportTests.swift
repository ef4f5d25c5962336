import Foundation
import ShellTesting
import TestSupport
import Testing

/// `import` as scripts meet it: what it prints, leaves and returns.
@Suite(.serialized) struct ImportTests {
  private func write(_ texts: [(String, String)], to folder: URL) throws {
    for (name, text) in texts {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  @Test func `input of which nothing at all is read is an error, with a sentence and without a store`() throws
  {
    let fixture = try ShellFixture(count: 1)
    let before = try fixture.run(["conversations"]).output
    let inputs = [
      (
        "page.html", "<html><style>.chatlog__message{}</style><p>hello</p></html>",
        "no message was found in it"
      ),
      (
        "table.csv", "time,sender,text\nnever,ann,x\n",
        "its time 'never' is not understood: use --time-format"
      ),
      (
        "saved.txt", "[LINE] Chat history with Ann\nSaved\nat ten Ann said hello\n",
        "no message was found in it"
      ),
    ]
    for (name, text, reason) in inputs {
      let path = fixture.folder.appendingPathComponent(name)
      try text.write(to: path, atomically: true, encoding: .utf8)
      for options in [[], ["--dry-run"]] {
        let answer = try fixture.run(["import"] + options + [path.path])
        #expect(answer.status == 65, "\(name)")
        #expect((answer.errors + answer.output).contains(reason), "\(name)")
      }
    }
    #expect(try fixture.run(["conversations"]).output == before)
  }

  @Test func `two posts of one author in one millisecond are two, also after a second import`() throws {
    let fixture = try ShellFixture(count: 1)
    let posts = ["first", "answer", "second"].enumerated().map { index, text in
      let time = 1_709_164_800_000 + index % 2
      return
        #"{"type":"post","post":{"team":"t","channel":"c","user":"ann","message":"\#(text)","create_at":\#(time)}}"#
    }
    let path = fixture.folder.appendingPathComponent("import.jsonl")
    let text = ([#"{"type":"version","version":1}"#] + posts).joined(separator: "\n")
    try text.write(to: path, atomically: true, encoding: .utf8)
    #expect(try fixture.run(["import", path.path]).errors.contains("imported 3 (3 text)"))
    #expect(try fixture.run(["import", path.path]).errors.contains("already there 3 ·"))
    let shown = try fixture.run(["export", "--format", "jsonl"]).output
    #expect(["first", "answer", "second"].allSatisfy { shown.contains("\"text\":\"\($0)\"") })
    #expect(!shown.contains("\"edits\""))
  }

  @Test func `the last line adds up, and what was skipped lies in the file of rejects`() throws {
    let fixture = try ShellFixture(count: 1)
    let logs = fixture.folder.appendingPathComponent("logs")
    try write(
      [
        (
          "tea/2024-05-01.txt",
          "[10:00] <ann> one\n[10:00] <ann> one\n[10:01]  * ann waves\n=== ben [b@c]  has joined #tea\n"
        ),
        ("table.csv", "time,sender,text\n2024-05-01 10:00,ann,first\nnever,ann,second\n"),
        ("prose.txt", "nothing that is known\n"),
      ], to: logs)
    let rejects = fixture.folder.appendingPathComponent("rejects").path
    let first = try fixture.run(["import", "--rejects", rejects, logs.path])
    #expect(
      first.errors.split(separator: "\n").last
        == "imported 5 (3 text, 1 action, 1 event) · skipped 2 · of 7 records in 2 files")
    #expect(first.status == 3)
    #expect(first.output.isEmpty)
    let kept = try String(contentsOfFile: rejects, encoding: .utf8)
    #expect(
      kept == """
        # \(logs.path)/prose.txt: not a known format
        nothing that is known
        # \(logs.path)/table.csv:3: its time 'never' is not understood: use --time-format
        never,ann,second

        """)
    let second = try fixture.run(["import", logs.path])
    #expect(
      second.errors.split(separator: "\n").last
        == "imported 0 · already there 5 · skipped 2 · of 7 records in 2 files")
  }

  @Test func `files of no known format are shown once for each kind`() throws {
    let fixture = try ShellFixture(count: 1)
    let pages = fixture.folder.appendingPathComponent("pages")
    let days = (10..<40).map { ("\($0).html", "<p class='day'>\($0):00 \u{1B}[31mann</p>\n") }
    try write(days + [("notes.txt", "Nothing that is known\n")], to: pages)
    let result = try fixture.run(["import", pages.path])
    let look = "not a known format; it begins with"
    #expect(result.status == 65)
    #expect(
      result.errors.split(separator: "\n").dropLast() == [
        "skipped \(pages.path)/10.html and 29 like it: \(look) '<p class='day'>10:00 ␛[31mann</p>' (--format NAME if you know it)",
        "skipped \(pages.path)/notes.txt: \(look) 'Nothing that is known' (--format NAME if you know it)",
      ])
  }

  @Test func `where nothing is to be read, it is said what was passed over, and no store is made`() throws {
    let fixture = try ShellFixture(count: 1)
    let folder = fixture.folder.appendingPathComponent("nothing")
    try write([("h/.history.md", "# tea\n"), ("e/empty.txt", "")], to: folder)
    let store = folder.appendingPathComponent("x.db").path
    for (path, reason) in [
      ("h", "h/.history.md: it is hidden (named itself, it is read)"),
      ("e/empty.txt", "e/empty.txt: it is empty"),
    ] {
      let result = try fixture.run(["import", "--store", store, "\(folder.path)/\(path)"])
      #expect(result.status == 65)
      #expect(result.errors.contains("skipped \(folder.path)/\(reason)\n"), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: store))
    }
  }

  @Test func `a store is named as one, and a file that is no log gets one sentence`() throws {
    let fixture = try ShellFixture(count: 3)
    let store = fixture.folder.appendingPathComponent("x.db").path
    let own = try fixture.run(["import", "--store", store, fixture.store])
    #expect(
      own.status == 65 && own.errors.contains("it is a store of Scrollback (scrollback -s FILE opens it; "))
    let folder = fixture.folder.appendingPathComponent("prose")
    try write([("passwd", "root:x:0\nann:x:1\n")], to: folder)
    let prose = try fixture.run(["import", "--store", store, "--format", "irc-weechat", folder.path])
    #expect(prose.status == 65)
    let reason = "it is not in irc-weechat format"
    #expect(prose.errors.contains("skipped \(folder.path)/passwd: \(reason)\n"))
  }

  @Test func `halves that overlap are together the whole, in whatever order they come`() throws {
    let lines = (0..<400).map { "[1\($0 / 60):\(10 + $0 % 50)] <ann> \($0 % 7)\n" }
    let fixture = try ShellFixture(count: 1)
    let whole = fixture.folder.appendingPathComponent("whole")
    let halves = fixture.folder.appendingPathComponent("halves")
    try write([("tea/2024-05-01.txt", lines.sorted().joined())], to: whole)
    try write([("a/tea/2024-05-01.txt", lines.sorted().suffix(250).joined())], to: halves)
    try write([("b/tea/2024-05-01.txt", lines.sorted().prefix(250).joined())], to: halves)
    func exported(_ paths: [String]) throws -> String {
      let store = fixture.folder.appendingPathComponent("\(UUID().uuidString).db").path
      for path in paths { #expect(try fixture.run(["import", "--store", store, path]).status == 0) }
      return try fixture.run(["export", "--store", store]).output
    }
    let expected = try exported([whole.path])
    #expect(expected.split(separator: "\n").count == 400)
    #expect(try exported(["a", "b"].map { halves.appendingPathComponent($0).path }) == expected)
    #expect(try exported(["b", "a", "b"].map { halves.appendingPathComponent($0).path }) == expected)
  }

  @Test func `all histories of the fixtures go into one store, and a second time change nothing`() throws {
    let fixture = try ShellFixture(count: 1)
    let fixtures = GoldenFile.root.appending(path: "Fixtures").path
    let first = try fixture.run(["import", fixtures])
    #expect(first.status == 3)
    let all = try fixture.run(["export", "--format", "jsonl"]).output
    let again = try fixture.run(["import", fixtures])
    #expect(again.status == 3)
    #expect(again.errors.contains("\nimported 0 · already there "))
    #expect(try fixture.run(["export", "--format", "jsonl"]).output == all)
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test func `a message that a file has twice at one moment is one, as it was the last time`() throws {
    let fixture = try ShellFixture(count: 0)
    let events = ["helo", "hello"].map { text in
      #"{"type":"message","subtype":"message_changed","channel":"C1","ts":"2.1","event_ts":"2.1","message":"#
        + #"{"type":"message","user":"U1","ts":"1709164800.1","text":"\#(text)"}}"#
    }
    let file = fixture.folder.appendingPathComponent("events.jsonl")
    try (events.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    let answer = try fixture.run(["import", file.path])
    #expect(answer.status == 0)
    #expect(answer.errors.contains("imported 1 (1 text) · already there 1"))
    #expect(answer.errors.contains(" of 2 records in 1 file"))
    let kept = try fixture.run(["export", "--format", "jsonl"]).output
    #expect(kept.split(separator: "\n").count == 1)
    #expect(kept.contains(#""text":"hello""#))
  }

  @Test func `each way to fail has its exit code`() throws {
    let fixture = try ShellFixture(count: 1)
    try write(
      [("prose.txt", "nothing that is known\n"), ("cut.json", "{\"messages\": [")], to: fixture.folder)
    func status(_ arguments: String...) throws -> Int32 { try fixture.run(["import"] + arguments).status }
    #expect(try status(fixture.folder.appendingPathComponent("prose.txt").path) == 65)
    #expect(try status("--format", "telegram", fixture.folder.appendingPathComponent("cut.json").path) == 65)
    #expect(try status("/nowhere/at/all") == 66)
    #expect(try status("--format", "telepathy", fixture.folder.path) == 64)
    #expect(try status("--map", "mood=x", fixture.folder.path) == 64)
    #expect(try status("--encoding", "shift-jis", fixture.folder.path) == 64)
    #expect(try status("--rejects", "/nowhere/at/all", fixture.folder.path) == 73)
    #expect(try !fixture.run(["imports"]).output.contains("(not finished)"))
    #expect(try status(fixture.folder.appendingPathComponent("history.jsonl").path) == 0)
  }

  @Test
  func `a file that is not of the format that was named is one line, and all of it lies among the rejects`()
    throws
  {
    let fixture = try ShellFixture(count: 1)
    let lines = (1...40).map { "item \($0)" }
    try write(
      [("notes.txt", lines.joined(separator: "\n") + "\n"), ("more.txt", "tea\nmilk\n")], to: fixture.folder)
    let (notes, more) = (
      fixture.folder.appending(path: "notes.txt").path, fixture.folder.appending(path: "more.txt").path
    )
    let rejects = fixture.folder.appending(path: "rejects").path
    let answer = try fixture.run(["import", "--format", "pi", "--rejects", rejects, notes, more])
    #expect(
      answer.errors.split(separator: "\n").dropFirst() == [
        "skipped \(notes) and 1 like it: it is not in pi format",
        "nothing was in pi format; without --format, the format is detected",
        "imported 0 · skipped 42 · of 42 records in 0 files",
      ])
    #expect(answer.status == 65)
    let kept = try String(contentsOfFile: rejects, encoding: .utf8)
    #expect(lines.allSatisfy { kept.contains("\n\($0)\n") })
    try write(
      [
        (
          "half.jsonl",
          #"{"type":"session","id":"a","timestamp":"2026-03-01T10:00:00Z","version":3}"# + "\nno\nnor\n"
        )
      ],
      to: fixture.folder)
    let half = fixture.folder.appending(path: "half.jsonl").path
    let read = try fixture.run(["import", "--format", "pi", half]).errors
    #expect(read.contains("skipped \(half):2:") && read.contains("skipped \(half):3:"))
  }

  @Test(arguments: ["telegram", "sms", "json", "irc-weechat", "csv"])
  func `what cannot be read as the format that was named is refused and leaves nothing`(format: String) throws
  {
    let fixture = try ShellFixture(count: 1)
    try write([("prose.md", "# Tea\n\nnothing that is known\n")], to: fixture.folder)
    let prose = fixture.folder.appendingPathComponent("prose.md").path
    let store = fixture.folder.appendingPathComponent("new/store.db").path
    let answer = try fixture.run(["import", "--store", store, "--format", format, prose])
    #expect(answer.status == 65)
    #expect(answer.errors.contains("skipped \(prose)"))
    #expect(
      answer.errors.contains(
        "nothing was in \(format) format; without --format, the format is detected"))
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.appendingPathComponent("new").path))
    let preview = try fixture.run(["import", "--dry-run", "--format", format, prose])
    #expect(preview.status == 65 && preview.errors.contains("without --format, the format is detected"))
    try write([("export/empty.json", "[]"), ("export/prose.md", "# Tea\n")], to: fixture.folder)
    let empty = fixture.folder.appendingPathComponent("export/empty.json").path
    #expect(try fixture.run(["import", "--format", "slack", empty]).status == 0)
  }

  @Test func `an import is listed with the formats that were found`() throws {
    let fixture = try ShellFixture(count: 1)
    let logs = fixture.folder.appendingPathComponent("logs")
    try write(
      [
        ("a.csv", "time,sender,text\n2024-05-01 10:00,ann,a\n"),
        ("b.tsv", "time\tsender\ttext\n2024-05-01 10:00\tann\tb\n"),
        ("c.2024-05-01.txt", "[10:00] <ann> c\n"), ("d.csv", "time,sender,text\n2024-05-01 10:00,ann,d\n"),
      ], to: logs)
    #expect(try fixture.run(["import", logs.path]).status == 0)
    #expect(try fixture.run(["imports"]).output.contains("  csv, tsv, irc-ubuntu  "))
    let json = try fixture.run(["imports", "--json"]).output
    #expect(json.contains(#""messages":4,"format":"csv, tsv, irc-ubuntu","#))
    try write(
      [
        ("e.jsonl", #"{"ts":"2024-05-01 10:00","user":"ann","text":"e"}"#),
        ("f.json", #"[{"ts":"2024-05-01 10:00","user":"ann","text":"f"}]"#),
      ], to: logs)
    #expect(try fixture.run(["import", logs.path]).status == 0)
    #expect(try fixture.run(["imports"]).output.contains("  csv, tsv, irc-ubuntu, json-lines and 1 more  "))
  }

  @Test func `nothing of an archive is written anywhere but into the store`() throws {
    let fixture = try ShellFixture(count: 1)
    let archives = GoldenFile.root.appending(path: "Fixtures/archives")
    let before = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path).sorted()
    for name in ["hostile.zip", "links.tar", "deep.zip"] {
      _ = try fixture.run(["import", archives.appendingPathComponent(name).path])
    }
    let after = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path).sorted()
    #expect(after.filter { !$0.hasPrefix("store.db") } == before.filter { !$0.hasPrefix("store.db") })
  }

  @Test func `a message from the future is skipped unless it is allowed, and stands among the rejects`()
    throws
  {
    let fixture = try ShellFixture(count: 1)
    let file = fixture.folder.appendingPathComponent("f.jsonl")
    let record = #"{"conversation":"a","time":"2199-05-01T08:00:00Z","sender":"spam","text":"x"}"#
    try Data(
      (record + "\n" + #"{"conversation":"a","time":"2020-05-01T08:00:00Z","sender":"ann","text":"now"}"#
        + "\n").utf8
    ).write(to: file)
    let rejects = fixture.folder.appendingPathComponent("rejects").path
    let first = try fixture.run(["import", "--rejects", rejects, file.path])
    #expect(first.status == 3)
    #expect(first.errors.contains("imported 1 (1 text) · skipped 1 · of 2 records in 1 file"))
    let reason = "\(file.path):1: its time is more than a day ahead (--allow-future takes it)"
    #expect(first.errors.contains("skipped " + reason))
    #expect(try String(contentsOfFile: rejects, encoding: .utf8) == "# \(reason)\n\(record)\n")
    try fixture.run(["append", "-c", "a", "written now"])
    #expect(try !fixture.run(["tail", "-c", "a"]).output.contains("2199"))
    let preview = try fixture.run(["import", "--dry-run", file.path])
    #expect(preview.status == 3)
    let second = try fixture.run(["import", "--allow-future", file.path])
    #expect(second.status == 0 && second.errors.contains("imported 1 (1 text) · already there 1"))
  }

  @Test func `a message from the future is skipped whatever the format, with its further lines`() throws {
    let fixture = try ShellFixture(count: 1)
    let folder = fixture.folder.appendingPathComponent("logs")
    try write(
      [
        ("table.csv", "time,sender,text\n2199-05-01 10:00,ann,late\n2020-05-01 10:00,ann,first\n"),
        (
          "irc.net.#tea.weechatlog",
          "2020-05-01 10:00:00\tann\tone\n2199-05-01 10:00:00\tann\tlate\n2020-05-01 10:00:01\tann\ttwo\n"
        ),
        (
          "chat.txt",
          "[01/05/2020, 10:00:00] Ann: one\n[01/05/2199, 10:00:00] Ann: late\nits line\n[01/05/2020, 10:00:02] Ann: two\n"
        ),
      ], to: folder)
    let rejects = fixture.folder.appendingPathComponent("rejects").path
    let run = try fixture.run(["import", "--rejects", rejects, folder.path])
    #expect(run.status == 3)
    #expect(run.errors.contains("imported 5 (5 text) · skipped 3 · of 8 records in 3 files"), "\(run.errors)")
    #expect(try !fixture.run(["export", "--format", "text"]).output.contains("late"))
    #expect(try String(contentsOfFile: rejects, encoding: .utf8).contains("late\\nits line"))
  }
}

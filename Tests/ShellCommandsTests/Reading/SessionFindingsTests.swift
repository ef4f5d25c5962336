import Foundation
import HistoryQueries
import ShellTesting
import TestSupport
import Testing

/// `scrollback sessions --file` and `--error`, and the same questions of programs and agents.
@Suite struct SessionFindingsTests {
  /// A message of a session, a minute after the one before.
  private struct Step {
    var session: String
    var kind: String
    var sender: String
    var text: String
  }

  private static func call(_ session: String, _ text: String) -> Step {
    Step(session: session, kind: "tool", sender: "Claude", text: text)
  }

  private static func result(_ session: String, of tool: String, _ text: String = "done") -> Step {
    Step(session: session, kind: "result", sender: tool, text: text)
  }

  private static func words(_ session: String, _ text: String) -> Step {
    Step(session: session, kind: "text", sender: "Ann", text: text)
  }

  private func fixture(_ steps: [Step]) throws -> ShellFixture {
    let fixture = try ShellFixture(count: 0)
    let lines = try steps.enumerated().map { index, step in
      func quoted(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
      }
      let (day, hour, minute) = ((600 + index) / 1_440 + 1, (600 + index) / 60 % 24, index % 60)
      let time = "2026-03-0\(day)T\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
      return """
        {"conversation":"tea > \(step.session)","conversationSource":{"platform":"claude-code","id":"\(step.session)"},\
        "session":{"project":"/home/ann/tea"},"time":"\(time):00.000Z","sender":\(try quoted(step.sender)),\
        "kind":"\(step.kind)","text":\(try quoted(step.text)),"source":{"platform":"claude-code","id":"m\(index)"}}
        """
    }
    let added = try fixture.run(
      ["import", "--quiet", "--format", "jsonl", "-"], input: lines.joined(separator: "\n") + "\n")
    #expect(added.status == 0, "\(added.errors)")
    return fixture
  }

  private func answers<Value: Decodable>(_ output: String) throws -> [Value] {
    try output.split(separator: "\n").map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
  }

  private func changes(_ fixture: ShellFixture, _ arguments: String...) throws -> [FileChangeAnswer] {
    try answers(fixture.run(["sessions", "--json", "--file"] + arguments).output)
  }

  private func failures(_ fixture: ShellFixture, _ arguments: String...) throws -> [FailureAnswer] {
    try answers(fixture.run(["sessions", "--json", "--error"] + arguments).output)
  }

  // MARK: Files

  /// A file that two sessions wrote, a third one failed to change, and a fourth one read.
  private func kettle() throws -> (fixture: ShellFixture, path: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).standardizedFileURL
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "kettle.swift").path
    let now = "func warm() {\n    boil(until: .warm)\n    pour()\n}\n// by hand, in the garden\n"
    try Data(now.utf8).write(to: URL(fileURLWithPath: path))
    let fixture = try fixture([
      Self.words("one", "Write a kettle"),
      Self.call("one", "Write\nfile_path: \(path)\ncontent: func warm() {\n  boil()\n  pour()\n}"),
      Self.result("one", of: "Write"),
      Self.words("two", "It boils over"),
      Self.call(
        "two",
        "Edit\nfile_path: \(path)\nold_string: func warm() {\n  boil()\nnew_string: func warm() {\n  boil(until: .warm)\nreplace_all: false"
      ),
      Self.result("two", of: "Edit"),
      Self.call("three", "Edit\nfile_path: \(path)\nold_string: x\nnew_string:   boil(until: .warm)"),
      Self.result("three", of: "Edit", "failed: String to replace not found in file."),
      Self.call("four", "Read\nfile_path: \(path)"), Self.result("four", of: "Read", "boil(until: .warm)"),
    ])
    return (fixture, path)
  }

  @Test func `a line has the last call that wrote its text, whatever its indentation`() throws {
    let (fixture, path) = try kettle()
    let found = try changes(fixture, "\(path):2")
    #expect(found.map(\.session) == ["two"] && found.map(\.lines) == [[2]])
    #expect(found.first?.found == .text && found.first?.tool == "Edit" && found.first?.file == path)
    #expect(found.first?.change == " func warm() {\n-  boil()\n+  boil(until: .warm)")
    #expect(found.first?.project == "/home/ann/tea" && found.first?.title == "two")
    // A line that the edit has in its old text, too, is of the call before; compilers name a column.
    #expect(try changes(fixture, "\(path):1:6").map(\.session) == ["one"])
  }

  @Test
  func `the lines of a range are divided among the calls that wrote them, and a short one needs a neighbour`()
    throws
  {
    let (fixture, path) = try kettle()
    let found = try changes(fixture, "\(path):1-4")
    #expect(found.map(\.session) == ["two", "one"] && found.map(\.lines) == [[2], [1]])
    // `pour()` and `}` have few letters: only beside a longer line of the same call they say anything.
    #expect(try changes(fixture, "\(path):4").map(\.found) == [.file, .file])
  }

  @Test func `without a line, and where no call wrote it, sessions that changed the file are listed`() throws
  {
    let (fixture, path) = try kettle()
    for argument in [path, "\(path):5", "kettle.swift", "KETTLE.swift"] {
      let found = try changes(fixture, argument)
      #expect(found.map(\.session) == ["two", "one"], "\(argument)")
      #expect(found.allSatisfy { $0.found == .file && $0.lines == nil })
    }
    #expect(try fixture.run(["sessions", "--file", "\(path):5"]).errors.contains("no call has the text"))
    #expect(try changes(fixture, "other/kettle.swift").isEmpty)
    #expect(try changes(fixture, path, "since:2100").isEmpty)
    #expect(try changes(fixture, path, "tool:Write").map(\.session) == ["one"])
  }

  @Test func `lines that a file does not have are refused, and a file that is gone is found by its name`()
    throws
  {
    let (fixture, path) = try kettle()
    let beyond = try fixture.run(["sessions", "--file", "\(path):99"])
    #expect(beyond.status == 64 && beyond.errors.contains("has 5 lines"), "\(beyond.errors)")
    #expect(try fixture.run(["sessions", "--file", "\(path):3-1"]).errors.contains("names no lines"))
    try FileManager.default.removeItem(atPath: path)
    let gone = try fixture.run(["sessions", "--file", "\(path):2"])
    #expect(gone.errors.contains("is not there: its lines are not compared") && gone.output.contains("Edit"))
    #expect(try fixture.run(["sessions", "--file", "nowhere.swift"]).status == 1)
    #expect(try fixture.run(["sessions", "--file", "x", "--error", "y"]).status == 64)
  }

  @Test func `pages go on before the last call`() throws {
    let (fixture, path) = try kettle()
    let all = try changes(fixture, path)
    let first = try changes(fixture, path, "-n", "1")
    #expect(first == Array(all.prefix(1)))
    #expect(try changes(fixture, path, "--before", "#\(all[0].id)") == Array(all.dropFirst()))
  }

  @Test func `an answer reads a bounded number of calls, and says where to continue`() throws {
    let reads = (0..<2_300).map { _ in Self.call("s", "Read\nfile_path: src/kettle.swift") }
    let fixture = try fixture(
      [Self.call("s", "Write\nfile_path: src/kettle.swift\ncontent: warm the pot")] + reads)
    func answer(before id: String?) throws -> FileChangesAnswer {
      let key = id.map { #","before":"\#($0)""# } ?? ""
      let question = #"{"question":"fileChanges","file":"kettle.swift","lines":["warm the pot"]\#(key)}"#
      let output = try fixture.run(["query"], input: question + "\n").output
      return try JSONDecoder().decode(FileChangesAnswer.self, from: Data(output.utf8))
    }
    let first = try answer(before: nil)
    let next = try #require(first.next)
    #expect(first.changes.isEmpty)
    #expect(try answer(before: "\(next)").changes.map(\.found) == [.text])
  }

  @Test func `a table has a heading and the change, and shows signs that would control a terminal`() throws {
    let (fixture, path) = try kettle()
    let table = try fixture.run(["sessions", "--file", "\(path):2"]).output
    let lines = table.split(separator: "\n").map(String.init)
    #expect(lines[0] == "2026-03-01 10:04  claude-code  /home/ann/tea  two")
    #expect(lines[1].hasSuffix("  ▸ Edit \(path)  line 2"))
    #expect(lines[2...] == ["     func warm() {", "    -  boil()", "    +  boil(until: .warm)"])
    let hostile = try self.fixture([
      Self.call("s", "Edit\u{1B}[2J\nfile_path: a\u{1B}]0;x\u{7}/tea.swift\nnew_string: \u{1B}[31mred water"),
      Self.result("t", of: "Bash", "failed: \u{1B}[31mno water here"),
    ])
    for arguments in [["--file", "tea.swift"], ["--error", "no water here"]] {
      let shown = try hostile.run(["sessions"] + arguments).output
      #expect(!shown.contains("\u{1B}") && shown.contains("␛"), "\(shown)")
    }
  }

  /// Calls in the forms of several programs, each of which writes the line `pour(slowly: true)`.
  private static let forms = [
    "Write\nfile_path: /home/ann/tea/src/cup.swift\ncontent: first\npour(slowly: true)",
    "write\ncontent: path: x\npour(slowly: true)\nfilePath: src/cup.swift",
    "edit\nfilePath: src/cup.swift\noldString: pour()\nnewString: pour(slowly: true)",
    "str_replace_based_edit_tool\ncommand: str_replace\npath: src/cup.swift\nold_str: pour()\nnew_str: pour(slowly: true)",
    "MultiEdit\nfile_path: src/cup.swift\nedits: "
      + #"[{"old_string":"a\nb","new_string":"a\n  pour(slowly: true)"}]"#,
    "StrReplaceFile\npath: src/cup.swift\nedit: {\"old\":\"pour()\",\"new\":\"pour(slowly: true)\"}",
    "apply_patch\n*** Begin Patch\n*** Update File: src/cup.swift\n@@ func warm\n boil()\n-pour()\n+pour(slowly: true)\n*** End Patch",
    "shell\n"
      + #"command: ["apply_patch","*** Begin Patch\n*** Add File: src/cup.swift\n+pour(slowly: true)\n*** End Patch"]"#,
    "exec_command\ncmd: apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/jug.swift\n*** Move to: src/cup.swift\n@@\n-pour()\n+pour(slowly: true)\n*** End Patch\nEOF",
    "replace_in_file\npath: src/cup.swift\ndiff: ------- SEARCH\npour()\n=======\npour(slowly: true)\n+++++++ REPLACE",
    "apply_diff\npath: src/cup.swift\ndiff: <<<<<<< SEARCH\n:start_line:3\n-------\npour()\n=======\npour(slowly: true)\n>>>>>>> REPLACE",
    "edit\npath: src/cup.swift\ndiff: --- a/src/cup.swift\n+++ b/src/cup.swift\n@@ -1,2 +1,2 @@\n boil()\n-pour()\n+pour(slowly: true)",
  ]

  @Test(arguments: forms) func `edits of many programs are read`(form: String) throws {
    let fixture = try fixture([Self.call("s", form)])
    let question = FileChangesQuestion(file: "src/cup.swift", lines: ["pour(slowly: true)"], firstLine: 7)
    let asked = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
      .replacing("{", with: #"{"question":"fileChanges","#, maxReplacements: 1)
    let answer = try fixture.run(["query"], input: asked + "\n").output
    #expect(answer.contains(#""found":"text","lines":[7]"#), "\(answer)")
    #expect(try changes(fixture, "cup.swift").count == 1)
    #expect(try changes(fixture, "/home/bob/src/cup.swift").isEmpty)
  }

  @Test func `changed lines in a result count, and a rejected edit does not`() throws {
    let call = "edit_file\nrelativeWorkspacePath: src/cup.swift"
    let fixture = try fixture([
      Self.call("one", call), Self.result("one", of: "edit_file", "- pour()\n+ pour(slowly: true)"),
      Self.call("two", call), Self.result("two", of: "edit_file", "rejected"),
    ])
    let question = #"{"question":"fileChanges","file":"cup.swift","lines":["  pour(slowly: true)"]}"#
    let answer = try fixture.run(["query"], input: question + "\n").output
    #expect(
      answer.contains(#""session":"one""#) && answer.contains(#""found":"text","lines":[1]"#), "\(answer)")
    #expect(try changes(fixture, "cup.swift").map(\.session) == ["one"])
  }

  // MARK: Errors

  private func failing() throws -> ShellFixture {
    try fixture([
      Self.words("old", "Build it"), Self.call("old", "Bash\ncommand: swift build"),
      Self.call("old", "Bash\ncommand: ls"),
      Self.result(
        "old", of: "Bash",
        "failed (1): compiling\n/tmp/a1/x.swift:12:5: error: cannot find 'Kettle' in scope\n"),
      Self.result("old", of: "Bash", "x.swift"), Self.words("old", "I'll import it."),
      Self.call("old", "Edit\nfile_path: x.swift\nold_string: \nnew_string: import Kettles"),
      Self.result("old", of: "Edit"), Self.call("old", "Bash\ncommand: swift build"),
      Self.result("old", of: "Bash", "failed (1): y.swift:40:1: error: cannot find 'Kettle' in scope"),
      Self.call("old", "Bash\ncommand: swift build --clean"),
      Self.result("old", of: "Bash", "Build complete!"),
      Self.call("old", "Bash\ncommand: git commit"), Self.result("old", of: "Bash"),
      Self.call("new", "Bash\ncommand: grep scope"),
      Self.result("new", of: "Bash", "find the scope, we cannot"),
      Self.call("new", "Bash\ncommand: make"),
      Self.result("new", of: "Bash", "z.swift:7:9: error: cannot find 'Kettle' in scope"),
      Self.call("new", "Read\nfile_path: z.swift"), Self.result("new", of: "Read", "Kettle()"),
    ])
  }

  @Test func `an error is found where its numbers and paths are others, with what followed`() throws {
    let fixture = try failing()
    let found = try failures(fixture, "/home/ann/w.swift:99:1: error: cannot find 'Kettle' in scope")
    #expect(found.map(\.session) == ["new", "old"])
    let (new, old) = (found[0], found[1])
    #expect(new.call?.text == "Bash command: make" && new.resolved == nil && new.more == nil)
    #expect(new.steps.map(\.text) == ["Read file_path: z.swift", "Kettle()"])
    // Of a session the last time counts, up to the next success of the same tool.
    #expect(old.text == "failed (1): y.swift:40:1: error: cannot find 'Kettle' in scope")
    #expect(old.call?.text == "Bash command: swift build")
    #expect(old.steps.map(\.text) == ["Bash command: swift build --clean", "Build complete!"])
    #expect(old.resolved == old.steps.last?.id)
    #expect(
      try failures(fixture, "error: cannot find 'Kettle' in scope", "-n", "1").map(\.session) == ["new"])
    let rest = try failures(fixture, "error: cannot find 'Kettle' in scope", "--before", "#\(new.id)")
    #expect(rest == [old])
  }

  @Test func `names in quotes are left out if the error is found nowhere with them, and codes count`() throws
  {
    let fixture = try failing()
    #expect(try failures(fixture, "error: cannot find 'Teapot' in scope").count == 2)
    #expect(try failures(fixture, "error: cannot find 'Teapot' in scope", "project:nowhere").isEmpty)
    #expect(try fixture.run(["sessions", "--error", "error E0432: unresolved import"]).status == 1)
    #expect(try fixture.run(["sessions", "--error", "!!"]).errors.contains("cannot look for this error"))
  }

  @Test func `a table shows the call, the error and the steps`() throws {
    let lines = try failing().run(["sessions", "--error", "cannot find 'Kettle' in scope", "-n", "1"]).output
      .split(separator: "\n").map { $0.replacing(/#\d+/, with: "#") }
    #expect(
      lines == [
        "2026-03-01 10:17  claude-code  /home/ann/tea  new", "  #  ▸ Bash command: make",
        "  #  z.swift:7:9: error: cannot find 'Kettle' in scope", "  #  ▸ Read file_path: z.swift",
        "  #  Read: Kettle()",
      ])
  }

  // MARK: Agents

  @Test func `agents get the objects that the command prints`() throws {
    let fixture = try failing()
    func elements(_ tool: String, _ arguments: String, _ list: String) throws -> String {
      let call =
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
      let output = try fixture.run(["mcp"], input: call + "\n").output
      struct Reply: Decodable {
        struct Result: Decodable { var content: [[String: String]] }
        var result: Result
      }
      let reply = try JSONDecoder().decode(Reply.self, from: Data(output.utf8))
      let text = try #require(reply.result.content.first?["text"])
      let start = try #require(text.range(of: #""\#(list)":["#)).upperBound
      return String(text[start...])
    }
    let failed = try fixture.run(["sessions", "--json", "--error", "cannot find 'Kettle' in scope"]).output
    let wanted = failed.split(separator: "\n").joined(separator: ",")
    #expect(
      try elements("find_failures", #"{"error":"cannot find 'Kettle' in scope"}"#, "failures").hasPrefix(
        wanted))
    let changed = try fixture.run(["sessions", "--json", "--file", "x.swift"]).output.dropLast()
    #expect(!changed.isEmpty)
    #expect(try elements("find_file_changes", #"{"file":"x.swift"}"#, "changes").hasPrefix(changed))
  }
}

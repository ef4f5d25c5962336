import Foundation
import HistoryQueries
import MessageModel
import ShellTesting
import TestSupport
import Testing

/// `scrollback sessions`, `scrollback resume` and the terms of sessions in searches.
@Suite(.serialized) struct SessionsCommandTests {
  private static let fixtures = GoldenFile.root.appending(path: "Fixtures")

  private func fixture(_ formats: [String] = ["claude-code", "codex", "crush"]) throws -> ShellFixture {
    let fixture = try ShellFixture(count: 3)
    for format in formats {
      try fixture.run(["import", "--quiet", "--me", "Ann", Self.fixtures.appending(path: format).path])
    }
    return fixture
  }

  private func sessions(_ fixture: ShellFixture, _ arguments: String...) throws -> [SessionAnswer] {
    let lines = try fixture.run(["sessions", "--json"] + arguments).output.split(separator: "\n")
    return try lines.map { try JSONDecoder().decode(SessionAnswer.self, from: Data($0.utf8)) }
  }

  @Test func `sessions are listed with what their programs and messages say, newest first`() throws {
    let fixture = try fixture()
    let all = try sessions(fixture)
    #expect(all.map(\.newest) == all.map(\.newest).sorted(by: >))
    #expect(!all.contains { $0.conversation == "general" || $0.conversation.contains("(agent of") })
    let claude = try #require(all.first { $0.program == "claude-code" && $0.session.hasPrefix("5b1c7a10") })
    #expect(claude.project == "/home/ann/tea")
    #expect(claude.question?.hasPrefix("/") == false)
    // Each answer is counted once, however many records it has.
    #expect(claude.tokensSent.map { $0 % 3 == 0 && $0 > 0 } == true)
    #expect(claude.models.allSatisfy { $0.hasPrefix("claude-") } && !claude.models.isEmpty)
    #expect(!claude.tools.isEmpty)
    let codex = try #require(all.first { $0.session == "019cb000-0000-7000-8000-000000000001" })
    #expect(codex.tokensSent == 5_200 && codex.tokensCached == 4_096 && codex.tokensReceived == 310)
    #expect(codex.branch == "steam" && codex.project == "/home/ann/kettle")
    #expect(codex.question == "Why does the kettle whistle?")
  }

  @Test(arguments: ["claude-code", "copilot", "cursor", "kimi", "opencode"])
  func `a conversation of an agent is not listed as a session`(format: String) throws {
    let fixture = try fixture([format])
    #expect(try fixture.run(["conversations"]).output.contains("agent of"))
    #expect(
      try !sessions(fixture).contains { session in
        session.session.contains("/") && !session.session.hasSuffix("/transcript")
          || session.conversation.contains("agent of")
      })
  }

  @Test func `a session of which only the day is known has that day in every zone, and no time`() throws {
    let fixture = try ShellFixture(count: 0)
    let line = """
      {"conversation":"kettle","conversationSource":{"platform":"cursor","id":"a"},"session":{"project":"/home/ann/tea"},\
      "time":"2026-03-01T00:00:00.000Z","precision":"day","sender":"Ann","kind":"text","text":"Why does it whistle?",\
      "source":{"platform":"cursor","id":"a/1"}}
      """
    try fixture.run(["import", "--format", "jsonl", "-"], input: "\(line)\n")
    for zone in ["America/New_York", "Asia/Tokyo"] {
      let table = try fixture.run(["sessions", "--time-zone", zone]).output
      #expect(table.hasPrefix("2026-03-01  cursor"), "\(table)")
      #expect(!table.contains(":"))
    }
    #expect(try sessions(fixture).map(\.newestPrecision) == [.day])
  }

  @Test func `a first question is listed without the signs that mark it`() throws {
    let fixture = try ShellFixture(count: 0)
    let line = """
      {"conversation":"kettle","conversationSource":{"platform":"claude-code","id":"a"},"session":{},\
      "time":"2026-03-01T10:00:00.000Z","sender":"Ann","kind":"text","text":"Why does **it** `whistle`?",\
      "source":{"platform":"claude-code","id":"a/1"}}
      """
    try fixture.run(["import", "--format", "jsonl", "-"], input: "\(line)\n")
    #expect(try sessions(fixture).map(\.question) == ["Why does it whistle?"])
  }

  @Test func `a session is listed by the newest title of its conversation`() throws {
    let fixture = try ShellFixture(count: 0)
    let id = "5b1c7a10-0000-4000-8000-000000000001"
    let question = "why does the kettle whistle when the water in it has been boiling for a while?"
    let line = """
      {"parentUuid":null,"sessionId":"\(id)","cwd":"/home/ann/tea","isSidechain":false,"type":"user",\
      "message":{"role":"user","content":"\(question)"},"uuid":"u1","timestamp":"2026-05-01T10:00:05.000Z"}

      """
    let title = #"{"type":"custom-title","customTitle":"Five o clock","sessionId":"\#(id)"}"# + "\n"
    func listed(_ text: String) throws -> (sessions: String, conversations: String) {
      let file = fixture.folder.appending(path: "\(id).jsonl")
      try Data(text.utf8).write(to: file)
      try fixture.run(["import", "--quiet", file.path])
      return (try fixture.run(["sessions"]).output, try fixture.run(["conversations"]).output)
    }
    let first = try listed(line)
    #expect(first.sessions.contains("  \(question)\n") && first.conversations.contains("tea > why does"))
    let later = try listed(line + title)
    #expect(later.sessions.contains("/home/ann/tea  Five o clock\n"), "\(later)")
    #expect(later.conversations.contains("tea > Five o clock"))
    #expect(try sessions(fixture).map(\.question) == [question])
  }

  @Test func `the same files again bring the same list, and an undone import takes its sessions`() throws {
    let fixture = try fixture()
    let before = try fixture.run(["sessions", "--json"]).output
    try fixture.run(["import", "--quiet", "--me", "Ann", Self.fixtures.appending(path: "claude-code").path])
    #expect(try fixture.run(["sessions", "--json"]).output == before)
    let imports = try fixture.run(["imports"]).output
    let number = try #require(imports.firstMatch(of: /(?m)^\s*(\d+) .*claude-code/)?.1)
    #expect(try fixture.run(["undo", "--yes", String(number)]).status == 0)
    #expect(try !sessions(fixture).contains { $0.program == "claude-code" })
    #expect(try sessions(fixture).contains { $0.program == "codex" })
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test(arguments: [[], ["--merge"], ["--newest-first"], ["--limit", "100000"]])
  func `an export has what is known of sessions, and brings it into another store`(options: [String]) throws {
    let fixture = try fixture(["claude-code", "codex", "aider", "cline"])
    let exported = fixture.folder.appending(path: "all.jsonl").path
    try fixture.run(["export", "-o", exported] + options)
    let lines = try String(contentsOfFile: exported, encoding: .utf8).split(separator: "\n")
    let told = lines.filter { $0.contains(#","session":{"#) }
    #expect(told.count == (try sessions(fixture)).count)
    #expect(
      told.contains {
        $0.contains(#""session":{"project":"/home/ann/kettle","branch":"steam","tokensSent":5200,"#)
      })
    let other = try ShellFixture(count: 0)
    try other.run(["import", "--quiet", exported])
    #expect(try other.run(["sessions", "--json"]).output == fixture.run(["sessions", "--json"]).output)
    #expect(try other.run(["export", "--json"]).output == fixture.run(["export", "--json"]).output)
    #expect(try other.run(["check"]).status == 0)
  }

  @Test func `a part of an export says what is known of the sessions in it`() throws {
    let fixture = try fixture(["codex"])
    let part = try fixture.run(["export", "--json", "--kind", "text"]).output
    #expect(part.matches(of: /,"session":{/).count > 0)
    let redacted = try fixture.run(["export", "--json", "--redact", Self.rules(in: fixture)]).output
    #expect(redacted.contains(#""session":{"project":"/home/ann/[pot]","#), "\(redacted.prefix(600))")
    #expect(!redacted.contains("kettle"))
  }

  @Test func `a redacted session counts the failures that it shows, and tells no numbers of hidden texts`()
    throws
  {
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_sessions","arguments":{}}}"#
    func told(hiding word: String, cost: Int) throws -> String {
      let fixture = try ShellFixture(count: 0)
      let start =
        #"{"conversation":"c","conversationSource":{"platform":"codex","id":"s1"},"time":"2024-05-01T12:00:0"#
      try fixture.add(
        start + #"0Z","text":"tea?","session":{"project":"/tea","tokensSent":\#(cost)}}"# + "\n" + start
          + #"1Z","kind":"result","text":"\#(word): no tea"}"# + "\n" + start
          + #"2Z","kind":"result","text":"failed: no cake"}"#)
      let rules = fixture.folder.appending(path: "rules.txt")
      try "regex ^(failed|worked): no tea => what\n".write(to: rules, atomically: true, encoding: .utf8)
      let answer = try fixture.run(["mcp", "--redact", rules.path], input: call + "\n").output
      return answer.replacing(#/\\"version\\":\\"[^"]*"/#, with: "").replacing(
        #/\\"origin\\":[0-9]+/#, with: "")
    }
    let answer = try told(hiding: "failed", cost: 7)
    #expect(try answer == told(hiding: "worked", cost: 9))
    #expect(answer.contains(#"\"failed\":1"#) && !answer.contains("tokensSent"), "\(answer)")
  }

  private static func rules(in fixture: ShellFixture) throws -> String {
    let path = fixture.folder.appending(path: "rules.txt")
    try "word kettle => [pot]\n".write(to: path, atomically: true, encoding: .utf8)
    return path.path
  }

  @Test func `terms find sessions, and the messages in them`() throws {
    let fixture = try fixture()
    let all = try sessions(fixture)
    func count(_ query: String) throws -> Int { try sessions(fixture, "--", query).count }
    #expect(try count("project:kettle") == all.filter { $0.project?.contains("kettle") == true }.count)
    #expect(try count("PROJECT:/ann/TEA") == all.filter { $0.project?.contains("/ann/tea") == true }.count)
    #expect(try count("project:tea project:kettle") == count("project:tea OR project:kettle"))
    #expect(try count("model:gpt-5") == all.filter { $0.models.contains { $0.contains("gpt-5") } }.count)
    #expect(try count("is:failed") == all.filter { $0.failed != nil }.count)
    #expect(try count("-is:failed") == all.count - count("is:failed"))
    #expect(try count("whistle") > 0 && count("whist") == 0 && count("whist*") == count("whistle*"))
    #expect(try count("codex") == all.filter { $0.program == "codex" }.count)
    #expect(
      try count("tool:Bash") == all.filter { $0.tools.contains { $0.name.lowercased() == "bash" } }.count)
    #expect(try count("branch:steam") == 1 && count("since:2100") == 0)
    for query in ["project:kettle", "model:gpt-5", "tool:shell", "is:failed", "branch:steam"] {
      let found = try fixture.run(["search", "--json", query])
      #expect(found.status == 0 && !found.output.isEmpty, "\(query): \(found.errors)")
    }
    let failures = try fixture.run(["search", "--json", "is:failed"]).output.split(separator: "\n")
    #expect(failures.allSatisfy { $0.contains("\"text\":\"failed") })
    let calls = try fixture.run(["search", "--json", "tool:Bash"]).output.split(separator: "\n")
    #expect(
      calls.allSatisfy { $0.contains(/"(text|sender)":"[Bb]ash/) } && calls.count > 1)
  }

  @Test func `what says nothing of sessions, and what none has, is told`() throws {
    let fixture = try fixture()
    let wrong = try fixture.run(["sessions", "from:ann"])
    #expect(wrong.status != 0 && wrong.errors.contains("'from:' is a term for messages"), "\(wrong)")
    #expect(try fixture.run(["sessions", "is:starred"]).errors.contains("sessions are not 'starred'"))
    #expect(try fixture.run(["sessions", "project:nowhere"]).status == 1)
    let near = try fixture.run(["search", "tool:Bsh"])
    #expect(near.status == 1 && near.errors.contains("did you mean 'Bash'"), "\(near)")
  }

  @Test func `pages go on by the key of the last session`() throws {
    let fixture = try fixture()
    let all = try sessions(fixture)
    let first = try sessions(fixture, "-n", "2")
    let rest = try sessions(fixture, "--before", "#\(first[1].newest)")
    #expect(first + rest == all)
  }

  @Test func `resume prints the command of the program, and starts none without a terminal`() throws {
    let fixture = try fixture()
    let found = try fixture.run(["resume", "codex", "project:kettle", "branch:steam"])
    #expect(
      found.output.contains(
        "\n   cd '/home/ann/kettle' && codex resume 019cb000-0000-7000-8000-000000000001\n"), "\(found)")
    let refused = try fixture.run(["resume", "--run", "codex", "branch:steam"])
    #expect(refused.status != 0 && refused.errors.contains("'/home/ann/kettle' is not there"), "\(refused)")
    #expect(try fixture.run(["resume", "nothing-is-called-so"]).status == 1)
    #expect(try fixture.run(["resume", "--run", "--pick", "99"]).errors.contains("there is no session 99"))
  }

  @Test func `an id that is none, and a folder with signs of a shell in its name, do no harm`() throws {
    let fixture = try ShellFixture(count: 0)
    let file = fixture.folder.appending(path: "s.jsonl")
    func line(_ session: String, _ folder: String) -> String {
      #"{"parentUuid":null,"isSidechain":false,"cwd":"\#(folder)","sessionId":"\#(session)","type":"user","#
        + #""message":{"role":"user","content":"Words"},"uuid":"u-\#(session)","timestamp":"2026-03-01T10:00:01.000Z"}"#
        + "\n"
    }
    let uuid = "5b1c7a10-0000-4000-8000-00000000000a"
    try Data((line("--dangerously-skip-permissions", "/tmp") + line(uuid, "/tmp/'; touch x; '$(id)")).utf8)
      .write(to: file)
    #expect(try fixture.run(["import", "--quiet", "--format", "claude-code", file.path]).status == 0)
    let found = try fixture.run(["resume"]).output
    #expect(
      found.contains("(claude-code gives no such id to a session: '--dangerously-skip-permissions')"),
      "\(found)")
    #expect(found.contains(#"cd '/tmp/'\''; touch x; '\''$(id)' && claude --resume \#(uuid)"#), "\(found)")
    let refused = try fixture.run(["resume", "--run", "--pick", "1"])
    #expect(refused.status != 0 && refused.output.isEmpty)
  }

  @Test func `a session in a script lists sessions, and agents and programs ask for them`() throws {
    let fixture = try fixture()
    let listed = try fixture.run(["--plain"], input: "/sessions project:kettle branch:steam\n/quit\n")
    #expect(listed.output.contains("The whistling kettle"), "\(listed)")
    let asked = try fixture.run(
      ["query"], input: #"{"question":"sessions","words":"branch:steam"}"# + "\n"
    ).output
    #expect(asked.contains(#""session":"019cb000-0000-7000-8000-000000000001""#), "\(asked)")
  }
}

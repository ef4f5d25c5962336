import Foundation
import MessageInterchange
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

/// Sessions of assistants that write in manners of their own.
@Suite struct AgentFormatTests {
  private func picture(_ text: String, at place: String) throws -> ImportPicture {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/\(place)")
      return try ImportPicture([folder])
    }
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: URL(filePath: Fixture.path(name)), encoding: .utf8)
  }

  // MARK: aider

  private static let aider = "aider/tea/.aider.chat.history.md"

  @Test func `headings and quotations of a model are told from questions and notes by two spaces`() throws {
    let history = """

      # aider chat started at 2026-03-01 10:00:00

      #### Why?  

      Since:

      #### A heading
      > and a quotation

      > Tokens: 1 sent, 2 received.  

      """
    let found = try picture(history, at: "tea/.aider.chat.history.md")
    #expect(found.messages.map(\.kind) == [.text, .text, .system])
    #expect(found.messages[1].body == "Since:\n\n#### A heading\n> and a quotation")
    let stripped = history.replacing("  \n", with: "\n").replacing(
      "#### A heading\n> and a quotation\n", with: "")
    let other = try picture(stripped, at: "tea/.aider.chat.history.md")
    #expect(other.messages.map(\.body) == ["Why?", "Since:", "Tokens: 1 sent, 2 received."])
  }

  @Test(arguments: [70_000, 5_000_000])
  func `a long first line of aider's hides no marks`(byteCount: Int) throws {
    let long = String(repeating: "tea ", count: byteCount / 4)
    let start = "# aider chat started at 2026-03-01 10:00:00\n\n"
    let rest = "#### Why?  \n\nSince:\n\n#### A heading\n> and a quotation\n\n> Tokens: 1 sent.  \n"
    let path = "tea/.aider.chat.history.md"
    let found = try picture("\(start)> \(long)!  \n\n\(rest)", at: path)
    #expect(found.messages.map(\.kind) == [.system, .text, .text, .system])
    #expect(found.messages[2].body == "Since:\n\n#### A heading\n> and a quotation")
    let cut = try picture("\(long)\n\(start)\(rest)", at: path)
    #expect(cut.messages.map(\.body) == found.messages.dropFirst().map(\.body))
    let archive = StoredArchive(of: Data("\(start)> \(long)!  \n\n\(rest)".utf8), named: path)
    try Fixture.withFolder { folder in
      try Fixture.write(archive.bytes, to: "\(folder)/a.zip")
      #expect(try ImportPicture(["\(folder)/a.zip"]).messages.map(\.body) == found.messages.map(\.body))
    }
  }

  @Test func `a history of aider that is read line by line as it grows gives what all of it gives`() throws {
    let whole = try Array(Self.text(Self.aider).utf8)
    let all = try ImportPicture([Fixture.path(Self.aider)]).messages.map(\.text)
    try Fixture.withFolder { folder in
      let path = "\(folder)/tea/.aider.chat.history.md"
      try Fixture.write(whole, to: path)
      let ends = whole.indices.filter { whole[$0] == 0x0A }.map { Int64($0 + 1) }.dropFirst()
      var reader = try ImportReader(FoundFile(at: path), endingAt: ends.first, options: .utc)
      var (ids, texts): ([String], [String: String]) = ([], [:])
      for end in ends {
        reader.goOn(to: end, latest: nil)
        while let event = reader.next() {
          guard case .batch(let batch) = event else { continue }
          for (place, entry) in batch.entries.entries.enumerated() {
            let id = try #require(batch.entries.details[place]?.source?.id)
            if texts[id] == nil { ids.append(id) }
            texts[id] = ImportPicture.Line(entry, details: nil, in: batch.entries).text
          }
        }
      }
      #expect(ids.compactMap { texts[$0] } == all)
    }
  }

  @Test func `sessions of one second in one file are two, and lines before the first are said`() throws {
    let found = try ImportPicture([Fixture.path(Self.aider)])
    #expect(found.conversations.count == 2 && found.skipped.isEmpty)
    let cut = try picture(
      "the end of an answer\nand more\n" + Self.text(Self.aider), at: "tea/.aider.chat.history.md")
    #expect(cut.messages.count == found.messages.count)
    #expect(cut.skipped.map(\.reason) == ["no session begins in or before it"])
  }

  @Test func `a hidden history of aider is found in a folder, and other hidden files are not`() throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(Self.text(Self.aider).utf8), to: "\(folder)/tea/.aider.chat.history.md")
      try Fixture.write(Array("x".utf8), to: "\(folder)/tea/.aider.input.history")
      #expect(try ImportPicture([folder]).files.map(\.format) == ["aider"])
      #expect(try FolderScan(folder).files.map(\.name) == [".aider.chat.history.md"])
    }
  }

  // MARK: Cline

  @Test func `a window is read where the history of its task is missing, and only there`() throws {
    let found = try ImportPicture([Fixture.path("cline")])
    let beside = found.skipped.filter { $0.scope == .ignored }.count
    #expect(beside == 4 && found.skipped.count == beside)
    #expect(found.messages.contains { $0.body == "Whose cup?" })
  }

  @Test func `an entry without a time has that of what the window showed then`() throws {
    let found = try ImportPicture([Fixture.path("cline/roo/tasks/5b1c7a10-0000-4000-8000-000000000001")])
    let times = found.messages.filter { $0.kind != .system }.map { $0.time.millisecondsSince1970 % 60_000 }
    #expect(times == times.sorted() && Set(times).count > 3)
  }

  // MARK: Copilot in Visual Studio Code

  /// A chat that changes at random, as a document and as the lines that led there.
  private func randomChat(_ seed: UInt64) throws -> (document: String, lines: String) {
    var generator = SeededGenerator(seed: seed)
    var chat: [String: Any] = [
      "sessionId": "s", "creationDate": 1_772_359_200_000, "initialLocation": "panel",
    ]
    var requests: [[String: Any]] = []
    func json(_ value: Any) throws -> String {
      try String(
        decoding: JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys]),
        as: UTF8.self)
    }
    var lines = [try json(["kind": 0, "v": chat.merging(["requests": requests]) { $1 }])]
    for step in 0..<60 {
      let place = requests.isEmpty ? nil : Int.random(in: requests.indices, using: &generator)
      var responses = place.flatMap { requests[$0]["response"] as? [[String: Any]] } ?? []
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1:
        let request: [String: Any] = [
          "requestId": "r\(step)", "timestamp": 1_772_359_200_000 + step,
          "message": ["text": "q \"\(step)\" ü"],
          "response": [[String: Any]](),
        ]
        let cut = Int.random(in: 0...requests.count, using: &generator)
        requests = requests.prefix(cut) + [request]
        lines.append(try json(["kind": 2, "k": ["requests"], "v": [request], "i": cut]))
      case 2, 3:
        guard let place else { continue }
        let piece: [String: Any] = ["value": "a\(step)\n"]
        responses.append(piece)
        requests[place]["response"] = responses
        lines.append(try json(["kind": 2, "k": ["requests", place, "response"], "v": [piece]]))
      case 4:
        guard let place, !responses.isEmpty else { continue }
        let own = Int.random(in: responses.indices, using: &generator)
        responses[own]["value"] = "changed \(step)"
        requests[place]["response"] = responses
        lines.append(
          try json(["kind": 1, "k": ["requests", place, "response", own, "value"], "v": "changed \(step)"]))
      default:
        guard let place else { continue }
        let isCanceled = requests[place]["isCanceled"] != nil
        requests[place]["isCanceled"] = isCanceled ? nil : true
        let path: [Any] = ["requests", place, "isCanceled"]
        lines.append(try json(isCanceled ? ["kind": 3, "k": path] : ["kind": 1, "k": path, "v": true]))
      }
    }
    chat["requests"] = requests
    return (try json(chat), lines.joined(separator: "\n") + "\n")
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 5))
  func `a chat replayed from its changes is the chat that they led to`(seed: UInt64) throws {
    let chat = try randomChat(seed)
    let document = try picture(chat.document, at: "chatSessions/s.json")
    let replayed = try picture(chat.lines, at: "chatSessions/s.jsonl")
    #expect(replayed.files.map(\.format) == ["copilot-chat"] && replayed.skipped.isEmpty)
    #expect(replayed.messages.map(\.text) == document.messages.map(\.text))
    #expect(
      replayed.messages.map { $0.details?.source?.id } == document.messages.map { $0.details?.source?.id })
  }

  // MARK: Pi

  @Test func `what Pi's tree left behind is a conversation of its own`() throws {
    let found = try ImportPicture([Fixture.path("pi/agent")])
    let places = Dictionary(grouping: found.messages, by: \.conversation)
    let left = try #require(places.first { $0.key.contains("left behind: And the water?") })
    #expect(left.value.map(\.kind) == [.text, .tool, .result])
    #expect(places.count == 2 && found.skipped.isEmpty)
  }

  // MARK: Kimi Code

  private static let kimiCode =
    "kimi/code/sessions/wd_tea_0a1b2c3d4e5f/session_5d1c7a10-0000-4000-8000-000000000001"

  @Test func `a turn of Kimi Code that was undone is left behind, and a prompt is one message`() throws {
    let found = try ImportPicture([Fixture.path(Self.kimiCode)])
    let places = Dictionary(grouping: found.messages, by: \.conversation).mapValues { $0.map(\.body) }
    let trunk = try #require(places["tea > Strong tea"])
    #expect(trunk.filter { $0 == "Is the tea ready?" }.count == 1 && trunk.contains("went back by 1 turn"))
    #expect(
      places["tea > Strong tea (left behind: Add milk)"]
        == ["Add milk", "I pour mi", "interrupted", "Tokens: 177 sent (170 of them cached), 3 received."])
    #expect(places.count == 3)
    #expect(found.skipped.allSatisfy { $0.reason.hasPrefix("it goes with") || $0.path.contains("blobs") })
  }

  @Test(arguments: [["end", "record"], ["record", "end"], ["end"], ["record"]])
  func `what a step of Kimi Code used is counted once`(order: [String]) throws {
    let usage = #"{"inputOther":10,"output":5,"inputCacheRead":0,"inputCacheCreation":0}"#
    let lines = [
      #"{"type":"turn.prompt","input":"hot?","origin":{"kind":"user"},"time":1772445600000}"#,
      #"{"type":"context.append_loop_event","event":{"type":"step.begin","uuid":"s"},"time":1772445601000}"#,
    ]
    let ends = order.map { end in
      end == "end"
        ? #"{"type":"context.append_loop_event","event":{"type":"step.end","uuid":"s","usage":\#(usage)},"time":1772445602000}"#
        : #"{"type":"usage.record","usage":\#(usage),"time":1772445602000}"#
    }
    let text = (lines + ends + [lines[1]] + ends).joined(separator: "\n")
    let found = try picture(text, at: "session_1/agents/main/wire.jsonl")
    #expect(found.messages.last?.body == "Tokens: 20 sent, 10 received.")
  }

  @Test func `prompts of Kimi Code that only began a turn are undone, too`() throws {
    func line(_ type: String, _ second: Int, _ rest: String) -> String {
      #"{"type":"\#(type)",\#(rest),"time":\#(1_772_445_600_000 + second * 1_000)}"#
    }
    func prompt(_ text: String, _ second: Int) -> String {
      line("turn.prompt", second, #""input":[{"type":"text","text":"\#(text)"}],"origin":{"kind":"user"}"#)
    }
    let lines = [
      prompt("one", 1), prompt("two", 2), line("turn.cancel", 3, #""target":"queued""#), prompt("three", 4),
      prompt("four", 5), line("context.undo", 6, #""count":2"#), prompt("five", 7),
    ]
    let found = try picture(lines.joined(separator: "\n"), at: "session_1/agents/main/wire.jsonl")
    let places = Dictionary(grouping: found.messages, by: \.conversation).mapValues { $0.map(\.body) }
    #expect(places["one (left behind: three)"] == ["three", "four"])
    #expect(places["one"] == ["one", "two", "a queued prompt was withdrawn", "went back by 2 turns", "five"])
  }

  @Test func `a session of Kimi Code without its folder is read by itself`() throws {
    let text = try Self.text("\(Self.kimiCode)/agents/main/wire.jsonl")
    let found = try picture(text, at: "wire.jsonl")
    #expect(found.conversations.contains { $0.hasSuffix("> Is the tea ready?") } && found.skipped.isEmpty)
  }

  // MARK: Gemini CLI

  @Test(arguments: [false, true])
  func `what Gemini CLI tells the model before the first question is not the user's`(hasLines: Bool) throws {
    func said(_ id: Int, _ text: String) -> String {
      #"{"id":"\#(id)","timestamp":"2026-09-01T10:00:0\#(id)Z","type":"user","content":[{"text":"\#(text)"}]}"#
    }
    let messages = [said(1, "<session_context>\\nfolders\\n</session_context>"), said(2, "Is it hot?")]
    let head = #"{"sessionId":"9e","projectHash":"79","startTime":"2026-09-01T10:00:00Z""#
    let text =
      hasLines
      ? "\(head)}\n\(messages.joined(separator: "\n"))\n"
      : "\(head),\"messages\":[\(messages.joined(separator: ","))]}"
    let found = try picture(text, at: "chats/session-2026-09-01T10-00-9e.\(hasLines ? "jsonl" : "json")")
    #expect(found.conversations == ["Is it hot?"])
    #expect(found.messages.map(\.kind) == [.system, .text] && found.messages.map(\.sender) == [nil, "me"])
  }

  // MARK: opencode

  @Test func `what a user of opencode took back is left behind, and what was interrupted is marked`() throws {
    let sql = """
      ALTER TABLE session ADD COLUMN revert TEXT;
      UPDATE session SET revert = '{"messageID":"msg_2","partID":"prt_7"}' WHERE id IN
        (SELECT session_id FROM message WHERE id = 'msg_2');
      UPDATE message SET data = json_set(data, '$.error', json('{"name":"MessageAbortedError","data":{"message":"x"}}'))
        WHERE id = 'msg_2';
      """
    try ForeignDatabase.changed("opencode/opencode.db", sql) { path in
      let found = try ImportPicture([path])
      let left = found.messages.filter { $0.conversation.hasSuffix("(left behind: reverted)") }
      #expect(left.map(\.body).contains("Yes.") && !left.map(\.body).contains("I feel warmth."))
      #expect(found.messages.map(\.body).contains("interrupted"))
    }
  }

  @Test func `the summary of opencode in place of what was before is the program's`() throws {
    let sql = "UPDATE message SET data = json_set(data, '$.summary', json('true')) WHERE id = 'msg_2'"
    try ForeignDatabase.changed("opencode/opencode.db", sql) { path in
      let summary = try ImportPicture([path]).messages.first { $0.body == "Yes." }
      #expect(summary?.kind == .system)
    }
  }

  // MARK: Sessions that grow

  @Test(arguments: [
    (
      "session_1/agents/main/wire.jsonl",
      [
        #"{"type":"metadata","protocol_version":"1.4","created_at":1772445600000}"#,
        #"{"type":"turn.prompt","input":[{"type":"text","text":"Is it hot?"}],"origin":{"kind":"user"},"time":1772445601000}"#,
      ]
    ),
    (
      ".openclaw/agents/main/sessions/s.jsonl",
      [
        #"{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00Z"}"#,
        #"{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T10:00:01Z","message":{"role":"user","content":"Is it hot?"}}"#,
      ]
    ),
    (
      "sessions/a/b/wire.jsonl",
      [
        #"{"timestamp":1772445600.0,"message":{"type":"StepInterrupted","payload":{}}}"#,
        #"{"timestamp":1772445601.0,"message":{"type":"TurnBegin","payload":{"user_input":"Is it hot?"}}}"#,
      ]
    ),
  ])
  func `a session that is followed from its first line on has the title of its first question`(
    name: String, lines: [String]
  ) throws {
    try Fixture.withFolder { folder in
      let path = "\(folder)/\(name)"
      try Fixture.write(Array("\(lines[0])\n".utf8), to: path)
      let first = Int64(lines[0].utf8.count + 1)
      var reader = try ImportReader(FoundFile(at: path), endingAt: first, options: .utc)
      var titles: Set<String> = []
      func read() {
        while let event = reader.next() {
          guard case .batch(let batch) = event else { continue }
          titles.formUnion(
            batch.entries.entries.map { ImportPicture.Line($0, details: nil, in: batch.entries).conversation }
          )
        }
      }
      read()
      try Fixture.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
      reader.goOn(to: first + Int64(lines[1].utf8.count + 1), latest: nil)
      read()
      #expect(titles.contains("Is it hot?"), "\(titles)")
    }
  }

  @Test(arguments: [
    ("pi/agent", "Tokens: 700 sent (200 of them cached), 55 received. Cost: $0.0125."),
    (kimiCode + "/agents/main", "Tokens: 320 sent (210 of them cached), 25 received."),
    ("kimi/sessions", "Tokens: 1100 sent (900 of them cached), 55 received."),
  ])
  func `what a turn of a followed session used is there when the turn is over`(folder: String, note: String)
    throws
  {
    let root = Fixture.path(folder)
    let name = try #require(
      FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String }.sorted().first {
        $0.hasSuffix(".jsonl") && !$0.contains("context") && !$0.contains("subagents")
      })
    let path = "\(root)/\(name)"
    var (end, notes): (Int64, [Int]) = (0, [])
    for (number, line) in try Self.text("\(folder)/\(name)").split(separator: "\n").enumerated() {
      end += Int64(line.utf8.count + 1)
      var reader = try ImportReader(FoundFile(at: path), endingAt: end, options: .utc)
      while let event = reader.next() {
        guard case .batch(let batch) = event else { continue }
        let texts = batch.entries.entries.map { ImportPicture.Line($0, details: nil, in: batch.entries).body }
        if texts.contains(note) { notes.append(number) }
      }
      if let first = notes.first {
        let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let isNext = (record?["message"] as? [String: Any])?["role"] as? String == "user"
        #expect(first == number && !isNext)
        return
      }
    }
    Issue.record("no note")
  }

  @Test func `an entry of Pi whose predecessor is lost leaves nothing behind`() throws {
    let entries = [("a", "null"), ("b", #""a""#), ("d", #""lost""#)].map { id, parent in
      #"{"type":"message","id":"\#(id)","parentId":\#(parent),"timestamp":"2026-03-01T10:00:01Z","message":{"role":"user","content":"\#(id)"}}"#
    }
    let head = #"{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00Z"}"#
    let found = try picture(([head] + entries).joined(separator: "\n"), at: "s.jsonl")
    #expect(found.conversations == ["a"])
  }

  // MARK: OpenClaw

  private static let openClaw = "pi/openclaw/agents/main/agent/openclaw-agent.sqlite"

  @Test
  func `a session of OpenClaw that was rewound, compacted and restored is one, with what it left behind`()
    throws
  {
    let found = try ImportPicture([Fixture.path(Self.openClaw)])
    let places = Dictionary(grouping: found.messages, by: \.conversation).mapValues { $0.map(\.body) }
    let trunk = try #require(places["shed > Which bolt fits the shed door?"])
    #expect(trunk.contains("And the lock?") && trunk.contains("How much is all of it?"))
    #expect(trunk.filter { $0 == "An M8 coach bolt, 60 mm." }.count == 1)
    let left = try #require(places["shed > Which bolt fits the shed door? (left behind: And the hinges?)"])
    #expect(
      left == [
        "And the hinges?", "Band hi", "interrupted",
        "Tokens: 69 sent (60 of them cached), 2 received. Cost: $0.0071.",
      ])
    #expect(places.count == 5)
  }

  @Test func `entries of OpenClaw's database are the messages of its files`() throws {
    try Fixture.withFolder { folder in
      let lines = [
        #"{"type":"session","version":3,"id":"s1","timestamp":"2026-03-01T10:00:00Z","cwd":"/tea"}"#,
        #"{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T10:00:01Z","message":{"role":"user","content":"hello"}}"#,
        #"{"type":"message","id":"b","parentId":"a","timestamp":"2026-03-01T10:00:02Z","message":{"role":"assistant","content":"Hello.","usage":{"input":2,"output":1}}}"#,
      ]
      let file = "\(folder)/.openclaw/agents/main/sessions/s1.jsonl"
      try Fixture.write(Array(lines.joined(separator: "\n").utf8), to: file)
      let database = "\(folder)/openclaw-agent.sqlite"
      try ForeignDatabase(database).run(
        """
        CREATE TABLE sessions (session_id TEXT PRIMARY KEY);
        CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);
        \(lines.enumerated().map { "INSERT INTO transcript_events VALUES ('s1', \($0), '\($1)', 0);" }.joined())
        """)
      let (one, other) = (try ImportPicture([file]), try ImportPicture([database]))
      #expect(one.messages.map(\.text) == other.messages.map(\.text) && one.messages.count == 4)
      #expect(one.messages.map { $0.details?.source } == other.messages.map { $0.details?.source })
    }
  }

  @Test func `a checkpoint of OpenClaw adds what its session no longer has`() throws {
    func line(_ id: String, _ parent: String, _ text: String) -> String {
      #"{"type":"message","id":"\#(id)","parentId":\#(parent),"timestamp":"2026-03-01T10:00:01Z","#
        + #""message":{"role":"user","content":"\#(text)"}}"#
    }
    let head = #"{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00Z"}"#
    let checkpoint = [head, line("a", "null", "trimmed"), line("b", #""a""#, "kept")]
    let session = [head, line("b", "null", "kept"), line("c", #""b""#, "new")]
    try Fixture.withFolder { folder in
      for (name, lines) in [
        ("s", session), ("s.checkpoint.7e2d8b20-0000-4000-8000-000000000002", checkpoint),
      ] {
        try Fixture.write(Array(lines.joined(separator: "\n").utf8), to: "\(folder)/\(name).jsonl")
      }
      let found = try ImportPicture([folder]).messages
      #expect(
        found.map { $0.details?.source?.id }.sorted { $0 ?? "" < $1 ?? "" } == [
          "s/a", "s/b", "s/c", "s/start",
        ])
      #expect(Set(found.map(\.conversation)).count == 1)
    }
  }

  @Test(arguments: ["pi/agent", "copilot"])
  func `a session that is cut in its last line gives all before it, and no error`(fixture: String) throws {
    let root = Fixture.path(fixture)
    let name = try #require(
      FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String }.first {
        $0.hasSuffix(".jsonl")
      })
    let whole = try Self.text("\(fixture)/\(name)")
    let all = try ImportPicture(["\(root)/\(name)"]).messages.map(\.body)
    let last = try #require(whole.dropLast().lastIndex(of: "\n"))
    for cut in [1, 7, 31] {
      let end = whole.index(last, offsetBy: cut + 1)
      let found = try picture(String(whole[..<end]), at: name)
      #expect(found.skipped.isEmpty && all.starts(with: found.messages.map(\.body)))
    }
  }

  // MARK: Wrong files

  @Test(arguments: ["aider", "cline", "copilot", "copilot-chat", "pi", "amp"])
  func `a file of something else under a format's name is said to be another`(format: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array("{\"tea\":[1,2,3]}\n".utf8), to: "\(folder)/a.json")
      let found = try ImportPicture([folder], ImportOptions(format: format, timeZone: .gmt))
      #expect(found.messages.isEmpty && !found.skipped.isEmpty)
    }
  }
}

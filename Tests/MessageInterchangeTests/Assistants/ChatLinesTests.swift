import Foundation
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageInterchange

/// Programs that write a line for each message, with a role and a content.
@Suite struct ChatLinesTests {
  private static let place = ".cursor/projects/home-ann-tea/agent-transcripts"

  private static func asked(_ text: String) -> String {
    #"{"role":"user","message":{"content":[{"type":"text","text":"\#(text)"}]}}"# + "\n"
  }

  private static func replied(_ text: String) -> String {
    #"{"role":"assistant","message":{"content":[{"type":"text","text":"\#(text)"}]}}"# + "\n"
  }

  private func picture(_ text: String, at place: String) throws -> ImportPicture {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/home/\(place)")
      return try ImportPicture(["\(folder)/home/\(place)"])
    }
  }

  /// A program of this shape that nothing else is known of.
  private static func read(_ lines: String, by shape: ChatShape) throws -> [String] {
    let entry = AssistantEntry(
      "made-up", "Robin", .lines, versions: "1", verified: "2026-11", shape: shape)
    let format = OfEntry(entry: entry, shape: shape)
    return try Fixture.withFolder { folder in
      try Fixture.write(Array(lines.utf8), to: "\(folder)/one.log")
      var options = ImportOptions.utc
      options.formats = [format]
      options.format = "made-up"
      options.me = "Ann"
      return try ImportPicture(["\(folder)/one.log"], options).messages.map(\.text)
    }
  }

  private struct OfEntry: ImportFormat {
    let entry: AssistantEntry
    let shape: ChatShape
    var name: String { entry.format }
    var title: String { entry.program }

    func score(_ sample: FormatSample) -> Int { 70 }

    func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
      JSONRowsReader(ChatLines(entry, shape, file: file, options: options), file: file)
    }
  }

  // MARK: Shapes

  @Test func `roles, texts, times, ids and models are read under the names of their program`() throws {
    let lines = """
      {"author":{"kind":"person"},"body":"tea?","at":1772359200,"no":"a"}
      {"author":{"kind":"bot","brain":"leaf-2"},"body":["green","black"],"at":1772359201500,"no":"b"}
      {"author":{"kind":"bot"},"body":"done"}

      """
    let shape = ChatShape(
      voices: ["author.kind=person": .me, "author.kind=bot": .assistant], text: ["body"], time: ["at"],
      id: ["no"], model: ["author.brain"])
    #expect(
      try Self.read(lines, by: shape) == [
        "2026-3-1 10:0:0 second tea? text <Ann> |tea?|",
        "2026-3-1 10:0:1.500 millisecond tea? text <Robin> |green|",
        "2026-3-1 10:0:1.500 millisecond tea? text <Robin> |black|",
        "2026-3-1 10:0:1.500 millisecond tea? text <Robin> |done|",
      ])
  }

  @Test func `thoughts, calls and results are read in the forms of several interfaces`() throws {
    let lines = """
      {"role":"user","content":"count","timestamp":"2026-03-01T10:00:00Z"}
      {"role":"assistant","reasoning_content":"three?","content":"I count.","tool_calls":[{"id":"c1","type":"function","function":{"name":"wc","arguments":"{\\"path\\":\\"tea.txt\\"}"}}]}
      {"role":"tool","tool_call_id":"c1","content":"3"}
      {"role":"assistant","content":[{"type":"reasoning","text":"sure"},{"type":"tool_call","name":"cat","input":{"path":"a"}},{"type":"tool_call","name":"ls","input":{}}]}
      {"role":"tool","content":[{"type":"text","text":"first"}],"is_error":true}
      {"role":"tool","content":"second"}
      {"role":"assistant","content":[{"type":"image_url","image_url":{"url":"https://a.example/cup.png"}}]}
      {"role":"mayor","content":"hear me"}

      """
    let read = try Self.read(lines, by: ChatShape()).map { $0.split(separator: "count ")[1] }
    #expect(
      read == [
        "text <Ann> |count|", "thinking <Robin> |three?|", "text <Robin> |I count.|",
        "tool <Robin> |wc␊path: tea.txt|", "result <wc> |3|", "thinking <Robin> |sure|",
        "tool <Robin> |cat␊path: a|", "tool <Robin> |ls|", "result <cat> |failed: first|",
        "result <ls> |second|", "text <Robin> ||",
        #"unknown - |{"role":"mayor","content":"hear me"}|"#,
      ])
  }

  @Test func `what a turn used follows it, fresh or with what was cached`() throws {
    let lines = """
      {"role":"user","content":"tea","ts":1772359200}
      {"role":"assistant","content":"hot","ts":1772359201,"usage":{"in":10,"out":2,"hit":4,"usd":0.5}}
      {"role":"assistant","content":"sweet","ts":1772359202,"usage":{"in":10,"out":3}}

      """
    func total(_ usage: ChatShape.Usage) throws -> String {
      String(try Self.read(lines, by: ChatShape(usage: usage)).last?.split(separator: "|").last ?? "")
    }
    #expect(
      try total(.init(sent: "usage.in", cached: "usage.hit", received: "usage.out", cost: "usage.usd"))
        == "Tokens: 20 sent (4 of them cached), 5 received. Cost: $0.50.")
    #expect(
      try total(.init(fresh: "usage.in", cached: "usage.hit", received: "usage.out"))
        == "Tokens: 24 sent (4 of them cached), 5 received.")
  }

  @Test func `a title in the file names the session`() throws {
    let lines = """
      {"role":"user","content":"tea","ts":1772359200}
      {"title":"Making tea","role":"assistant","content":"hot"}

      """
    let texts = try Self.read(lines, by: ChatShape(title: ["title"]))
    #expect(texts.allSatisfy { $0.contains(" Making tea text ") } && texts.count == 2)
  }

  @Test func `the folder is found in what a program adds to a question`() throws {
    let line =
      #"{"source":"USER_EXPLICIT","created_at":"2026-09-17T09:00:00Z","content":"#
      + #""<USER_REQUEST>\nCheck.\n</USER_REQUEST><ADDITIONAL_METADATA>{\"cwd\":\"/home/ann/shed\"}</ADDITIONAL_METADATA>"}"#
    let place = ".gemini/antigravity/brain/ab12/.system_generated/logs/transcript.jsonl"
    let found = try picture(line + "\n", at: place)
    #expect(found.messages.map(\.conversation) == ["shed > Check."])
    #expect(found.messages.map(\.body) == ["Check."])
  }

  // MARK: Recognition

  @Test func `a file of a place is known by its shape, a copy elsewhere by keys of its own`() throws {
    let lines = Self.asked("tea?") + Self.replied("green")
    #expect(try picture(lines, at: "\(Self.place)/s1/s1.jsonl").files.map(\.format) == ["cursor"])
    #expect(try picture(lines, at: "old.jsonl").files.map(\.format) == ["cursor"])
    let steps =
      #"{"source":"USER_EXPLICIT","created_at":"2026-09-17T09:00:00Z","content":"<USER_REQUEST>\nCheck.\n</USER_REQUEST>"}"#
      + "\n"
    let logs = "brain/ab12/.system_generated/logs/transcript.jsonl"
    #expect(
      try picture(steps, at: ".gemini/antigravity-cli/\(logs)").files.map(\.format) == ["antigravity"])
    // These keys may be anyone's.
    #expect(try picture(steps, at: "old/\(logs)").files.map(\.format) == ["json-lines"])
  }

  @Test func `other lines in a place stay those of their program`() throws {
    let lines =
      #"{"conversation":"tea","time":"2024-02-01T10:00:00Z","sender":"robin","kind":"text","text":"a lamp"}"#
      + "\n"
    #expect(try picture(lines, at: "\(Self.place)/s1/s1.jsonl").files.map(\.format) == ["jsonl"])
  }

  @Test func `hidden folders of a session are read from the program's folder on`() throws {
    let name = "brain/ab12/.system_generated"
    let step =
      #"{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","created_at":"2026-09-17T09:00:00Z","content":"Yes."}"#
    try Fixture.withFolder { home in
      let folder = "\(home)/.gemini/antigravity"
      try Fixture.write(Array(step.utf8), to: "\(folder)/\(name)/logs/transcript.jsonl")
      try Fixture.write(Array(step.utf8), to: "\(folder)/\(name)/cache/transcript.jsonl")
      #expect(try ImportPicture([folder]).messages.map(\.body) == ["Yes."])
    }
  }

  @Test func `a transcript in full takes the place of the one beside it`() throws {
    try Fixture.withFolder { folder in
      try FileManager.default.copyItem(atPath: Fixture.path("antigravity"), toPath: "\(folder)/a")
      let logs = "\(folder)/a/brain/ab12/.system_generated/logs"
      try FileManager.default.copyItem(
        atPath: "\(logs)/transcript_full.jsonl", toPath: "\(logs)/transcript.jsonl")
      let both = try ImportPicture([folder])
      #expect(both.files.count == 1 && both.skipped.map(\.scope) == [.ignored, .ignored])
      try FileManager.default.removeItem(atPath: "\(logs)/transcript_full.jsonl")
      #expect(try ImportPicture([folder]).messages.map(\.text) == both.messages.map(\.text))
    }
  }

  // MARK: Cursor

  @Test func `a line without a time has that of the question before, or the day of its file`() throws {
    let dated =
      "<timestamp>Sunday, Mar 1, 2026, 6:05 PM (UTC+5:30)</timestamp>\\n<user_query>\\ntea?\\n</user_query>"
    let lines = Self.asked("hello") + Self.replied("hi") + Self.asked(dated) + Self.replied("green")
    try Fixture.withFolder { folder in
      let path = "\(folder)/\(Self.place)/s1/s1.jsonl"
      try Fixture.write(Array(lines.utf8), to: path)
      let date = Date(timeIntervalSince1970: 1_772_359_200)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      #expect(
        try ImportPicture([path]).messages.map(\.text) == [
          "2026-3-1 0:0:0 day hello text <me> |hello|", "2026-3-1 0:0:0 day hello text <Cursor> |hi|",
          "2026-3-1 12:35:0 minute hello text <me> |tea?|",
          "2026-3-1 12:35:0 minute hello text <Cursor> |green|",
        ])
      var options = ImportOptions.utc
      options.day = CivilTime(year: 2025, month: 1, day: 2)
      #expect(try ImportPicture([path], options).messages[0].text.hasPrefix("2025-1-2 0:0:0 day "))
    }
  }

  @Test
  func
    `in an archive, where files have no day, lines without a time are reported, or have the day that is given`()
    throws
  {
    let lines = Self.asked("tea?") + #"{"type":"turn_ended"}"# + "\n"
    let archive = StoredArchive(of: Data(lines.utf8), named: "s1.jsonl")
    try Fixture.withFolder { folder in
      try Fixture.write(archive.bytes, to: "\(folder)/a.zip")
      let undated = try ImportPicture(["\(folder)/a.zip"])
      #expect(undated.messages.isEmpty && undated.skipped.map(\.line) == [1])
      var options = ImportOptions.utc
      options.day = CivilTime(year: 2025, month: 1, day: 2)
      #expect(try ImportPicture(["\(folder)/a.zip"], options).messages.map(\.body) == ["tea?"])
    }
  }

  @Test func `what an agent did is a conversation of its own, named by its session`() throws {
    let lines = Self.asked("look for cups") + Self.replied("three")
    let found = try picture(lines, at: "\(Self.place)/7c1c7a10-1/subagents/a1.jsonl")
    #expect(found.messages.map(\.details?.source?.id) == ["7c1c7a10-1/a1/1", "7c1c7a10-1/a1/2"])
    #expect(found.messages.allSatisfy { $0.text.contains("look for cups (agent of 7c1c7a10)") })
  }

  @Test func `a session that is followed line by line gives what an import of all of it gives`() throws {
    for name in ["cursor/projects", "antigravity/brain"] {
      let root = Fixture.path(name)
      let file = try #require(
        FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String }.sorted().last {
          $0.hasSuffix("l")
        })
      let path = "\(root)/\(file)"
      let whole = try Array(Data(contentsOf: URL(filePath: path)))
      let all = try ImportPicture([path]).messages.map(\.text).filter { !$0.contains("|Tokens: ") }
      let ends = whole.indices.filter { whole[$0] == 0x0A }.map { Int64($0 + 1) }
      var reader = try ImportReader(FoundFile(at: path), endingAt: ends.first, options: .utc)
      var texts: [String] = []
      for end in ends {
        reader.goOn(to: end, latest: nil)
        while let event = reader.next() {
          guard case .batch(let batch) = event else { continue }
          for entry in batch.entries.entries {
            texts.append(ImportPicture.Line(entry, details: nil, in: batch.entries).text)
          }
        }
      }
      #expect(texts.filter { !$0.contains("|Tokens: ") } == all)
    }
  }
}

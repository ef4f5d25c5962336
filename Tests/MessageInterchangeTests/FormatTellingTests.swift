import Foundation
import MessageInterchange
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

/// A format is told by what a file is, and not by how much of it was looked at.
@Suite struct FormatTellingTests {
  /// The folders of histories, of which each has a file with what is to come of it.
  private static let histories: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: Fixture.path(""))) ?? []
    return names.filter { names.contains("\($0).golden") }.sorted() + ["irc", "tables", "whatsapp", "jsonl"]
  }()

  /// The files below a folder, as paths from there.
  private static func files(below folder: String) -> [String] {
    guard let all = FileManager.default.enumerator(atPath: folder) else { return [] }
    return all.compactMap { $0 as? String }.filter { !$0.hasSuffix(".golden") }.sorted()
  }

  private func formats(
    of bytes: some Collection<UInt8>, at place: String, history: String = ""
  ) throws -> Set<String> {
    try Fixture.withFolder { folder in
      try Fixture.write(bytes, to: "\(folder)/\(place)")
      // Dialects of IRC are told apart by signs that may come late, and read alike until then.
      return Set(
        try ImportPicture([folder]).files.map { file in
          let isDialect = file.format.hasPrefix("irc-") && history == "irc"
          return isDialect ? "irc" : file.format
        })
    }
  }

  @Test(arguments: histories)
  func `the first lines of a history are known as what all of it is, or not at all`(history: String) throws {
    let root = Fixture.path(history)
    for file in Self.files(below: root) {
      guard let bytes = FileManager.default.contents(atPath: "\(root)/\(file)"), !bytes.contains(0) else {
        continue
      }
      let whole = try formats(of: bytes, at: "\(history)/\(file)", history: history)
      let ends = bytes.indices.filter { bytes[$0] == 0x0A }.prefix(40)
      for (number, end) in ends.enumerated() where isLong || [0, 1, 2, 4, 7, 11].contains(number) {
        let cut = try formats(of: bytes[...end], at: "\(history)/\(file)", history: history)
        #expect(cut.isSubset(of: whole), "\(file), first \(number + 1) lines")
      }
    }
  }

  @Test func `the dialect of a log is the same whatever was read before it`() throws {
    let root = Fixture.path("irc")
    var dialects: [(file: String, bytes: Data, format: String)] = []
    for file in Self.files(below: root) {
      guard let bytes = FileManager.default.contents(atPath: "\(root)/\(file)"), !bytes.isEmpty,
        let format = try ImportPicture(["\(root)/\(file)"]).files.first?.format
      else { continue }
      dialects.append((file.replacing("/", with: "-"), bytes, format))
    }
    #expect(Set(dialects.map(\.format)).count > 10)
    var dice = SeededGenerator(seed: 11)
    for _ in 0..<(isLong ? 4 : 2) {
      dialects.shuffle(using: &dice)
      try Fixture.withFolder { folder in
        for (place, dialect) in dialects.enumerated() {
          try Fixture.write(dialect.bytes, to: "\(folder)/\(1_000 + place)-\(dialect.file)")
        }
        #expect(try ImportPicture([folder]).files.map(\.format) == dialects.map(\.format))
      }
    }
  }

  @Test func `each format has a name of its own`() {
    let names = ImportFormats.names.map(\.name)
    #expect(Set(names).count == names.count)
  }

  // MARK: Claude Code

  private static let session =
    #""sessionId":"5b1c7a10-0000-4000-8000-000000000001","cwd":"/home/ann/tea","version":"2.1.220""#

  private func listing(_ number: Int, of byteCount: Int = 1) -> String {
    #"{"parentUuid":"u1",\#(Self.session),"type":"attachment","attachment":{"type":"skill_listing","content":""#
      + String(repeating: "x", count: byteCount)
      + #""},"uuid":"t\#(number)","timestamp":"2026-05-01T10:00:00.\#(number)00Z"}"#
  }

  private func failure(_ number: Int) -> String {
    #"{"parentUuid":null,\#(Self.session),"type":"system","subtype":"api_error","uuid":"e\#(number)","timestamp":"2026-05-01T09:59:0\#(number).000Z"}"#
  }

  private static let question =
    #"{"parentUuid":null,"isSidechain":false,\#(session),"type":"user","message":{"role":"user","content":"make tea"},"uuid":"u1","timestamp":"2026-05-01T10:00:00.000Z"}"#
  private static let answer =
    #"{"parentUuid":"t3",\#(session),"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"done"}]},"uuid":"a1","timestamp":"2026-05-01T10:00:05.000Z"}"#
  private static let end =
    #"{"parentUuid":"a1",\#(session),"type":"system","subtype":"turn_duration","durationMs":5000,"uuid":"y1","timestamp":"2026-05-01T10:00:06.000Z"}"#

  private func expectSession(_ lines: [String], _ texts: [String]) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: folder + "/a.jsonl")
      let picture = try ImportPicture([folder])
      #expect(picture.files.map(\.format) == ["claude-code"])
      #expect(picture.messages.filter { $0.kind == .text }.map(\.body) == texts)
      #expect(picture.skipped.isEmpty)
    }
  }

  @Test func `a short session of Claude Code is known among its listings`() throws {
    try expectSession(
      [Self.question, listing(1), listing(2), listing(3), Self.answer, Self.end], ["make tea", "done"])
  }

  @Test(arguments: [20_000, 70_000])
  func `a session that begins with a long listing is known`(byteCount: Int) throws {
    try expectSession([listing(1, of: byteCount), Self.question, Self.answer], ["make tea", "done"])
  }

  @Test
  func `a session that begins with errors of its service is known, and so is one that has nothing else yet`()
    throws
  {
    let failures = (1...5).map(failure)
    try expectSession(failures + [Self.question, Self.answer], ["make tea", "done"])
    try expectSession(failures, [])
    try expectSession([listing(1)], [])
  }

  @Test func `a record of no known sort is told by the name of its file`() throws {
    try Fixture.withFolder { folder in
      let name = "5b1c7a10-0000-4000-8000-000000000001.jsonl"
      try Fixture.write(Array("{\"type\":\"agent-setting\",\(Self.session)}\n".utf8), to: "\(folder)/\(name)")
      #expect(try ImportPicture([folder]).files.map(\.format) == ["claude-code"])
    }
  }

  @Test func `what tools gave a session may look like any other program's`() throws {
    let result =
      #"{"parentUuid":"u1",\#(Self.session),"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"ok"}]},"toolUseResult":{"event_id":"$1","origin_server_ts":1,"mapping":{},"create_time":1,"title":"t"},"uuid":"r1","timestamp":"2026-05-01T10:00:01.000Z"}"#
    try expectSession([result, Self.answer], ["done"])
  }

  // MARK: Bots

  @Test(arguments: [
    ("irc-bot", "[2014-01-01 08:04:58] ann: hello\n", "tea.log"),
    ("irc-bot", "[2014-01-01 08:04:58] [b__b]: hi\n[2014-01-01 08:04:59] ann: hello\n", "2014-01-01.txt"),
    ("irc-bot", "2014-01-01 08:04:58 <ann> hi\n2014-01-01 08:04:59 * ann waves\n", "tea.log"),
    ("irc-bot", "2014-01-01T08:04:58 <ann> hi\n", "tea.log"),
    ("irc-bot", "[2014-01-01 08:04:58] ann, joining. (#tea)\n[2014-01-01 08:04:59] ann: hal", "tea.log"),
    ("signal-chat", "[2014-01-01 08:04:58] Ann: hello\n\n[2014-01-01 08:04:59] Me: hi\n", "chat.md"),
    ("signal-chat", "[2014-01-01 08:04:58] Ann: hello\nand more\n[2014-01-01 08:04:59] Me: hi\n", "a.md"),
    (
      "whatsapp", "[2014-01-01 08:04:58] Ann B: hello\r\n[2014-01-01 08:04:59] Bo: \u{200E}x\r\n", "_chat.txt"
    ),
  ])
  func `a bot's lines are told from chats between people`(format: String, text: String, name: String) throws {
    #expect(try formats(of: Array(text.utf8), at: "tea/\(name)") == [format])
  }

  @Test func `the log of a program is none of a bot, though its lines begin alike`() throws {
    let lines = "2014-01-01 08:04:58 - INFO - started\n2014-01-01 08:04:59 ERROR: no tea\n"
    #expect(try !formats(of: Array(lines.utf8), at: "tea/app.log").contains("irc-bot"))
  }

  @Test(arguments: ["irc/bot/tea/2014/01/02.txt", "irc/html/tea/2009-01-05.html"])
  func `a bot's log is followed line by line`(log: String) throws {
    let nature = try FileNature(of: FoundFile(at: Fixture.path(log)), options: .utc)
    #expect(nature == .lines)
  }

  // MARK: Logs that are not read

  @Test(arguments: [
    (
      "storage/message/ses_1/msg_1.json",
      #"{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}"#,
      "it is a part of a session of opencode before 1.2 (import the folder 'storage' that it lies in, unpacked)"
    ),
    (
      "b.jsonl",
      #"{"type":"turn","timestamp":"2026-05-01T10:00:02Z","content":[{"type":"text","text":"look"},{"type":"thinking","thinking":"hm"}]}"#,
      "it is the log of a program whose messages have parts that JSON Lines would lose, as calls of tools (--format json-lines reads the texts alone)"
    ),
  ])
  func `a log of which half would be lost is refused with a sentence`(
    name: String, text: String, reason: String
  ) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.isEmpty && picture.skipped.map(\.reason) == [reason])
    }
  }
}

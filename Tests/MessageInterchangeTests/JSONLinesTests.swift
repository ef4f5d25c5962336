import Foundation
import MessageInterchange
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@Suite struct JSONLinesTests {
  @Test func `what was exported and read is exported to the same bytes`() throws {
    let path = Fixture.path("jsonl/canonical.jsonl")
    let picture = try ImportPicture([path])
    #expect(picture.skipped.isEmpty)
    let again = String(decoding: exported(picture.messages, by: JSONLinesExport()), as: UTF8.self)
    try expectGolden(again, "jsonl/canonical.jsonl")
  }

  @Test(arguments: UInt64(0)..<(isLong ? 40 : 10))
  func `a message of nothing but its row is written as a whole one, whatever its bytes`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var format = JSONLinesExport()
    for _ in 0..<50 {
      let bytes = Self.bytes(using: &generator)
      let sender = Bool.random(using: &generator) ? Sender(id: .init(rawValue: 1), name: "A\"\u{85}é") : nil
      let number = Int64.random(in: .min ... .max, using: &generator)
      let answered = Bool.random(using: &generator) ? Message.ID(rawValue: number / 3) : nil
      let whole = ExportRecord(
        id: Message.ID(rawValue: number >> (number & 31)), conversation: "tea \u{202E}\(seed % 3)",
        precision: TimePrecision.allCases[Int(seed % 4)], sender: sender?.name,
        senderID: sender.map { _ in "U\\1" },
        kind: Message.Kind.allCases.randomElement(using: &generator) ?? .text,
        text: String(decoding: bytes, as: UTF8.self), replyTo: answered, thread: answered)
      var (plainLine, wholeLine): ([UInt8], [UInt8]) = ([], [])
      format.write(whole, to: &wholeLine)
      bytes.withUnsafeBytes { text in
        let plain = RawMessage(
          id: whole.id, precision: whole.precision, sender: sender, senderID: whole.senderID,
          kind: whole.kind,
          text: text, replyTo: answered, thread: answered)
        format.write(plain, conversation: whole.conversation, to: &plainLine)
      }
      #expect(String(decoding: plainLine, as: UTF8.self) == String(decoding: wholeLine, as: UTF8.self))
      #expect(plainLine.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A })
    }
  }

  /// Up to 40 pieces: letters, what must be escaped or comes close to it, and bytes that are no UTF-8.
  private static func bytes(using generator: inout SeededGenerator) -> [UInt8] {
    let texts = [
      "twelve bytes", "\"", "\\", "\n", "\r", "\t", "\u{0}", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "\u{A0}",
      "潮汐",
      "👍🏽", "\u{61C}", "\u{61B}", "\u{200D}", "\u{200E}", "\u{2028}", "\u{202F}", "\u{2066}", "\u{206A}",
    ]
    let broken: [[UInt8]] = [
      [0xC2], [0xE2, 0x80], [0xF0, 0x9F], [0xED, 0xA0, 0x80], [0xFF], [0xC0, 0x80],
    ]
    let pieces = texts.map { Array($0.utf8) } + broken
    let count = Int.random(in: 0...40, using: &generator)
    return (0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
  }

  @Test func `a history that begins with a message longer than all that is looked at is known`() throws {
    try Fixture.withFolder { folder in
      let words = String(repeating: "tea ", count: 50_000)
      let line =
        "{\"conversation\":\"tea\",\"time\":\"2024-05-01T10:00:00Z\",\"sender\":\"ann\",\"text\":\"\(words)\"}\n"
      try Fixture.write(Data(line.utf8), to: "\(folder)/a.jsonl")
      let found = try ImportPicture([folder])
      #expect(found.files.map(\.format) == ["jsonl"] && found.messages.count == 1)
    }
  }

  @Test func `hostile lines are skipped one by one, with line and reason`() throws {
    let picture = try ImportPicture([Fixture.path("jsonl/hostile.jsonl")])
    #expect(picture.files.map(\.format) == ["jsonl"])
    try expectGolden(picture.text, "jsonl/hostile.golden")
  }

  @Test func `every cut of a line is skipped and none of them crashes`() throws {
    let lines = try Array(Data(contentsOf: URL(filePath: Fixture.path("jsonl/canonical.jsonl"))))
      .split(separator: 0x0A)
    let line = try #require(lines.max { $0.count < $1.count })
    try Fixture.withFolder { folder in
      var cuts: [UInt8] = []
      for end in 1..<line.count { cuts += line.prefix(end) + [0x0A] }
      try Fixture.write(cuts, to: folder + "/cuts.jsonl")
      let picture = try ImportPicture([folder], ImportOptions(format: "jsonl", timeZone: .gmt))
      #expect(picture.messages.isEmpty)
      #expect(picture.skipped.count { $0.scope == .record } == line.count - 1)
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 6))
  func `a line with bytes changed at random never crashes the reader`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bytes = try Array(Data(contentsOf: URL(filePath: Fixture.path("jsonl/canonical.jsonl"))))
    for _ in 0..<200 {
      let place = Int.random(in: bytes.indices, using: &generator)
      bytes[place] = UInt8.random(in: 0...255, using: &generator)
    }
    try Fixture.withFolder { folder in
      try Fixture.write(bytes, to: folder + "/changed.jsonl")
      let picture = try ImportPicture([folder], ImportOptions(format: "jsonl", timeZone: .gmt))
      #expect(picture.progress.messageCount == picture.messages.count)
      #expect(picture.progress.skippedRecordCount == picture.skipped.count { $0.scope == .record })
    }
  }

  @Test func `a line over the bound is passed over and the next one read`() throws {
    try Fixture.withFolder { folder in
      let good = Array(#"{"conversation":"c","time":"2024-05-01T12:00:00Z","text":"short"}"#.utf8)
      let long = [UInt8](repeating: 0x61, count: (64 << 20) + 300_000)
      try Fixture.write(good + [0x0A] + long + [0x0A] + good, to: folder + "/long.jsonl")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.body) == ["short", "short"])
      #expect(picture.skipped.map(\.line) == [2])
      #expect(picture.skipped.map(\.reason) == ["the line is longer than 64 MB"])
    }
  }

  @Test func `a time without a zone is one of the zone asked for`() throws {
    try Fixture.withFolder { folder in
      let line = #"{"conversation":"c","time":"2024-05-01 12:00:00","text":"x"}"#
      try Fixture.write(Array(line.utf8), to: folder + "/a.jsonl")
      #expect(try ImportPicture([folder], .berlin).messages.map(\.time.utc.hour) == [10])
    }
  }
}

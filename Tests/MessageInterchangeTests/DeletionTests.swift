import Foundation
import MessageInterchange
import MessageModel
import Testing

/// Messages whose contents were deleted.
@Suite struct DeletionTests {
  private func messages(_ text: String) throws -> [ImportPicture.Line] {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/a.jsonl")
      return try ImportPicture([folder]).messages
    }
  }

  private let deletion = Message.Deletion(
    at: Timestamp(millisecondsSince1970: 1_714_636_800_000),
    by: SenderKey(name: "Ann *A*", externalID: "U1"))

  @Test func `JSON Lines keep them`() throws {
    let deletions = [deletion, Message.Deletion(at: deletion.time), nil]
    var format = JSONLinesExport()
    var bytes: [UInt8] = []
    for (number, deletion) in deletions.enumerated() {
      var record = ExportRecord(
        id: Message.ID(rawValue: Int64(number) << 32), conversation: "c", sender: "Bo",
        text: deletion == nil ? "x" : "")
      record.deletion = deletion
      format.write(record, to: &bytes)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#""deleted":{"time":"2024-05-02T08:00:00.000Z","by":"Ann *A*","id":"U1"}"#))
    let read = try messages(text)
    #expect(read.map { $0.details?.deletion } == deletions)
    #expect(read.map(\.body) == ["", "", "x"])
    var again: [UInt8] = []
    for line in read { format.write(line.record, to: &again) }
    #expect(again == bytes)
  }

  @Test func `a text that is there is kept, and a word of other programs says nothing`() throws {
    let start = #"{"conversation":"c","time":"2024-05-01T12:34:00Z","sender":"Bo","kind":"text""#
    let read = try messages(
      """
      \(start),"text":"one","deleted":{"time":"2024-05-02T08:00:00Z"}}
      \(start),"text":"two","deleted":true}

      """)
    #expect(read.map(\.body) == ["one", "two"])
    #expect(read.allSatisfy { $0.details?.deletion == nil })
  }

  @Test func `exports for people say it in place of the text`() {
    var record = ExportRecord(
      id: Message.ID(rawValue: 7_022_866_009_247_744), conversation: "c", sender: "Bo", text: "")
    record.deletion = deletion
    func written(_ format: some ExportFormat) -> String {
      var (format, bytes) = (format, [UInt8]())
      format.write(record, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    let line = "[deleted by Ann *A*]"
    #expect(written(TextExport(timeZone: .gmt)).hasSuffix("Bo  \(line)\n"))
    #expect(written(MarkdownExport(timeZone: .gmt)).contains(#"\[deleted by Ann \*A\*\]"#))
    #expect(written(HTMLExport(timeZone: .gmt)).contains("<p dir=\"auto\">\(line)</p>"))
    #expect(written(TableExport(.csv)).contains(",\(line),"))
    #expect(written(MailboxExport()).contains("\n\n\(line)\n"))
  }
}

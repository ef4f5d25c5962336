import Foundation
import HistoryTransfer
import ScrollbackKit
import Testing

/// A format that somebody else writes, with what is public alone: this module is none of the package's, for the compiler.
@Suite struct ForeignFormatTests {
  private let folder = TemporaryFolder()

  /// The format that all of it is about.
  private var options: ImportOptions {
    var options = ImportOptions(timeZone: .gmt)
    options.formats = [TabFormat()]
    return options
  }

  private static let tabs = "1700000000\tmira\tTea?\n1700000060\tjo\tYes, with caf\u{E9}\n"

  /// All that an import tells: files with their formats, texts in conversations, and what was passed over.
  private func read(_ paths: [String], _ options: ImportOptions) throws -> [String] {
    var reader = try ImportReader(paths, options: options)
    var told: [String] = []
    while let event = reader.next() {
      switch event {
      case .file(let file): told.append("\(URL(filePath: file.path).lastPathComponent) is \(file.format)")
      case .batch(let batch):
        told += batch.entries.entries.map { entry in
          let sender = batch.entries.string(entry.sender) ?? "-"
          let room = batch.entries.conversations[Int(entry.conversation)]
          return "\(room): \(sender): \(batch.entries.string(entry.text) ?? "")"
        }
      case .skipped(let record):
        told.append("\(URL(filePath: record.description).lastPathComponent) [\(record.record.count)]")
      }
    }
    return told
  }

  @Test func `it is told by its content, beside the formats that are built in`() throws {
    try folder.write(Array(Self.tabs.utf8), to: "a.log")
    let ours = #"{"conversation":"tower","time":"2024-01-02T10:11:12.000Z","sender":"ada","text":"hello"}"#
    try folder.write(Array(ours.utf8), to: "b.log")
    let told = try read([folder.path], options)
    #expect(told.filter { $0.hasPrefix("a.log is") } == ["a.log is tabs"])
    #expect(told.contains("a.log: mira: Tea?"))
    #expect(told.contains("b.log is jsonl"))
    #expect(told.contains("tower: ada: hello"))
    #expect(try !read([folder.path], ImportOptions()).contains("a.log is tabs"))
  }

  @Test func `its files are read out of archives, and in other encodings`() throws {
    let wide: [UInt8] =
      [0xFF, 0xFE] + Self.tabs.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
    let narrow = Self.tabs.unicodeScalars.map { UInt8($0.value) }
    try folder.write(tar(["wide.tabs": wide, "narrow.tabs": narrow]), to: "logs.tar")
    #expect(
      try read([folder.path + "/logs.tar"], options) == [
        "logs.tar:narrow.tabs is tabs", "logs.tar:wide.tabs is tabs",
        "narrow.tabs: mira: Tea?", "narrow.tabs: jo: Yes, with café",
        "wide.tabs: mira: Tea?", "wide.tabs: jo: Yes, with café",
      ])
  }

  @Test func `records that make no sense are told by their lines, and the rest is read`() throws {
    let lines = ["1700000000\tmira\tTea?", "never\tjo\tNo", "1700000060\tjo\tYes"]
    try folder.write(Array(lines.joined(separator: "\n").utf8), to: "x.tabs")
    let told = try read([folder.path + "/x.tabs"], options)
    #expect(
      told == [
        "x.tabs is tabs", "x.tabs: mira: Tea?", "x.tabs: jo: Yes", "x.tabs:2: it has no time [11]",
      ])
  }

  @Test func `what no store can take is passed over, and no reader can break the import`() throws {
    struct OddFormat: ImportFormat, HistoryReader {
      let name = "odd"
      let title = "Odd"
      func score(_ sample: FormatSample) -> Int { 1_000 }
      func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader { self }
      func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
        let isExtended = sink.extendLast(withLine: "behind nothing")
        #expect(!isExtended)
        var never = Timestamp(millisecondsSince1970: 0)
        never.millisecondsSince1970 = .max
        sink.append(RichMessage(time: never, text: "late"), to: "odd", line: 7)
        throw InterchangeError(.unreadable, "cannot go on", cause: "the tape is torn")
      }
    }
    try folder.write(Array("anything\n".utf8), to: "x")
    var odd = ImportOptions()
    odd.formats = [OddFormat()]
    let told = try read([folder.path + "/x"], odd)
    #expect(
      told == [
        "x is odd", "x:7: its time is out of the range of times [4]", "x: the tape is torn [0]",
      ])
  }

  @Test func `it is chosen by its name, and goes into the conversation that was named`() throws {
    try folder.write(Array("1700000000\tmira\tTea?\n".utf8), to: "x.txt")
    var chosen = options
    chosen.format = "tabs"
    chosen.conversation = "tea"
    #expect(try read([folder.path + "/x.txt"], chosen) == ["x.txt is tabs", "tea: mira: Tea?"])
    chosen.format = "knots"
    let error = try #require(throws: InterchangeError.self) { try ImportReader([], options: chosen) }
    #expect(
      error.kind == .unknownFormat && error.remedy?.description.hasPrefix("one of: tabs, jsonl, ") == true)
  }

  @Test func `a batch is never larger than it may be, however many records there are`() throws {
    let lines = (0..<40_000).map { "\(1_700_000_000 + $0)\tmira\t\($0)\n" }.joined()
    try folder.write(Array(lines.utf8), to: "x.tabs")
    var reader = try ImportReader([folder.path], options: options)
    var counts: [Int] = []
    while let event = reader.next() {
      if case .batch(let batch) = event { counts.append(batch.entries.count) }
    }
    #expect(counts == [16_384, 16_384, 7_232])
  }
}

/// Returns an archive of files by their names (POSIX.1-1988, ustar).
private func tar(_ files: [String: [UInt8]]) -> [UInt8] {
  let blocks = files.sorted { $0.key < $1.key }.flatMap { name, content in
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: digits - text.count) + text
    }
    put(name, at: 0)
    put("0000644", at: 100)
    put(octal(content.count, 11), at: 124)
    put(octal(0, 11), at: 136)
    put("0", at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    put(String(repeating: " ", count: 8), at: 148)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0", at: 148)
    return header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }
  return blocks + [UInt8](repeating: 0, count: 1_024)
}

import Foundation
import MessageInterchange
import MessageModel
import TestSupport
import Testing

/// Records of JSON Lines that are no messages.
@Suite struct SettingTextTests {
  /// The lines that docs/json/store.md shows of all of a store.
  private static func documented() throws -> [String] {
    let page = try String(contentsOf: GoldenFile.root.appending(path: "docs/json/store.md"), encoding: .utf8)
    let section = page.split(separator: "\n## ").first { $0.hasPrefix("All of a store") } ?? ""
    return section.split(separator: "\n").filter { $0.hasPrefix("{") }.map(String.init)
  }

  private static func batches(of lines: [String], _ options: ImportOptions = ImportOptions()) throws
    -> [ImportedMessages]
  {
    try Fixture.withFolder { folder in
      try Fixture.write(Data((lines.joined(separator: "\n") + "\n").utf8), to: "\(folder)/store.jsonl")
      var reader = try ImportReader(["\(folder)/store.jsonl"], options: options)
      var batches: [ImportedMessages] = []
      while let event = reader.next() {
        switch event {
        case .file(let file): #expect(file.format == "jsonl")
        case .batch(let batch): batches.append(batch)
        case .skipped(let record): Issue.record("\(record.description)")
        }
      }
      return batches
    }
  }

  @Test func `the records that the document shows are of all kinds, and are written again as they stand`()
    throws
  {
    let lines = try Self.documented()
    let batch = try #require(try Self.batches(of: lines).first)
    #expect(Set(batch.settings.map(\.setting.kind)) == Set(StoreSetting.Kind.allCases))
    var written: [UInt8] = []
    SettingText.writeHeader(messageCount: 2, importCount: 1, to: &written)
    for setting in batch.settings { SettingText.write(setting.setting, to: &written) }
    let expected = lines.filter { !$0.hasPrefix("{\"id\"") }.map { $0 + "\n" }.joined()
    #expect(String(decoding: written, as: UTF8.self) == expected)
    #expect(batch.entries.details[0]?.origin == .listed(file: 0, number: 3))
  }

  @Test func `what brought a message is known in a file that is a whole store alone`() throws {
    let line = #"{"conversation":"sea","time":"2024-05-01T12:00:00Z","text":"tea","import":7}"#
    let byHand = #"{"conversation":"sea","time":"2024-05-01T12:00:00Z","text":"tea"}"#
    let whole = try #require(try Self.batches(of: [#"{"store":{}}"#, line, byHand]).first)
    #expect(whole.entries.details[0]?.origin == .listed(file: 0, number: 7))
    #expect(whole.entries.details[1]?.origin == .writtenByHand)
    let part = try #require(try Self.batches(of: [line, byHand]).first)
    #expect(part.entries.details.values.allSatisfy { $0.origin == nil })
  }

  @Test func `a file of settings alone is one of the format`() throws {
    let lines = (0..<5_000).map { #"{"mark":{"name":"m\#($0)","conversation":"sea","id":"\#($0)"}}"# }
    let batches = try Self.batches(of: lines)
    #expect(batches.count > 1 && batches.reduce(0) { $0 + $1.settings.count } == 5_000)
    #expect(batches.allSatisfy { $0.settings.count <= 1_024 && $0.entries.isEmpty })
  }
}

import Foundation
import MessageInterchange
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

/// Every fixture that a reader imports, as another version of its platform might write it.
@Suite struct MutatedHistoryTests {
  /// Formats of assistants: a record is several messages, of which one without a text is left out. What is
  /// dropped with a whole record is in `DroppedRecordTests`.
  private static let formatsOfParts = Set(
    [
      "amp", "character-ai", "chatgpt", "claude-ai", "claude-code", "cline", "codex", "continue", "copilot",
      "copilot-chat", "deepseek", "droid", "gemini-cli", "gemini-takeout", "goose", "grok", "kimi",
      "librechat", "lm-studio", "open-webui", "openhands", "pi", "qwen-code", "sillytavern", "specstory",
    ] + ImportFormats.assistants.filter(\.isOfLines).map(\.format))

  private static let count = isLong ? 100_000 : 1_200

  /// A file, and what an import of it unchanged gives.
  struct History: CustomTestStringConvertible {
    /// The path below `Fixtures`.
    var name: String
    var format: String
    var messageCount: Int
    var recordCount: Int

    var testDescription: String { name }

    init?(_ name: String) {
      let path = Fixture.path(name)
      guard !name.hasSuffix(".golden"), !name.contains("hostile"),
        let bytes = FileManager.default.contents(atPath: path),
        !Mutation.all(of: Array(bytes), named: name).isEmpty, let picture = try? Self.picture(path, as: nil),
        let file = picture.files.first, !picture.messages.isEmpty
      else { return nil }
      self.name = name
      format = file.format
      messageCount = picture.messages.count
      recordCount = Self.recordCount(of: picture)
    }

    static func picture(_ path: String, as format: String?) throws -> ImportPicture {
      var options = ImportOptions(format: format, timeZone: .gmt)
      options.keepsOriginal = true
      return try ImportPicture([path], options)
    }

    /// The records that were read or named. One may be several messages, of which each has the whole record.
    static func recordCount(of picture: ImportPicture) -> Int {
      let originals = picture.messages.compactMap { $0.details?.source?.original }
      return Set(originals).count + picture.messages.count - originals.count
        + picture.skipped.count { $0.scope == .record }
    }
  }

  static let histories: [History] = {
    let others = ["help/", "fuzz/", "json/", "pictures/", "archives/", "history/"]
    let all = FileManager.default.enumerator(atPath: Fixture.path(""))?.allObjects ?? []
    let names = all.compactMap { $0 as? String }.filter { name in !others.contains { name.hasPrefix($0) } }
    return names.sorted().compactMap(History.init)
  }()

  @Test(arguments: histories)
  func `a changed history has no message that says nothing, and each record that is dropped is named`(
    history: History
  ) throws {
    let whole = try Array(Data(contentsOf: URL(filePath: Fixture.path(history.name))))
    var random = SeededGenerator(seed: UInt64(whole.count))
    try Self.withCopy(of: history.name) { path in
      for mutant in Mutant.some(Self.count / Self.histories.count, of: whole, named: history.name, &random) {
        try Data(mutant.bytes).write(to: URL(filePath: path))
        let format = random.oneIn(2) ? history.format : nil
        let picture = try History.picture(path, as: format)
        let what = "\(history.name): \(mutant.changes), as \(format ?? "what it is")"
        expectContent(of: picture, what)
        if Self.formatsOfParts.contains(history.format) { continue }
        if mutant.hasAllRecords || history.messageCount > mutant.changes.count, !mutant.isBlank {
          #expect(!picture.messages.isEmpty || !picture.skipped.isEmpty, "\(what): nothing is read or named")
        }
        guard mutant.hasAllRecords,
          Self.equalRecordCount(in: mutant.bytes) == Self.equalRecordCount(in: whole),
          picture.skipped.allSatisfy({ $0.scope == .record })
        else { continue }
        let count = History.recordCount(of: picture)
        #expect(count >= history.recordCount, "\(what): \(count) of \(history.recordCount) records")
      }
    }
  }

  /// Two records that a mutation made equal count as one.
  private static func equalRecordCount(in bytes: [UInt8]) -> Int {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { $0.count >= 64 }
    return lines.count - Set(lines).count
  }

  /// Calls `body` with the path of a copy of a fixture, with all that lies beside it.
  private static func withCopy(of name: String, _ body: (String) throws -> Void) throws {
    guard let top = name.split(separator: "/").first else { return }
    try Fixture.withFolder { folder in
      try FileManager.default.copyItem(atPath: Fixture.path(String(top)), toPath: "\(folder)/\(top)")
      try body("\(folder)/\(name)")
    }
  }

  @Test func `messages of which only the kind is known are few, and become fewer`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Fixture.path("")).filter {
      !$0.hasSuffix(".golden") && $0 != "fuzz" && $0 != "archives"
    }
    let picture = try ImportPicture(names.sorted().map(Fixture.path))
    var counts: [String: Int] = [:]
    for batch in picture.batches {
      for run in batch.runs {
        let format = picture.files[run.file].format
        counts[format, default: 0] += batch.entries.entries[run.entries].count(where: \.isNamedOnly)
      }
    }
    let lines = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
    try expectGolden(lines.joined(), "named.golden")
  }
}

/// A history with one or two changes.
struct Mutant {
  var bytes: [UInt8]
  var changes: [Mutation]
  /// Whether all records are still there to be read or named.
  var hasAllRecords: Bool

  var isBlank: Bool { bytes.allSatisfy { $0 <= 0x20 } }

  /// Returns `count` mutants: if that is enough, one for each mutation, and then some with two mutations.
  static func some(
    _ count: Int, of whole: [UInt8], named name: String, _ random: inout SeededGenerator
  ) -> [Mutant] {
    let mutations = Mutation.all(of: whole, named: name)
    let hasEach = count >= mutations.count
    return (0..<max(count, 1)).map { number in
      let isEach = hasEach && number < mutations.count
      let mutation = mutations[isEach ? number : random.below(mutations.count)]
      let mutant = Mutant(
        bytes: mutation.apply(to: whole), changes: [mutation], hasAllRecords: !mutation.mayTakeRecords)
      return hasEach && !isEach ? mutant.changedAgain(named: name, &random) : mutant
    }
  }

  private func changedAgain(named name: String, _ random: inout SeededGenerator) -> Mutant {
    let others = Mutation.all(of: bytes, named: name)
    guard !others.isEmpty else { return self }
    let other = others[random.below(others.count)]
    return Mutant(bytes: other.apply(to: bytes), changes: changes + [other], hasAllRecords: false)
  }
}

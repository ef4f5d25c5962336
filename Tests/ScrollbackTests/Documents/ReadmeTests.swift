import Foundation
import TestSupport
import Testing

/// What README says is what the program does, and what was measured.
@Suite(.serialized) struct ReadmeTests {
  private let readme = GoldenFile(GoldenFile.root.appending(path: "README.md").path)

  private func text() throws -> String {
    try String(contentsOf: GoldenFile.root.appending(path: "README.md"), encoding: .utf8)
  }

  @Test func `the transcript is what its commands answer, but for times and ids`() throws {
    let fixture = try FailingStoreFixture()
    let played = try Transcript(try text()).played(in: fixture.folder)
    try expectGolden(played, readme) { text in
      // What was written while it was played, and not long before.
      text.replacing(/20(?!24)\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{3}Z)?/, with: "TIME")
        .replacing(/"id":"\d+"/, with: "\"id\":\"ID\"")
    }
  }

  @Test func `the table of speeds tells what is in results.json`() throws {
    let table = try SpeedTable(results: GoldenFile.root.appending(path: "docs/benchmarks/results.json"))
    let lines = try text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex(of: SpeedTable.head))
    let end = try #require(lines[start...].firstIndex(of: ""))
    let after = try #require(lines[(end + 1)...].firstIndex(of: ""))
    let made = lines[..<start] + (try table.lines) + ["", table.origin] + lines[after...]
    try expectGolden(made.joined(separator: "\n"), readme)
  }
}

/// The transcript of README.md: the block behind the line `<!-- transcript -->`, its commands behind `$`.
private struct Transcript {
  private static let mark = "<!-- transcript -->"
  private static let indent = "    "

  private let before: ArraySlice<String>
  private let block: ArraySlice<String>
  private let after: ArraySlice<String>

  init(_ page: String) throws {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex(of: Self.mark)) + 1
    let end = lines[start...].firstIndex { !$0.isEmpty && !$0.hasPrefix(Self.indent) } ?? lines.endIndex
    (before, block, after) = (lines[..<start], lines[start..<end], lines[end...])
  }

  /// The page with what the commands answer now, with a store of their own in `folder`.
  func played(in folder: URL) throws -> String {
    var lines: [String] = []
    for index in block.indices {
      let line = block[index]
      guard line.hasPrefix(Self.indent + "$ ") else { continue }
      if block[index - 1].isEmpty { lines.append("") }
      lines.append(line)
      let answer = try Self.answer(to: String(line.dropFirst(Self.indent.count + 2)), in: folder)
      lines += answer.split(separator: "\n").map { Self.indent + $0 }
    }
    return (before + lines + [""] + after).joined(separator: "\n")
  }

  /// What a command line writes, to whichever output.
  private static func answer(to command: String, in folder: URL) throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = GoldenFile.root
    process.environment = [
      "PATH": "\(BuiltProduct.folder.path):\(path)", "HOME": folder.path, "TZ": "UTC", "USER": "mira",
      "LANG": "C.UTF-8", "SCROLLBACK_STORE": folder.appending(path: "store.db").path,
    ]
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: answer, as: UTF8.self)
  }
}

/// The table of README.md that tells how fast Scrollback is, made of what was measured.
private struct SpeedTable {
  static let head = "| | Scrollback | beside |"

  private struct Finding: Decodable {
    struct Summary: Decodable {
      var median: Double
      var peakBytes: Double
    }

    struct Origin: Decodable {
      var commit: String?
      var time: String
    }

    var name: String
    var size: Int
    var origin: Origin?
    var ours: Summary
    var baseline: Summary?
  }

  private let findings: [String: Finding]
  /// The line below the table: the program that it is of, and whether a later one was measured since, if with fewer messages.
  let origin: String

  init(results: URL) throws {
    let all = try JSONDecoder().decode([Finding].self, from: Data(contentsOf: results))
    let large = all.filter { $0.size == 10_000_000 }
    findings = Dictionary(large.map { ($0.name, $0) }) { first, _ in first }
    func newest(_ findings: [Finding]) -> Finding.Origin? {
      findings.compactMap(\.origin).max { $0.time < $1.time }
    }
    let (own, present) = (try #require(newest(large)), newest(all))
    func text(_ origin: Finding.Origin?) -> String {
      "`\(origin?.commit ?? "unknown")` (\(origin?.time.prefix(10) ?? "?"))"
    }
    origin =
      own.commit == present?.commit
      ? "Measured at commit \(text(own))."
      : "Of an older program, commit \(text(own)); of \(text(present)) up to a million are measured."
  }

  var lines: [String] {
    get throws {
      let (newest, known) = (
        "start to the newest on screen", "start to the newest on screen, whole log known"
      )
      let (page, offset) = ("page of 50 at a random place", "fetchOffset 9999950")
      let (jump, word) = ("jump to a message number in the middle", "search of a rare word, whole process")
      let load = "import of JSON Lines"
      return [
        Self.head, "| --- | --- | --- |",
        "| a page of 50, anywhere | \(try ours(page)) | \(try theirs(page)), C over the SQLite API |",
        "| the message number of an id · the message of a number "
          + "| \(try ours("ordinal of an id")) · \(try ours("k-th message")) | |",
        "| 50 messages at offset 9,999,950 | \(try ours(offset)) | \(try theirs(offset)), SQL's OFFSET |",
        "| to a message number in the middle, on the screen | \(try ours(jump)) | \(try theirs(jump)), `less` |",
        "| from the command to the newest message on the screen | \(try ours(newest)) "
          + "| \(try theirs(known)), `lnav` · \(try theirs(newest)), `less +G` |",
        "| all messages with a rare word, whole process | \(try ours(word)) "
          + "| \(try theirs(word)), ripgrep over the text |",
        "| an import of JSON Lines, search index and counts with it | \(try ours(load)) "
          + "| \(try theirs(load)), C from fields taken apart |",
        "| memory of `tail`, `search`, `export` at most "
          + "| \(try memory(["tail -n 50", word, "export as JSON Lines"])) | |",
      ]
    }
  }

  private func finding(_ name: String) throws -> Finding { try #require(findings[name], "\(name)") }

  private func ours(_ name: String) throws -> String { Self.time(try finding(name).ours.median) }

  private func theirs(_ name: String) throws -> String {
    Self.time(try #require(try finding(name).baseline).median)
  }

  private func memory(_ names: [String]) throws -> String {
    let peaks = try names.map { Int((try finding($0).ours.peakBytes / 1_048_576).rounded()) }
    return "\(peaks.min() ?? 0) – \(peaks.max() ?? 0) MB"
  }

  /// Hundredths below one, tenths below ten, whole numbers beyond; seconds from ten on.
  private static func time(_ nanoseconds: Double) -> String {
    let milliseconds = nanoseconds / 1_000_000
    guard milliseconds < 10_000 else { return "\(Int((milliseconds / 1_000).rounded())) s" }
    let whole = Int(milliseconds.rounded())
    if milliseconds >= 1_000 { return "\(whole / 1_000),\(String(whole % 1_000 + 1_000).dropFirst()) ms" }
    if milliseconds >= 10 { return "\(whole) ms" }
    let digits = milliseconds < 1 ? 100.0 : 10.0
    return "\((milliseconds * digits).rounded() / digits) ms"
  }
}

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

  @Test func `the table of speeds has what is in results.json`() throws {
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

/// The table of README.md that says how long things take at growing sizes, made of what was measured.
private struct SpeedTable {
  static let head = "| messages in one conversation | 10,000 | 1,000,000 | 10,000,000 |"
  private static let sizes = [10_000, 1_000_000, 10_000_000]

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
  }

  private let findings: [Int: [String: Finding]]
  /// The line below the table: the programs that it is of.
  let origin: String

  init(results: URL) throws {
    let all = try JSONDecoder().decode([Finding].self, from: Data(contentsOf: results))
    findings = Dictionary(grouping: all, by: \.size).mapValues { some in
      Dictionary(some.map { ($0.name, $0) }) { first, _ in first }
    }
    let (small, large) = (
      Self.programs(findings[Self.sizes[1]] ?? [:]), Self.programs(findings[Self.sizes[2]] ?? [:])
    )
    origin =
      small == large
      ? "Measured at commit \(small.joined(separator: ", "))."
      : "Up to a million: commit \(small.joined(separator: ", ")). Ten million: commit \(large.joined(separator: ", "))."
  }

  /// The programs that a column is of.
  private static func programs(_ column: [String: Finding]) -> [String] {
    var texts: [String] = []
    for row in rows {
      guard let program = column[row.scenario]?.origin else { continue }
      let text = "`\(program.commit ?? "unknown")` (\(program.time.prefix(10)))"
      if !texts.contains(text) { texts.append(text) }
    }
    return texts
  }

  /// The rows, and the scenario that each is of.
  private static let rows = [
    ("start, until the newest messages are on the screen", "start to the newest on screen"),
    ("read 50 messages at any place", "page of 50 at a random place"),
    ("jump to a message number in the middle", "jump to a message number in the middle"),
    ("find a rare word (`scrollback search`)", "search of a rare word, whole process"),
    ("import, with search index and counts", "import of JSON Lines"),
  ].map { (title: $0.0, scenario: $0.1) }

  var lines: [String] {
    get throws {
      try [Self.head, "| --- | --- | --- | --- |"] + Self.rows.map { try row($0.title, $0.scenario) } + [
        row("memory of `scrollback search`", "search of a rare word, whole process") { Self.memory($0.ours) }
      ]
    }
  }

  private func row(
    _ title: String, _ name: String, _ text: (Finding) -> String = { Self.time($0.ours.median) }
  ) throws -> String {
    let cells = try Self.sizes.map { text(try #require(findings[$0]?[name], "\(name) at \($0)")) }
    return "| \(title) | \(cells.joined(separator: " | ")) |"
  }

  private static func memory(_ summary: Finding.Summary) -> String {
    "\(Int((summary.peakBytes / 1_048_576).rounded())) MB"
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

import Foundation
import ScrollbackKit
import TestSupport
import Testing

/// What people read is in plain words: somebody reads it for whom English is a second language.
@Suite struct PlainWordsTests {
  /// Worn phrases, and what says the same plainly.
  private static let worn: [(phrase: String, better: String)] = [
    (#"\btells?\b|\btold\b|\btelling\b"#, "says, shows, lists, reports"),
    (#"\banew\b"#, "again; rebuild, rewrite, restart"),
    (#"\bso many\b"#, "this many"),
    (#"\b(it|this|that|which|what) is no\b|['’] is no\b"#, "is not a"),
    (#"\bno \w+ is called\b|\bnobody is called\b"#, "no NOUN 'x'"),
    (#"\b(take|takes|took|taken|taking)( (it|them|that|what))? in\b"#, "imports"),
    (#"\b(take|takes|took|taken|taking)( (it|them|that|what))? back\b"#, "undoes, removes"),
    (#"\bby way of\b"#, "by, through"),
    (#"\bpass(es|ed) over\b"#, "skipped"),
    (#"\bthe same again\b"#, "run it again, repeat"),
    (#"\bis at it\b"#, "what it does"),
    (#"\bnone (of this name|that there|that is (known|understood))\b"#, "unknown"),
    (#"\bas far as anything\b"#, "as far as is known"),
    (#"\bheeded\b|\bspares the\b"#, "takes effect; skips, avoids"),
    (#"\bis there already\b"#, "exists, is already in the store"),
    (#"\bthere never was\b"#, "unknown"),
    (#"\bcause: did you mean\b"#, "the question beside what failed"),
    (#"\bwants (more|a name)\b"#, "needs a …"),
    (#"\bgoes by (it|that)\b"#, "uses"),
    (#"\bcarr(y|ies) on\b"#, "continues"),
    (#"\bthere are not so\b"#, "there are fewer"),
    (#"\bmakes it yours\b"#, "makes it private"),
  ]

  @Test func `what people read has no worn phrase`() throws {
    // Nearly all sentences have none, so one look at each is for all phrases.
    let any = try NSRegularExpression(
      pattern: Self.worn.map(\.phrase).joined(separator: "|"), options: .caseInsensitive)
    for file in try Readable.all {
      for (number, text) in try file.sentences where any.hasMatch(in: text) {
        for (phrase, better) in Self.worn
        where text.range(of: phrase, options: [.regularExpression, .caseInsensitive]) != nil {
          Issue.record("\(file.name):\(number): \(phrase) — better: \(better): \(text.prefix(160))")
        }
      }
    }
  }

  @Test func `a worn phrase is found in each sort of file, and in what people read alone`() throws {
    let swift = #"""
      // It tells nothing.
      throw UsageError("it tells \(told) nothing", cause: "none")
      let text = """
        made anew
        """
      """#
    #expect(Readable.literals(inSwift: swift).map(\.1) == ["it tells  nothing", "none", "made anew"])
    let page = "Text tells `told`.\n\n    code tells\n\n```swift\nlist.tell()\n```\nmade anew"
    #expect(Readable.prose(inPage: page).map(\.1).filter { !$0.isEmpty } == ["Text tells .", "made anew"])
    let script = "// tells\nsay('it tells') /** x */\n * told"
    #expect(Readable.literals(inScript: script).map(\.1) == ["it tells"])
  }

  @Test func `errors say what failed, why, and what to do, and ask beside what failed`() {
    func lines(_ cause: String?) -> [String] {
      Failure(summary: "no command 'serach'", cause: cause).description.components(separatedBy: "\n")
    }
    #expect(
      lines("did you mean 'search'?") == [
        "no command 'serach' — did you mean 'search'?", "  try: check the store",
      ])
    #expect(
      lines("did you mean 'from:'? there are from: to:")
        == [
          "no command 'serach' — did you mean 'from:'?", "  cause: there are from: to:",
          "  try: check the store",
        ])
    #expect(
      lines("did you mean") == ["no command 'serach'", "  cause: did you mean", "  try: check the store"])
    #expect(lines("it is gone") == ["no command 'serach'", "  cause: it is gone", "  try: check the store"])
    #expect(lines(nil) == ["no command 'serach'", "  try: check the store"])
  }
}

private struct Failure: ExplainedError {
  var summary: String
  var cause: String?
  var remedy: Remedy? { .checkStore }
}

extension NSRegularExpression {
  fileprivate func hasMatch(in text: String) -> Bool {
    firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}

/// A file with sentences that people read.
struct Readable {
  let name: String
  private var url: URL { GoldenFile.root.appending(path: name) }

  /// Sources whose texts are SQL, words of a language, or for tests.
  private static let others = [
    "/Schema/", "Tests/Support/TestSupport", "Tests/Support/ShellTesting", "Tests/Support/ArchiveTesting",
    "Sources/Kit/MessageSourceTesting",
    "Sources/Text/WordForms",
  ]

  /// All of them: sources, the page, and the documentation.
  static var all: [Readable] {
    get throws {
      var names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
      for folder in ["Sources", "docs", "Examples"] {
        let found = try FileManager.default.subpathsOfDirectory(
          atPath: GoldenFile.root.appending(path: folder).path)
        names += found.map { "\(folder)/\($0)" }.filter { name in
          !name.contains(".build") && !name.hasPrefix("docs/api") && !others.contains { name.contains($0) }
        }
      }
      return names.filter { ["md", "swift", "js"].contains(($0 as NSString).pathExtension) }.sorted().map(
        Readable.init)
    }
  }

  private init(name: String) { self.name = name }

  /// The sentences with the numbers of their lines.
  var sentences: [(Int, String)] {
    get throws {
      let text = try String(contentsOf: url, encoding: .utf8)
      switch (name as NSString).pathExtension {
      case "swift": return Self.literals(inSwift: text)
      case "js": return Self.literals(inScript: text)
      default: return Self.prose(inPage: text)
      }
    }
  }

  private static func numbered(_ text: String) -> [(Int, Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0 + 1, $1) }
  }

  /// What is not code in a page.
  static func prose(inPage text: String) -> [(Int, String)] {
    var isCode = false
    var found: [(Int, String)] = []
    for (number, line) in numbered(text) {
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isCode.toggle()
      } else if !isCode, !line.hasPrefix("    ") {
        let plain = line.replacing(/``[^`]*``/, with: "").replacing(/`[^`]*`/, with: "")
        found.append((number, String(plain)))
      }
    }
    return found
  }

  /// The texts of a source, without what is put into them.
  static func literals(inSwift text: String) -> [(Int, String)] {
    var isLong = false
    var found: [(Int, String)] = []
    for (number, line) in numbered(text) {
      let words = line.drop { $0 == " " }
      if isLong {
        if words.hasPrefix("\"\"\"") {
          isLong = false
        } else {
          found.append((number, withoutValues(String(words))))
        }
      } else if words.hasSuffix("\"\"\"") {
        isLong = true
      } else if words.utf8.contains(UInt8(ascii: "\"")), !words.hasPrefix("//") {
        let plain = withoutValues(String(words))
        found += plain.matches(of: /"((?:[^"\\]|\\.)*)"/).map { (number, String($0.1)) }
      }
    }
    return found
  }

  /// The texts of a script.
  static func literals(inScript text: String) -> [(Int, String)] {
    var found: [(Int, String)] = []
    for (number, line) in numbered(text) {
      let words = line.drop { $0 == " " }
      if ["*", "/*", "//"].contains(where: { words.hasPrefix($0) }) { continue }
      for match in words.matches(of: /'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/) {
        found.append((number, String(match.output.1 ?? match.output.2 ?? "")))
      }
    }
    return found
  }

  /// Leaves out `\(…)`, with parentheses in it up to three deep.
  private static func withoutValues(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    return text.replacing(/\\\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)/, with: "")
  }
}

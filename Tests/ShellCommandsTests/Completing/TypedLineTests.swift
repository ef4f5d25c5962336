import Foundation
import Testing

@testable import ShellCommands

/// What is typed behind a word so that it becomes a name, as bash itself reads it.
struct TypedLineTests {
  static let names = [
    "plain", "two words", "tea $(touch PWNED)", "bob `touch PWNED`", "it's", "a \"quoted\" one", "a>b <c",
    "*",
    "~", "~root/x", "-o", "--all", "back\\slash", "end\\", "semi;colon&", "{a,b}", "#hash", "a:b=c@d",
    "wow!!",
    "über straße", "日本 語", "👍🏽 up", "${HOME}", "$'x'", "[a-z]?", "^x^", "'", "''\"\"", "$", "tab? (no)",
  ]

  @Test(arguments: ["", "'", "\"", "$'"])
  func `what is completed is the name again to bash, wherever it was completed`(opening: String) throws {
    var words: [String] = []
    var expected: [String] = []
    for name in Self.names {
      let start = "x \(opening)"
      let whole = try #require(TypedLine(start).rest(of: name))
      for end in whole.indices + [whole.endIndex] {
        let typed = start + whole[..<end]
        let rest = try #require(TypedLine(typed).rest(of: name), "\(typed) | \(name)")
        // Within the two quotes that end a name nobody comes to stand.
        if rest.isEmpty, end != whole.endIndex { continue }
        words.append(Self.closed(String(typed.dropFirst(2) + rest), TypedLine(typed).quoting))
        expected.append(name)
      }
    }
    #expect(try Self.read(words) == expected)
  }

  @Test func `a word is what bash would make of it, and nothing in it is run`() {
    let line = TypedLine(#"scrollback -s "$HOME/x y.db" tail -c 'a'\''b' $(touch PWNED) --from "bo"#)
    #expect(
      line.words == [
        "scrollback", "-s", "$HOME/x y.db", "tail", "-c", "a'b", "$", "touch", "PWNED", "--from",
      ])
    #expect(line.last == "bo" && line.quoting == .double)
    #expect(TypedLine("a b ").last.isEmpty && TypedLine("a b ").words == ["a", "b"])
    #expect(TypedLine("a ''").last.isEmpty && TypedLine("a '' ").words == ["a", ""])
    #expect(TypedLine("a b").rest(of: "c") == nil)
  }

  @Test(arguments: ["\"$", "\"a `", "$", "`", "*", "~", "a$", "$x$'", "*$'"])
  func `what the shell would expand is completed by nothing that goes on in it`(typed: String) {
    for name in ["$(touch PWNED)", "a `touch PWNED`", "`x`", "*", "~root", "a$(x)", "$x(y)"] {
      #expect(TypedLine("x \(typed)").rest(of: name) == nil, "\(typed) \(name)")
    }
  }

  /// Returns a word as readline ends it: with the quote that was open, unless that is its last sign.
  private static func closed(_ word: String, _ quoting: TypedLine.Quoting) -> String {
    let quote: Character? =
      switch quoting {
      case .none: nil
      case .double: "\""
      case .single, .escaping: "'"
      }
    return quote.map { word.last == $0 ? word : word + String($0) } ?? word
  }

  /// Has bash read words of a command line, and returns what a program would get.
  private static func read(_ words: [String]) throws -> [String] {
    let process = Process()
    let output = Pipe()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sh")
    defer { try? FileManager.default.removeItem(at: file) }
    try ("printf '%s\\n' " + words.joined(separator: " ")).write(to: file, atomically: true, encoding: .utf8)
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = [file.path]
    process.environment = ["HOME": "/nowhere", "LC_ALL": "C.UTF-8"]
    (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}

import TestSupport
import Testing

/// Expects `picture` to be what a golden file holds.
func expectGolden(
  _ picture: String, _ file: GoldenFile, sourceLocation: SourceLocation = #_sourceLocation,
  comparing comparable: (String) -> String = { $0 }
) throws {
  let difference = try file.difference(from: picture, comparing: comparable)
  #expect(difference == nil, "\(difference ?? "")", sourceLocation: sourceLocation)
}

struct GoldenTests {
  @Test func `a line that is put in shows as that line, and not as all that follow`() {
    let lines = (1...9).map { "line \($0)" }
    var more = lines
    more.insert("new", at: 3)
    more.remove(at: 7)
    func text(_ lines: [String]) -> String { lines.joined(separator: "\n") }
    #expect(
      LineDifference.text(expected: text(lines), actual: text(more)) == "line 4:\n+new\nline 7:\n-line 7")
    #expect(LineDifference.text(expected: "a\nb\n", actual: "a\nc\n") == "line 2:\n-b\n+c")
    #expect(LineDifference.text(expected: "a", actual: "a\n") == "line 2:\n+")
    #expect(LineDifference.text(expected: "a\n", actual: "a\n") == "")
  }
}

import TerminalText
import Testing

struct TextTableTests {
  private let rows = [
    ["general", "1,234", "2024-05-01 10:00", "the newest message of them all"],
    ["日本語の長い名前の部屋ですよ", "5", "2024-05-01 10:00", "こんにちは、世界"],
    [String(repeating: "long name ", count: 25), "12", "2024-05-01 10:00", "ok"],
  ]

  private func lines(_ columns: Int?) -> [String] {
    TextTable.text(
      rows, alignsRight: [1], layout: TableLayout(columns: columns), cutting: [3, 0], leavingOut: [2, 3]
    )
    .split(separator: "\n").map(String.init)
  }

  @Test(arguments: [40, 60, 80, 132]) func `a table fits into a terminal`(columns: Int) {
    for line in lines(columns) { #expect(DisplayWidth.columns(of: line) <= columns) }
    #expect(lines(columns).contains { $0.contains("…") })
  }

  @Test func `columns stand below each other, whatever is cut`() {
    for columns in [60, 80, 132] {
      let starts = lines(columns).map { line in
        line.firstRange(of: "2024").map { DisplayWidth.columns(of: line[..<$0.lowerBound]) }
      }
      #expect(Set(starts).count == 1 && !starts.contains(nil))
    }
  }

  @Test func `into a pipe nothing is cut, and a long cell moves no other away`() {
    let lines = lines(nil)
    #expect(lines[2].contains(rows[2][0].dropLast()) && lines[0].contains("general"))
    #expect(lines[0].utf8.count < 120)
  }
}

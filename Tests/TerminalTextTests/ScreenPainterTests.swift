import TerminalText
import TestSupport
import Testing

struct ScreenPainterTests {
  private func screen(_ lines: [String], status: String = "status", columns: Int = 30) -> Screen {
    Screen(rows: lines.map { Row($0) } + [Row(status, .status)], columns: columns)
  }

  @Test func `a screen is painted whole and the cursor stays in the line being typed`() {
    var terminal = TerminalModel(rows: 4, columns: 30)
    terminal.feed("\u{1B}[4;1H> typed".utf8)
    var painter = ScreenPainter(StyleEncoder(.basic))
    terminal.feed(painter.paint(screen(["one", "two"])).utf8)
    #expect(terminal.lines == ["one", "two", "status", "> typed"])
    #expect(terminal.cursor == TerminalModel.Position(row: 3, column: 7))
    #expect(terminal.cells[2][0].rendition.isReversed)
    #expect(terminal.isCursorVisible && terminal.unknownSequences.isEmpty)
  }

  @Test func `the same screen again writes nothing`() {
    var painter = ScreenPainter(StyleEncoder(.basic))
    _ = painter.paint(screen(["one", "two"]))
    #expect(painter.paint(screen(["one", "two"])) == "")
  }

  @Test func `only the rows that changed are written`() {
    var painter = ScreenPainter(StyleEncoder(.basic))
    _ = painter.paint(screen(["one", "two", "three"]))
    let output = painter.paint(screen(["one", "2", "three"]))
    #expect(output.contains("2") && !output.contains("one") && !output.contains("three"))
  }

  @Test func `rows that move together are moved by the terminal`() {
    let lines = (1...40).map { "message number \($0)" }
    var painter = ScreenPainter(StyleEncoder(.basic))
    var terminal = TerminalModel(rows: 12, columns: 30)
    terminal.feed(painter.paint(screen(Array(lines[10..<20]))).utf8)
    let older = painter.paint(screen(Array(lines[9..<19])))
    #expect(older.utf8.count < 120)
    terminal.feed(older.utf8)
    #expect(Array(terminal.lines[..<10]) == Array(lines[9..<19]))
    terminal.feed(painter.paint(screen(Array(lines[12..<22]))).utf8)
    #expect(Array(terminal.lines[..<10]) == Array(lines[12..<22]))
    #expect(terminal.lines[10] == "status")
  }

  @Test func `a cluster that terminals count otherwise moves nothing that follows it`() {
    let text = "\u{1F44D}\u{1F3FD} 1\u{FE0F}\u{20E3} \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{231A} EFG"
    var painter = ScreenPainter(StyleEncoder(.basic))
    let output = painter.paint(screen([text, "cafe\u{301} 日本"]))
    // Behind each one the cursor is put where we take it to be.
    for column in [3, 6, 9, 12] { #expect(output.contains("\u{1B}[\(column)G ")) }
    #expect(output.contains("cafe\u{301} 日本"))
    var terminal = TerminalModel(rows: 4, columns: 30)
    terminal.feed(output.utf8)
    #expect(terminal.lines[0].hasSuffix("EFG") && terminal.unknownSequences.isEmpty)
  }

  @Test func `a new size paints all rows again`() {
    var painter = ScreenPainter(StyleEncoder(.basic))
    var terminal = TerminalModel(rows: 4, columns: 30)
    terminal.feed(painter.paint(screen(["one", "two"])).utf8)
    terminal.resize(rows: 3, columns: 20)
    terminal.feed(painter.paint(screen(["two"], columns: 20)).utf8)
    #expect(terminal.lines[..<2] == ["two", "status"])  // The last row is the line editor's to erase.
  }

  @Test func `a row that is too wide is cut and spoils no other`() {
    var painter = ScreenPainter(StyleEncoder(.basic))
    var terminal = TerminalModel(rows: 4, columns: 10)
    terminal.feed(painter.paint(screen(["日本語日本語", "two"], columns: 10)).utf8)
    #expect(terminal.lines == ["日本語日…", "two", "status", ""])
  }

  @Test(arguments: UInt64(0)..<(isLong ? 60 : 15))
  func `after any walk the terminal shows the screen`(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 7
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let texts = (0..<60).map { $0 % 7 == 0 ? "" : "line \($0) " + String(repeating: "日e", count: $0 % 5) }
    var painter = ScreenPainter(StyleEncoder(.indexed))
    var terminal = TerminalModel(rows: 12, columns: 30)
    var top = 20
    for _ in 0..<40 {
      top = min(max(0, top + next(13) - 6), texts.count - 10)
      var lines = Array(texts[top..<(top + 10)])
      if next(3) == 0 { lines[next(10)] = "changed \(next(100))" }
      terminal.feed(painter.paint(screen(lines, status: "at \(top)")).utf8)
      #expect(
        terminal.lines == lines.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 } + ["at \(top)", ""])
    }
  }

  @Test func `what is left behind is a terminal as it was`() {
    var terminal = TerminalModel(rows: 4, columns: 30)
    terminal.feed("shell$ ".utf8)
    terminal.feed(TerminalSequences.enter(wheel: true).utf8)
    #expect(terminal.isAlternate && terminal.modes == [1000, 1006])
    terminal.feed("\u{1B}[?7l\u{1B}[1;2r\u{1B}[31m".utf8)
    terminal.feed(TerminalSequences.leave.utf8)
    #expect(!terminal.isAlternate && terminal.modes.isEmpty && terminal.lines[0] == "shell$")
    #expect(terminal.cursor == TerminalModel.Position(row: 0, column: 7))
  }
}

import TerminalText
import TestSupport
import Testing

/// The list of what may reach a terminal, by which fuzzing judges.
struct OwnSequencesTests {
  @Test(arguments: [
    "\u{1B}", "\u{1B}[", "\u{1B}[2J", "\u{1B}]0;owned\u{7}", "\u{1B}]52;c;eA==\u{7}",
    "\u{1B}]8;;file:///x\u{1B}\\",
    "\u{1B}]8;;http://x\u{7}", "\u{1B}[?1049l", "\u{1B}[31;5", "\u{1B}c", "\u{1B}(0", "\u{1B}P$q\u{1B}\\",
    "a\rb", "\u{7}",
    "\u{8}", "\u{E}", "\u{7F}", "\u{9B}2J", "\u{85}", "\u{202E}x", "\u{2066}x", "\u{2028}", "\u{1B}[6n",
    "\u{1B}[5@",
  ])
  func `what could take a terminal over is none of ours`(text: String) {
    for allowed in [OwnSequences.none, .styles, .screen] {
      #expect(allowed.firstStray(in: "before \(text) behind".utf8) != nil)
    }
  }

  @Test func `bytes that are no text are none of ours`() {
    for bytes: [UInt8] in [[0xFF], [0xC3, 0x28], [0xE2, 0x82], [0x80], [0xED, 0xA0, 0x80]] {
      #expect(OwnSequences.screen.firstStray(in: [0x61] + bytes + [0x62]) != nil)
    }
  }

  @Test func `text shows itself, and styles and a painted screen are ours`() {
    let text = "naïve ⟨U+202E⟩ ␛ 👩‍👩‍👧 שלום\tx\r\ny\n"
    #expect(OwnSequences.none.firstStray(in: text.utf8) == nil)
    #expect(OwnSequences.none.firstStray(in: "\u{1B}[1m".utf8) != nil)
    var row = Row("a link", .status)
    row.pad(to: 20, .status)
    let styled =
      StyleEncoder(.indexed, writesLinks: true).string(row)
      + "\u{1B}]8;id=1;https://x\u{1B}\\x\u{1B}]8;;\u{1B}\\\u{1B}]8;;Http://x\u{1B}\\"
    #expect(OwnSequences.styles.firstStray(in: styled.utf8) == nil)
    var painter = ScreenPainter(StyleEncoder(.indexed))
    let painted = painter.paint(Screen(rows: [row, row], columns: 20, palette: .dark))
    #expect(OwnSequences.screen.firstStray(in: painted.utf8) == nil)
    #expect(OwnSequences.styles.firstStray(in: painted.utf8) != nil)
  }
}

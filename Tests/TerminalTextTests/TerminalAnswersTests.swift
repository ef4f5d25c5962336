import TerminalText
import Testing

struct TerminalAnswersTests {
  private func answers(to pieces: String...) -> TerminalAnswers {
    var answers = TerminalAnswers()
    for piece in pieces { answers.append(piece.utf8) }
    answers.giveUp()
    return answers
  }

  @Test(arguments: [
    ("rgb:ffff/fafa/0000", [255, 250, 0]), ("rgb:ff/80/00", [255, 128, 0]), ("rgb:f/8/0", [255, 136, 0]),
    ("rgb:fff/800/000", [255, 127, 0]), ("rgba:0000/2b2b/3636/ffff", [0, 43, 54]), ("rgb:ff/80", nil),
    ("rgb:fffff/0/0", nil), ("rgb:0/0/0/0", nil), ("rgb:/0/0", nil), ("#ffffff", nil), ("rgb:-f/0/0", nil),
  ])
  func `a ground is told with one to four digits, ended either way`(told: String, ground: [Int]?) {
    for end in ["\u{7}", "\u{1B}\\"] {
      let answers = answers(to: "\u{1B}]11;\(told)\(end)\u{1B}[?62;22c")
      #expect(answers.ground == ground && answers.isFinished && answers.typed.isEmpty)
    }
  }

  @Test func `what is typed meanwhile stays, in its order, wherever the bytes are parted`() {
    let bytes = Array(
      "he\u{1B}[A\u{1B}]11;rgb:ff/ff/ff\u{1B}\\llo \u{1B}x\u{1B}[?1;2cé\u{1B}[<64;1;1M\u{1B}".utf8)
    for cut in bytes.indices {
      var answers = TerminalAnswers()
      answers.append(bytes[..<cut])
      answers.append(bytes[cut...])
      answers.giveUp()
      #expect(String(decoding: answers.typed, as: UTF8.self) == "he\u{1B}[Allo \u{1B}xé\u{1B}[<64;1;1M\u{1B}")
      #expect(answers.ground == [255, 255, 255] && answers.isFinished)
    }
  }

  @Test func `what only begins as an answer was typed`() {
    for typed in [
      "\u{1B}", "\u{1B}]", "\u{1B}]1", "\u{1B}]11;rgb:ff", "\u{1B}[?1", "\u{1B}[?25h", "\u{1B}]12;x",
    ] {
      #expect(answers(to: typed).typed == Array(typed.utf8) && !answers(to: typed).isFinished)
    }
    let endless = "\u{1B}]11;" + String(repeating: "f", count: 9_000)
    #expect(answers(to: endless).typed == Array(endless.utf8))
  }

  @Test func `a ground has the colours that stand out on it`() {
    for ground in Palette.dark.grounds { #expect(Palette.on(ground) == .dark) }
    for ground in Palette.light.grounds { #expect(Palette.on(ground) == .light) }
  }
}

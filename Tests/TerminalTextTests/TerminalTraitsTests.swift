import TerminalText
import Testing

struct TerminalTraitsTests {
  @Test(arguments: ["vt100", "vt220", "vt100-am", "xterm-mono", "sun-m"])
  func `a terminal of one colour gets none`(term: String) {
    #expect(TerminalTraits(environment: ["TERM": term]).encoder.depth == .monochrome)
    #expect(TerminalTraits(environment: ["TERM": term], color: .always).encoder.depth == .basic)
  }

  @Test(arguments: ["xterm", "linux", "screen", "rxvt"])
  func `other terminals get the colours that all have`(term: String) {
    #expect(TerminalTraits(environment: ["TERM": term]).encoder.depth == .basic)
  }

  @Test func `GNU screen is known by its session`() {
    #expect(TerminalTraits(environment: ["TERM": "screen", "STY": "1.pts-0.host"]).isScreen)
    #expect(!TerminalTraits(environment: ["TERM": "screen", "TMUX": "/tmp/x,1,0"]).isScreen)
  }
}

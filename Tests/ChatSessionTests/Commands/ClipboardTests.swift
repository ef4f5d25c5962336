import Testing

@testable import ChatSession

/// The way to the clipboard.
@Suite struct ClipboardTests {
  @Test(
    arguments: [
      (["TERM": "xterm-256color", "DISPLAY": ":0"], nil),
      (["TERM": "xterm-256color", "VTE_VERSION": "7000", "DISPLAY": ":0"], "xclip"),
      (
        ["TERM": "xterm-256color", "VTE_VERSION": "7000", "WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"],
        "wl-copy"
      ),
      (["TERM": "tmux-256color", "TMUX": "/tmp/tmux,1,0", "DISPLAY": ":0"], "tmux"),
      (["TERM": "xterm-256color", "VTE_VERSION": "7000", "DISPLAY": ":0", "SSH_CONNECTION": "1 2 3 4"], nil),
      (["TERM": "linux"], nil),
    ] as [([String: String], String?)])
  func `the terminal does it, and a program where the terminal is known not to`(
    environment: [String: String], name: String?
  ) {
    #expect(Clipboard(environment: environment) { _ in true }.program?.name == name)
    #expect(Clipboard(environment: environment) { _ in false }.program == nil)
  }

  @Test func `a text goes to the program, and the window says which`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 100)
    screen.type("/copy a")
    #expect(screen.status.contains("· the terminal (OSC 52)"), "\(screen.status)")
  }
}

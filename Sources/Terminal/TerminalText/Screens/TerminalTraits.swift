internal import Foundation

/// What the environment tells about a terminal.
package struct TerminalTraits: Hashable, Sendable {
  package enum ColorChoice: String, Hashable, Sendable, CaseIterable {
    case auto, always, never
  }

  package let isCapable: Bool
  /// Whether it is GNU screen, which delays Esc until the next key while mouse reports are on (4.9.0).
  package let isScreen: Bool
  package let encoder: StyleEncoder

  /// Reads `TERM`, `COLORTERM`, `NO_COLOR`, and the variables of terminals that open links.
  package init(environment: [String: String], color: ColorChoice = .auto, theme: Theme = .auto) {
    let term = environment["TERM"] ?? ""
    isCapable = !term.isEmpty && term != "dumb"
    isScreen = !(environment["STY"] ?? "").isEmpty
    let isRefused = !(environment["NO_COLOR"] ?? "").isEmpty
    let isColorless =
      Self.colorless.contains { term == $0 || term.hasPrefix($0 + "-") } || term.hasSuffix("-m")
    let hasColor = color == .always || (color == .auto && isCapable && !isRefused && !isColorless)
    let isRich = term.contains("256") || term.contains("kitty") || !(environment["COLORTERM"] ?? "").isEmpty
    encoder = StyleEncoder(
      hasColor ? (isRich ? .indexed : .basic) : isCapable ? .monochrome : .none,
      writesLinks: isCapable && Self.opensLinks(environment, term: term),
      palette: theme.palette(in: environment))
  }

  /// The encoder for printed lines: with colours or without any style.
  ///
  /// - Parameter isTerminal: If not, colours only with `--color always`.
  package static func printing(
    environment: [String: String], color: ColorChoice = .auto, theme: Theme = .auto, isTerminal: Bool
  ) -> StyleEncoder {
    let encoder = TerminalTraits(environment: environment, color: color, theme: theme).encoder
    let hasColor = encoder.depth == .basic || encoder.depth == .indexed
    guard hasColor, isTerminal || color == .always else { return .plain }
    return StyleEncoder(
      encoder.depth, writesLinks: isTerminal && encoder.writesLinks, palette: encoder.palette)
  }

  /// Monochrome terminals by their terminfo names; those of `xterm-mono` and others end in `-m`.
  private static let colorless = [
    "vt52", "vt100", "vt102", "vt125", "vt131", "vt132", "vt200", "vt220", "vt320", "vt400", "vt420", "vt510",
    "vt520", "sun", "wyse50", "wyse60", "wy50", "wy60", "adm3a", "h19", "xterm-mono", "screen.mono",
  ]

  /// Whether the terminal is known to open links (OSC 8).
  private static func opensLinks(_ environment: [String: String], term: String) -> Bool {
    if let version = environment["VTE_VERSION"].flatMap({ Int($0) }) { return version >= 5_000 }
    if environment["WT_SESSION"] != nil { return true }
    // tmux passes links on if the outer terminal supports them, and drops them otherwise.
    if environment["TERM_PROGRAM"] == "tmux" {
      let version = (environment["TERM_PROGRAM_VERSION"] ?? "").prefix { $0.isNumber || $0 == "." }
      return Double(version).map { $0 >= 3.4 } ?? false
    }
    if ["iTerm.app", "WezTerm", "vscode", "ghostty"].contains(environment["TERM_PROGRAM"] ?? "") {
      return true
    }
    return ["kitty", "foot", "alacritty", "ghostty"].contains { term.contains($0) }
  }
}

/// Sequences that take over the terminal and restore it.
package enum TerminalSequences {
  /// Switches to the alternate screen.
  ///
  /// Disables mode 1007, in which the wheel sends the cursor keys of the line; `wheel` enables xterm's mouse
  /// reports (1000, 1006) instead.
  package static func enter(wheel: Bool) -> String {
    "\u{1B}[?1049h\u{1B}[?1007l\u{1B}[2J\u{1B}[H" + (wheel ? "\u{1B}[?1000h\u{1B}[?1006h" : "")
  }

  /// Restores the terminal from any state, also after a crash.
  package static let leave =
    "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2026l\u{1B}[?7h\u{1B}[r\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// Row 1 is the top.
  package static func moveToRow(_ row: Int) -> String { "\u{1B}[\(row);1H" }

  package static let eraseToEndOfLine = "\u{1B}[K"

  /// Copies to the clipboard in terminals that allow it (OSC 52).
  package static func copy(_ text: String) -> String {
    "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
  }
}

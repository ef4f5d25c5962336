/// Turns rows into the bytes that a terminal understands.
package struct StyleEncoder: Hashable, Sendable {
  /// The colours that the output can show.
  package enum Depth: Hashable, Sendable {
    /// No escape sequence at all.
    case none
    /// Bold, dim, underlined and reversed, but no colour.
    case monochrome
    /// The eight colours of every terminal.
    case basic
    /// The 256 colours of xterm.
    case indexed
  }

  /// The colours that the output can show.
  package var depth: Depth
  /// Whether links are written so that the terminal can open them (OSC 8).
  package var writesLinks: Bool

  /// Creates an encoder.
  package init(_ depth: Depth, writesLinks: Bool = false) {
    self.depth = depth
    self.writesLinks = writesLinks
  }

  /// Writes text without any style.
  package static let plain = StyleEncoder(.none)

  /// Appends the row, ending in the terminal's own style.
  package func append(_ row: Row, to output: inout String) {
    for span in row.spans { append(span, to: &output) }
  }

  /// Returns the row, ending in the terminal's own style.
  package func string(_ row: Row) -> String {
    var output = ""
    append(row, to: &output)
    return output
  }

  private func append(_ span: Span, to output: inout String) {
    guard depth != .none else {
      output += span.text
      return
    }
    let link = writesLinks ? span.link : nil
    let codes = codes(of: span.style)
    if let link { output += "\u{1B}]8;;\(link)\u{1B}\\" }
    if !codes.isEmpty { output += "\u{1B}[\(codes.joined(separator: ";"))m" }
    output += span.text
    if !codes.isEmpty { output += "\u{1B}[0m" }
    if link != nil { output += "\u{1B}]8;;\u{1B}\\" }
  }

  private func codes(of style: Style) -> [String] {
    var codes: [String] = []
    if style.isBold { codes.append("1") }
    if style.isDim { codes.append("2") }
    if style.isUnderlined { codes.append("4") }
    if style.isReversed { codes.append("7") }
    guard depth != .monochrome else { return codes }
    switch style.color {
    case .standard: break
    case .notice: codes.append("33")
    case .problem: codes.append("31")
    case .sender(let index) where depth == .indexed:
      codes.append("38;5;\(Self.palette[index % Self.palette.count])")
    case .sender(let index): codes.append("\(31 + index % 6)")
    }
    return codes
  }

  /// Colours of the xterm cube that can be read on black and on white.
  private static let palette = [
    31, 32, 35, 38, 62, 64, 67, 69, 71, 96, 99, 124, 127, 130, 133, 136, 139, 161, 166, 169, 172, 203, 205,
    208,
  ]
}

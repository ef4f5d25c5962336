package struct StyleEncoder: Hashable, Sendable {
  package enum Depth: Hashable, Sendable {
    /// No escape sequences.
    case none
    /// Bold, dim, underlined and reversed, but no colour.
    case monochrome
    /// The eight basic colours.
    case basic
    /// xterm's 256 colours.
    case indexed
  }

  package var depth: Depth
  /// Whether links use OSC 8.
  package var writesLinks: Bool
  /// Used at depth `indexed`.
  package var palette: Palette

  package init(_ depth: Depth, writesLinks: Bool = false, palette: Palette = .dark) {
    self.depth = depth
    self.writesLinks = writesLinks
    self.palette = palette
  }

  /// Without any escape sequence.
  package static let plain = StyleEncoder(.none)

  package func append(_ row: Row, to output: inout String) {
    for span in row.spans { append(span, to: &output) }
  }

  /// Appends a row that begins in the first column, and positions the cursor after each cluster of doubtful
  /// width: the following text is in place, and none is lost at the right edge. The row must be blank before:
  /// a cluster drawn narrower than expected leaves a column unchanged.
  func append(placing row: Row, to output: inout String) {
    var column = 0
    for var span in row.spans {
      if DisplayWidth.isDoubtful(span.text) {
        span.text = Self.placing(span.text, from: &column)
      } else {
        column += DisplayWidth.columns(of: span.text)
      }
      append(span, to: &output)
    }
  }

  private static func placing(_ text: String, from column: inout Int) -> String {
    var (placed, written, index) = ("", text.startIndex, text.startIndex)
    while index < text.endIndex {
      let character = text[index]
      text.formIndex(after: &index)
      column += DisplayWidth.columns(of: character)
      guard DisplayWidth.isDoubtful(character) else { continue }
      placed += text[written..<index]
      placed += "\u{1B}[\(column + 1)G"
      written = index
    }
    return placed + text[written...]
  }

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
    // The id tells a terminal that the parts of a link in several rows belong together.
    if let link { output += "\u{1B}]8;id=\(Self.number(of: link));\(link)\u{1B}\\" }
    if !codes.isEmpty { output += "\u{1B}[\(codes.joined(separator: ";"))m" }
    output += span.text
    if !codes.isEmpty { output += "\u{1B}[0m" }
    if link != nil { output += "\u{1B}]8;;\u{1B}\\" }
  }

  private static func number(of link: String) -> String {
    String(link.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }, radix: 36)
  }

  private func codes(of style: Style) -> [String] {
    var codes: [String] = []
    if style.isBold { codes.append("1") }
    if style.isItalic { codes.append("3") }
    if style.isUnderlined { codes.append("4") }
    if style.isStruck { codes.append("9") }
    return codes + (depth == .indexed ? indexedColors(of: style) : basicColors(of: style))
  }

  private func basicColors(of style: Style) -> [String] {
    var codes: [String] = []
    if style.isDim || style.color == .code && depth == .monochrome { codes.append("2") }
    if style.ground != .standard { codes.append("7") }
    guard depth == .basic else { return codes }
    switch style.color {
    case .standard: break
    case .notice: codes.append("33")
    case .problem: codes.append("31")
    case .own: codes.append("35")
    case .added: codes.append("32")
    case .removed: codes.append("31")
    case .place: codes.append("36")
    case .code: codes.append("36")
    case .sender(let index), .conversation(let index): codes.append("\(31 + index % 6)")
    }
    return codes
  }

  private func indexedColors(of style: Style) -> [String] {
    if let pair = pair(of: style.ground) { return ["38;5;\(pair.text)", "48;5;\(pair.ground)"] }
    switch style.color {
    case .standard: return style.isDim ? ["38;5;\(palette.dim)"] : []
    case .notice: return ["38;5;\(palette.notice)"]
    case .problem: return ["38;5;\(palette.problem)"]
    case .own: return ["38;5;\(palette.own)"]
    case .added: return ["38;5;\(palette.added)"]
    case .removed: return ["38;5;\(palette.removed)"]
    case .place: return ["38;5;\(palette.place)"]
    case .code: return ["38;5;\(palette.code)"]
    case .sender(let index), .conversation(let index):
      return ["38;5;\(palette.senders[index % palette.senders.count])"]
    }
  }

  private func pair(of ground: Style.Ground) -> Palette.Pair? {
    switch ground {
    case .standard: nil
    case .status: palette.status
    case .failure: palette.failure
    case .hit: palette.hit
    case .currentHit: palette.currentHit
    case .selection: palette.selection
    }
  }
}

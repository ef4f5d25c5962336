/// Text from outside in a form that cannot control a terminal, reorder its neighbours or hide in it.
public enum SafeText {
  /// Returns `text` on one line: as ``lines(of:)``, with `⏎` where a line ended and a space for a tab.
  public static func oneLine(_ text: some StringProtocol) -> String {
    if isPlain(text) { return String(text) }
    return lines(of: text).joined(separator: " ⏎ ").replacing("\t", with: " ")
  }

  /// Returns the lines of `text`, in which tabs are the only control characters left.
  ///
  /// Control characters become their pictures (`␛`), C1 controls, bidi embeddings, overrides and isolates and
  /// invisible separators their numbers (`⟨U+202E⟩`). A run of code points without width is cut short after sixteen
  /// (no emoji and no script needs more), with the number of those left out: `⟨+984⟩`.
  ///
  /// - Complexity: O(bytes).
  public static func lines(of text: some StringProtocol) -> [String] {
    if isPlain(text) { return [String(text)] }
    var lines: [String] = []
    var line = Line()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": break
      case "\n": lines.append(line.finish())
      default:
        if previous == "\r" { line.append("\r") }
        line.append(scalar)
      }
      previous = scalar
    }
    if previous == "\r" { line.append("\r") }
    lines.append(line.finish())
    return lines
  }

  /// Whether all bytes are printable ASCII.
  private static func isPlain(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// One line in the making.
  private struct Line {
    private var text = ""
    private var widthless = 0

    mutating func append(_ scalar: Unicode.Scalar) {
      if scalar.value >= 0x300, DisplayWidth.columns(of: scalar) == 0, !isHarmful(scalar) {
        widthless += 1
        if widthless <= 16 { text.unicodeScalars.append(scalar) }
        return
      }
      endRun()
      if let picture = picture(of: scalar) {
        text += picture
      } else {
        text.unicodeScalars.append(scalar)
      }
    }

    mutating func finish() -> String {
      endRun()
      defer { text = "" }
      return text
    }

    private mutating func endRun() {
      if widthless > 16 { text += "⟨+\(widthless - 16)⟩" }
      widthless = 0
    }

    private func picture(of scalar: Unicode.Scalar) -> String? {
      switch scalar.value {
      case 0x09: nil
      case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value).map { String(Character($0)) }
      case 0x7F: "␡"
      case 0x80..<0xA0: number(of: scalar)
      default: isHarmful(scalar) ? number(of: scalar) : nil
      }
    }

    private func number(of scalar: Unicode.Scalar) -> String {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "⟨U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)⟩"
    }

    /// Whether it reorders its neighbours, breaks the line or stands for something that is not shown.
    private func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029, 0x206A...0x206F, 0xFFF9...0xFFFB, 0xFEFF: true
      default: false
      }
    }
  }
}

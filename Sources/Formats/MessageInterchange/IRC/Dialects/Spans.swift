extension IRCDialect {
  /// Bots' pages of a day: a line per message with coloured spans, the day as the file's name. Other lines
  /// are skipped.
  static let spans = IRCDialect(
    name: "irc-html",
    title: "IRC, a bot's pages with colours",
    clocks: spanClocks,
    shapes: spanShapes,
    markup: markedUp,
    decides: { sample in
      sample.lines.contains { line in
        line.withUnsafeBytes { line in
          guard line.withoutLeadingSpaces.has("<span") else { return false }
          return fitsSpans(markedUp(line, .windows1252))
        }
      }
    })

  private static let spanClocks = [ClockPattern("[%k:%M] "), ClockPattern("[%k:%M:%S] ")]
  private static let spanShapes: [IRCShape] = [
    .said, .hostEvent("* "), .actionOrEvent("* "), .event("*** "), .notice,
  ]

  private static func fitsSpans(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      spanClocks.contains { clock in
        guard let reading = clock.read(Bytes(bytes)) else { return false }
        let rest = Bytes(bytes).dropping(reading.byteCount)
        return IRCSentence(rest, shapes: spanShapes, rankMarks: "") != nil
      }
    }
  }

  @Sendable static func markedUp(_ line: Bytes, _ encoding: FallbackEncoding) -> String {
    guard line.position(of: "<span") != nil else { return "" }
    return HTMLText.plain(encoding.string(line))
  }
}

extension IRCDialect {
  /// Bots that write the whole time, a nick and a colon, and sentences of their own on what happened: Cinch's and others'.
  static let bot = IRCDialect(
    name: "irc-bot",
    title: "IRC, a bot's log with the whole time in each line",
    clocks: [clock] + bareClocks,
    shapes: [
      .said, .saidBeforeColon, .botEvent, .event("*** "), .actionOrEvent("* "), .action("*"), .notice,
    ],
    decides: isBotLog)

  private static let clock = ClockPattern("[%Y-%m-%d %H:%M:%S] ")
  /// Times that any log may begin its lines with: those of IRC have nicks in angles behind them.
  private static let bareClocks = [ClockPattern("%Y-%m-%d %H:%M:%S "), ClockPattern("%Y-%m-%dT%H:%M:%S ")]

  /// Whether a file is a bot's log. WhatsApp's and Signal's exports have lines of the same shape in some languages: those
  /// are by people, whose names have spaces and whose messages have several lines.
  @Sendable static func isBotLog(_ sample: FormatSample) -> Bool {
    var (fitting, eventCount) = (0, 0)
    for line in sample.lines {
      let sort = line.withUnsafeBytes(BotLine.init)
      fitting += sort == .none ? 0 : 1
      eventCount += sort == .event ? 1 : 0
    }
    // A last line may be half written, and a line torn.
    guard fitting > 0, fitting * 20 >= sample.lines.count * 19 || fitting >= sample.lines.count - 1 else {
      return false
    }
    guard eventCount == 0 else { return true }
    return fitting == sample.lines.count && !isExport(sample) && !ProgramLog.fits(sample)
  }

  /// Whether something in a file, or its name, tells that it is an export of an app.
  private static func isExport(_ sample: FormatSample) -> Bool {
    sample.isOfPeople || sample.name.lowercased().hasSuffix(".md") || sample.blankLineCount > 0
      || sample.bytes.contains(0x0D)
  }

  /// A line, by what tells it from those of others.
  private enum BotLine {
    case said, event, none

    init(_ line: Bytes) {
      self = .none
      guard let reading = IRCDialect.clock.read(line) else {
        readBare(line)
        return
      }
      let rest = line.dropping(reading.byteCount)
      if IRCSentence.botEvent(rest) != nil {
        self = .event
      } else if let sentence = IRCSentence(rest, shapes: [.said, .saidBeforeColon], rankMarks: "") {
        self = sentence.sender.map(Self.isNick) == true ? .said : .none
      } else if rest.first == UInt8(ascii: "*") || rest.first == UInt8(ascii: "-") {
        self = .said
      }
    }

    /// Reads a line whose time has no brackets.
    private mutating func readBare(_ line: Bytes) {
      for clock in IRCDialect.bareClocks {
        guard let reading = clock.read(line) else { continue }
        let rest = line.dropping(reading.byteCount)
        let said = IRCSentence(rest, shapes: [.said], rankMarks: "")?.sender
        self = said.map(Self.isNick) == true || rest.has("* ") || rest.has("*** ") ? .said : .none
        return
      }
    }

    /// Whether a name is one that IRC allows: <https://www.rfc-editor.org/rfc/rfc2812#section-2.3.1>.
    private static func isNick(_ name: Bytes) -> Bool {
      guard let first = name.first, name.count <= 32, !(0x30...0x39).contains(first) else { return false }
      return name.allSatisfy { byte in
        (0x41...0x7D).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      }
    }
  }
}

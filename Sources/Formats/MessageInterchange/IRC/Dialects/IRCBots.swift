extension IRCDialect {
  /// The bot eggdrop: sentences without a mark; the day is in the file's name and in a line of its own.
  static let eggdrop = IRCDialect(
    name: "irc-eggdrop",
    title: "IRC, eggdrop's log",
    clocks: [ClockPattern("[%H:%M:%S] "), ClockPattern("[%H:%M] ")],
    shapes: [
      .said, .saidAfter("@"), .saidAfter("+"), .action("Action: "), .notice, .knownEvent,
    ],
    timedMarkers: [.day("--- ", ClockPattern("%a %b %e %Y"))],
    isTypical: { sample in
      sample.lines.contains { line in
        let rest = line.drop { $0 != 0x20 }.dropFirst()
        return rest.starts(with: "Action: ".utf8) || rest.starts(with: "Nick change: ".utf8)
          || rest.starts(with: "--- ".utf8)
      }
    })

  /// The bot energymech: the full date before each line.
  static let energyMech = IRCDialect(
    name: "irc-energymech",
    title: "IRC, energymech's log",
    clocks: [ClockPattern("[%b %e %Y %H:%M:%S] ")],
    shapes: [.said, .event("*** "), .actionOrEvent("* "), .notice])

  /// The bots Limnoria and Supybot: the full date and two spaces before each line.
  static let limnoria = IRCDialect(
    name: "irc-limnoria",
    title: "IRC, Limnoria's log",
    clocks: [ClockPattern("%Y-%m-%dT%H:%M:%S  ")],
    shapes: [.said, .event("*** "), .action("* "), .notice])

  /// justlog's logs of Twitch: the channel in each line, nicks without brackets.
  static let justlog = IRCDialect(
    name: "irc-justlog",
    title: "IRC, justlog's log of Twitch",
    clocks: [ClockPattern("[%Y-%m-%e %H:%M:%S] ")],
    shapes: [.saidBeforeColon, .event("")],
    linesNameChannel: true)

  /// Bots that write the full time, a nick and a colon, and their own sentences for events, such as Cinch;
  /// and logs that begin alike: IRCCloud's exports, and The Lounge's before 2018.
  static let bot = IRCDialect(
    name: "irc-bot",
    title: "IRC, a bot's or IRCCloud's log with the whole time in each line",
    clocks: [clock] + bareClocks,
    shapes: [
      .said, .saidBeforeColon, .botEvent, .event("*** "), .actionOrEvent("* "), .action("*"), .notice,
    ] + cloudShapes,
    decides: isBotLog)

  /// IRCCloud's marks of those who come, leave and quit, and of actions.
  private static let cloudShapes: [IRCShape] = [.event("→ "), .event("← "), .event("⇐ "), .action("— ")]

  private static let clock = ClockPattern("[%Y-%m-%d %H:%M:%S] ")
  /// Any log may begin its lines with these times; in IRC a nick in angle brackets follows.
  private static let bareClocks = [ClockPattern("%Y-%m-%d %H:%M:%S "), ClockPattern("%Y-%m-%dT%H:%M:%S ")]

  /// Exports of WhatsApp and Signal may have such lines, but spaces in names and texts of several lines.
  @Sendable static func isBotLog(_ sample: FormatSample) -> Bool {
    var (fitting, eventCount) = (0, 0)
    for line in sample.lines {
      let sort = line.withUnsafeBytes(BotLine.init)
      fitting += sort == .none ? 0 : 1
      eventCount += sort == .event ? 1 : 0
    }
    guard fitting > 0, fitting * 20 >= sample.lines.count * 19 || fitting >= sample.lines.count - 1 else {
      return false
    }
    guard eventCount == 0 else { return true }
    return fitting == sample.lines.count && !isExport(sample) && !ProgramLog.fits(sample)
  }

  private static func isExport(_ sample: FormatSample) -> Bool {
    sample.isOfPeople || sample.name.lowercased().hasSuffix(".md") || sample.blankLineCount > 0
      || sample.bytes.contains(0x0D)
  }

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
      } else if let marked = IRCSentence(rest, shapes: IRCDialect.cloudShapes, rankMarks: "") {
        self = marked.kind == .system || marked.kind == .action ? .said : .event
      } else if rest.first == UInt8(ascii: "*") || rest.first == UInt8(ascii: "-") {
        self = .said
      }
    }

    private mutating func readBare(_ line: Bytes) {
      for clock in IRCDialect.bareClocks {
        guard let reading = clock.read(line) else { continue }
        let rest = line.dropping(reading.byteCount)
        let said = IRCSentence(rest, shapes: [.said], rankMarks: "")?.sender
        self = said.map(Self.isNick) == true || rest.has("* ") || rest.has("*** ") ? .said : .none
        return
      }
    }

    /// IRC's rule for names: <https://www.rfc-editor.org/rfc/rfc2812#section-2.3.1>.
    private static func isNick(_ name: Bytes) -> Bool {
      guard let first = name.first, name.count <= 32, !(0x30...0x39).contains(first) else { return false }
      return name.allSatisfy { byte in
        (0x41...0x7D).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      }
    }
  }
}

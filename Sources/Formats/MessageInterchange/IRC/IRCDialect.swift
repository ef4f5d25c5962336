internal import MessageModel

/// How one program writes IRC logs, as a table.
struct IRCDialect: Sendable {
  var name: String
  var title: String
  var clocks: [ClockPattern]
  /// The shapes of the text after the time; the first that fits is used.
  var shapes: [IRCShape]
  /// The shapes of lines without a time, which take the time of the previous line.
  var untimedShapes: [IRCShape] = []
  /// Lines that set the day or the conversation.
  var markers: [IRCMarker] = []
  var timedMarkers: [IRCMarker] = []
  /// Patterns that users of the program can choose; they do not identify it.
  var chosenClocks: [ClockPattern] = []
  var beginning: IRCMarker?
  /// Whether every log of this program has that line.
  var needsBeginning = false
  /// The words after a line's time that name the conversation of the whole file.
  var namings: [String] = []
  var linesNameChannel = false
  var nicksHaveHosts = false
  var rankMarks: StaticString = ""
  /// Whether hours may be 12-hour ones without a mark.
  var mayUseTwelveHours = false
  var continuesMessages = false
  /// Converts a line of HTML to one of a log, empty outside the log; `nil` for plain text.
  var markup: (@Sendable (Bytes, FallbackEncoding) -> String)?
  /// Decides alone whether a file is this program's, where its lines resemble other histories.
  var decides: (@Sendable (FormatSample) -> Bool)?
  /// Recognises what only this program writes, among similar dialects.
  var isTypical: @Sendable (FormatSample) -> Bool = { _ in false }
  /// Turns a file's name without date and extension into the conversation's.
  var conversationName: @Sendable (String) -> String = { $0 }
  var network: @Sendable ([String]) -> String? = { _ in nil }

  static let all: [IRCDialect] = [
    ubuntu, raku, weechat, irssi, znc, hexChat, mIRC, eggdrop, energyMech, limnoria, dircproxy,
    collected, justlog, chatterino, theLounge, bot, spans, meetbot, irclog2html,
  ]
}

extension IRCDialect {
  func withoutChannel(_ rest: Bytes) -> (channel: Bytes?, rest: Bytes)? {
    guard linesNameChannel else { return (nil, rest) }
    guard rest.first == UInt8(ascii: "#"), let end = rest.position(of: 0x20), end > 1 else { return nil }
    return (rest.first(end), rest.dropping(end + 1))
  }
}

/// The shape of a line's text after its time.
enum IRCShape: Sendable {
  /// `<nick> text`, also with a tab
  case said
  /// `nick: text`
  case saidBeforeColon
  /// A mark before `<nick> text`
  case saidAfter(StaticString)
  /// A mark, then `nick text`: an action.
  case action(StaticString)
  /// A mark, then `nick text`: an action or an event, as the words tell.
  case actionOrEvent(StaticString)
  /// `-nick- text`, `-nick:#channel- text` or `-nick/#channel-⇥text`; `->nick<-⇥text` if it was sent
  case notice
  /// `>nick<⇥text` and `*nick*⇥text`: private messages within another log.
  case direct
  /// A mark, then an event.
  case event(StaticString)
  /// An event without a mark; only known sentences fit.
  case knownEvent
  /// `nick, joining. (#channel)`: an event in bots' words; only known sentences fit.
  case botEvent
  /// A mark, then `nick (user@host) Quit (why)`; an event without a host does not fit.
  case hostEvent(StaticString)
  /// `prefix⇥text`; the prefix is a nick or WeeChat's mark of the line's kind.
  case columns
  /// A mark, then an event; joins and parts only count with a host (`nick [user@host] has joined`).
  case eventWithHost(StaticString)
}

/// A line that is not a message but describes those that follow.
enum IRCMarker: Sendable {
  /// These words, then the day of the following lines.
  case day(StaticString, ClockPattern)
  /// These words, then the day on which a session begins.
  case session(StaticString, ClockPattern)
  /// These words, then anywhere in the line the day on which a session begins or ends.
  case sessionSomewhere(StaticString, ClockPattern)
  /// These words, then the conversation's name.
  case conversation(StaticString)
  /// These words, without information.
  case nothing(StaticString)

  enum Meaning {
    /// The day of the following lines, in days since 1970-01-01.
    case day(Int)
    /// The day of the next line, in days since 1970-01-01.
    case session(Int)
    case conversation(String)
    case nothing
  }

  func fits(_ line: Bytes) -> Bool { read(line) != nil }

  func read(_ line: Bytes) -> Meaning? {
    switch self {
    case .day(let words, let pattern):
      guard let rest = line.after(words) else { return nil }
      return pattern.read(rest)?.daysSince1970.map(Meaning.day)
    case .session(let words, let pattern):
      guard let rest = line.after(words) else { return nil }
      return pattern.read(rest)?.daysSince1970.map(Meaning.session)
    case .sessionSomewhere(let words, let pattern):
      guard var rest = line.after(words), line.count <= 512 else { return nil }
      while let space = rest.position(of: 0x20) {
        rest = rest.dropping(space + 1)
        if let day = pattern.read(rest)?.daysSince1970 { return .session(day) }
      }
      return nil
    case .conversation(let words):
      return line.after(words).map { .conversation($0.string) }
    case .nothing(let words):
      return line.has(words) ? .nothing : nil
    }
  }
}

extension ClockPattern.Reading {
  var daysSince1970: Int? {
    guard let year, let month, let day else { return nil }
    let civil = CivilTime(year: year, month: month, day: day)
    return civil.isValid ? civil.daysSince1970 : nil
  }
}

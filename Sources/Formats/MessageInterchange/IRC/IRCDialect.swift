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
  /// The marks of rank before a nick.
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

/// The form in which one program writes its logs of IRC, as a table: to read another, write another table.
struct IRCDialect: Sendable {
  /// The name, as `--format` takes it.
  var name: String
  /// The name for people.
  var title: String
  /// The patterns of the time; the first that fits is taken.
  var clocks: [ClockPattern]
  /// The shapes of what stands behind the time; the first that fits is taken.
  var shapes: [IRCShape]
  /// The shapes of lines without a time; such a line has the time of the one before.
  var untimedShapes: [IRCShape] = []
  /// Lines that tell the day or the conversation, and are no messages.
  var markers: [IRCMarker] = []
  /// The same behind a time.
  var timedMarkers: [IRCMarker] = []
  /// The patterns of the time where a user of the program chose another one, which is no sign of the program.
  var chosenClocks: [ClockPattern] = []
  /// A line with which only this program begins a log.
  var beginning: IRCMarker?
  /// Whether a log without that line is not of this program.
  var needsBeginning = false
  /// The beginnings of lines, behind their time, that then name the conversation of the whole file.
  var namings: [String] = []
  /// Whether the channel stands in each line, between the time and what is said.
  var linesNameChannel = false
  /// Whether what follows `!` in a nick is its host.
  var nicksHaveHosts = false
  /// The signs before a nick that tell its rank.
  var rankMarks: StaticString = ""
  /// Whether hours may be those of a clock face, 12 being followed by 1.
  var mayUseTwelveHours = false
  /// Whether a line without a time goes on with the message before.
  var continuesMessages = false
  /// Returns what a line of HTML says as a line of a log, nothing if it is a part of the page around that; `nil` where lines are
  /// no HTML.
  var markup: (@Sendable (Bytes, FallbackEncoding) -> String)?
  /// Decides alone whether a log is of this program, where what it writes looks like what is no log of IRC.
  var decides: (@Sendable (FormatSample) -> Bool)?
  /// Recognises what only this program writes, among dialects that look alike.
  var isTypical: @Sendable (FormatSample) -> Bool = { _ in false }
  /// Turns a file's name without date and extension into that of the conversation.
  var conversationName: @Sendable (String) -> String = { $0 }
  /// Returns the network that the path of a log tells; `nil` where it tells none.
  var network: @Sendable ([String]) -> String? = { _ in nil }

  /// All dialects; of those that fit a file equally well, the first is taken.
  static let all: [IRCDialect] = [
    ubuntu, raku, weechat, irssi, znc, hexChat, mIRC, eggdrop, energyMech, limnoria, dircproxy,
    collected, justlog, chatterino, theLounge, bot, spans, meetbot, irclog2html,
  ]
}

extension IRCDialect {
  /// Returns what stands behind the channel of a line, and the channel, where each line has one; `nil` if it has none.
  func withoutChannel(_ rest: Bytes) -> (channel: Bytes?, rest: Bytes)? {
    guard linesNameChannel else { return (nil, rest) }
    guard rest.first == UInt8(ascii: "#"), let end = rest.position(of: 0x20), end > 1 else { return nil }
    return (rest.first(end), rest.dropping(end + 1))
  }
}

/// A shape of what stands in a line of a log behind its time.
enum IRCShape: Sendable {
  /// `<nick> text`, also with a tab
  case said
  /// `nick: text`
  case saidBeforeColon
  /// A mark before `<nick> text`
  case saidAfter(StaticString)
  /// A mark, then `nick text`: somebody does something.
  case action(StaticString)
  /// A mark, then `nick text`: somebody does something, or something happens to them; the words tell which.
  case actionOrEvent(StaticString)
  /// `-nick- text`, `-nick:#channel- text` or `-nick/#channel-⇥text`; `->nick<-⇥text` is one that was sent
  case notice
  /// `>nick<⇥text` and `*nick*⇥text`: what was said to one person, and what they said, in a log of something else.
  case direct
  /// A mark, then a sentence on what happened.
  case event(StaticString)
  /// A sentence on what happened, without a mark; others do not fit.
  case knownEvent
  /// `nick, joining. (#channel)`: what happened, as bots put it; others do not fit.
  case botEvent
  /// A mark, then `nick (user@host) Quit (why)`: what happened to somebody whose host is told; others do not fit.
  case hostEvent(StaticString)
  /// `prefix⇥text`, where the prefix is a nick or, as WeeChat has it, tells what sort of line it is.
  case columns
  /// A mark, then a sentence in which only those with a host (`nick [user@host] has joined`) join and leave.
  case eventWithHost(StaticString)
}

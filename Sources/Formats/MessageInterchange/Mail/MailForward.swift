internal import MessageModel

/// The origin of a mail that another passes on in its text.
struct MailForward {
  private static let mostLines = 2_000
  private static let mostHeaders = 16

  private let fallback: FallbackEncoding
  private var from: String?
  private var date: String?

  /// The text keeps the lines that name the author, so it says itself which words are whose.
  static func origin(in text: String, subject: String, _ fallback: FallbackEncoding) -> Message.Forward? {
    let subject = subject.lowercased()
    guard subjects.contains(where: subject.hasPrefix) else { return nil }
    let lines = text.split(separator: "\n", maxSplits: mostLines, omittingEmptySubsequences: false)
      .prefix(mostLines)
    guard let mark = lines.firstIndex(where: isMark) else { return nil }
    var headers = MailForward(fallback: fallback)
    for line in lines[(mark + 1)...].prefix(mostHeaders) where !headers.take(line) { break }
    return headers.origin
  }

  private init(fallback: FallbackEncoding) { self.fallback = fallback }

  private var origin: Message.Forward? {
    guard let from else { return nil }
    // Outlook writes addresses so: `Ann Bee [mailto:ann@host.example]`.
    let written = from.replacing("[mailto:", with: "<").replacing("]", with: ">")
    let author = MailAddress(written, fallback)
    guard author.name != nil else { return nil }
    return Message.Forward(
      author: author.name, authorID: author.address, time: date.flatMap(MailDate.read), isQuoted: true)
  }

  /// Returns whether the lines after it may be headers, too.
  private mutating func take(_ line: Substring) -> Bool {
    let plain = Self.bare(line)
    guard !plain.isEmpty else { return from == nil && date == nil }
    guard let colon = plain.firstIndex(of: ":") else { return from == nil }
    let name = plain[..<colon].lowercased().trimming { $0 == "*" || $0 == " " }
    let value = String(plain[plain.index(after: colon)...]).trimming { $0 == "*" || $0.isWhitespace }
    if from == nil, Self.fromNames.contains(name) { from = value }
    if date == nil, Self.dateNames.contains(name) { date = value }
    return true
  }

  private static func isMark(_ line: Substring) -> Bool {
    marks.contains(bare(line).lowercased().trimming { "-_*: ".contains($0) })
  }

  /// Without the signs of a quotation.
  private static func bare(_ line: Substring) -> String {
    String(line.drop { $0 == ">" || $0 == "|" || $0.isWhitespace }).trimming { $0.isWhitespace }
  }

  private static let subjects = ["fwd:", "fw:", "wg:", "tr:", "rv:", "i:", "doorst:", "enc:"]
  private static let marks: Set<String> = [
    "forwarded message", "begin forwarded message", "weitergeleitete nachricht",
    "anfang der weitergeleiteten nachricht", "message transféré", "début du message transféré",
    "message transmis", "mensaje reenviado", "inicio del mensaje reenviado", "messaggio inoltrato",
    "inizio messaggio inoltrato", "doorgestuurd bericht", "mensagem encaminhada",
    "original message", "ursprüngliche nachricht", "message d'origine", "message original",
    "mensaje original", "messaggio originale", "oorspronkelijk bericht", "mensagem original",
  ]
  private static let fromNames: Set<String> = ["from", "von", "de", "da", "van"]
  private static let dateNames: Set<String> = [
    "date", "sent", "datum", "gesendet", "envoyé", "fecha", "enviado", "data", "inviato", "verzonden",
  ]
}

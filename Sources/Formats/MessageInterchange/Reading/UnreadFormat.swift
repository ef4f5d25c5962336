internal import MessageModel

/// A format that is not read, with what is said of its files.
struct UnreadFormat: Sendable {
  let reason: String
  let remedy: Remedy?
  /// Lists of signs, of one of which a file needs all.
  private let signs: [[FormatSign]]

  private init(_ reason: String, _ signs: [FormatSign]..., remedy: Remedy? = nil) {
    self.reason = reason
    self.signs = signs
    self.remedy = remedy
  }

  static func first(for sample: FormatSample) -> UnreadFormat? {
    all.first { $0.signs.contains { signs in signs.allSatisfy { $0.fits(sample) } } }
  }

  static let all = [
    UnreadFormat(
      "it is a store of Scrollback",
      [.database, .check { $0.bytes.dropFirst(68).starts(with: "Scrb".utf8) }], remedy: .openStore),
    UnreadFormat(
      "it is WhatsApp's encrypted backup (wadecrypt of wa-crypt-tools makes msgstore.db of it, with the key of 64 digits that the app shows)",
      [.named(["msgstore*"]), .check { $0.name.firstRange(of: ".crypt") != nil }]),
    UnreadFormat(
      "it is Signal's encrypted backup (Signal's own export in plain text is read, and what signalbackup-tools makes of this one)",
      [.named(["signal-*.backup"])],
      [.named(["main", "metadata"]), .check { $0.components.contains("SignalBackups") }]),
    UnreadFormat(
      "it is Signal Desktop's encrypted database (sigtop export-messages -f json reads it, and Signal's own export is read)",
      [.named(["db.sqlite"]), .folder("sql"), .check { !SQLiteFile.fits($0) }]),
    UnreadFormat(
      "it is a part of a session of opencode before 1.2 (import the folder 'storage' that it lies in, unpacked)",
      [.check(isOfOpenCode)]),
    UnreadFormat(
      "it is a log of Pidgin (pidgin2adium makes logs of Adium of it, which are read)",
      [
        .texts(["Conversation with ", " at "], inFirst: 512),
        .check { $0.components.contains { $0 == ".purple" || $0 == "logs" } },
      ]),
    UnreadFormat(
      "it is Gitter's archive (--format json --map time=sent,sender=fromUser reads it)",
      [.keys(["fromUser", "sent"])]),
    UnreadFormat(
      "it is a list of an iPhone's backup (unencrypted ones have ChatStorage.sqlite and sms.db under other names; idevicebackup2 unback gives them their names)",
      [.named(["Manifest.db"]), .tables(["Files"])]),
    UnreadFormat(
      "it is Google's list of activities as HTML (takeout.google.com makes JSON of My Activity where that is chosen, of which Gemini Apps are read)",
      [.texts(["outer-cell mdl-cell"], inFirst: 65_536)]),
    UnreadFormat(
      "it is the log of a program whose messages have parts that JSON Lines would lose, as calls of tools (--format json-lines reads the texts alone)",
      [.check(StructuredLog.losesParts)]),
    programLog,
  ]

  static let programLog = UnreadFormat(
    "it is the log of a program and not a chat: times and events, and nobody speaks (if it is one, --format NAME reads it, as whatsapp or irc-bot)",
    [.check(ProgramLog.fits)])

  /// Whether a file lies in opencode's folder or a copy of it: `storage/message/ses_…/msg_….json`.
  private static func isOfOpenCode(_ sample: FormatSample) -> Bool {
    guard sample.name.hasSuffix(".json") else { return false }
    let folders = sample.components.dropLast()
    if folders.contains("opencode"), folders.contains("storage") { return true }
    guard ["ses_", "msg_", "prt_"].contains(where: sample.name.hasPrefix) else { return false }
    return sample.has("\"id\"") && folders.contains(where: ["session", "message", "part"].contains)
  }
}

/// Assistants' logs without a format of their own, of which JSON Lines would lose tool calls and thoughts.
enum StructuredLog {
  /// Whether records have types, and some are messages with parts that would lose their text.
  static func losesParts(_ sample: FormatSample) -> Bool {
    sample.hasRecord { record in
      guard record["type"] != nil else { return false }
      let content = record.object("message")?["content"] ?? record["content"]
      return !parts(of: content).isEmpty
    }
  }

  /// Words in the types of parts that are an assistant's steps. A picture has no text either, but loses none.
  private static let steps = ["tool", "call", "function", "thinking", "reasoning"]

  private static func parts(of content: Bytes?) -> [String] {
    guard let content, content.first == UInt8(ascii: "[") else { return [] }
    var types: [String] = []
    var scanner = JSONScanner(content)
    try? scanner.array { scanner throws(JSONError) in
      let value = try scanner.value()
      guard let type = try JSONFields(value)?.plainText("type"), try LooseText.read(value) == nil else {
        return
      }
      if steps.contains(where: type.lowercased().contains) { types.append(type) }
    }
    return types
  }
}

/// Logs in which programs record their own work: lines of time, severity and event, without speakers. Exports
/// of apps and logs of bots begin their lines alike, with a name where these have a severity.
enum ProgramLog {
  static func fits(_ sample: FormatSample) -> Bool { hasSeverities(sample) || isWithoutSpeakers(sample) }

  /// Whether lines that begin with a time carry a severity; always the same word may be a person's name.
  private static func hasSeverities(_ sample: FormatSample) -> Bool {
    let events = sample.lines.compactMap { line in line.withUnsafeBytes(event).map(severity) }
    let severities = events.compactMap(\.self)
    guard !severities.isEmpty, severities.count * 10 >= events.count * 9 else { return false }
    return Set(severities).count > 1 || !sample.isOfPeople
  }

  /// Whether lines look like a chat's with seconds in their times, but none has a speaker.
  private static func isWithoutSpeakers(_ sample: FormatSample) -> Bool {
    let headers = sample.lines.compactMap { line in
      line.withUnsafeBytes { line in
        WhatsAppHeader(line).map { ($0.shape.hasSeconds, hasSpeaker($0.body)) }
      }
    }
    return !headers.isEmpty && !sample.isOfPeople && headers.allSatisfy { $0 == (true, false) }
  }

  /// `Ann: text`, or `<ann> text` in logs of IRC.
  private static func hasSpeaker(_ body: Bytes) -> Bool {
    body.first == UInt8(ascii: "<") || WhatsAppBody(body, voice: nil).sender != nil
  }

  /// The text after a line's time; `nil` if the line has no time or is a row of a table.
  private static func event(_ line: Bytes) -> Bytes? {
    var end = 0
    var lastOfTime = 0
    while end < line.count, isOfTime(line[end]) || isDigit(line[lastOfTime]) && "TZ".utf8.contains(line[end])
    {
      if !isSeparator(line[end]) { lastOfTime = end }
      end += 1
    }
    let time = line.first(end)
    guard time.count(where: isDigit) >= 10, time.contains(UInt8(ascii: ":")) else { return nil }
    let isCell =
      time.dropping(lastOfTime).contains(UInt8(ascii: ",")) || line.dropping(end).first.map(isCellEnd) == true
    return isCell ? nil : line.dropping(end)
  }

  private static func isOfTime(_ byte: UInt8) -> Bool { isDigit(byte) || isSeparator(byte) }

  private static func isSeparator(_ byte: UInt8) -> Bool { " []-/.:,+|".utf8.contains(byte) }

  private static func isCellEnd(_ byte: UInt8) -> Bool { byte == 0x09 || byte == UInt8(ascii: ";") }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The first word, or a word in capitals among the first four before the colon.
  private static func severity(_ event: Bytes) -> String? {
    let place = event.first(event.position(of: ": ").map { $0 + 1 } ?? event.count)
    let words = place.split(maxSplits: 4, whereSeparator: { !isLetter($0) }).prefix(4).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard let first = words.first else { return nil }
    return severities.contains(first.uppercased())
      ? first.uppercased() : words.first(where: severities.contains)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 }

  private static let severities: Set = [
    "TRACE", "DEBUG", "VERBOSE", "INFO", "NOTICE", "WARN", "WARNING", "ERR", "ERROR", "SEVERE", "CRIT",
    "CRITICAL",
    "ALERT", "EMERG", "EMERGENCY", "FATAL", "PANIC",
  ]
}

extension FormatSample {
  /// Whether the name says that it is a chat, or direction marks show that an app wrote it for people.
  var isOfPeople: Bool {
    let name = name.lowercased()
    return name.contains("chat") || name.contains("whatsapp") || has("\u{200E}", inFirst: Self.byteCount)
  }
}

internal import MessageModel

enum UnreadFormat: CaseIterable {
  case store
  case whatsAppBackup
  case signalBackup
  case signalDatabase
  case openCodeFolder
  case pidginLog
  case gitter
  case appleBackup
  case googleActivity
  case codexQuestions
  case deepSeek
  case grok
  case specStory
  case messengerPage
  case listPage
  case twitchPage
  case structuredLog
  case programLog

  init?(_ sample: FormatSample) {
    guard let found = Self.allCases.first(where: { $0.fits(sample) }) else { return nil }
    self = found
  }

  var reason: String {
    switch self {
    case .store:
      "it is a store of Scrollback"
    case .whatsAppBackup:
      "it is WhatsApp's encrypted backup (wadecrypt of wa-crypt-tools makes msgstore.db of it, with the key of 64 digits that the app shows)"
    case .signalBackup:
      "it is Signal's encrypted backup (Signal's own export in plain text is read, and what signalbackup-tools makes of this one)"
    case .signalDatabase:
      "it is Signal Desktop's encrypted database (sigtop export-messages -f json reads it, and Signal's own export is read)"
    case .openCodeFolder:
      "it is a part of a session of opencode before 1.2 (import the folder 'storage' that it lies in, unpacked)"
    case .pidginLog:
      "it is a log of Pidgin (pidgin2adium makes logs of Adium of it, which are read)"
    case .gitter:
      "it is Gitter's archive (--format json --map time=sent,sender=fromUser reads it)"
    case .appleBackup:
      "it is a list of an iPhone's backup (unencrypted ones have ChatStorage.sqlite and sms.db under other names; idevicebackup2 unback gives them their names)"
    case .googleActivity:
      "it is Google's list of activities as HTML (takeout.google.com makes JSON of My Activity where that is chosen, of which Gemini Apps are read)"
    case .codexQuestions:
      "it is a list of the questions typed into Codex CLI (import the folder 'sessions', which has them with their answers; --format json-lines reads the questions alone)"
    case .deepSeek: "it is an export of DeepSeek, which is not read"
    case .grok: "it is an export of Grok, which is not read"
    case .specStory:
      "it is a session that SpecStory wrote as Markdown (the sessions of the assistant itself are read)"
    case .messengerPage:
      "it is a page of Messenger's or Instagram's export (download it again, with JSON as its format)"
    case .listPage:
      "it is a page of a mailing list's archive (its months as text, .txt or .txt.gz, are read)"
    case .twitchPage: "it is a page of TwitchDownloader (download the chat again, as JSON)"
    case .structuredLog:
      "it is the log of a program whose messages have parts that JSON Lines would lose, as calls of tools (--format json-lines reads the texts alone)"
    case .programLog:
      "it is the log of a program and not a chat: times and events, and nobody speaks (if it is one, --format NAME reads it, as whatsapp or irc-bot)"
    }
  }

  var remedy: Remedy? { self == .store ? .openStore : nil }

  /// Whether a file lies in opencode's folder or a copy of it: `storage/message/ses_…/msg_….json`.
  private static func isOfOpenCode(_ sample: FormatSample) -> Bool {
    guard sample.name.hasSuffix(".json") else { return false }
    let folders = sample.components.dropLast()
    if folders.contains("opencode"), folders.contains("storage") { return true }
    guard ["ses_", "msg_", "prt_"].contains(where: sample.name.hasPrefix) else { return false }
    return sample.has("\"id\"") && folders.contains(where: ["session", "message", "part"].contains)
  }

  private func fits(_ sample: FormatSample) -> Bool {
    switch self {
    case .store: return SQLiteFile.fits(sample) && sample.bytes.dropFirst(68).starts(with: "Scrb".utf8)
    case .whatsAppBackup:
      return sample.name.hasPrefix("msgstore") && sample.name.firstRange(of: ".crypt") != nil
    case .signalBackup:
      return sample.name.hasPrefix("signal-") && sample.name.hasSuffix(".backup")
        || sample.components.contains("SignalBackups") && (sample.name == "main" || sample.name == "metadata")
    case .signalDatabase:
      return sample.name == "db.sqlite" && sample.components.dropLast().last == "sql"
        && !SQLiteFile.fits(sample)
    case .openCodeFolder:
      return Self.isOfOpenCode(sample)
    case .pidginLog:
      return sample.has("Conversation with ", inFirst: 512) && sample.has(" at ", inFirst: 512)
        && sample.components.contains { $0 == ".purple" || $0 == "logs" }
    case .gitter: return sample.has("\"fromUser\"") && sample.has("\"sent\"")
    case .appleBackup: return sample.name == "Manifest.db" && sample.tables.contains("Files")
    case .googleActivity: return sample.holds("outer-cell mdl-cell")
    case .codexQuestions: return CodexFormat.isQuestions(sample)
    case .deepSeek:
      return sample.beginsJSON && sample.holds("\"fragments\"", "\"inserted_at\"", "\"mapping\"")
    case .grok:
      return sample.beginsJSON && sample.holds("\"responses\"", "\"conversation\"", "\"$numberLong\"")
    case .specStory: return sample.has("<!-- Generated by SpecStory", inFirst: 512)
    case .messengerPage:
      return sample.firstSign == UInt8(ascii: "<")
        && sample.holdsAny(of: "_3-95 _a6-g\"", "pam _3-95 _2ph- _a6-g")
    case .listPage: return sample.has("<!--beginarticle-->")
    case .twitchPage: return sample.has("class=\"comment-root\"", inFirst: FormatSample.byteCount)
    case .structuredLog: return StructuredLog.losesParts(sample)
    case .programLog: return ProgramLog.fits(sample)
    }
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

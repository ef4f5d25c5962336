/// Logs in which programs record their own work: lines of time, severity and event, without speakers.
///
/// Exports of apps and logs of bots begin their lines alike, with a name where these have a severity.
enum ProgramLog {
  static func fits(_ sample: FormatSample) -> Bool { hasSeverities(sample) || isWithoutSpeakers(sample) }

  /// Whether the lines that begin with a time carry a severity. If it is always the same word, it may be a
  /// person's name.
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
        WhatsAppHeader(line).map { ($0.shape.hasSeconds, WhatsAppBody($0.body, voice: nil).sender != nil) }
      }
    }
    return !headers.isEmpty && !sample.isOfPeople && headers.allSatisfy { $0 == (true, false) }
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

internal import MessageModel

extension MailReader {
  static func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first else { return 0 }
    if let envelope = first.withUnsafeBytes(MailEnvelope.init) {
      let second = sample.lines.dropFirst().first
      return second?.withUnsafeBytes { envelope.beginsMail(before: $0, isBehindEmptyLine: true) } == true
        ? 85 : 0
    }
    guard first.withUnsafeBytes(MailHeaders.mayBegin) else { return 0 }
    let headers = sample.bytes.withUnsafeBytes(MailHeaders.init)
    let known = ["from", "date", "subject", "message-id", "received", "to", "return-path", "mime-version"]
    return headers.raw("from") != nil && known.count { headers.raw($0) != nil } >= 3 ? 70 : 0
  }
}

/// Mailboxes in one file (mbox), and files of one mail each as in maildirs.
/// A mail begins at a `From ` line that its ``MailEnvelope`` is certain enough of, if a header field follows;
/// `>From` in the text is unescaped. A file of one mail has no escapes.
struct MailReader: HistoryReader {
  private let options: ImportOptions
  private let fileConversation: String
  private var lines: LineReader
  private var mail: [UInt8] = []
  private var mailLine = 1
  private var envelope: Timestamp?
  private var candidate: Candidate?
  private var neighbours: MailNeighbours
  private var lastWasEmpty = true
  private var isMailbox = false
  private var isTooLong = false
  private var isAtEnd = false
  private let isOneMail: Bool

  private struct Candidate {
    let line: [UInt8]
    let envelope: MailEnvelope
    let isBehindEmptyLine: Bool
  }

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    lines = LineReader(file.source)
    let beginning = (try? file.source.peek(FormatSample.byteCount)) ?? Bytes(start: nil, count: 0)
    neighbours = MailNeighbours(beginning)
    // A file of one mail belongs to its folder; in a maildir, to the folder above `cur` and `new`.
    var components = file.components
    let isMailbox = beginning.has("From ")
    if !isMailbox, components.count > 1 { components.removeLast() }
    if let last = components.last, ["cur", "new"].contains(last), components.count > 1 {
      components.removeLast()
    }
    fileConversation = PathNames(components).conversation
    isOneMail = !isMailbox && Self.isOneMail(file)
  }

  /// By its name or place, as in maildirs.
  private static func isOneMail(_ file: InputFile) -> Bool {
    let folder = file.components.dropLast().last ?? ""
    return ["cur", "new"].contains(folder) || file.name.lowercased().hasSuffix(".eml")
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      switch try lines.next() {
      case .line(let line): take(line, into: &sink)
      case .overlong: isTooLong = true
      case .end:
        if let candidate { keep(candidate.line) }
        isAtEnd = true
        finishMail(into: &sink)
        return false
      }
    }
    return true
  }

  private mutating func take(_ line: Bytes, into sink: inout RecordSink) {
    if let candidate {
      self.candidate = nil
      if candidate.envelope.beginsMail(before: line, isBehindEmptyLine: candidate.isBehindEmptyLine) {
        finishMail(into: &sink)
        envelope = candidate.envelope.time
        isMailbox = true
        mailLine = lines.number
      } else {
        keep(candidate.line)
      }
    }
    if !isOneMail, let envelope = MailEnvelope(line) {
      candidate = Candidate(line: Array(line), envelope: envelope, isBehindEmptyLine: lastWasEmpty)
      lastWasEmpty = false
      return
    }
    lastWasEmpty = line.isEmpty
    keep(isMailbox ? Self.unescaped(line) : line)
  }

  /// Removes one `>` from `>From`, `>>From` and so on (mboxrd).
  private static func unescaped(_ line: Bytes) -> Bytes {
    guard line.first == UInt8(ascii: ">") else { return line }
    let marks = line.prefix { $0 == UInt8(ascii: ">") }.count
    return line.has("From ", at: marks) ? line.dropping(1) : line
  }

  private mutating func keep(_ line: some Collection<UInt8>) {
    guard mail.count + line.count <= LineReader.bound else {
      isTooLong = true
      return
    }
    mail.append(contentsOf: line)
    mail.append(0x0A)
  }

  private mutating func finishMail(into sink: inout RecordSink) {
    defer {
      mail.removeAll(keepingCapacity: mail.count < 1 << 20)
      isTooLong = false
    }
    guard mail.contains(where: { $0 != 0x0A }) else { return }
    // Its id, its author or its list may be in the rest.
    if isAtEnd, !isTooLong, !mail.withUnsafeBytes({ MailHeaders($0).isWhole }) {
      return mail.withUnsafeBytes { sink.skip(line: mailLine, reason: "its header is cut off", record: $0) }
    }
    if isMailbox, mail.suffix(2).elementsEqual([0x0A, 0x0A]) { mail.removeLast() }
    mail.withUnsafeBytes { bytes in
      if isTooLong {
        return sink.skip(
          line: mailLine, reason: "it is longer than \(LineReader.bound >> 20) MB", record: bytes)
      }
      guard
        let mail = MailMessage(
          bytes, envelope: envelope, neighbours: neighbours, fallback: options.fallbackEncoding)
      else {
        return sink.skip(line: mailLine, reason: "it has no date", record: bytes)
      }
      var message = mail.message
      neighbours.add(message.time)
      if options.keepsOriginal {
        message.details.source?.original = Charset.string(Array(bytes), nil, options.fallbackEncoding)
      }
      let name = options.conversation ?? mail.list ?? fileConversation
      sink.append(message, conversation: sink.conversation(named: name))
    }
  }
}

/// The line that begins a mail in a mailbox: `From ann@host.example Fri Dec  1 00:24:44 2006`. Any line of a
/// text may begin with `From `, and not every program escapes it. How certain the line is decides what else
/// must hold for a mail to begin.
struct MailEnvelope {
  enum Certainty: Comparable {
    /// An ordinary sentence.
    case none
    /// It contains an address or some date: a mail if an empty line precedes.
    case likely
    /// It has a date as C's `ctime` writes it: a mail anywhere.
    case certain
  }

  let certainty: Certainty
  let time: Timestamp?

  init(_ line: String) {
    let words = line.split { $0 == " " || $0 == "\t" }.dropFirst().map(String.init)
    if let start = words.indices.first(where: { Self.isDate(words[$0...]) }) {
      certainty = .certain
      time = MailDate.read(words[start...].joined(separator: " "))
      return
    }
    time = MailDate.read(words.dropFirst().joined(separator: " "))
    let isAddress = words.first.map(Self.isAddress) ?? false
    certainty = isAddress || time != nil && words.contains { $0.contains(":") } ? .likely : .none
  }

  init?(_ line: Bytes) {
    guard line.has("From ") else { return nil }
    self.init(line.string)
  }

  func beginsMail(before line: Bytes, isBehindEmptyLine: Bool) -> Bool {
    switch certainty {
    case .certain: MailHeaders.mayBegin(with: line)
    case .likely: isBehindEmptyLine && MailHeaders.mayBegin(with: line)
    case .none: false
    }
  }

  /// Whether words begin with `Fri Dec 1 00:24:44 2006`, with a zone before or after the year or without
  /// seconds, or with the day before the month as in header fields.
  private static func isDate(_ words: ArraySlice<String>) -> Bool {
    let words = words.prefix(7).map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
    guard words.count >= 5, days.contains(words[0].lowercased()) else { return false }
    guard isMonth(words[1]) && isDay(words[2]) || isDay(words[1]) && isMonth(words[2]) else { return false }
    let rest = words[3...]
    return rest.contains(where: isClock) && rest.contains(where: isYear)
  }

  private static let days: Set<String> = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  private static func isMonth(_ word: String) -> Bool {
    word.utf8.count == 3 && DateWords.englishMonth(of: word.utf8) != nil
  }

  private static func isDay(_ word: String) -> Bool { Int(word).map { (1...31).contains($0) } ?? false }

  private static func isClock(_ word: String) -> Bool {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    return (2...3).contains(parts.count) && parts.allSatisfy { $0.utf8.count <= 2 && Int($0) != nil }
  }

  private static func isYear(_ word: String) -> Bool {
    word.utf8.count == 4 && Int(word).map { (1_000...9_999).contains($0) } ?? false
  }

  /// An address in a mailbox: with `@`, in UUCP's form, or one of the two that stand for no sender.
  private static func isAddress(_ word: String) -> Bool {
    guard !word.hasSuffix(","), !word.hasSuffix(":") else { return false }
    return word == "-" || word == "MAILER-DAEMON"
      || word.dropFirst().dropLast().contains { $0 == "@" || $0 == "!" }
  }
}

internal import MessageModel

/// Mail: mailboxes in one file (mbox), and files of one mail each, as maildirs hold them.
struct MailFormat: ImportFormat {
  let name = "mbox"
  let title = "mail"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first else { return 0 }
    if first.starts(with: "From ".utf8) {
      return sample.lines.dropFirst().first.map { $0.withUnsafeBytes(MailHeaders.mayBegin) } == true ? 85 : 0
    }
    guard first.withUnsafeBytes(MailHeaders.mayBegin) else { return 0 }
    let headers = sample.bytes.withUnsafeBytes(MailHeaders.init)
    let known = ["from", "date", "subject", "message-id", "received", "to", "return-path", "mime-version"]
    return headers.raw("from") != nil && known.count { headers.raw($0) != nil } >= 3 ? 70 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    MailReader(file: file, options: options)
  }
}

/// Reads a mailbox mail by mail, or the one mail that a file is.
///
/// A mail begins at a line `From …` behind an empty one if a header field follows; `>From` in the text is what it was
/// before it was escaped.
struct MailReader: HistoryReader {
  private let options: ImportOptions
  private let fileConversation: String
  private var lines: LineReader
  private var mail: [UInt8] = []
  private var mailLine = 1
  private var envelope: String?
  private var candidate: [UInt8]?
  private var lastWasEmpty = true
  private var isMailbox = false
  private var isTooLong = false

  /// Prepares to read `file`.
  init(file: InputFile, options: ImportOptions) {
    self.options = options
    lines = LineReader(file.source)
    // A file of one mail belongs to its folder; of a maildir, to the folder above `cur` and `new`.
    var components = file.components
    if (try? file.source.peek(5))?.has("From ") != true, components.count > 1 { components.removeLast() }
    if let last = components.last, ["cur", "new"].contains(last), components.count > 1 {
      components.removeLast()
    }
    fileConversation = PathNames(components).conversation
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      switch try lines.next() {
      case .line(let line): take(line, into: &sink)
      case .overlong: isTooLong = true
      case .end:
        if let candidate { keep(candidate) }
        finishMail(into: &sink)
        return false
      }
    }
    return true
  }

  private mutating func take(_ line: Bytes, into sink: inout RecordSink) {
    if let held = candidate {
      candidate = nil
      if MailHeaders.mayBegin(with: line) {
        finishMail(into: &sink)
        envelope = String(decoding: held, as: UTF8.self)
        isMailbox = true
        mailLine = lines.number
      } else {
        keep(held)
      }
    }
    if lastWasEmpty, line.has("From ") {
      candidate = Array(line)
      lastWasEmpty = false
      return
    }
    lastWasEmpty = line.isEmpty
    keep(isMailbox ? Self.unescaped(line) : line)
  }

  /// Takes one `>` from `>From`, `>>From` and so on, as mboxrd has it.
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
    // The empty line before the next mail is none of this one's.
    if isMailbox, mail.suffix(2).elementsEqual([0x0A, 0x0A]) { mail.removeLast() }
    mail.withUnsafeBytes { bytes in
      if isTooLong {
        return sink.skip(
          line: mailLine, reason: "it is longer than \(LineReader.bound >> 20) MB", record: bytes)
      }
      guard let mail = MailMessage(bytes, envelope: envelope, fallback: options.fallbackEncoding) else {
        return sink.skip(line: mailLine, reason: "it has no date", record: bytes)
      }
      var message = mail.message
      if options.keepsOriginal {
        message.details.source?.original = Charset.string(Array(bytes), nil, options.fallbackEncoding)
      }
      let name = options.conversation ?? mail.list ?? fileConversation
      sink.append(message, conversation: sink.conversation(named: name))
    }
  }
}

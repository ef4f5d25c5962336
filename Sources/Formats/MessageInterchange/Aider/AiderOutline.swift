/// The names of the sessions in a history of aider: each has that of its first question that is not a command.
struct AiderOutline {
  private var titles: [Int: String] = [:]
  private var session = -1
  private var isInQuestion = false
  /// Whether lines that are not the model's are marked by two spaces behind them.
  private(set) var hasMarks = true

  /// So many sessions are given titles.
  private static let mostSessions = 65_536

  /// Looks through a file.
  init(of file: InputFile) {
    let start = (try? file.source.peek(InputFile.previewByteCount)) ?? Bytes(start: nil, count: 0)
    hasMarks = Self.hasMarks(start)
    if let preview = file.preview() { read(LineReader(preview)) }
  }

  /// The title of a session, by its place in the file.
  func title(ofSession place: Int) -> String? { titles[place] }

  /// Returns the title that a question gives to a session; `nil` for commands, but for those that ask something.
  static func title(of question: Bytes) -> String? {
    guard question.first == UInt8(ascii: "/") else {
      return question.equals("<blank>") ? nil : AssistantTalk.title(question.string)
    }
    guard asking.contains(where: { question.has($0) }), let space = question.position(of: 0x20) else {
      return nil
    }
    return AssistantTalk.title(question.dropping(space).string)
  }

  private static let asking: [StaticString] = ["/ask ", "/code ", "/architect ", "/help ", "/context "]

  /// Without any mark in a file that has lines for them, all of them have been taken away.
  private static func hasMarks(_ start: Bytes) -> Bool {
    var lines = LineReader(ByteSource(MemoryProducer(Array(start.prefix(FormatSample.byteCount)))))
    var hasLines = false
    while case .line(let line)? = try? lines.next() {
      guard line.has("> ") || line.has("#### ") else { continue }
      if AiderLine.isMarked(line) { return true }
      hasLines = true
    }
    return !hasLines
  }

  private mutating func read(_ lines: LineReader) {
    var lines = lines
    var isInNotes = false
    while titles.count < Self.mostSessions, let next = try? lines.next() {
      switch next {
      case .end: return
      case .overlong: continue
      case .line(let line):
        let read = AiderLine(line, hasMarks: hasMarks, isInNotes: isInNotes)
        take(read)
        isInNotes = if case .note = read { true } else { false }
      }
    }
  }

  private mutating func take(_ line: AiderLine) {
    switch line {
    case .start:
      session += 1
      isInQuestion = false
    case .question(let question):
      if !isInQuestion, titles[session] == nil { titles[session] = Self.title(of: question) }
      isInQuestion = true
    case .note, .text: isInQuestion = false
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes are a text, and nothing else.
  fileprivate func equals(_ literal: StaticString) -> Bool {
    count == literal.utf8CodeUnitCount && has(literal)
  }
}

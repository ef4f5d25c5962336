/// The titles of sessions in a history of aider, from the first prompt that is not a command.
struct AiderOutline {
  private var titles: [Int: String] = [:]
  private var session = -1
  private var isInQuestion = false
  /// Whether aider's lines end with two spaces.
  private(set) var hasMarks = true

  private static let mostSessions = 65_536

  init(of file: InputFile) {
    let start = (try? file.source.peek(InputFile.previewByteCount)) ?? Bytes(start: nil, count: 0)
    hasMarks = Self.hasMarks(start)
    if let preview = file.preview() { read(LineReader(preview)) }
  }

  func title(ofSession place: Int) -> String? { titles[place] }

  /// `nil` for commands, except those that ask something.
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

  /// If no such line has its mark, an editor removed them.
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
  fileprivate func equals(_ literal: StaticString) -> Bool {
    count == literal.utf8CodeUnitCount && has(literal)
  }
}

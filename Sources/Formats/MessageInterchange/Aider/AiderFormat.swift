extension AiderReader {
  /// Whether a session may begin in a history whose beginning was cut off: the end of another, which comes
  /// first, may be long.
  static func mayHaveStart(_ sample: FormatSample) -> Bool {
    !sample.isWhole || sample.lines.contains { $0.withUnsafeBytes { AiderLine.start($0) != nil } }
  }
}

/// A line of aider's history of a project, `.aider.chat.history.md`: Markdown to which each run appends a
/// session. A person's begins with `#### `, aider's own with `> `, all others are the
/// model's. Two spaces at the end tell the first two from headings and quotes in the model's Markdown.
enum AiderLine {
  /// A session's beginning, with its time.
  case start(Bytes)
  case question(Bytes)
  /// A line of aider's own.
  ///
  /// - Parameter isEnded: Whether the note ends here: a commit message may continue on further lines.
  case note(Bytes, isEnded: Bool)
  case text(Bytes)

  init(_ line: Bytes, hasMarks: Bool, isInNotes: Bool) {
    if let time = Self.start(line) {
      self = .start(time)
      return
    }
    let isMarked = Self.isMarked(line)
    if let question = line.after("####"), isMarked || !hasMarks, Self.isSeparate(question) {
      self = .question(Self.content(question))
    } else if let note = line.after(">"), isMarked || !hasMarks || isInNotes, Self.isSeparate(note) {
      self = .note(Self.content(note), isEnded: isMarked || !hasMarks)
    } else {
      self = .text(line)
    }
  }

  static func start(_ line: Bytes) -> Bytes? {
    guard let rest = line.after("# aider chat started at ") else { return nil }
    let time = withoutTrailingSpaces(rest)
    guard time.count == 19, time[4] == UInt8(ascii: "-"), time[10] == 0x20, time[13] == UInt8(ascii: ":")
    else {
      return nil
    }
    return time
  }

  static func mayBecomeStart(_ line: Bytes) -> Bool {
    if line.has("# aider chat started at") { return start(line) == nil }
    return !line.isEmpty && "# aider chat started at".utf8.starts(with: line)
  }

  /// Whether an incomplete line may become another kind: its mark may still follow.
  static func mayBecomeOther(_ line: Bytes, hasMarks: Bool) -> Bool {
    if mayBecomeStart(line) { return true }
    let isBegun = { (sign: StaticString) in
      line.has(sign) || !line.isEmpty && sign.withUTF8Buffer { $0.starts(with: line) }
    }
    if isBegun("<think") { return AiderThought(line) == nil }
    return (isBegun("#### ") || isBegun("> ")) && hasMarks && !isMarked(line)
  }

  static func isMarked(_ line: Bytes) -> Bool {
    line.count >= 2 && line[line.count - 1] == 0x20 && line[line.count - 2] == 0x20
  }

  private static func isSeparate(_ rest: Bytes) -> Bool { rest.isEmpty || rest[0] == 0x20 }

  private static func content(_ rest: Bytes) -> Bytes {
    withoutTrailingSpaces(rest.isEmpty ? rest : rest.dropping(1))
  }

  static func withoutTrailingSpaces(_ bytes: Bytes) -> Bytes {
    var count = bytes.count
    while count > 0, bytes[count - 1] == 0x20 { count -= 1 }
    return bytes.first(count)
  }
}

struct AiderThought {
  let end: [UInt8]

  init?(_ line: Bytes) {
    guard line.count > 2, line.count <= 64, line.has("<think"), line[line.count - 1] == UInt8(ascii: ">"),
      line.has("<think>") && line.count == 7 || line.has("<thinking-content-") || line.has("<thinking>")
    else { return nil }
    end = Array("</".utf8) + Array(line.dropFirst())
  }

  func ends(with line: Bytes) -> Bool { line.elementsEqual(end) }
}

/// The titles of sessions in a history of aider, from the first prompt that is not a command.
struct AiderOutline {
  private var titles: [Int: String] = [:]
  private var session = -1
  private var isInQuestion = false
  /// Whether aider's lines end with two spaces.
  private(set) var hasMarks = true

  private static let mostSessions = 65_536

  init(of file: InputFile) {
    if let preview = file.preview() { hasMarks = Self.hasMarks(LineReader(preview)) }
    if let preview = file.preview() { read(LineReader(preview)) }
  }

  func title(ofSession place: Int) -> String? { titles[place] }

  /// `nil` for commands, except those that ask something.
  static func title(of question: Bytes) -> String? {
    guard question.first == UInt8(ascii: "/") else {
      return question.equals("<blank>") ? nil : AssistantConversation.title(question.string)
    }
    guard asking.contains(where: { question.has($0) }), let space = question.position(of: 0x20) else {
      return nil
    }
    return AssistantConversation.title(question.dropping(space).string)
  }

  private static let asking: [StaticString] = ["/ask ", "/code ", "/architect ", "/help ", "/context "]

  /// If none of the first such lines has its mark, an editor removed them. A line without an end was cut, or is
  /// being written.
  private static func hasMarks(_ lines: LineReader) -> Bool {
    var lines = lines
    var (byteCount, hasLines) = (0, false)
    while byteCount < FormatSample.byteCount, case .line(let line)? = try? lines.next() {
      byteCount += line.count + 1
      guard line.has("> ") || line.has("#### ") else { continue }
      if AiderLine.isMarked(line) { return true }
      if !lines.isUnended { hasLines = true }
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

internal import Foundation
internal import MessageModel

/// Each run is a session, and the lines between two marks are a message. aider only records when a session
/// began, so all its messages have that time; their ids are the numbers of their first lines within the
/// session, since the file only grows.
struct AiderReader: HistoryReader {
  private static let platform = "aider"

  private let reader: AssistantReader
  private let folder: String?
  private let path: String?
  private var outline: AiderOutline
  private var times: LooseTime
  private var lines: LineReader
  /// Whether the file is read on later; then incomplete messages are held back.
  private let isFollowed: Bool
  private var session: Session?
  private var sessionCount = 0
  private var startCounts: [String: Int] = [:]
  private var block: Block?
  private var known = LastAssistantConversation()
  private var isBehindNote = false
  private var hasSkippedEarly = false

  private struct Session {
    var key: String
    var start: String
    var time: Timestamp
    var title: String?
    var model: String?
    var line = 0
    var hasQuestion = false
  }

  private struct Block {
    enum Sort {
      case notes, cost, question, answer
      case thought(AiderThought)
    }

    var sort: Sort
    var firstLine: Int
    var bytes: [UInt8] = []
    var original: [UInt8] = []
    var isOpen = false
    /// The bytes of its text that were emitted before the rest was there.
    var emittedByteCount = 0
  }

  private static let mostStarts = 65_536
  private static let longestBlock = 64 << 20
  private static let longestEmittedAgain = 1 << 20

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader(Self.platform, assistant: "aider", options)
    folder = file.components.dropLast().last
    path = file.diskPath.map { URL(fileURLWithPath: $0).deletingLastPathComponent().standardizedFileURL.path }
    outline = AiderOutline(of: file)
    times = LooseTime(options)
    isFollowed = file.source.isReadOn
    lines = LineReader(file.source)
  }

  var hasSeenItsFormat: Bool { sessionCount > 0 }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      switch try lines.next() {
      case .line(let line): take(line, into: &sink)
      case .overlong(let start):
        session?.line += 1
        start.withUnsafeBytes { sink.skip(line: lines.number, reason: LineReader.overlong, record: $0) }
      case .end:
        if !isFollowed { close(into: &sink) } else if isShownEarly { emit(into: &sink) }
        return false
      }
    }
    return true
  }

  /// Whether the last message is shown although more lines of it may follow, with which it is emitted again.
  /// The notes of a start wait for the question that gives the session its title.
  private var isShownEarly: Bool {
    guard let block, block.bytes.count < Self.longestEmittedAgain else { return false }
    return isInQuestion || session?.hasQuestion == true
  }

  private mutating func take(_ line: Bytes, into sink: inout RecordSink) {
    if lines.isUnended, AiderLine.mayBecomeOther(line, hasMarks: outline.hasMarks) { return }
    session?.line += 1
    if let block, case .thought(let thought) = block.sort, AiderLine.start(line) == nil {
      if thought.ends(with: line) {
        close(into: &sink)
      } else if !isAiders(line) {
        return add(line, line, into: &sink)
      }
      if self.block == nil { return }
    }
    let read = AiderLine(line, hasMarks: outline.hasMarks, isInNotes: isBehindNote)
    isBehindNote = if case .note = read { true } else { false }
    switch read {
    case .start(let time):
      close(into: &sink)
      begin(time, line, into: &sink)
    case .question(let text):
      if !isInQuestion { close(into: &sink) }
      add(text, line, to: .question, into: &sink)
    case .note(let text, let isEnded):
      takeNote(text, line, isEnded: isEnded, into: &sink)
    case .text(let text): takeText(text, into: &sink)
    }
  }

  /// Whether a line within a thought is not the model's, because the thought was cut off.
  private func isAiders(_ line: Bytes) -> Bool {
    if case .text = AiderLine(line, hasMarks: outline.hasMarks, isInNotes: false) { return false }
    return outline.hasMarks
  }

  private mutating func takeNote(_ text: Bytes, _ line: Bytes, isEnded: Bool, into sink: inout RecordSink) {
    // A reply's cost is a message of its own, so it appears at once.
    let isCost = isEnded && text.has("Tokens: ")
    if !isInNotes || isCost { close(into: &sink) }
    add(text, line, to: isCost ? .cost : .notes, into: &sink)
    note(text)
    block?.isOpen = !isEnded
    if isCost { close(into: &sink) }
  }

  private mutating func takeText(_ text: Bytes, into sink: inout RecordSink) {
    if block?.isOpen == true {
      add(AiderLine.withoutTrailingSpaces(text), text, into: &sink)
      block?.isOpen = !AiderLine.isMarked(text)
      return
    }
    if text.isBlank {
      if isInQuestion { return close(into: &sink) }
      guard isInAnswer else { return }
    }
    if let thought = AiderThought(text), !isInAnswer {
      close(into: &sink)
      block = Block(sort: .thought(thought), firstLine: session?.line ?? 0)
      return
    }
    if !isInAnswer { close(into: &sink) }
    add(text, text, to: .answer, into: &sink)
  }

  private var isInQuestion: Bool { if case .question? = block?.sort { true } else { false } }
  private var isInAnswer: Bool { if case .answer? = block?.sort { true } else { false } }
  private var isInNotes: Bool { if case .notes? = block?.sort { true } else { false } }

  private mutating func add(
    _ text: Bytes, _ line: Bytes, to sort: Block.Sort? = nil, into sink: inout RecordSink
  ) {
    guard let session else { return skipEarly(line, into: &sink) }
    if block == nil, let sort { block = Block(sort: sort, firstLine: session.line) }
    guard var open = block, open.bytes.count + text.count < Self.longestBlock else {
      return sink.skip(line: lines.number, reason: "its message is longer than 64 MB", record: line)
    }
    block = nil
    if !open.bytes.isEmpty { open.bytes.append(0x0A) }
    open.bytes += text
    if reader.options.keepsOriginal {
      open.original += line
      open.original.append(0x0A)
    }
    block = open
  }

  private mutating func skipEarly(_ line: Bytes, into sink: inout RecordSink) {
    guard !line.isBlank, !hasSkippedEarly else { return }
    hasSkippedEarly = true
    sink.skip(line: lines.number, reason: "no session begins in or before it", record: line)
  }

  private mutating func begin(_ time: Bytes, _ line: Bytes, into sink: inout RecordSink) {
    let place = sessionCount
    sessionCount += 1
    guard let moment = times.read(time)?.time else {
      session = nil
      hasSkippedEarly = false
      return sink.skip(line: lines.number, reason: "there is no such time", record: line)
    }
    if startCounts.count >= Self.mostStarts { startCounts = [:] }
    let start = time.string
    let count = startCounts[start, default: 0] + 1
    startCounts[start] = count
    let key = [folder, count == 1 ? start : "\(start) (\(count))"].compactMap { $0 }.joined(separator: "/")
    session = Session(
      key: key, start: start, time: moment, title: outline.title(ofSession: place))
  }

  private mutating func note(_ text: Bytes) {
    for mark in ["Main model: ", "Model: ", "Models: "] as [StaticString] {
      guard let rest = text.after(mark)?.string else { continue }
      session?.model = String(rest.prefix { $0 != " " && $0 != "," })
    }
  }

  private mutating func close(into sink: inout RecordSink) {
    emit(into: &sink)
    block = nil
  }

  private mutating func emit(into sink: inout RecordSink) {
    guard let block, let session else { return }
    let text = block.bytes.withUnsafeBytes { Self.trimmed(reader.options.fallbackEncoding.string($0)) }
    guard text.utf8.count > block.emittedByteCount else { return }
    self.block?.emittedByteCount = text.utf8.count
    var part = AssistantPart(kind: .text, text: text)
    var speaker = AssistantReader.Speaker.assistant(model: session.model)
    switch block.sort {
    case .question:
      speaker = .me
      self.session?.hasQuestion = true
      if session.title == nil {
        self.session?.title = block.bytes.withUnsafeBytes { AiderOutline.title(of: $0) }
      }
    case .answer: break
    case .thought: part.kind = .thinking
    case .notes where session.hasQuestion:
      part.kind = .result
      speaker = .assistant()
    case .notes, .cost:
      part.kind = .system
      speaker = .program
    }
    var talk = known.conversation(
      Self.platform, id: session.key, folder: folder, title: self.session?.title ?? session.start)
    talk.note?.folder = path
    block.original.withUnsafeBytes { original in
      reader.append(
        [part], at: session.time, precision: .second, by: speaker, id: "\(session.key)/\(block.firstLine)",
        original: original, in: talk, into: &sink)
    }
  }

  private static func trimmed(_ text: String) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    let start = text[..<first].lastIndex(where: \.isNewline).map { text.index(after: $0) } ?? text.startIndex
    return String(text[start...last])
  }
}

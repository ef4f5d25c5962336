internal import MessageModel

/// A session of an assistant as SpecStory writes it in Markdown, `.specstory/history/*.md` in a project: a line
/// in bold italics before each message, and tags around thoughts and calls.
struct SpecStoryReader: HistoryReader {
  private var reader: AssistantReader
  private var times: LooseTime
  private var lines: LineReader
  private var id: String
  private let folder: String?
  private var title: String?
  private var start: (time: Timestamp, precision: TimePrecision)?
  private var talk: AssistantConversation?
  private var message: Entry?
  private var count = 0
  private(set) var hasSeenItsFormat = false

  private struct Entry {
    var heading: SpecStoryHeading
    var lines: [String] = []
  }

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("specstory", assistant: "Assistant", options)
    times = LooseTime(options)
    lines = LineReader(file.source)
    let name = PathNames.withoutArchiveExtensions(file.name)
    id = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
    let place = file.folder.lastIndex(of: ".specstory") ?? 0
    folder = place > 0 && file.diskPath != nil ? "/" + file.folder[..<place].joined(separator: "/") : nil
    start = times.read(SpecStoryHeading.time(ofFile: id))
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      switch try lines.next() {
      case .line(let line):
        guard UTF8Check.isValid(line) else {
          sink.skip(line: lines.number, reason: "it is not UTF-8", record: line)
          continue
        }
        take(line.string, into: &sink)
      case .overlong(let start):
        start.withUnsafeBytes { sink.skip(line: lines.number, reason: LineReader.overlong, record: $0) }
      case .end:
        if let last = message?.lines.last, SpecStoryHeading.isBegun(last) { message?.lines.removeLast() }
        close(into: &sink)
        return false
      }
    }
    return true
  }

  private mutating func take(_ line: String, into sink: inout RecordSink) {
    if let heading = SpecStoryHeading(line) {
      close(into: &sink)
      message = Entry(heading: heading)
      hasSeenItsFormat = true
    } else if message != nil {
      message?.lines.append(line)
    } else {
      takeHead(line)
    }
  }

  /// `<!-- Claude Code Session ID (TIME) -->`, and a title that is no time.
  private mutating func takeHead(_ line: String) {
    if line.hasPrefix("# ") {
      let text = line.dropFirst(2).split(separator: " (").first.map(String.init) ?? ""
      if times.read(text) == nil { title = text }
    }
    guard line.hasPrefix("<!-- "), let mark = line.firstRange(of: " Session ") else { return }
    let rest = line[mark.upperBound...].split(separator: " ")
    guard let own = rest.first, own != "-->" else { return }
    (id, reader.assistant) = (String(own), String(line[..<mark.lowerBound].dropFirst(5)))
    let time = rest.dropFirst().joined(separator: " ").prefix { $0 != ")" }.dropFirst()
    start = times.read(String(time)) ?? start
  }

  private mutating func close(into sink: inout RecordSink) {
    guard let message else { return }
    self.message = nil
    count += 1
    let text = SpecStoryText(message.lines)
    let (model, written) = message.heading.details(&times)
    start = written ?? start
    guard let start else {
      return sink.skip(line: lines.number, reason: "the message before it has no time")
    }
    guard !text.parts.isEmpty else { return }
    let isMine = message.heading.isMine
    if title == nil, isMine { title = text.parts.first { $0.kind == .text }?.text }
    let known =
      talk ?? AssistantConversation(reader.platform, id: id, folder: folder, title: title)
    talk = known
    // What an agent was asked, the assistant wrote.
    let speaker: AssistantReader.Speaker =
      isMine && !message.heading.isOnSide ? .me : .assistant(model: model)
    let place =
      message.heading.isOnSide
      ? reader.agent("side", called: "side chain", of: id) : known
    reader.append(
      text.parts, at: start.time, precision: start.precision, by: speaker,
      id: "\(id)/\(text.id ?? "\(count)")", in: place, into: &sink)
  }
}

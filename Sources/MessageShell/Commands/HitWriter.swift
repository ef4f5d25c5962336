internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// Writes the hits of a search as lines, with the messages around them if that is wanted.
struct HitWriter {
  /// Whether each line begins with the name of its conversation.
  var namesConversations = false

  private let store: MessageStore
  private var format: TextExport
  private let console: Console
  private let context: Int
  private let marksMatches: Bool
  private var names: [Conversation.ID: String] = [:]
  private var group: [Line] = []
  private var hasWritten = false

  /// A message of a group; a hit if there are places in it.
  private struct Line {
    var message: Message
    var hit: SearchHit?
  }

  // The last characters for private use: messages lose them before they are marked.
  private static let opening: Unicode.Scalar = "\u{10FFFC}"
  private static let closing: Unicode.Scalar = "\u{10FFFD}"

  init(store: MessageStore, format: TextExport, console: Console, context: Int) {
    self.store = store
    self.format = format
    self.console = console
    self.context = context
    marksMatches = console.outputIsTerminal
  }

  /// Writes hits, which come newest first.
  mutating func write(_ hits: [SearchHit]) throws {
    for hit in hits {
      guard context > 0 else {
        try write(Line(message: hit.message, hit: hit), margin: "")
        continue
      }
      try extend(with: hit)
    }
  }

  /// Writes what is held back.
  mutating func finish() throws { try writeGroup() }

  /// Puts a hit and what is around it into the group of the hit before if they touch, else into a new one.
  private mutating func extend(with hit: SearchHit) throws {
    if let index = group.firstIndex(where: { $0.message.id == hit.id }) {
      group[index].hit = hit
      let lack = context - index
      guard lack > 0, let first = group.first?.message else { return }
      group = try neighbours(of: first, .before(first.id), limit: lack) + group
      return
    }
    let older = try neighbours(of: hit.message, .before(hit.id), limit: context)
    let newer = try neighbours(of: hit.message, .after(hit.id), limit: context)
    let own = older + [Line(message: hit.message, hit: hit)]
    if let first = group.first?.message, first.conversation == hit.message.conversation,
      let overlap = newer.firstIndex(where: { $0.message.id == first.id })
    {
      group = own + newer[..<overlap] + group
    } else {
      try writeGroup()
      group = own + newer
    }
  }

  private func neighbours(of message: Message, _ anchor: Anchor, limit: Int) throws -> [Line] {
    let request = FetchRequest(
      Selection(message.conversation), anchor: anchor, fetchLimit: limit, wantsCounts: false)
    return try store.page(request).messages.map { Line(message: $0) }
  }

  private mutating func writeGroup() throws {
    if hasWritten, !group.isEmpty { console.write("--\n") }
    for line in group { try write(line, margin: line.hit == nil ? "  " : "> ") }
    hasWritten = hasWritten || !group.isEmpty
    group = []
  }

  private mutating func write(_ line: Line, margin: String) throws {
    var record = ExportRecord(MessageRecord(message: line.message), conversation: "")
    record.text = text(of: line)
    var head = margin
    if namesConversations {
      head += VisibleText.of(try name(of: line.message.conversation), keepsTabs: false) + "  "
    }
    var bytes: [UInt8] = []
    format.write(record, to: &bytes)
    var text = head + String(decoding: bytes, as: UTF8.self)
    if !head.isEmpty { text = Self.indented(text, by: DisplayWidth.columns(of: head)) }
    console.write(colored(text))
  }

  /// The text to show: all of it or, of one too long for a page, the part that was found.
  private func text(of line: Line) -> String {
    guard let hit = line.hit else { return line.message.text + (line.message.isTextCut ? " …" : "") }
    if line.message.isTextCut { return marked(hit.snippet.text, hit.snippet.matches) }
    return marked(line.message.text, hit.matches)
  }

  private func marked(_ text: String, _ places: [Range<Int>]) -> String {
    guard marksMatches else { return text }
    let utf8 = Array(text.utf8)
    var result = ""
    var end = 0
    for place in places where place.lowerBound >= end && place.upperBound <= utf8.count {
      result += Self.unmarked(utf8[end..<place.lowerBound])
      result.unicodeScalars.append(Self.opening)
      result += Self.unmarked(utf8[place])
      result.unicodeScalars.append(Self.closing)
      end = place.upperBound
    }
    return result + Self.unmarked(utf8[end...])
  }

  private static func unmarked(_ utf8: ArraySlice<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      text.append(scalar == opening || scalar == closing ? "\u{FFFD}" : scalar)
    }
    return String(text)
  }

  private func colored(_ text: String) -> String {
    guard marksMatches else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case Self.opening: result += "\u{1B}[7m"
      case Self.closing: result += "\u{1B}[27m"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Indents all lines but the first.
  private static func indented(_ text: String, by columns: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let margin = String(repeating: " ", count: columns)
    return lines.enumerated().map { index, line in
      index == 0 || line.isEmpty ? String(line) : margin + line
    }.joined(separator: "\n")
  }

  private mutating func name(of id: Conversation.ID) throws -> String {
    if names[id] == nil { for known in try store.conversations() { names[known.id] = known.name } }
    return names[id] ?? ""
  }
}

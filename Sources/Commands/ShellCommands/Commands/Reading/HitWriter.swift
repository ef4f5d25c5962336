internal import HistoryQueries
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

struct HitWriter {
  private let store: SynchronousMessageStore
  private var format: PrintedText
  private let console: Console
  private let context: Int
  private let showsIDs: Bool
  private var names: ConversationNames
  private var group: [Line] = []
  private var hasWritten = false

  private struct Line {
    var message: Message
    var hit: SearchHit?
  }

  init(store: SynchronousMessageStore, format: PrintedText, console: Console, context: Int, showsIDs: Bool) {
    self.store = store
    names = ConversationNames(store)
    self.format = format
    self.console = console
    self.context = context
    self.showsIDs = showsIDs
  }

  mutating func write(_ hits: [SearchHit]) throws {
    for hit in hits {
      guard context > 0 else {
        try write(Line(message: hit.message, hit: hit), margin: "")
        continue
      }
      try extend(with: hit)
    }
  }

  /// Writes a message marked `>`, and its context indented by two spaces.
  mutating func write(_ message: Message) throws {
    for line in try neighbours(of: message, .before(message.id), limit: context) {
      try write(line, margin: "  ")
    }
    try write(Line(message: message), margin: "> ")
    for line in try neighbours(of: message, .after(message.id), limit: context) {
      try write(line, margin: "  ")
    }
  }

  /// Writes an exchange after a `--` separator; of a long text only its snippet or its beginning.
  mutating func write(_ exchange: RankedExchange) throws {
    group = exchange.messages.map { message in
      guard message.id != exchange.id else {
        var (hit, message) = (exchange.best, message)
        if message.text.utf8.count > Self.shownByteCount {
          (message.text, hit.matches) = (hit.snippet.text, hit.snippet.matches)
          message.textByteCount = message.text.utf8.count
        }
        return Line(message: message, hit: hit)
      }
      var message = message
      if message.text.utf8.count > Self.shownByteCount {
        message.text = "\(message.text.prefix(Self.shownByteCount * 3 / 4)) …"
        message.textByteCount = message.text.utf8.count
      }
      return Line(message: message)
    }
    try writeGroup()
  }

  /// Exchanges show longer texts as snippets.
  private static var shownByteCount: Int { 400 }

  mutating func finish() throws { try writeGroup() }

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

  private func neighbours(of message: Message, _ anchor: PageAnchor, limit: Int) throws -> [Line] {
    let request = PageRequest(
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
    let name = try names.name(of: line.message.conversation)
    var record = ExportRecord(MessageRecord(message: line.message), conversation: name)
    let (text, hits) = Self.text(of: line)
    record.text = text
    var bytes: [UInt8] = []
    let id = showsIDs ? "#\(line.message.id)  " : ""
    format.write(record, hits: hits, margin: margin + id, to: &bytes)
    console.write(bytes)
  }

  /// The text and its matches; the snippet if the text was too long to load.
  private static func text(of line: Line) -> (String, [Range<Int>]) {
    guard let hit = line.hit else { return (line.message.text + (line.message.isTextCut ? " …" : ""), []) }
    if line.message.isTextCut { return (hit.snippet.text, hit.snippet.matches) }
    return (line.message.text, hit.matches)
  }
}

internal import MessageModel

/// Zed's threads, `~/.local/share/zed/threads/threads.db`: a row for each, whose JSON is compressed by zstd. Only
/// the thread has a time.
struct ZedHistory: KeyedHistory {
  private let reader: AssistantReader
  private var times: LooseTime
  var messages: KeyedRows

  static let longest = 64 << 20

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    let columns = try file.columns(of: "threads")
    guard columns.isSuperset(of: ["id", "summary", "updated_at", "data_type", "data"]) else {
      throw .lackingTables(of: "Zed")
    }
    reader = AssistantReader("zed", assistant: "Zed", options)
    times = LooseTime(options)
    file.limitValues(to: Int32(Self.longest))
    try file.freeze()
    let optional = ["created_at", "parent_id", "folder_paths"].map { columns.contains($0) ? $0 : "NULL" }
    messages = try KeyedRows(
      file, ["id", "summary", "updated_at", "data_type", "data"] + optional, from: "threads", by: "rowid")
  }

  mutating func take(_ row: SQLiteRows, into sink: inout RecordSink) throws(InterchangeError) {
    let id = row.text(1) ?? ""
    let folder = row.text(8)?.split(separator: "\n").first.map(String.init)
    let talk = AssistantConversation(
      reader.platform, id: id, folder: folder, title: row.text(2), agentOf: row.text(7)?.prefix(8),
      unnamed: "task")
    do throws(JSONError) {
      let time = try times.moment(row.text(6) ?? row.text(3))
      let packed = Array(row.bytes(5))
      let thread = row.text(4) == "zstd" ? try Self.expanded(packed) : packed
      guard thread.withUnsafeBytes(UTF8Check.isValid) else { throw JSONError(reason: "it is not UTF-8") }
      try thread.withRawBytes { bytes throws(JSONError) in
        try take(try JSONFields.reading(bytes), of: id, in: talk, at: time, into: &sink)
      }
    } catch {
      sink.skip(reason: "thread '\(talk.title.prefix(60))': \(error.reason)")
    }
  }

  private func take(
    _ thread: JSONFields, of id: String, in talk: AssistantConversation,
    at start: (time: Timestamp, precision: TimePrecision), into sink: inout RecordSink
  ) throws(JSONError) {
    func give(
      _ parts: [AssistantPart], _ own: String, by speaker: AssistantReader.Speaker, _ original: Bytes?
    ) {
      reader.append(
        parts, at: start.time, precision: start.precision, by: speaker, id: "\(id)/\(own)",
        original: original,
        in: talk, into: &sink)
    }
    let facts = Self.facts(thread.object("cumulative_token_usage"))
    if !facts.isEmpty { give([facts], "facts", by: .program, nil) }
    let model = try thread.object("model")?.plainText("model")
    var (last, count) = ("", 0)
    try thread.forEach("messages") { value throws(JSONError) in
      let entry = try ZedThread.entry(value)
      // Messages of agents have no ids: they are counted from the question before them.
      count += 1
      if let own = entry.id { (last, count) = (own, 0) }
      let own = entry.id ?? "\(last)+\(count)"
      give(entry.parts, own, by: entry.isMine ? .me : .assistant(model: model), value)
    }
  }

  private static func facts(_ usage: JSONFields?) -> AssistantPart {
    var facts = SessionFacts()
    for key in ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"] {
      facts.tokensIn = facts.tokensIn.adding(max(usage?.integer(key) ?? 0, 0))
    }
    facts.tokensOut = max(usage?.integer("output_tokens") ?? 0, 0)
    return facts.part
  }

  private static func expanded(_ packed: [UInt8]) throws(JSONError) -> [UInt8] {
    var thread: [UInt8] = []
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { block.deallocate() }
    do throws(InterchangeError) {
      let archive = try ArchiveReader(MemoryProducer(packed), name: "thread")
      guard try archive.next() != nil else { return [] }
      while thread.count <= longest {
        let count = try archive.read(into: block)
        guard count > 0 else { return thread }
        thread += block.prefix(count)
      }
    } catch {
      throw JSONError(reason: "it cannot be expanded: \(error.cause ?? error.summary)")
    }
    throw JSONError(reason: "it is longer than \(longest >> 20) MB")
  }
}

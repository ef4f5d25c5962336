internal import MessageModel

/// A workspace has its chats of 2023 and 2024 in two values; since 2025 all chats are in the global storage,
/// a row per chat and per message. Only single messages are held in memory.
struct CursorHistory: SQLiteHistory {
  static let platform = "cursor"

  private let file: SQLiteFile
  private let reader: AssistantReader
  private var times: LooseTime
  private let folder: String?
  private var sources: [Source] = []
  private let hasRows: Bool
  private let hasHeads: Bool
  private let hasItems: Bool
  private var hasChat = false
  /// Rows of chats; ``strays`` are messages whose chat is gone.
  private var chats: SQLiteRows?
  private var strays: CursorStrays?
  private var document: CursorDocument?
  private var reading: CursorReading?

  private struct Source {
    var kind: CursorDocument.Kind
    var key: String
  }

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    let hasItems = try file.columns(of: "ItemTable").isSuperset(of: ["key", "value"])
    hasRows = try file.columns(of: "cursorDiskKV").isSuperset(of: ["key", "value"])
    guard hasItems || hasRows else {
      throw .lackingTables(of: "Cursor")
    }
    self.file = file
    reader = AssistantReader(Self.platform, assistant: "Cursor", options)
    self.hasItems = hasItems
    times = LooseTime(options)
    folder = CursorWorkspace.folder(beside: file)
    hasHeads = try file.columns(of: "composerHeaders").isSuperset(of: ["composerId", "value"])
    file.limitValues(to: Int32(CursorDocument.longest))
    // The rows of a chat must be of one moment.
    try file.freeze()
    if hasItems {
      sources = [
        Source(kind: .composers, key: "composer.composerData"),
        Source(kind: .tabs, key: "workbench.panel.aichat.view.aichat.chatdata"),
      ]
    }
    if hasRows {
      chats = try file.rows(
        "SELECT rowid, key FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' ORDER BY key"
      )
      strays = try CursorStrays(file)
    }
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    hasChat = hasChat || document != nil || reading != nil
    if document != nil { return try readDocument(into: &sink) }
    if reading != nil { return try readRow(into: &sink) }
    if let source = sources.popLast() {
      let rows = try file.rows("SELECT rowid FROM ItemTable WHERE key = \(SQLiteFile.literal(source.key))")
      if try rows.next() { open(source.kind, "ItemTable", rows.integer(0), source.key, into: &sink) }
      return true
    }
    if let chats {
      guard try chats.next() else {
        self.chats = nil
        return true
      }
      open(.composer, "cursorDiskKV", chats.integer(0), chats.text(1) ?? "", into: &sink)
      return true
    }
    guard let id = try strays?.nextChat() else {
      try reportPrompts(into: &sink)
      return false
    }
    var session = CursorSession()
    session.id = id
    try begin(session)
    return true
  }

  /// Says that a storage has questions only, of chats that are elsewhere or gone.
  private mutating func reportPrompts(into sink: inout RecordSink) throws(InterchangeError) {
    guard !hasChat, hasItems else { return }
    let rows = try file.rows("SELECT value FROM ItemTable WHERE key = 'aiService.prompts'")
    guard case .row = try rows.step(), rows.bytes(0).contains(UInt8(ascii: "{")) else { return }
    sink.ignore(
      reason:
        "it has questions and no chat (Cursor keeps the chats of all folders in globalStorage/state.vscdb)")
  }

  private mutating func open(
    _ kind: CursorDocument.Kind, _ table: String, _ row: Int64, _ key: String, into sink: inout RecordSink
  ) {
    do throws(InterchangeError) {
      guard let found = try CursorDocument(kind, in: table, row: row, of: file, &times) else { return }
      document = found.hasBubbles ? found : nil
      guard !found.hasBubbles, kind == .composer, var session = found.sessions.first else { return }
      session.id = String(key.dropFirst("composerData:".count))
      try begin(session)
    } catch {
      sink.skip(reason: "\(key.prefix(100)): \(error.cause ?? error.reason)")
    }
  }

  private mutating func readDocument(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    let next: CursorDocument.Next?
    do throws(InterchangeError) { next = try document?.next() } catch {
      document = nil
      sink.skip(reason: "a chat: \(error.cause ?? error.reason)")
      return true
    }
    switch next {
    case .bubble(let bytes, let place):
      try turn(to: place, into: &sink)
      let id = "\(reading?.count ?? 0)"
      Self.checked(bytes, "message \(id)", into: &sink) { fields, sink throws(JSONError) in
        try reading?.take(fields, bytes, id: id, nil, &times, reader, into: &sink)
      }
    case .overlong(let place):
      try turn(to: place, into: &sink)
      sink.skip(reason: "a message is longer than \(CursorDocument.longest >> 20) MB")
    case .end, nil:
      reading?.finish(into: &sink)
      (document, reading) = (nil, nil)
    }
    return true
  }

  private mutating func turn(
    to place: Int, into sink: inout RecordSink
  ) throws(InterchangeError) {
    guard reading?.place != place, let session = document?.sessions[place] else { return }
    reading?.finish(into: &sink)
    reading = CursorReading(
      try withHead(session), at: place, folder: folder, isTimeless: document?.isTimeless ?? false)
  }

  private mutating func begin(_ session: CursorSession) throws(InterchangeError) {
    reading = CursorReading(try withHead(session), at: 0, folder: folder)
    reading?.rows = try CursorRows(session, of: file)
  }

  /// Adds the facts from the list of all chats, which Cursor has since 2026.
  private func withHead(_ session: CursorSession) throws(InterchangeError) -> CursorSession {
    guard hasHeads else { return session }
    var session = session
    let rows = try file.rows(
      "SELECT value FROM composerHeaders WHERE composerId = \(SQLiteFile.literal(session.id))")
    if case .row = try rows.step(), UTF8Check.isValid(rows.bytes(0)), let head = JSONFields(rows.bytes(0)) {
      try? session.noteHead(head)
    }
    return session
  }

  private mutating func readRow(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard let row = try reading?.rows?.next() else {
      reading?.finish(into: &sink)
      reading = nil
      return true
    }
    switch row {
    case .overlong(let id):
      sink.skip(reason: "message \(id.prefix(80)) is longer than \(CursorDocument.longest >> 20) MB")
    case .value(let bytes, let header, let isLeftBehind):
      Self.checked(bytes, "message \(header.id.prefix(80))", into: &sink) { fields, sink throws(JSONError) in
        reading?.isLeftBehind = isLeftBehind
        try reading?.take(fields, bytes, id: header.id, header.time, &times, reader, into: &sink)
      }
    }
    return true
  }

  private static func checked(
    _ bytes: Bytes, _ name: String, into sink: inout RecordSink,
    _ body: (JSONFields, inout RecordSink) throws(JSONError) -> Void
  ) {
    do throws(JSONError) {
      guard UTF8Check.isValid(bytes) else { throw JSONError(reason: "it is not UTF-8") }
      try body(try JSONFields.reading(bytes), &sink)
    } catch {
      sink.skip(reason: "\(name): \(error.reason)", record: bytes)
    }
  }
}

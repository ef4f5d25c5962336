internal import MessageModel

/// OpenClaw's sessions since 2026.7, `~/.openclaw/agents/*/agent/openclaw-agent.sqlite`: a row per entry of what
/// were lines of files before.
///
/// A session that is rewound, compacted or restored from a checkpoint goes on in another *window*, after copies
/// of the entries that it keeps. Such windows are one session, with the id of the first one.
struct OpenClawHistory: SQLiteHistory {
  private let file: SQLiteFile
  private let options: ImportOptions
  private let table: Table
  private var waiting: [Session] = []
  private var current: (entries: Entries, history: PiHistory)?
  private var number = 0

  private static let longest = 64 << 20

  private struct Session {
    var name: String?
    var windows: [String]
  }

  private struct Window {
    let id: String
    let key: String?
    let previous: String?
    let reason: String?
    let name: String?
  }

  /// What a file has of the tables, which differ by version.
  private struct Table {
    let entry: [String]
    /// Queries for archives of a window, `?1`.
    let archives: [String]
    let windows: String

    init(_ file: SQLiteFile) throws(InterchangeError) {
      let own = try file.columns(of: "transcript_events")
      guard own.isSuperset(of: ["session_id", "seq", "event_json", "created_at"]) else {
        throw .lackingTables(of: "OpenClaw")
      }
      entry = ["event_json", own.contains("event_zstd") ? "event_zstd" : "NULL", "created_at"]
      var kept: [String] = []
      for name in ["session_transcript_archives", "session_transcript_cold_archives"] {
        if try file.columns(of: name).isSuperset(of: ["session_id", "archive_blob"]) { kept.append(name) }
      }
      archives = kept.map {
        "SELECT archive_blob FROM \($0) WHERE session_id = ?1 AND archive_blob IS NOT NULL"
      }
      windows = try Self.windows(of: file, kept)
    }

    private static func windows(of file: SQLiteFile, _ archives: [String]) throws(InterchangeError) -> String
    {
      let later = try file.columns(of: "session_windows")
      let table = later.isEmpty ? "sessions" : "session_windows"
      let all = later.isEmpty ? try file.columns(of: table) : later
      let own = all.contains("session_id") ? all : []
      let hasNodes =
        own.contains("session_key")
        ? try file.columns(of: "session_nodes").isSuperset(of: ["session_key", "label"]) : false
      func column(_ name: String) -> String { own.contains(name) ? "w.\(name)" : "NULL" }
      let name = hasNodes ? "COALESCE(n.label, \(column("display_name")))" : column("display_name")
      var sources = "SELECT session_id FROM transcript_events GROUP BY 1"
      for archive in archives {
        sources += " UNION SELECT session_id FROM \(archive) WHERE archive_blob IS NOT NULL"
      }
      let joined = own.isEmpty ? "" : " LEFT JOIN \(table) AS w USING (session_id)"
      let nodes = hasNodes ? " LEFT JOIN session_nodes AS n USING (session_key)" : ""
      return """
        SELECT e.session_id, \(column("session_key")), \(column("previous_session_id")), \(column("reason")), \(name)
          FROM (\(sources)) AS e\(joined)\(nodes) ORDER BY \(column("created_at")), 1
        """
    }
  }

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    self.file = file
    self.options = options
    table = try Table(file)
    file.limitValues(to: Int32(Self.longest))
    try file.freeze()
    waiting = try sessions().reversed()
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard current != nil else {
      guard let session = waiting.popLast() else { return false }
      try begin(session)
      return true
    }
    switch try current?.entries.next() {
    case .entry(let text, let writtenAt):
      number += 1
      take(text, at: writtenAt, into: &sink)
    case .unreadable(let reason): sink.skip(reason: reason)
    case .end, nil:
      current?.history.finish(into: &sink)
      current = nil
    }
    return true
  }

  private mutating func begin(_ session: Session) throws(InterchangeError) {
    let (file, table) = (file, table)
    let outline = PiOutline(named: session.name) { body in
      guard var entries = try? Entries(of: session.windows, in: file, table) else { return false }
      while let next = try? entries.next() {
        switch next {
        case .entry(let text, _):
          text.withUnsafeBytes { if let entry = JSONFields($0) { try? body(entry) } }
        case .unreadable: continue
        case .end: return true
        }
      }
      return false
    }
    number = 0
    current = (
      try Entries(of: session.windows, in: file, table),
      PiHistory(openClaw: session.windows[0], outline, options)
    )
  }

  private mutating func take(_ text: [UInt8], at writtenAt: Timestamp?, into sink: inout RecordSink) {
    let number = number
    current?.history.writtenAt = writtenAt
    text.withUnsafeBytes { bytes in
      do throws(JSONError) {
        guard UTF8Check.isValid(bytes) else { throw JSONError(reason: "it is not UTF-8") }
        try current?.history.take(try JSONFields.reading(bytes), bytes, number: number, into: &sink)
      } catch {
        sink.skip(reason: "entry \(number): \(error.reason)", record: bytes)
      }
    }
  }

  // MARK: Sessions

  private func sessions() throws(InterchangeError) -> [Session] {
    var sessions: [Session] = []
    var places: [String: Int] = [:]
    var beginnings: [[String]: Int] = [:]
    for window in try windows() {
      var entries = try Entries(of: [window.id], in: file, table)
      let first = try entries.firstID()
      let beginning = [window.key, first].compactMap { $0 }
      let continued = goesOn(window) ? window.previous.flatMap { places[$0] } : nil
      let place = continued ?? (beginning.count == 2 ? beginnings[beginning] : nil) ?? sessions.count
      if place == sessions.count {
        sessions.append(Session(name: window.name, windows: []))
      }
      sessions[place].windows.append(window.id)
      places[window.id] = place
      if beginning.count == 2 { beginnings[beginning] = place }
    }
    return sessions
  }

  private func goesOn(_ window: Window) -> Bool {
    ["compaction", "rewind", "recovery"].contains(window.reason ?? "")
  }

  private func windows() throws(InterchangeError) -> [Window] {
    let rows = try file.rows(table.windows)
    var windows: [Window] = []
    while try rows.next() {
      guard let id = rows.text(0) else { continue }
      windows.append(
        Window(id: id, key: rows.text(1), previous: rows.text(2), reason: rows.text(3), name: rows.text(4)))
    }
    return windows
  }

  // MARK: Entries

  /// The entries of a session's windows, copies once.
  private struct Entries {
    enum Next {
      case entry([UInt8], at: Timestamp?)
      case unreadable(String)
      case end
    }

    private let file: SQLiteFile
    private let table: Table
    private var windows: ArraySlice<String>
    private var seen: Set<String> = []
    private var archives: [[UInt8]] = []
    private var lines: LineReader?
    private var rows: KeyedRows?

    init(of windows: [String], in file: SQLiteFile, _ table: Table) throws(InterchangeError) {
      self.file = file
      self.table = table
      self.windows = windows[...]
    }

    mutating func next() throws(InterchangeError) -> Next {
      while true {
        let next = try anyNext()
        guard case .entry(let text, _) = next, let id = Self.id(of: text) else { return next }
        if seen.insert(id).inserted { return next }
      }
    }

    /// The id of the first entry that has one.
    mutating func firstID() throws(InterchangeError) -> String? {
      while case .entry(let text, _) = try anyNext() {
        if let id = Self.id(of: text) { return id }
      }
      return nil
    }

    /// `nil` for the head of a window.
    private static func id(of text: [UInt8]) -> String? {
      text.withUnsafeBytes { bytes in
        guard let fields = JSONFields(bytes), (try? fields.plainText("type")) != "session" else { return nil }
        return (try? fields.plainText("id")) ?? nil
      }
    }

    private mutating func anyNext() throws(InterchangeError) -> Next {
      while true {
        if let entry = try nextLine() { return entry }
        if let entry = try nextRow() { return entry }
        if let archive = archives.popLast() {
          do throws(InterchangeError) {
            lines = LineReader(try ByteSource(expanding: archive, name: "an archive of the database"))
          } catch {
            return .unreadable(error.reason)
          }
        } else if let window = windows.popFirst() {
          try enter(window)
        } else {
          return .end
        }
      }
    }

    private mutating func enter(_ window: String) throws(InterchangeError) {
      for query in table.archives {
        let rows = try file.rows(query)
        rows.restart(with: window)
        while case .row = try rows.step() { archives.append(Array(rows.bytes(0))) }
      }
      let own = "(SELECT * FROM transcript_events WHERE session_id = \(SQLiteFile.literal(window)))"
      rows = try KeyedRows(file, table.entry, from: own, by: "seq")
    }

    private mutating func nextLine() throws(InterchangeError) -> Next? {
      while true {
        switch try lines?.next() {
        case .line(let line):
          if let text = Self.entry(of: line) { return .entry(text, at: nil) }
        case .overlong: return .unreadable("an entry of an archive is too long")
        case .end, nil:
          lines = nil
          return nil
        }
      }
    }

    private static func entry(of line: Bytes) -> [UInt8]? {
      guard let fields = JSONFields(line) else { return Array(line) }
      var entry: [UInt8]?
      try? PiHistory.withEntry(of: fields) { entry = Array($1 ?? line) }
      return entry
    }

    private mutating func nextRow() throws(InterchangeError) -> Next? {
      guard archives.isEmpty else { return nil }
      switch try rows?.next() {
      case .row(let row): return entry(of: row)
      case .overlong(let number):
        return .unreadable("entry \(number) is longer than \(OpenClawHistory.longest >> 20) MB")
      case .end, nil:
        rows = nil
        return nil
      }
    }

    private func entry(of row: SQLiteRows) -> Next {
      let writtenAt = row.isNull(3) ? nil : Timestamp(millisecondsSince1970: row.integer(3))
      if !row.isNull(1) { return .entry(Array((row.text(1) ?? "").utf8), at: writtenAt) }
      do throws(InterchangeError) {
        let source = try ByteSource(expanding: Array(row.bytes(2)), name: "entry \(row.integer(0))")
        return .entry(Array(try source.peek(OpenClawHistory.longest)), at: writtenAt)
      } catch {
        return .unreadable("entry \(row.integer(0)): \(error.reason)")
      }
    }
  }
}

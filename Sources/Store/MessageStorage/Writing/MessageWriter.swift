internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import MessageModel

/// Puts single rows into the tables of messages. Counts are the triggers' business or, in a bulk load, the loader's.
struct MessageWriter {
  let db: Database
  /// The most bytes of a text that lie in its row.
  let rowByteCount: Int
  let sources: PlatformIDs
  private let inserting: RawStatement

  /// Prepares to write within one transaction.
  init(db: Database, previewByteCount: Int) throws {
    self.db = db
    rowByteCount = Self.rowByteCount(previewByteCount)
    sources = PlatformIDs(db: db)
    inserting = try RawStatement(
      db, "INSERT OR IGNORE INTO message VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")
  }

  /// The fields of a row that do not come with the text.
  struct Row {
    var conversation: Int64
    var id: Message.ID
    var sender: Int64?
    var kind: Message.Kind
    var precision: TimePrecision
    /// When it was written, where that is not the time of its place.
    private(set) var writtenAt: Timestamp?
    var replyTo: Message.ID?
    var thread: Message.ID?
    var revision = 0
    var features: Int64 = 0
    var batch: Int64?

    /// Says when it was written; its id stays.
    mutating func setTime(_ time: Timestamp) {
      writtenAt = id.placeTime.rounded(to: precision) == time.rounded(to: precision) ? nil : time
      features =
        features & ~MessageRow.Feature.writtenAt | (writtenAt == nil ? 0 : MessageRow.Feature.writtenAt)
    }
  }

  /// Inserts a message; answers `false`, with nothing written, if its id is taken.
  func insert(_ row: Row, text: UnsafeRawBufferPointer) throws -> Bool {
    let statement = inserting
    let preview = Self.preview(of: text, limit: rowByteCount)
    if preview.count < text.count {
      guard try isFree(row.id) else { return false }
      // What triggers index with the row is all of the text then, and its checksum stays.
      try insertBody(row.id, UnsafeRawBufferPointer(rebasing: text[preview.count...]))
    }
    Self.bind(row, text: text, preview: preview, to: statement, from: 1)
    try statement.run()
    guard sqlite3_changes(sqlite3_db_handle(statement.handle)) > 0 else { return false }
    if let time = row.writtenAt { try MessageTimes.note(time, of: row.id, in: db) }
    return true
  }

  private func isFree(_ id: Message.ID) throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM message WHERE id = ?", id.rawValue) == nil
  }

  /// The number of columns of a message.
  static let columnCount: Int32 = 13

  /// Binds a message to the parameters of a statement from one on.
  static func bind(
    _ row: Row, text: UnsafeRawBufferPointer, preview: UnsafeRawBufferPointer, to statement: RawStatement,
    from first: Int32
  ) {
    statement.bind(row.conversation, at: first)
    statement.bind(row.id.rawValue, at: first + 1)
    statement.bind(row.sender, at: first + 2)
    statement.bind(row.kind.rawValue, at: first + 3)
    statement.bind(row.precision.rawValue, at: first + 4)
    statement.bindText(preview, at: first + 5)
    statement.bind(preview.count < text.count ? Int64(text.count) : nil, at: first + 6)
    statement.bind(row.replyTo?.rawValue, at: first + 7)
    statement.bind(row.thread?.rawValue, at: first + 8)
    statement.bind(row.revision, at: first + 9)
    statement.bind(row.features, at: first + 10)
    statement.bind(row.batch, at: first + 11)
    var sum = MessageChecksum(
      conversation: row.conversation, id: row.id.rawValue, sender: row.sender, kind: Int64(row.kind.rawValue),
      precision: Int64(row.precision.rawValue), writtenAt: row.writtenAt?.millisecondsSince1970)
    sum.add(text)
    statement.bind(sum.stored, at: first + 12)
  }

  private func insertBody(_ id: Message.ID, _ rest: UnsafeRawBufferPointer) throws {
    let statement = try RawStatement(db, "INSERT OR REPLACE INTO body VALUES (?, ?)", id.rawValue)
    statement.bindText(rest, at: 2)
    try statement.run()
  }

  /// Returns the most bytes of a text that lie in its row, of which pages show up to `previewByteCount`.
  ///
  /// A row of more than 1,002 bytes goes on, in a tree of keys, on a page of its own, of which the next row gets nothing: half a page for
  /// each. The rests of texts lie one beside the other.
  static func rowByteCount(_ previewByteCount: Int) -> Int { min(previewByteCount, 928) }

  /// Returns the beginning of a text that fits into a row, cut between characters of UTF-8.
  static func preview(of text: UnsafeRawBufferPointer, limit: Int) -> UnsafeRawBufferPointer {
    guard text.count > limit else { return text }
    var end = limit
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: text[..<end])
  }

  /// Whether a text has a link to the web in it.
  static func hasLink(_ text: UnsafeRawBufferPointer) -> Bool {
    guard var rest = text.baseAddress else { return false }
    let end = rest + text.count
    while rest < end, let colon = memchr(rest, 0x3A, end - rest) {
      let place = UnsafeRawPointer(colon)
      if end - place > 3, memcmp(place, "://", 3) == 0 {
        let before = place - (text.baseAddress ?? place)
        if before >= 4, memcmp(place - 4, "http", 4) == 0 { return true }
        if before >= 5, memcmp(place - 5, "https", 5) == 0 { return true }
      }
      rest = place + 1
    }
    return false
  }

  // MARK: What lies beside the row

  /// The place of an edit of which only its platform's word for the time is known.
  static let platformEdit = -1

  func insertEdit(at time: Timestamp, of id: Message.ID) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO edit VALUES (?, \(Self.platformEdit), ?, NULL)", id.rawValue,
      time.millisecondsSince1970)
  }

  func insert(_ edits: [Message.Edit], of id: Message.ID) throws {
    for (place, edit) in edits.enumerated() {
      try RawStatement.run(
        db, "INSERT INTO edit VALUES (?, ?, ?, ?)", id.rawValue, place, edit.time.millisecondsSince1970,
        edit.text)
    }
  }

  func insert(_ reactions: [Message.Reaction], to id: Message.ID) throws {
    var place = 0
    for reaction in reactions {
      let senders: [String?] = reaction.senders.isEmpty ? [nil] : reaction.senders
      for (index, sender) in senders.enumerated() {
        try RawStatement.run(
          db, "INSERT INTO reaction VALUES (?, ?, ?, ?)", id.rawValue, place, reaction.emoji, sender)
        if index < reaction.senderIDs.count, let external = reaction.senderIDs[index] {
          try RawStatement.run(
            db, "INSERT OR REPLACE INTO reaction_sender VALUES (?, ?, ?)", id.rawValue, place, external)
        }
        place += 1
      }
    }
  }

  func insert(_ attachments: [Message.Attachment], of id: Message.ID) throws {
    for (place, attachment) in attachments.enumerated() {
      try RawStatement.run(
        db, "INSERT INTO attachment VALUES (?, ?, ?, ?, ?, ?, ?)", id.rawValue, place, attachment.name,
        attachment.mediaType, attachment.byteCount.map { Int64($0) },
        attachment.sha256, attachment.path)
    }
  }

  func insert(_ source: Message.Source, of id: Message.ID) throws {
    try sources.insert(source, of: id)
  }

  /// Returns the id of the sender with a name and, where its platform gives one, an id there; makes it if it is new.
  func sender(named name: String, external: String = "") throws -> Int64 {
    let find = try RawStatement(db, "SELECT id FROM sender WHERE name = ? AND external = ?", name, external)
    defer { find.reset() }
    if try find.step() { return find.int(0) }
    try RawStatement.run(db, "INSERT INTO sender(name, external) VALUES (?, ?)", name, external)
    return db.lastInsertedRowID
  }

  /// Returns the id of the conversation with a name, or `nil`.
  func conversation(named name: String) throws -> Int64? {
    try RawStatement(db, "SELECT id FROM conversation WHERE name = ?", name).first { row in row.int(0)
    }
  }

  /// Returns the id of the conversation that had a name before it was renamed or merged, or `nil`.
  func conversation(formerlyNamed name: String) throws -> Int64? {
    try RawStatement(db, "SELECT conversation FROM former_name WHERE name = ?", name).first { row in
      row.int(0)
    }
  }

  /// Makes a conversation and returns its id; one with a title is called that, with a number if there is one of it, and is
  /// found by its name as if it had been renamed.
  func makeConversation(named name: String, isDirect: Bool?, title: String?) throws -> Int64 {
    guard let title, !title.isEmpty else { return try makeConversation(named: name, isDirect: isDirect) }
    // Of very many with one title, the names tell them apart.
    let candidates = [title] + (2...9).map { "\(title) (\($0))" } + ["\(title) (\(name))", name]
    let free = try candidates.first { candidate in
      try conversation(named: candidate) ?? conversation(formerlyNamed: candidate) == nil
    }
    guard let free, free != name else { return try makeConversation(named: name, isDirect: isDirect) }
    let id = try makeConversation(named: free, isDirect: isDirect)
    try noteFormerName(name, of: id)
    return id
  }

  /// Leads a name that a conversation had to it.
  func noteFormerName(_ name: String, of id: Int64) throws {
    try RawStatement.run(db, "INSERT OR REPLACE INTO former_name VALUES (?, ?)", name, id)
  }

  /// Makes a conversation that is called `label`, and returns its id; where one is, or was, called so, it gets the name of
  /// what it lies in before it, else a number behind it.
  func makeConversation(labelled label: String, in place: String?, isDirect: Bool?, key: String) throws
    -> Int64
  {
    let placed = place.map { ["\(Self.shortened($0)) > \(label)"] } ?? []
    // Of very many of one name, the keys tell them apart.
    let candidates =
      [label] + placed + (2...9).map { "\(placed.first ?? label) (\($0))" } + ["\(label) (\(key))"]
    let free = try candidates.first { candidate in
      try conversation(named: candidate) ?? conversation(formerlyNamed: candidate) == nil
    }
    return try makeConversation(named: free ?? numbered(label, key), isDirect: isDirect)
  }

  /// A name that even a stranger's export of such names has not taken.
  private func numbered(_ label: String, _ key: String) throws -> String {
    let start = "\(label) (\(key))"
    var (number, name) = (2, start)
    while try conversation(named: name) ?? conversation(formerlyNamed: name) != nil {
      name = "\(start) (\(number))"
      number += 1
    }
    return name
  }

  private static func shortened(_ place: String) -> String {
    place.count > 64 ? place.prefix(64) + "…" : place
  }

  /// Makes a conversation and returns its id. The triggers of the schema give it its first block.
  func makeConversation(named name: String, isDirect: Bool? = nil) throws -> Int64 {
    try RawStatement.run(
      db, "INSERT INTO conversation(name, direct) VALUES (?, ?)", name, isDirect.map { $0 ? 1 : 0 })
    return db.lastInsertedRowID
  }

  /// Does what the triggers do for a new conversation, where they are off.
  func layFirstBlock(of conversation: Int64) throws {
    try RawStatement.run(db, "INSERT INTO tally(scope) VALUES (?)", conversation)
    try RawStatement.run(db, "INSERT INTO block VALUES (?, ?, 0)", conversation, Int64.min)
    try RawStatement.run(db, "INSERT INTO superblock VALUES (?, ?, 0, 1)", conversation, Int64.min)
    try ChangeLog(db: db).noteConversation(conversation, isNew: true)
  }

  /// Writes down whether a conversation is between two people, where the triggers are off.
  func noteDirect(_ isDirect: Bool?, of conversation: Int64) throws {
    try RawStatement.run(
      db, "UPDATE conversation SET direct = ?2 WHERE id = ?1", conversation, isDirect.map { $0 ? 1 : 0 })
    try ChangeLog(db: db).noteConversation(conversation, isNew: false)
  }
}

extension OrdinalIndex.Entry {
  /// The facts by which a row is counted.
  init(_ row: MessageWriter.Row) {
    self.init(
      id: row.id.rawValue, sender: row.sender, kind: Int64(row.kind.rawValue), features: row.features)
  }
}

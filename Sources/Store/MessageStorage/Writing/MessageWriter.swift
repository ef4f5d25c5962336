internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import MessageModel

/// Inserts single rows. Triggers keep the counts, or the loader in a bulk load.
struct MessageWriter {
  let db: Database
  let rowByteCount: Int
  let sources: PlatformIDs
  private let inserting: RawStatement

  init(db: Database, previewByteCount: Int) throws {
    self.db = db
    rowByteCount = Self.rowByteCount(previewByteCount)
    sources = PlatformIDs(db: db)
    inserting = try RawStatement(
      db, "INSERT OR IGNORE INTO message VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")
  }

  struct Row {
    var conversation: Int64
    var id: Message.ID
    var sender: Int64?
    var kind: Message.Kind
    var precision: TimePrecision
    private(set) var writtenAt: Timestamp?
    var replyTo: Message.ID?
    var thread: Message.ID?
    var revision = 0
    var features: Int64 = 0
    var batch: Int64?

    mutating func setTime(_ time: Timestamp) {
      writtenAt = id.placeTime.rounded(to: precision) == time.rounded(to: precision) ? nil : time
      features =
        features & ~MessageRow.Feature.writtenAt | (writtenAt == nil ? 0 : MessageRow.Feature.writtenAt)
    }
  }

  /// Returns `false`, having written nothing, if the id is taken.
  func insert(_ row: Row, text: UnsafeRawBufferPointer) throws -> Bool {
    let statement = inserting
    let preview = Self.preview(of: text, limit: rowByteCount)
    if preview.count < text.count {
      guard try isFree(row.id) else { return false }
      // Triggers on the row index the whole text and store its checksum.
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

  static let columnCount: Int32 = 13

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

  /// Pages show up to `previewByteCount` bytes of a text. Rows of more than 1,002 bytes overflow to pages of
  /// their own, of which half would be wasted. The rests of texts in `body` share pages.
  static func rowByteCount(_ previewByteCount: Int) -> Int { min(previewByteCount, 928) }

  static func preview(of text: UnsafeRawBufferPointer, limit: Int) -> UnsafeRawBufferPointer {
    guard text.count > limit else { return text }
    var end = limit
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: text[..<end])
  }

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

  /// The place of an edit of which only the time is known, from the platform.
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

  func insert(_ forward: Message.Forward, of id: Message.ID) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO forwarded VALUES (?, ?, ?, ?, ?, ?, ?)", id.rawValue, forward.author,
      forward.authorID, forward.chat, forward.time?.millisecondsSince1970, Int64(forward.isFrequent ? 1 : 0),
      Int64(forward.isQuoted ? 1 : 0))
  }

  func insert(_ deletion: Message.Deletion, of id: Message.ID) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO deletion VALUES (?, ?, ?, ?)", id.rawValue,
      deletion.time.millisecondsSince1970, deletion.sender, deletion.senderID)
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

  func sender(named name: String, external: String = "") throws -> Int64 {
    let find = try RawStatement(db, "SELECT id FROM sender WHERE name = ? AND external = ?", name, external)
    defer { find.reset() }
    if try find.step() { return find.int(0) }
    try RawStatement.run(db, "INSERT INTO sender(name, external) VALUES (?, ?)", name, external)
    return db.lastInsertedRowID
  }

  func conversation(named name: String) throws -> Int64? {
    try RawStatement(db, "SELECT id FROM conversation WHERE name = ?", name).first { row in row.int(0)
    }
  }

  func conversation(formerlyNamed name: String) throws -> Int64? {
    try RawStatement(db, "SELECT conversation FROM former_name WHERE name = ?", name).first { row in
      row.int(0)
    }
  }

  /// Names the conversation by its title, numbered if that is taken. `name` leads to it as a former name.
  func makeConversation(named name: String, isDirect: Bool?, title: String?) throws -> Int64 {
    guard let title, !title.isEmpty else { return try makeConversation(named: name, isDirect: isDirect) }
    // Beyond these, names distinguish conversations of one title.
    let candidates = [title] + (2...9).map { "\(title) (\($0))" } + ["\(title) (\(name))", name]
    let free = try candidates.first { candidate in
      try conversation(named: candidate) ?? conversation(formerlyNamed: candidate) == nil
    }
    guard let free, free != name else { return try makeConversation(named: name, isDirect: isDirect) }
    let id = try makeConversation(named: free, isDirect: isDirect)
    try noteFormerName(name, of: id)
    return id
  }

  func noteFormerName(_ name: String, of id: Int64) throws {
    try RawStatement.run(db, "INSERT OR REPLACE INTO former_name VALUES (?, ?)", name, id)
  }

  /// Names the conversation `label` or, if that is taken, after its place or with a number.
  func makeConversation(labelled label: String, in place: String?, isDirect: Bool?, key: String) throws
    -> Int64
  {
    let placed = place.map { ["\(Self.shortened($0)) > \(label)"] } ?? []
    // Beyond these, keys distinguish conversations of one label.
    let candidates =
      [label] + placed + (2...9).map { "\(placed.first ?? label) (\($0))" } + ["\(label) (\(key))"]
    let free = try candidates.first { candidate in
      try conversation(named: candidate) ?? conversation(formerlyNamed: candidate) == nil
    }
    return try makeConversation(named: free ?? numbered(label, key), isDirect: isDirect)
  }

  /// A name that is free even if another export uses names of this form.
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

  func makeConversation(named name: String, isDirect: Bool? = nil) throws -> Int64 {
    try RawStatement.run(
      db, "INSERT INTO conversation(name, direct) VALUES (?, ?)", name, isDirect.map { $0 ? 1 : 0 })
    return db.lastInsertedRowID
  }

  /// As the triggers do.
  func layFirstBlock(of conversation: Int64) throws {
    try RawStatement.run(db, "INSERT INTO tally(scope) VALUES (?)", conversation)
    try RawStatement.run(db, "INSERT INTO block VALUES (?, ?, 0)", conversation, Int64.min)
    try RawStatement.run(db, "INSERT INTO superblock VALUES (?, ?, 0, 1)", conversation, Int64.min)
    try ChangeLog(db: db).noteConversation(conversation, isNew: true)
  }

  func noteDirect(_ isDirect: Bool?, of conversation: Int64) throws {
    try RawStatement.run(
      db, "UPDATE conversation SET direct = ?2 WHERE id = ?1", conversation, isDirect.map { $0 ? 1 : 0 })
    try ChangeLog(db: db).noteConversation(conversation, isNew: false)
  }
}

extension OrdinalIndex.Entry {
  init(_ row: MessageWriter.Row) {
    self.init(
      id: row.id.rawValue, sender: row.sender, kind: Int64(row.kind.rawValue), features: row.features)
  }
}

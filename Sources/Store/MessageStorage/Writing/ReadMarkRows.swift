internal import GRDB
public import MessageModel

extension StoreWriting {
  /// Marks a conversation as read up to a message; the mark never moves back.
  ///
  /// The mark is the newest message up to `id`. So with ``Message/ID/highest`` what is there now is read, not
  /// what comes later; with the id of a deleted message what stood before it; and before the oldest message
  /// nothing.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such conversation, `invalidRequest` if the
  ///   message is in another one: the mark would mean nothing.
  public func markRead(_ conversation: Conversation.ID, upTo id: Message.ID) throws(StoreError) {
    let doing = "cannot mark conversation \(conversation.rawValue) as read"
    try store.writing(doing) { db in
      let marks = ReadMarkRows(db: db)
      let id = try marks.checked(id, in: conversation, doing)
      if try marks.advance(conversation, to: id) { try marks.note([conversation]) }
    }
  }

  /// Marks a conversation as unread from a message on: its mark moves back to the message before. It never
  /// moves forward.
  ///
  /// - Parameters:
  ///   - conversation: The conversation.
  ///   - id: The oldest message that becomes unread. `nil` is the newest one by others than the user: one
  ///     message is unread then, and nothing happens if there is none.
  /// - Throws: As ``markRead(_:upTo:)``.
  public func markUnread(
    _ conversation: Conversation.ID, from id: Message.ID? = nil
  ) throws(StoreError) {
    let doing = "cannot mark conversation \(conversation.rawValue) as unread"
    try store.writing(doing) { db in
      let marks = ReadMarkRows(db: db)
      let unread = try UnreadMessages(db, store.senderNames.own)
      let wanted = try marks.checked(id ?? .highest, in: conversation, doing)
      let first = try id == nil ? unread.newest(in: conversation) : wanted
      guard let first, let mark = try unread.mark(of: conversation), first <= mark else { return }
      if try marks.retreat(conversation, before: first) { try marks.note([conversation]) }
    }
  }

  /// Marks a thread as read up to a message; its mark never moves back.
  ///
  /// A thread has no mark of its own until it is marked: it goes by that of its conversation. From then on it
  /// goes by its own mark only, and the conversation by its own.
  ///
  /// - Parameters:
  ///   - thread: Any message of the thread.
  ///   - id: The newest message read, as for conversations.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such thread, `invalidRequest` if the message is
  ///   in another one.
  /// - Complexity: O(messages of the thread).
  public func markRead(thread: Message.ID, upTo id: Message.ID) throws(StoreError) {
    try store.markingThread(thread, at: id, "cannot mark a thread as read") { ids, id, mark in
      ids.last { $0 <= id }.flatMap { $0 > mark ?? .lowest ? $0 : nil }
    }
  }

  /// Marks a thread as unread from a message on: its mark moves back to the message before.
  ///
  /// - Parameters:
  ///   - thread: Any message of the thread.
  ///   - id: The oldest message that becomes unread.
  /// - Throws: As ``markRead(thread:upTo:)``.
  /// - Complexity: O(messages of the thread).
  public func markUnread(thread: Message.ID, from id: Message.ID) throws(StoreError) {
    try store.markingThread(thread, at: id, "cannot mark a thread as unread") { ids, id, mark in
      guard let mark, id <= mark else { return nil }
      return ids.last { $0 < id } ?? ids.first?.predecessor
    }
  }
}

extension SynchronousMessageStore {
  /// - Parameter place: Returns the new mark, if it moves, from the ids of the thread, the id given and the
  ///   present mark.
  fileprivate func markingThread(
    _ thread: Message.ID, at id: Message.ID, _ doing: String,
    _ place: ([Message.ID], Message.ID, Message.ID?) -> Message.ID?
  ) throws(StoreError) {
    try writing(doing) { db in
      let tree = ThreadTree(db: db)
      var known: [Int64: Int64] = [:]
      let root = try tree.root(of: Self.placed(thread, in: db).rawValue, known: &known)
      let ids = try tree.members(of: root, in: .all).map(Message.ID.init(rawValue:))
      guard let first = ids.first, let conversation = try ReadMarkRows.conversation(of: first, in: db) else {
        throw StoreError(.notFound, doing, cause: "there is no message #\(thread)", remedy: .searchMessages)
      }
      let present = try Self.placed(id, in: db)
      let isMessage = try ReadMarkRows.conversation(of: present, in: db) != nil
      guard !isMessage || ids.contains(present) else {
        throw StoreError(
          .invalidRequest, doing, cause: "message #\(id) is in another thread",
          remedy: "an id of a message of the thread")
      }
      let marks = ReadMarkRows(db: db)
      let mark =
        try marks.mark(ofThread: root)
        ?? UnreadMessages(db, senderNames.own).mark(of: conversation)
      guard let new = place(ids, present, mark) else { return }
      try marks.set(new, ofThread: root)
      try marks.note([conversation])
    }
  }
}

/// Read marks of conversations and, as single values, of threads.
struct ReadMarkRows {
  let db: Database

  static let threadKey = "read thread "

  static func conversation(of id: Message.ID, in db: Database) throws -> Conversation.ID? {
    try RawStatement.number(db, "SELECT conversation FROM message WHERE id = ?", id.rawValue)
      .map(Conversation.ID.init(rawValue:))
  }

  /// Returns the present id of a message. Throws if it is in another conversation; it need not exist.
  func checked(
    _ id: Message.ID, in conversation: Conversation.ID, _ doing: String
  ) throws -> Message.ID {
    try SynchronousMessageStore.requireConversation(conversation, in: db)
    let present = try SynchronousMessageStore.placed(id, in: db)
    let home = try Self.conversation(of: present, in: db)
    guard home == nil || home == conversation else {
      throw StoreError(
        .invalidRequest, doing, cause: "message #\(id) is in another conversation",
        remedy: "an id of a message of this conversation")
    }
    return present
  }

  /// Returns whether the mark has moved.
  func advance(_ conversation: Conversation.ID, to id: Message.ID) throws -> Bool {
    let newest = try RawStatement.number(
      db, "SELECT max(id) FROM message WHERE conversation = ? AND id <= ?", conversation.rawValue,
      id.rawValue)
    guard let newest else { return false }
    try RawStatement.run(
      db, "UPDATE conversation SET read_up_to = ?2 WHERE id = ?1 AND ifnull(read_up_to, ?2 - 1) < ?2",
      conversation.rawValue, newest)
    return db.changesCount > 0
  }

  /// Returns whether the mark has moved; the caller has checked that it moves back.
  func retreat(_ conversation: Conversation.ID, before id: Message.ID) throws -> Bool {
    let older = try RawStatement.number(
      db, "SELECT max(id) FROM message WHERE conversation = ? AND id < ?", conversation.rawValue, id.rawValue)
    let oldest = try RawStatement.number(
      db, "SELECT min(id) FROM message WHERE conversation = ?", conversation.rawValue)
    guard let mark = older ?? oldest.map({ Message.ID(rawValue: $0).predecessor.rawValue }) else {
      return false
    }
    try RawStatement.run(
      db, "UPDATE conversation SET read_up_to = ?2 WHERE id = ?1", conversation.rawValue, mark)
    return db.changesCount > 0
  }

  /// Notifies lists of conversations.
  func note(_ moved: [Conversation.ID]) throws {
    guard !moved.isEmpty else { return }
    var log = try ReadLog(in: db)
    try log.note(moved.map(\.rawValue), in: db)
  }

  // MARK: Threads

  /// `nil` for a thread that goes by the mark of its conversation.
  func mark(ofThread root: Int64) throws -> Message.ID? {
    try RawStatement(db, "SELECT value FROM meta WHERE key = '\(Self.threadKey)' || ?", root)
      .first { Message.ID(rawValue: $0.int(0)) }
  }

  func set(_ mark: Message.ID, ofThread root: Int64) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO meta VALUES ('\(Self.threadKey)' || ?1, ?2)", root, mark.rawValue)
  }

  /// Returns the marks of threads that have one, by conversation and first message.
  func threads() throws -> [Int64: [Message.ID: Message.ID]] {
    var threads: [Int64: [Message.ID: Message.ID]] = [:]
    let rows = try RawStatement(db, "SELECT key, value FROM meta WHERE key GLOB '\(Self.threadKey)*'")
    for (key, mark) in try rows.map({ ($0.text(0), Message.ID(rawValue: $0.int(1))) }) {
      guard let root = Int64(key.dropFirst(Self.threadKey.count)),
        let first = try ThreadTree(db: db).members(of: root, in: .all).first,
        let conversation = try Self.conversation(of: Message.ID(rawValue: first), in: db)
      else { continue }
      threads[conversation.rawValue, default: [:]][Message.ID(rawValue: root)] = mark
    }
    return threads
  }

  /// Moves the mark of a thread forward to a message, or sets a first one; returns whether it has moved.
  func take(_ mark: Message.ID, ofThread start: Message.ID) throws -> Bool {
    let tree = ThreadTree(db: db)
    var known: [Int64: Int64] = [:]
    let root = try tree.root(of: start.rawValue, known: &known)
    let ids = try tree.members(of: root, in: .all)
    let present = try self.mark(ofThread: root)
    guard let first = ids.first else { return false }
    let new = Message.ID(rawValue: ids.last { $0 <= mark.rawValue } ?? first - 1)
    guard present.map({ $0 < new }) ?? true else { return false }
    try set(new, ofThread: root)
    return true
  }

  /// Updates the mark of a thread after a message of it was moved: it follows its message unless it would
  /// cross another one.
  func turn(_ old: Message.ID, to new: Message.ID) throws {
    try RawStatement.run(
      db,
      """
      UPDATE OR REPLACE meta SET key = '\(Self.threadKey)' || ?2 WHERE key = '\(Self.threadKey)' || ?1
      """, old.rawValue, new.rawValue)
    let tree = ThreadTree(db: db)
    var known: [Int64: Int64] = [:]
    let root = try tree.root(of: new.rawValue, known: &known)
    guard new > old, try mark(ofThread: root) == old else { return }
    let passed = (old.successor.rawValue)..<new.rawValue
    guard try !tree.members(of: root, in: .all).contains(where: passed.contains) else { return }
    try set(new, ofThread: root)
  }
}

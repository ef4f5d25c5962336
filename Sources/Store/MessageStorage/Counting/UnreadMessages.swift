internal import GRDB
public import MessageModel

/// A number of unread messages.
public struct UnreadCount: Hashable, Sendable {
  /// The number of messages counted.
  public var count: Int
  /// Whether these are all; else there may be more.
  public var isExact: Bool
}

/// The unread messages of a conversation, and the messages among which they are.
package struct UnreadStretch: Hashable, Sendable {
  /// The number of unread messages.
  package var count = 0
  /// The newest message that counts as read; `nil` without a read mark.
  package var readUpTo: Message.ID?
  /// The number of messages after it, the user's own ones included.
  package var newerCount = 0
}

/// Unread messages are newer than their conversation's read mark, by others than the user, and have their contents.
/// Without a mark, imported history counts as read and what was appended after it as unread.
struct UnreadMessages {
  /// Messages searched for the newest imported one; few, since a list does so in every conversation.
  static let reach = 256

  let db: Database
  /// The user's senders.
  let own: Set<Sender.ID>
  private let ofOthers: FacetFilter
  private let redacted: RedactedMessages

  init(_ db: Database, _ own: OwnSenders) throws {
    self.db = db
    self.own = try own.ids(in: db)
    redacted = try RedactedMessages(db, own: self.own)
    ofOthers = self.own.isEmpty ? FacetFilter() : FacetFilter(.not(.sender(self.own))) ?? FacetFilter()
  }

  // MARK: Marks

  /// The mark as it was set, or the newest imported message.
  func mark(of conversation: Conversation.ID) throws -> Message.ID? {
    let mark = try RawStatement.number(
      db, "SELECT read_up_to FROM conversation WHERE id = ?", conversation.rawValue)
    return try mark.map { Message.ID(rawValue: $0) } ?? newestImported(conversation)
  }

  /// The newest message that counts as read: the user's own messages and redacted ones directly after the mark
  /// do.
  func readUpTo(in conversation: Conversation.ID) throws -> Message.ID? {
    let mark = try mark(of: conversation)
    return try newestRead(in: conversation, from: mark)
  }

  private func newestRead(in conversation: Conversation.ID, from mark: Message.ID?) throws -> Message.ID? {
    let start = mark?.successor ?? .lowest
    guard let next = try next(in: conversation, from: start),
      try isOwn(next.sender) || redacted.contains(next.id)
    else { return mark }
    let first = try first(in: conversation, after: mark)
    return try RawStatement.number(
      db, "SELECT max(id) FROM message WHERE conversation = ? AND id < ?", conversation.rawValue,
      first?.rawValue ?? .max
    ).map(Message.ID.init(rawValue:))
  }

  /// Returns the newest imported message; beyond ``reach`` messages, the moment of the oldest one's import.
  private func newestImported(_ conversation: Conversation.ID) throws -> Message.ID? {
    let statement = try RawStatement(
      db, "SELECT id, batch IS NOT NULL FROM message WHERE conversation = ? ORDER BY id DESC LIMIT ?",
      conversation.rawValue, Self.reach)
    defer { statement.reset() }
    var count = 0
    while try statement.step() {
      count += 1
      if statement.int(1) != 0 { return Message.ID(rawValue: statement.int(0)) }
    }
    guard count == Self.reach else { return nil }
    let moment = try RawStatement.number(
      db,
      """
      SELECT time FROM batch
        WHERE id = (SELECT batch FROM message WHERE conversation = ? ORDER BY id LIMIT 1)
      """, conversation.rawValue)
    return moment.map { Message.ID(time: Timestamp(millisecondsSince1970: $0)) }
  }

  // MARK: Messages

  /// Returns the oldest message by others after a mark; all of them are after `nil`.
  ///
  /// - Complexity: O(√*n*) small steps if the user wrote the next message, else O(log *n*); this for each redacted
  ///   message before it.
  func first(in conversation: Conversation.ID, after mark: Message.ID?) throws -> Message.ID? {
    try first(from: mark?.successor ?? .lowest) { try firstByOthers(in: conversation, from: $0) }
  }

  /// Returns the first message from an id on, in the order of `next`, that has its contents.
  func first(
    from id: Message.ID, _ next: (Message.ID) throws -> Message.ID?
  ) throws -> Message.ID? {
    var start = id
    while let found = try next(start) {
      guard try redacted.contains(found) else { return found }
      start = found.successor
    }
    return nil
  }

  private func firstByOthers(in conversation: Conversation.ID, from id: Message.ID) throws -> Message.ID? {
    guard let next = try next(in: conversation, from: id) else { return nil }
    guard isOwn(next.sender) else { return next.id }
    let ordinals = ordinals(of: conversation)
    return try ordinals.id(at: id == .lowest ? 0 : ordinals.ordinal(of: id))
  }

  private func next(
    in conversation: Conversation.ID, from id: Message.ID
  ) throws -> (id: Message.ID, sender: Int64?)? {
    try RawStatement(
      db, "SELECT id, sender FROM message WHERE conversation = ? AND id >= ? ORDER BY id LIMIT 1",
      conversation.rawValue, id.rawValue
    ).first { (Message.ID(rawValue: $0.int(0)), $0.optionalInt(1)) }
  }

  /// Returns the newest message by others that has its contents.
  func newest(in conversation: Conversation.ID) throws -> Message.ID? {
    let ordinals = ordinals(of: conversation)
    var ordinal = try ordinals.total() - 1
    while let id = try ordinals.id(at: ordinal), try redacted.contains(id) { ordinal -= 1 }
    return try ordinals.id(at: ordinal)
  }

  private func isOwn(_ sender: Int64?) -> Bool {
    sender.map { own.contains(Sender.ID(rawValue: $0)) } ?? false
  }

  // MARK: Counts

  func count(of conversation: Conversation) throws -> Int {
    guard let newest = conversation.newest else { return 0 }
    let mark = try conversation.readUpTo ?? newestImported(conversation.id)
    if let mark, mark >= newest { return 0 }
    let ordinals = ordinals(of: conversation.id)
    let total = own.isEmpty ? conversation.messageCount : try ordinals.total()
    let count = try total - (mark.map { try ordinals.ordinal(of: $0.successor) } ?? 0)
    return count <= 0 ? 0 : max(0, count - (try redacted.count(in: conversation.id, after: mark)))
  }

  /// Counts the user's own messages and redacted ones after the mark, too.
  func details(of conversation: Conversation) throws -> UnreadStretch {
    let count = try count(of: conversation)
    if count == 0 || own.isEmpty && redacted.isEmpty {
      return UnreadStretch(count: count, readUpTo: conversation.readUpTo, newerCount: count)
    }
    let mark = try conversation.readUpTo ?? newestImported(conversation.id)
    let read = try newestRead(in: conversation.id, from: mark)
    let all = Ordinals(db: db, scope: conversation.id.rawValue, filter: FacetFilter())
    let newer = try conversation.messageCount - (read.map { try all.ordinal(of: $0.successor) } ?? 0)
    return UnreadStretch(
      count: count, readUpTo: conversation.readUpTo == nil ? nil : read, newerCount: max(newer, count))
  }

  static let mostCounted = 10_000

  /// Messages searched for those that match a predicate.
  private static let budget = 32 * OrdinalIndex.blockLimit

  func count(
    in conversation: Conversation.ID, _ thread: Message.ID?, matching predicate: MessagePredicate,
    _ limit: Int, _ names: SenderNames
  ) throws -> UnreadCount {
    var conditions = [predicate].filter { $0 != .everything }
    if !own.isEmpty { conditions.append(.not(.sender(own))) }
    var mark: Message.ID?
    var root: Message.ID?
    if let thread {
      var known: [Int64: Int64] = [:]
      let placed = try SynchronousMessageStore.placed(thread, in: db)
      let start = Message.ID(rawValue: try ThreadTree(db: db).root(of: placed.rawValue, known: &known))
      mark = try ReadMarkRows(db: db).mark(ofThread: start.rawValue)
      conditions.append(.thread(start))
      root = start
    }
    let read = try mark ?? self.mark(of: conversation)
    let reader = try PageReader(
      Selection(conversation, where: .all(of: conditions)), in: db, names: names, budget: Self.budget)
    // One more than the limit, and the thread's first message.
    let wanted = limit + 2
    var count = 0
    var start = read?.successor ?? .lowest
    while true {
      let run = try reader.run(.newer, from: start, limit: wanted)
      count += run.messages.count { $0.id != root && $0.deletion == nil }
      guard count <= limit, run.messages.count == wanted, let last = run.messages.last else {
        return UnreadCount(count: min(count, limit), isExact: count <= limit && run.stoppedAt == nil)
      }
      start = last.id.successor
    }
  }

  private func ordinals(of conversation: Conversation.ID) -> Ordinals {
    Ordinals(db: db, scope: conversation.rawValue, filter: ofOthers)
  }
}

extension StoreReading {
  /// Returns the newest message of a conversation that counts as read, if any: the user's own messages and
  /// redacted ones directly after the read mark do, and without a mark imported history does.
  public func readMark(of conversation: Conversation.ID) throws(StoreError) -> Message.ID? {
    try store.reading("cannot read how far a conversation was read", unpublished: nil) { db in
      try UnreadMessages(db, store.senderNames.own).readUpTo(in: conversation)
    }
  }

  /// Returns the numbers of unread messages of conversations, in their order: those newer than
  /// ``Conversation/readUpTo`` or, if that is `nil`, than ``readMark(of:)``, without those of the user
  /// (``me()``) and redacted ones.
  ///
  /// - Complexity: O(√*n*) small steps for each conversation that has any, however many of them are unread, and
  ///   O(redacted messages) once.
  public func unreadCounts(of conversations: [Conversation]) throws(StoreError) -> [Int] {
    try store.reading(
      "cannot count unread messages", archived: { try $0.unread(of: conversations).map(\.count) }
    ) { db in
      let unread = try UnreadMessages(db, store.senderNames.own)
      return try conversations.map { try unread.count(of: $0) }
    }
  }

  /// Counts the unread messages of a conversation, or of a thread of it, that match a predicate, such as
  /// mentions of the user.
  ///
  /// ```swift
  /// let mentions = try store.unreadCount(in: room, matching: .matching("@ada"), limit: 99)
  /// badge.text = mentions.isExact ? "\(mentions.count)" : "\(mentions.count)+"
  /// ```
  ///
  /// Only the unread messages are searched, the oldest first, and at most some 30,000 of them where no index
  /// has the matching ones.
  ///
  /// - Parameters:
  ///   - conversation: The conversation.
  ///   - thread: Any message of a thread; `nil` for the whole conversation. Its first message is not counted.
  ///   - predicate: The messages to count.
  ///   - limit: The most messages to count, up to 10,000.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a wrong expression.
  public func unreadCount(
    in conversation: Conversation.ID, thread: Message.ID? = nil,
    matching predicate: MessagePredicate = .everything, limit: Int = 1_000
  ) throws(StoreError) -> UnreadCount {
    try store.reading("cannot count unread messages", unpublished: UnreadCount(count: 0, isExact: true)) {
      db in
      let unread = try UnreadMessages(db, store.senderNames.own)
      let limit = min(max(limit, 0), UnreadMessages.mostCounted)
      if thread == nil, predicate == .everything {
        let found = try SynchronousMessageStore.conversation(conversation, in: db)
        let count = try found.map { try unread.count(of: $0) } ?? 0
        return UnreadCount(count: min(count, limit), isExact: count <= limit)
      }
      return try unread.count(in: conversation, thread, matching: predicate, limit, store.senderNames)
    }
  }

  /// Returns the transformed newest message of each conversation that has messages.
  ///
  /// - Parameters:
  ///   - conversations: The conversations, as they were read.
  ///   - transform: Reduces a message to what is needed of it, since there may be very many conversations.
  /// - Complexity: O(conversations).
  public func newestMessages<Kept>(
    of conversations: [Conversation], _ transform: (Message) -> Kept
  ) throws(StoreError) -> [Conversation.ID: Kept] {
    try store.reading(
      "cannot read the newest messages", archived: { try $0.newest(of: conversations, transform) }
    ) { db in
      var newest: [Conversation.ID: Kept] = [:]
      for conversation in conversations {
        guard let id = conversation.newest else { continue }
        newest[conversation.id] = try MessageRow.message(id, in: db, names: store.senderNames).map(transform)
      }
      return newest
    }
  }
}

extension SynchronousMessageStore {
  /// Returns the unread messages of conversations, in their order.
  ///
  /// - Complexity: As ``unreadCounts(of:)``.
  package func unread(of conversations: [Conversation]) throws(StoreError) -> [UnreadStretch] {
    try reading("cannot count unread messages", archived: { try $0.unread(of: conversations) }) { db in
      let unread = try UnreadMessages(db, senderNames.own)
      return try conversations.map { try unread.details(of: $0) }
    }
  }
}

internal import GRDB
public import MessageModel

/// A thread in a list of threads.
public struct ThreadSummary: Hashable, Sendable {
  /// The id of the message that began it.
  public var id: Message.ID
  /// That message; `nil` if it does not exist (any more).
  public var first: Message?
  /// Its newest reply in the requested conversations.
  public var newest: Message
  /// The number of replies, at most 10,000.
  public var answerCount: Int
  /// Whether it has no more replies than these.
  public var isExact: Bool
  /// The number of replies by others newer than the read mark of the thread or, without one, of the conversation.
  public var unreadCount: Int
}

/// Some threads, those with the newest replies first.
public struct ThreadList: Hashable, Sendable {
  /// The threads.
  public var threads: [ThreadSummary]
  /// The message from which the next page continues; `nil` at the end.
  public var next: Message.ID?
}

extension StoreReading {
  /// Returns the first message of a message's thread; itself if it is in none.
  ///
  /// A message that names no thread belongs to that of the message it replies to. The first message may not
  /// exist any more.
  ///
  /// - Complexity: O(replies from there to the first message).
  package func threadStart(of id: Message.ID) throws(StoreError) -> Message.ID {
    try store.reading("cannot read a thread of '\(store.path)'", archived: { try $0.threadStart(of: id) }) {
      db in
      var known: [Int64: Int64] = [:]
      let id = try SynchronousMessageStore.placed(id, in: db)
      return Message.ID(rawValue: try ThreadTree(db: db).root(of: id.rawValue, known: &known))
    }
  }

  /// Returns the threads with replies in some conversations, by their newest reply there.
  ///
  /// A call reads a bounded number of messages and replies; if it finds no thread, the list is empty and says
  /// where to continue.
  ///
  /// - Parameters:
  ///   - conversations: The conversations.
  ///   - id: The message before which the newest replies are; `nil` for the newest end.
  ///   - limit: The most threads.
  /// - Complexity: O(replies skipped + replies of the threads returned); after the first page also those of
  ///   threads that were returned before.
  public func threads(
    in conversations: Selection.Conversations, before id: Message.ID? = nil, limit: Int
  ) throws(StoreError) -> ThreadList {
    try store.reading(
      "cannot list the threads of '\(store.path)'",
      archived: { try $0.threads(in: conversations, before: id, limit: limit) }
    ) { db in
      try ThreadFetch(db: db, names: store.senderNames, conversations: conversations, before: id)
        .list(limit: limit)
    }
  }
}

private struct ThreadFetch {
  let db: Database
  let names: SenderNames
  let conversations: Selection.Conversations
  let before: Message.ID?

  private static let countLimit = 10_000
  /// The most replies that a call skips because their threads are listed.
  private static let answerLimit = 50_000

  func list(limit: Int) throws -> ThreadList {
    let unread = try UnreadMessages(db, names.own)
    let tree = ThreadTree(db: db, own: unread.own)
    var walk = AnswerWalk(
      conversations, before: before?.rawValue ?? .max, try tree.ways(in: conversations), in: db,
      budget: PageReader.budget)
    var list = ThreadList(threads: [])
    var roots: [Int64: Int64] = [:]
    var listed: Set<Int64> = []
    while list.threads.count < limit, roots.count < Self.answerLimit, let answer = try walk.next() {
      let root = try tree.root(of: answer, known: &roots)
      guard root != answer, listed.insert(root).inserted else { continue }
      // A thread with a newer reply was on an earlier page.
      if let before, try tree.hasAnswer(root, from: before.rawValue, in: conversations) { continue }
      if let thread = try summary(of: root, newest: answer, tree, unread) { list.threads.append(thread) }
    }
    list.next = walk.isOver || limit <= 0 ? nil : Message.ID(rawValue: walk.edge)
    return list
  }

  private func summary(
    of root: Int64, newest: Int64, _ tree: ThreadTree, _ unread: UnreadMessages
  ) throws -> ThreadSummary? {
    let first = try MessageRow.message(Message.ID(rawValue: root), in: db, names: names)
    guard let newest = try MessageRow.message(Message.ID(rawValue: newest), in: db, names: names) else {
      return nil
    }
    let mark =
      try ReadMarkRows(db: db).mark(ofThread: root)
      ?? unread.mark(of: first?.conversation ?? newest.conversation)
    // Without a read mark, everything is unread.
    let count = try tree.count(root, unreadAfter: mark?.rawValue ?? .min, limit: Self.countLimit)
    return ThreadSummary(
      id: Message.ID(rawValue: root), first: first, newest: newest, answerCount: count.total,
      isExact: !count.isMore, unreadCount: count.unread)
  }
}

/// A source that counts the replies to messages.
package protocol AnswerSource: Sendable {
  /// Counts replies to first messages of threads (at most ``AnswerCount/mostAsked``), each up to
  /// ``AnswerCount/limit``. `mark` is the last message read; `nil` if all were read. Returns `nil` if no
  /// message of the conversations is a reply.
  func answerCounts(
    of ids: [Message.ID], in conversations: Selection.Conversations, unreadAfter mark: Message.ID?
  ) throws(StoreError) -> [Message.ID: AnswerCount]?
}

extension AnswerCount {
  /// The most replies to a message that are counted for a window.
  package static let limit = 1_000
  /// The most messages in one request.
  package static let mostAsked = ThreadTree.mostAsked

  static func counts(
    of ids: [Message.ID], in conversations: Selection.Conversations, unreadAfter mark: Message.ID?,
    _ db: Database, _ own: OwnSenders
  ) throws -> [Message.ID: AnswerCount]? {
    let tree = ThreadTree(db: db, own: mark == nil ? [] : try own.ids(in: db))
    let ways = try tree.ways(in: conversations)
    guard ways.byThread || ways.byReply else { return nil }
    return try tree.counts(of: ids, ways, unreadAfter: mark, limit: limit)
  }
}

extension SynchronousMessageStore: AnswerSource {
  package func answerCounts(
    of ids: [Message.ID], in conversations: Selection.Conversations, unreadAfter mark: Message.ID?
  ) throws(StoreError) -> [Message.ID: AnswerCount]? {
    try reading("cannot count answers in '\(path)'", archived: { try $0.answers(to: ids, in: conversations) })
    { db in
      try AnswerCount.counts(of: ids, in: conversations, unreadAfter: mark, db, senderNames.own)
    }
  }
}

extension StoreSnapshot: AnswerSource {
  package func answerCounts(
    of ids: [Message.ID], in conversations: Selection.Conversations, unreadAfter mark: Message.ID?
  ) throws(StoreError) -> [Message.ID: AnswerCount]? {
    try reading("cannot count answers") { db in
      try AnswerCount.counts(of: ids, in: conversations, unreadAfter: mark, db, names.own)
    }
  }
}

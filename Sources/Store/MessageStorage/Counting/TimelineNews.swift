internal import GRDB
package import MessageModel

/// The news of the timelines that have messages of several conversations.
package struct TimelineNews: Hashable, Sendable {
  /// The news of one of them.
  package struct Entry: Hashable, Sendable {
    /// The number of messages that are newer than the read mark of their conversation; of a person, in the direct ones.
    package var unread = 0
    /// The newest message; of a person, the newest that they wrote.
    package var newest: Message.ID?
    /// When that was written.
    package var newestTime: Timestamp?
  }

  /// Of everything there is.
  package var everything = Entry()
  /// Of each person who wrote anything or in whose direct conversations anything is unread, by name.
  package var people: [String: Entry] = [:]
}

extension SynchronousMessageStore {
  /// Returns what is new in everything and of each person.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy`, `inputOutput`, or `cancelled`.
  /// - Complexity: O(conversations) looks into an index the first time and after a load, later O(changes); where anybody is
  ///   linked, also O(senders).
  package func timelineNews() throws(StoreError) -> TimelineNews {
    try reading("cannot look for unread messages in '\(path)'") { db in
      var counts = keptUnread.withLock { $0 }
      try counts.update(in: db)
      keptUnread.withLock { [counts] in $0 = counts }
      return try counts.news(in: db)
    }
  }
}

/// The numbers of unread messages by conversation, of those that have any, and their sums: kept as of one state of the store,
/// so that later only those conversations are looked at in which something has changed.
struct UnreadCounts: Sendable {
  private var progress = ConversationProgress()
  private var entries: [Int64: Entry] = [:]
  private var sum = 0
  private var sums: [String: Int] = [:]

  private struct Entry {
    var count: Int
    /// The people who wrote in it, if it is a direct one.
    var people: [String]
  }

  /// Brings the numbers up to date. Changes of who is linked are changes of all conversations in the log.
  mutating func update(in db: Database) throws {
    guard let touched = try progress.advance(in: db) else { return try renew(in: db) }
    if touched.isEmpty { return }
    let look = try UnreadConversations(db, only: true)
    for id in touched {
      if let former = entries.removeValue(forKey: id.rawValue) { add(former, times: -1) }
      try look.each(id.rawValue) { take($0, $1, $2) }
    }
  }

  private mutating func renew(in db: Database) throws {
    (entries, sum, sums) = ([:], 0, [:])
    try UnreadConversations(db, only: false).each { take($0, $1, $2) }
  }

  private mutating func take(_ conversation: Int64, _ count: Int, _ people: [String]) {
    let entry = Entry(count: count, people: people)
    entries[conversation] = entry
    add(entry, times: 1)
  }

  private mutating func add(_ entry: Entry, times sign: Int) {
    sum = sum.adding(sign * entry.count)
    for person in entry.people { sums[person, default: 0] += sign * entry.count }
  }

  /// Returns the sums, and the newest message of each.
  func news(in db: Database) throws -> TimelineNews {
    var news = TimelineNews()
    news.everything.unread = sum
    let times = try MessageTimes(db)
    news.everything.newest = try RawStatement.number(db, "SELECT max(id) FROM message").map(
      Message.ID.init(rawValue:))
    news.everything.newestTime = try news.everything.newest.map { try times.time(of: $0) }
    guard try SynchronousMessageStore.hasLinkedAccounts(db) else { return news }
    // One look into the index of senders for each account.
    try RawStatement(
      db,
      """
      SELECT person.name, max((SELECT max(id) FROM message WHERE sender = sender.id))
        FROM sender CROSS JOIN person_account AS account
          ON account.external = sender.external AND account.name = iif(sender.external = '', sender.name, '')
        CROSS JOIN person ON person.id = account.person GROUP BY person.id
      """
    ).each { row in
      let name = row.text(0)
      let newest = row.optionalInt(1).map(Message.ID.init(rawValue:))
      news.people[name] = TimelineNews.Entry(
        unread: sums[name] ?? 0, newest: newest, newestTime: try newest.map { try times.time(of: $0) })
    }
    return news
  }
}

/// The conversations in which anything is unread.
private struct UnreadConversations {
  private let db: Database
  private let rows: RawStatement
  private let linked: LinkedPeople?

  /// - Parameter only: Whether single conversations are looked at.
  init(_ db: Database, only: Bool) throws {
    self.db = db
    linked = try LinkedPeople(db)
    rows = try RawStatement(
      db,
      """
      SELECT id, read_up_to, (SELECT inserted - deleted FROM tally WHERE scope = conversation.id),
          (SELECT max(id) FROM message WHERE conversation = conversation.id)
        FROM conversation \(only ? "WHERE id = ?1" : "")
      """)
  }

  /// Calls `body` with each conversation, or the one of a number, that has unread messages: how many, and the people with whom
  /// it is, if it is a direct one.
  func each(_ only: Int64? = nil, _ body: (Int64, Int, [String]) throws -> Void) throws {
    if let only { rows.bind(only) }
    defer { rows.reset() }
    while try rows.step() {
      let mark = rows.optionalInt(1)
      guard let newest = rows.optionalInt(3), mark ?? .min < newest else { continue }
      let id = rows.int(0)
      let conversation = Conversation(
        id: Conversation.ID(rawValue: id), name: "", messageCount: rows.count(2),
        newest: Message.ID(rawValue: newest), readUpTo: mark.map(Message.ID.init(rawValue:)))
      let count = try UnreadMessages.count(of: conversation, in: db)
      if count > 0 { try body(id, count, linked?.names(in: id) ?? []) }
    }
  }
}

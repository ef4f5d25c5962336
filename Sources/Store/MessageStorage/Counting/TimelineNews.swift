internal import GRDB
package import MessageModel

package struct TimelineNews: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The number of unread messages; for a person, those in their direct conversations.
    package var unread = 0
    /// The newest message; for a person, the newest that they wrote.
    package var newest: Message.ID?
    package var newestTime: Timestamp?
  }

  package var everything = Entry()
  /// People who wrote anything or have unread messages in their direct conversations, by name.
  package var people: [String: Entry] = [:]
}

extension SynchronousMessageStore {
  /// - Complexity: O(conversations) index look-ups the first time and after a load, later O(changes); with
  ///   linked accounts also O(senders).
  package func timelineNews() throws(StoreError) -> TimelineNews {
    try reading("cannot look for unread messages in '\(path)'") { db in
      try updatedUnread(in: db).news(in: db)
    }
  }

  /// Returns the conversations with unread messages, those with the newest messages first; none of an archive.
  ///
  /// - Complexity: As ``timelineNews()``, and a few look-ups for each of them.
  package func unreadConversations() throws(StoreError) -> [UnreadConversation] {
    try reading("cannot look for unread messages in '\(path)'", unpublished: []) { db in
      let unread = try UnreadMessages(db, senderNames.own)
      return try updatedUnread(in: db).conversations.compactMap { id in
        guard let newest = try unread.newest(in: id) else { return nil }
        return UnreadConversation(id: id, readUpTo: try unread.readUpTo(in: id), newest: newest)
      }.sorted { $0.newest > $1.newest }
    }
  }

  private func updatedUnread(in db: Database) throws -> UnreadCounts {
    var counts = keptUnread.withLock { $0 }
    try counts.update(in: db, senderNames.own)
    keptUnread.withLock { [counts] in $0 = counts }
    return counts
  }
}

/// A conversation with unread messages.
package struct UnreadConversation: Hashable, Sendable {
  package var id: Conversation.ID
  /// `nil` if nothing was read.
  package var readUpTo: Message.ID?
  package var newest: Message.ID
}

/// Kept, so that later only changed conversations are counted again.
struct UnreadCounts: Sendable {
  private var progress = ConversationProgress()
  private var entries: [Int64: Entry] = [:]
  private var sum = 0
  private var sums: [String: Int] = [:]

  private struct Entry {
    var count: Int
    var people: [String]
  }

  /// The log records changes of linked accounts as changes of all conversations.
  mutating func update(in db: Database, _ own: OwnSenders) throws {
    guard let touched = try progress.advance(in: db) else { return try renew(in: db, own) }
    if touched.isEmpty { return }
    let look = try UnreadConversations(db, own, only: true)
    for id in touched {
      if let former = entries.removeValue(forKey: id.rawValue) { add(former, times: -1) }
      try look.each(id.rawValue) { take($0, $1, $2) }
    }
  }

  private mutating func renew(in db: Database, _ own: OwnSenders) throws {
    (entries, sum, sums) = ([:], 0, [:])
    try UnreadConversations(db, own, only: false).each { take($0, $1, $2) }
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

  var conversations: [Conversation.ID] { entries.keys.map { Conversation.ID(rawValue: $0) } }

  func news(in db: Database) throws -> TimelineNews {
    var news = TimelineNews()
    news.everything.unread = sum
    let times = try MessageTimes(db)
    news.everything.newest = try RawStatement.number(db, "SELECT max(id) FROM message").map(
      Message.ID.init(rawValue:))
    news.everything.newestTime = try news.everything.newest.map { try times.time(of: $0) }
    guard try SynchronousMessageStore.hasLinkedAccounts(db) else { return news }
    // One index look-up for each account.
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

private struct UnreadConversations {
  private let rows: RawStatement
  private let unread: UnreadMessages
  private let linked: LinkedPeople?

  init(_ db: Database, _ own: OwnSenders, only: Bool) throws {
    unread = try UnreadMessages(db, own)
    linked = try LinkedPeople(db)
    rows = try RawStatement(
      db,
      """
      SELECT id, read_up_to, (SELECT inserted - deleted FROM tally WHERE scope = conversation.id),
          (SELECT max(id) FROM message WHERE conversation = conversation.id)
        FROM conversation \(only ? "WHERE id = ?1" : "")
      """)
  }

  /// Calls `body` for conversations (or `only`) with unread messages: their number and, if direct, the
  /// people.
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
      let count = try unread.count(of: conversation)
      if count > 0 { try body(id, count, linked?.names(in: id) ?? []) }
    }
  }
}

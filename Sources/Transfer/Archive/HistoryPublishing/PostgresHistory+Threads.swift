package import MessageModel
internal import MessagePostgres
package import MessageStorage

extension PostgresHistory {
  package func threads(
    in conversations: Selection.Conversations, before id: Message.ID?, limit: Int
  ) throws(StoreError) -> ThreadList {
    guard limit > 0 else { return ThreadList([], next: nil) }
    let found = try archive.replies(in: conversations, before: id, limit: Self.mostReplies)
    var (listed, newest, next) = (Set<Message.ID>(), [(start: Message.ID, reply: Message.ID)](), found.next)
    for (reply, start) in found.replies where start != reply && listed.insert(start).inserted {
      // A thread with a reply after the place was listed before.
      if let id, try self.newest(of: start, in: conversations).map({ $0 >= id }) ?? true { continue }
      newest.append((start, reply))
      guard newest.count < limit else {
        if reply != found.replies.last?.id { next = reply }
        break
      }
    }
    let messages = try records(of: newest.flatMap { [$0.start, $0.reply] })
    var threads: [ThreadSummary] = []
    for (start, reply) in newest {
      guard let newest = messages[reply]?.message else { continue }
      threads.append(try summary(of: start, first: messages[start]?.message, newest: newest))
    }
    return ThreadList(threads, next: next)
  }

  /// The most replies that one call looks at.
  private static var mostReplies: Int { 2_000 }
  /// The most replies to a message that are counted.
  private static var mostCounted: Int { 10_000 }

  private func newest(
    of start: Message.ID, in conversations: Selection.Conversations
  ) throws(StoreError) -> Message.ID? {
    let last = PageRequest(
      Selection(conversations, where: .thread(start)), fetchLimit: 1, wantsCounts: false)
    return try page(last).messages.first?.id
  }

  private func summary(
    of start: Message.ID, first: Message?, newest: Message
  ) throws(StoreError) -> ThreadSummary {
    let counts = try page(PageRequest(Selection(.all, where: .thread(start)), fetchLimit: 0)).counts
    let replies = (counts?.total ?? 0) - (first == nil ? 0 : 1)
    return ThreadSummary(
      start, first: first, newest: newest, replies: min(replies, Self.mostCounted),
      isExact: counts?.isExact != false && replies <= Self.mostCounted)
  }
}

internal import HistoryQueries
internal import MessageModel

/// A hit as an agent reads it: with its surroundings where its text is long, and with messages around it that the answer does
/// not have already.
private struct CompactHit: Encodable {
  let before: [MessageLine]
  let hit: MessageLine
  let snippet: String?
  let after: [MessageLine]

  private enum CodingKeys: CodingKey { case before, hit, snippet, after }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !before.isEmpty { try container.encode(before, forKey: .before) }
    try container.encode(hit, forKey: .hit)
    try container.encodeIfPresent(snippet, forKey: .snippet)
    if !after.isEmpty { try container.encode(after, forKey: .after) }
  }
}

/// An answer with messages, each of them once: a page, hits, or exchanges; or a list.
struct CompactAnswer: Encodable {
  private let answer: HistoryAnswer
  /// The conversation of all messages; `nil` if there are several.
  private let conversation: String?

  /// Compacts an answer; `nil` for one of another sort.
  init?(_ answer: HistoryAnswer) {
    var names: Set<String> = []
    switch answer {
    case .page(let page): for message in page.messages { names.insert(message.conversation) }
    case .hits(let hits): for hit in hits.hits { names.insert(hit.message.conversation) }
    case .best(let best):
      for exchange in best.exchanges { names.insert(exchange.best.message.conversation) }
    case .shared(let list): for thing in list.shared { names.insert(thing.conversation) }
    case .threads(let list): for thread in list.threads { names.insert(thread.conversation) }
    case .conversations, .senders: break
    case .conversation, .message, .messages, .sessions, .people, .days, .groups,
      .anniversaries, .statistics, .selectionStatistics, .filters, .imports, .error:
      return nil
    }
    self.answer = answer
    conversation = names.count == 1 ? names.first : nil
  }

  private enum CodingKeys: CodingKey {
    case answer, conversation, messages, hits, exchanges, hasOlder, hasNewer, firstNumber, total, exact
    case found, searchedTo, nothing, language, whole, conversations, senders, shared, threads
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch answer {
    case .page(let page): try encode(page, to: &container)
    case .hits(let hits): try encode(hits, to: &container)
    case .best(let best): try encode(best, to: &container)
    case .conversations(let list):
      try container.encode("conversations", forKey: .answer)
      try container.encode(list.conversations.map(ListedConversation.init), forKey: .conversations)
    case .senders(let list):
      try container.encode("senders", forKey: .answer)
      try container.encode(list.senders.map(ListedSender.init), forKey: .senders)
    case .shared(let list):
      try container.encode("shared", forKey: .answer)
      try container.encodeIfPresent(conversation, forKey: .conversation)
      try container.encode(
        list.shared.map { ListedThing(thing: $0, hasConversation: conversation == nil) }, forKey: .shared)
    case .threads(let list):
      try container.encode("threads", forKey: .answer)
      try container.encodeIfPresent(conversation, forKey: .conversation)
      try container.encode(
        list.threads.map { ListedThread(thread: $0, hasConversation: conversation == nil) }, forKey: .threads)
    case .conversation, .message, .messages, .sessions, .people, .days, .groups,
      .anniversaries, .statistics, .selectionStatistics, .filters, .imports, .error:
      try answer.encode(to: encoder)
    }
  }

  private var lines: MessageLines { MessageLines(areOfSeveral: conversation == nil) }

  /// The messages of a page, the first and the last with their ids.
  private func lines(of messages: [MessageAnswer]) -> [MessageLine] {
    var lines = self.lines
    let ends = [messages.first?.id, messages.last?.id]
    return messages.map { lines.line($0, hasID: ends.contains($0.id)) }
  }

  private func encode(_ page: PageAnswer, to container: inout KeyedEncodingContainer<CodingKeys>) throws {
    try container.encode("page", forKey: .answer)
    try container.encodeIfPresent(conversation, forKey: .conversation)
    try container.encode(lines(of: page.messages), forKey: .messages)
    try container.encode(page.hasOlder, forKey: .hasOlder)
    try container.encode(page.hasNewer, forKey: .hasNewer)
    try container.encodeIfPresent(page.firstNumber, forKey: .firstNumber)
    try container.encodeIfPresent(page.total, forKey: .total)
    try container.encodeIfPresent(page.exact, forKey: .exact)
    if page.found != .exact { try container.encode(page.found, forKey: .found) }
  }

  private func encode(_ hits: HitsAnswer, to container: inout KeyedEncodingContainer<CodingKeys>) throws {
    try container.encode("hits", forKey: .answer)
    try container.encodeIfPresent(conversation, forKey: .conversation)
    var told = Set(hits.hits.map(\.message.id))
    try container.encode(hits.hits.map { compact($0, &told) }, forKey: .hits)
    try container.encodeIfPresent(hits.total, forKey: .total)
    try container.encodeIfPresent(hits.exact, forKey: .exact)
    try container.encodeIfPresent(hits.searchedTo, forKey: .searchedTo)
    try container.encodeIfPresent(hits.nothing, forKey: .nothing)
  }

  private func compact(_ hit: HitAnswer, _ told: inout Set<Message.ID>) -> CompactHit {
    let before = (hit.found.before ?? []).filter { told.insert($0.id).inserted }
    let after = (hit.found.after ?? []).filter { told.insert($0.id).inserted }
    let isCut = hit.message.textBytes != nil
    var lines = self.lines
    return CompactHit(
      before: before.map { lines.line($0, hasID: false) }, hit: lines.line(hit.message, hasID: true),
      snippet: isCut ? hit.found.snippet.text : nil, after: after.map { lines.line($0, hasID: false) })
  }

  private struct Exchange: Encodable {
    let best: Message.ID
    let score: Double
    let messages: [MessageLine]
  }

  private func encode(_ best: BestAnswer, to container: inout KeyedEncodingContainer<CodingKeys>) throws {
    try container.encode("best", forKey: .answer)
    try container.encodeIfPresent(conversation, forKey: .conversation)
    var told: Set<Message.ID> = []
    let exchanges = best.exchanges.map { exchange in
      var lines = self.lines
      let id = exchange.best.message.id
      return Exchange(
        best: id, score: (exchange.score * 10).rounded() / 10,
        messages: exchange.messages.filter { told.insert($0.id).inserted }.map {
          lines.line($0, hasID: $0.id == id)
        })
    }
    try container.encode(exchanges, forKey: .exchanges)
    try container.encode(best.language, forKey: .language)
    try container.encode(best.whole, forKey: .whole)
  }
}

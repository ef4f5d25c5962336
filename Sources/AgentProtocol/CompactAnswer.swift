internal import HistoryQueries
internal import MessageModel

/// A message as an agent reads it: what an answer says once for all, what is usual and what is empty is left out.
struct CompactMessage: Encodable {
  private let message: MessageAnswer
  private let hasConversation: Bool

  /// - Parameter hasConversation: Whether the conversation is said here, since the answer has messages of several.
  init(_ message: MessageAnswer, hasConversation: Bool) {
    (self.message, self.hasConversation) = (message, hasConversation)
  }

  private enum CodingKeys: CodingKey {
    case id, conversation, time, sender, kind, text, textBytes, replyTo, thread, edited, reactions
    case attachments, starred
  }

  private struct File: Encodable {
    let name: String
    let type: String?
    let bytes: Int?
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(message.id, forKey: .id)
    if hasConversation { try container.encode(message.conversation, forKey: .conversation) }
    try container.encode(Self.time(of: message), forKey: .time)
    try container.encodeIfPresent(message.sender, forKey: .sender)
    if message.kind != .text { try container.encode(message.kind, forKey: .kind) }
    try container.encodeIfPresent(message.text, forKey: .text)
    try container.encodeIfPresent(message.textBytes, forKey: .textBytes)
    try container.encodeIfPresent(message.replyTo, forKey: .replyTo)
    if message.thread != message.replyTo { try container.encodeIfPresent(message.thread, forKey: .thread) }
    if message.edited != nil { try container.encode(true, forKey: .edited) }
    if let reactions = message.reactions {
      let counts = reactions.map { "\($0.emoji) \($0.senders?.count ?? 1)" }
      try container.encode(counts, forKey: .reactions)
    }
    if let files = message.attachments {
      try container.encode(
        files.map { File(name: $0.name, type: $0.type, bytes: $0.bytes) }, forKey: .attachments)
    }
    if message.starred != nil { try container.encode(true, forKey: .starred) }
  }

  /// When it was written, as exactly as that is known, to the second at most.
  private static func time(of message: MessageAnswer) -> String {
    var bytes: [UInt8] = []
    ISO8601.write(message.time.rounded(to: .second), to: &bytes)
    let time = String(decoding: bytes, as: UTF8.self)
    switch message.precision {
    case .day: return String(time.prefix(10))
    case .minute: return time.prefix(16) + "Z"
    case .second, .millisecond, nil: return time.prefix(19) + "Z"
    }
  }
}

/// A hit as an agent reads it: with its surroundings where its text is long, and with messages around it that the answer does
/// not have already.
struct CompactHit: Encodable {
  let message: CompactMessage
  let snippet: String?
  let before: [CompactMessage]
  let after: [CompactMessage]

  private enum CodingKeys: CodingKey { case snippet, before, after }

  func encode(to encoder: any Encoder) throws {
    try message.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(snippet, forKey: .snippet)
    if !before.isEmpty { try container.encode(before, forKey: .before) }
    if !after.isEmpty { try container.encode(after, forKey: .after) }
  }
}

/// An answer with messages, each of them once: a page, hits, or exchanges.
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
    case .conversations, .conversation, .message, .messages, .shared, .threads, .sessions, .senders, .people,
      .days,
      .groups, .anniversaries, .statistics, .selectionStatistics, .filters, .imports, .error:
      return nil
    }
    self.answer = answer
    conversation = names.count == 1 ? names.first : nil
  }

  private enum CodingKeys: CodingKey {
    case answer, conversation, messages, hits, exchanges, hasOlder, hasNewer, firstNumber, total, exact
    case found, searchedTo, nothing, language, whole
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch answer {
    case .page(let page): try encode(page, to: &container)
    case .hits(let hits): try encode(hits, to: &container)
    case .best(let best): try encode(best, to: &container)
    case .conversations, .conversation, .message, .messages, .shared, .threads, .sessions, .senders, .people,
      .days,
      .groups, .anniversaries, .statistics, .selectionStatistics, .filters, .imports, .error:
      try answer.encode(to: encoder)
    }
  }

  private func compact(_ message: MessageAnswer) -> CompactMessage {
    CompactMessage(message, hasConversation: conversation == nil)
  }

  private func encode(_ page: PageAnswer, to container: inout KeyedEncodingContainer<CodingKeys>) throws {
    try container.encode("page", forKey: .answer)
    try container.encodeIfPresent(conversation, forKey: .conversation)
    try container.encode(page.messages.map(compact), forKey: .messages)
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
    let before = (hit.found.before ?? []).filter { told.insert($0.id).inserted }.map(compact)
    let after = (hit.found.after ?? []).filter { told.insert($0.id).inserted }.map(compact)
    let isCut = hit.message.textBytes != nil || hit.found.matches == nil
    return CompactHit(
      message: compact(hit.message), snippet: isCut ? hit.found.snippet.text : nil, before: before,
      after: after)
  }

  private struct Exchange: Encodable {
    let best: Message.ID
    let score: Double
    let messages: [CompactMessage]
  }

  private func encode(_ best: BestAnswer, to container: inout KeyedEncodingContainer<CodingKeys>) throws {
    try container.encode("best", forKey: .answer)
    try container.encodeIfPresent(conversation, forKey: .conversation)
    var told: Set<Message.ID> = []
    let exchanges = best.exchanges.map { exchange in
      Exchange(
        best: exchange.best.message.id, score: (exchange.score * 100).rounded() / 100,
        messages: exchange.messages.filter { told.insert($0.id).inserted }.map(compact))
    }
    try container.encode(exchanges, forKey: .exchanges)
    try container.encode(best.language, forKey: .language)
    try container.encode(best.whole, forKey: .whole)
  }
}

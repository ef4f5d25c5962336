internal import HistoryQueries
internal import MessageModel

/// An answer in a shorter form for agents. It contains each message once, as a line. If all messages are of
/// one conversation, its name is given once, before them.
protocol CompactAnswer {
  /// The conversations of its elements; empty if they do not matter.
  var conversationNames: [String] { get }

  /// - Parameter conversation: The conversation of all elements; `nil` if there are several.
  func encode(to container: inout KeyedEncodingContainer<CompactKey>, in conversation: String?) throws
}

enum CompactKey: CodingKey {
  case conversation, messages, hits, exchanges, hasOlder, hasNewer, firstNumber, total, exact
  case found, searchedTo, nothing, language, whole, respelt, conversations, senders, shared, threads
}

extension CompactAnswer {
  var conversationNames: [String] { [] }

  func encodeCompact(to encoder: any Encoder) throws {
    let names = Set(conversationNames)
    let conversation = names.count == 1 ? names.first : nil
    var container = encoder.container(keyedBy: CompactKey.self)
    try container.encodeIfPresent(conversation, forKey: .conversation)
    try encode(to: &container, in: conversation)
  }
}

extension PageAnswer: CompactAnswer {
  var conversationNames: [String] { messages.map(\.conversation) }

  func encode(to container: inout KeyedEncodingContainer<CompactKey>, in conversation: String?) throws {
    var lines = MessageLines(areOfSeveral: conversation == nil)
    // Only the first and the last message show their ids.
    let ends = [messages.first?.id, messages.last?.id]
    try container.encode(messages.map { lines.line($0, hasID: ends.contains($0.id)) }, forKey: .messages)
    try container.encode(hasOlder, forKey: .hasOlder)
    try container.encode(hasNewer, forKey: .hasNewer)
    try container.encodeIfPresent(firstNumber, forKey: .firstNumber)
    try container.encodeIfPresent(total, forKey: .total)
    try container.encodeIfPresent(exact, forKey: .exact)
    if found != .exact { try container.encode(found, forKey: .found) }
  }
}

extension HitsAnswer: CompactAnswer {
  var conversationNames: [String] { hits.map(\.message.conversation) }

  func encode(to container: inout KeyedEncodingContainer<CompactKey>, in conversation: String?) throws {
    var told = Set(hits.map(\.message.id))
    let compact = hits.map { CompactHit($0, areOfSeveral: conversation == nil, &told) }
    try container.encode(compact, forKey: .hits)
    try container.encodeIfPresent(total, forKey: .total)
    try container.encodeIfPresent(exact, forKey: .exact)
    try container.encodeIfPresent(searchedTo, forKey: .searchedTo)
    try container.encodeIfPresent(nothing, forKey: .nothing)
  }
}

/// A hit for agents: with a snippet if its text is long, and with surrounding messages that the answer does
/// not contain already.
private struct CompactHit: Encodable {
  let before: [MessageLine]
  let hit: MessageLine
  let snippet: String?
  let after: [MessageLine]

  init(_ found: HitAnswer, areOfSeveral: Bool, _ told: inout Set<Message.ID>) {
    let before = (found.found.before ?? []).filter { told.insert($0.id).inserted }
    let after = (found.found.after ?? []).filter { told.insert($0.id).inserted }
    var lines = MessageLines(areOfSeveral: areOfSeveral)
    self.before = before.map { lines.line($0, hasID: false) }
    hit = lines.line(found.message, hasID: true)
    snippet = found.message.textBytes == nil ? nil : found.found.snippet.text
    self.after = after.map { lines.line($0, hasID: false) }
  }

  private enum CodingKeys: CodingKey { case before, hit, snippet, after }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !before.isEmpty { try container.encode(before, forKey: .before) }
    try container.encode(hit, forKey: .hit)
    try container.encodeIfPresent(snippet, forKey: .snippet)
    if !after.isEmpty { try container.encode(after, forKey: .after) }
  }
}

extension BestAnswer: CompactAnswer {
  var conversationNames: [String] { exchanges.map(\.best.message.conversation) }

  private struct Exchange: Encodable {
    let best: Message.ID
    let score: Double
    let messages: [MessageLine]
  }

  func encode(to container: inout KeyedEncodingContainer<CompactKey>, in conversation: String?) throws {
    var told: Set<Message.ID> = []
    let exchanges = exchanges.map { exchange in
      var lines = MessageLines(areOfSeveral: conversation == nil)
      let id = exchange.best.message.id
      return Exchange(
        best: id, score: (exchange.score * 10).rounded() / 10,
        messages: exchange.messages.filter { told.insert($0.id).inserted }.map {
          lines.line($0, hasID: $0.id == id)
        })
    }
    try container.encode(exchanges, forKey: .exchanges)
    try container.encode(language, forKey: .language)
    try container.encode(whole, forKey: .whole)
    try container.encodeIfPresent(respelt, forKey: .respelt)
  }
}

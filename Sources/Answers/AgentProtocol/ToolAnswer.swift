internal import HistoryQueries
internal import MessageModel

/// The answer of a tool: the one of docs/json.md, and behind its keys what an agent needs to go on.
struct ToolAnswer: Encodable {
  var answer: HistoryAnswer
  /// The number of all, where the answer does not say so itself.
  var total: Int?
  /// The number of each hit in its conversation, 1 being the oldest.
  var numbers: [Int]?
  /// Names that are there, where nobody has the one that was asked for.
  var nearest: [String] = []
  /// Why there is nothing, where that can be told.
  var nothing: NothingAnswer?
  /// The ways to go on with the same tool.
  var more: [Continuation] = []
  /// Whether parts of a message were left out so that it is not too many bytes.
  var isShortened = false
  /// The damage that was found while this was read.
  var damage: [String] = []
  /// Whether messages are given with all that an answer of docs/json.md has of them.
  var isWhole = false

  init(_ answer: HistoryAnswer) { self.answer = answer }

  private enum CodingKeys: CodingKey {
    case total, numbers, nearest, nothing, more, shortened, damage, then
  }

  func encode(to encoder: any Encoder) throws {
    if !isWhole, let compact = CompactAnswer(answer) {
      try compact.encode(to: encoder)
    } else {
      try answer.encode(to: encoder)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(total, forKey: .total)
    if let numbers, !numbers.isEmpty { try container.encode(numbers, forKey: .numbers) }
    if !nearest.isEmpty { try container.encode(nearest, forKey: .nearest) }
    try container.encodeIfPresent(nothing, forKey: .nothing)
    if !more.isEmpty { try container.encode(more, forKey: .more) }
    if isShortened { try container.encode(true, forKey: .shortened) }
    if !damage.isEmpty { try container.encode(damage, forKey: .damage) }
    try container.encodeIfPresent(then, forKey: .then)
  }

  /// The next thing to ask, by what a list has.
  private var then: String? {
    if !nearest.isEmpty { return "the same with one of 'nearest' as 'named', or without 'named'" }
    return switch answer {
    case .conversations:
      "read_messages with \"conversations\":[NAME], or search_messages with in:NAME among the words"
    case .senders: "search_messages with from:NAME among the words, or count_messages with \"by\":\"month\""
    case .people: "read_messages with \"person\":NAME, or search_messages with person:NAME among the words"
    case .shared:
      "read_attachment with the id and index of a file, or read_messages with \"at\":{\"around\":ID}"
    case .threads: "read_messages with \"filter\":{\"thread\":ID}"
    case .sessions: "read_messages with \"conversations\":[CONVERSATION]"
    case .hits(let found) where found.hits.isEmpty && found.next == nil && found.total == nil:
      "nothing: no text is left to look at in this direction"
    case .best(let best) where !best.whole:
      """
      if it is older: the same with since: and until: or in: among the words; of words that very many messages have, the newest alone \
      were looked at
      """
    case .hits(let found) where found.searchedTo != nil:
      "the same with the arguments of 'more': texts as far as 'searchedTo' were looked at, no others"
    case .conversation, .page, .message, .messages, .hits, .best, .days, .groups, .anniversaries, .statistics,
      .selectionStatistics, .filters, .imports, .error:
      nil
    }
  }

  /// The number of its elements; 1 for what is no list.
  var count: Int {
    switch answer {
    case .conversations(let answer): answer.conversations.count
    case .page(let answer): answer.messages.count
    case .messages(let answer): answer.messages.count
    case .hits(let answer): answer.hits.count
    case .best(let answer): answer.exchanges.count
    case .shared(let answer): answer.shared.count
    case .threads(let answer): answer.threads.count
    case .sessions(let answer): answer.sessions.count
    case .senders(let answer): answer.senders.count
    case .people(let answer): answer.people.count
    case .days(let answer): answer.days.count
    case .groups(let answer): answer.groups.count
    case .anniversaries(let answer): answer.years.map(\.messages.count).max() ?? 0
    case .filters(let answer): answer.filters.count
    case .imports(let answer): answer.imports.count
    case .conversation, .message, .statistics, .selectionStatistics, .error: 1
    }
  }

  /// The answer with messages that have lost what may be of any size: behind the first of them reactions, attachments and
  /// texts before, and all but the beginning of their texts.
  var shortened: ToolAnswer {
    var short = self
    short.isShortened = true
    switch answer {
    case .page(var answer):
      answer.messages = answer.messages.map(\.shortened)
      short.answer = .page(answer)
    case .messages(var answer):
      answer.messages = answer.messages.map(\.shortened)
      short.answer = .messages(answer)
    case .hits(var answer):
      for index in answer.hits.indices { answer.hits[index].shorten() }
      short.answer = .hits(answer)
    case .best(var answer):
      for index in answer.exchanges.indices {
        answer.exchanges[index].best.shorten()
        answer.exchanges[index].messages = answer.exchanges[index].messages.map(\.shortened)
      }
      short.answer = .best(answer)
    case .message(let message): short.answer = .message(message.shortened)
    case .people(var answer):
      answer.people = answer.people.map(\.shortened)
      short.answer = .people(answer)
    case .anniversaries(var answer):
      for index in answer.years.indices {
        answer.years[index].messages = answer.years[index].messages.map(\.shortened)
      }
      short.answer = .anniversaries(answer)
    case .sessions(var answer):
      for index in answer.sessions.indices { answer.sessions[index].shorten() }
      short.answer = .sessions(answer)
    case .conversations, .conversation, .shared, .senders, .days, .groups, .statistics,
      .selectionStatistics, .filters, .imports, .threads, .error:
      break
    }
    return short
  }
}

/// A way to go on: arguments for the same tool.
struct Continuation: Encodable {
  /// The direction of a continuation.
  enum Direction: String, Encodable {
    case older, newer, next
  }

  /// The key to change.
  enum Change {
    case at(PageStart)
    case afterName(String)
    case afterSender(SenderPlace)
    case fromMessage(Message.ID)
    case beforeMessage(Message.ID)
    case textFrom(Int)
    case skip(Int)
  }

  let direction: Direction
  let change: Change

  init(_ direction: Direction, _ change: Change) { (self.direction, self.change) = (direction, change) }

  private enum CodingKeys: CodingKey { case direction, arguments }
  private enum ChangeKey: CodingKey { case at, after, before, from, textFrom, skip }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(direction, forKey: .direction)
    var arguments = container.nestedContainer(keyedBy: ChangeKey.self, forKey: .arguments)
    switch change {
    case .at(let start): try arguments.encode(start, forKey: .at)
    case .afterName(let name): try arguments.encode(name, forKey: .after)
    case .afterSender(let place): try arguments.encode(place, forKey: .after)
    case .beforeMessage(let id): try arguments.encode(id, forKey: .before)
    case .fromMessage(let id): try arguments.encode(id, forKey: .from)
    case .textFrom(let place): try arguments.encode(place, forKey: .textFrom)
    case .skip(let count): try arguments.encode(count, forKey: .skip)
    }
  }
}

extension MessageAnswer {
  fileprivate static let fewest = 20
  fileprivate static let shortTextByteCount = 4_096

  /// Bounded in bytes, but for names.
  fileprivate var shortened: MessageAnswer {
    var short = self
    short.cutText(to: Self.shortTextByteCount)
    short.reactions = reactions?.prefix(Self.fewest).map { reaction in
      var reaction = reaction
      reaction.senders = reaction.senders.map { Array($0.prefix(Self.fewest)) }
      return reaction
    }
    short.attachments = attachments.map { Array($0.prefix(Self.fewest)) }
    (short.edits, short.payload) = (nil, nil)
    short.source?.original = nil
    return short
  }

  /// Cuts the text to so many bytes, and says how many it has.
  mutating func cutText(to byteCount: Int) {
    guard let whole = text, whole.utf8.count > byteCount else { return }
    textBytes = textBytes ?? whole.utf8.count
    text = String(whole.utf8Part(from: 0, count: byteCount))
  }
}

extension HitAnswer {
  fileprivate mutating func shorten() {
    message = message.shortened
    let length = message.text?.utf8.count ?? 0
    found.matches = found.matches.map {
      $0.filter { $0.end <= length }.prefix(MessageAnswer.fewest).map(\.self)
    }
    found.before = found.before?.map(\.shortened)
    found.after = found.after?.map(\.shortened)
  }
}

extension String {
  /// Returns a part of at most so many bytes of UTF-8, which begins and ends between characters of Unicode.
  func utf8Part(from start: Int, count: Int) -> Substring {
    var first = utf8.index(startIndex, offsetBy: max(start, 0), limitedBy: endIndex) ?? endIndex
    while first < endIndex, first.samePosition(in: unicodeScalars) == nil { first = utf8.index(after: first) }
    var end = utf8.index(first, offsetBy: max(count, 0), limitedBy: endIndex) ?? endIndex
    while end > first, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[first..<end]
  }
}

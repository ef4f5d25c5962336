internal import HistoryQueries

/// The answer of a tool: the one of docs/json.md, and behind its keys what an agent needs to go on.
struct ToolAnswer: Encodable {
  private let word: String
  private(set) var answer: any ServedAnswer
  /// The number of all, where the answer does not say so itself.
  var total: Int?
  /// The number of each hit in its conversation, 1 being the oldest.
  var numbers: [Int]?
  /// What there is where nothing was found.
  var suggestions = Suggestions()
  /// The ways to go on with the same tool.
  var more: [Continuation] = []
  /// Whether parts of a message were left out so that it is not too many bytes.
  private(set) var isShortened = false
  /// The damage that was found while this was read.
  var damage: [String] = []
  /// Whether messages are given with all that an answer of docs/json.md has of them.
  var isWhole = false
  /// The next thing to ask.
  var then: String?

  init(_ answer: any ServedAnswer, word: String) { (self.answer, self.word) = (answer, word) }

  private enum CodingKeys: CodingKey {
    case answer, total, numbers, nearest, nothing, more, shortened, damage, then
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(word, forKey: .answer)
    if !isWhole, let answer = answer as? any CompactAnswer {
      try answer.encodeCompact(to: encoder)
    } else {
      try answer.encode(to: encoder)
    }
    try container.encodeIfPresent(total, forKey: .total)
    if let numbers, !numbers.isEmpty { try container.encode(numbers, forKey: .numbers) }
    let nearest = suggestions.nearest
    if !nearest.isEmpty { try container.encode(nearest, forKey: .nearest) }
    try container.encodeIfPresent(suggestions.nothing, forKey: .nothing)
    if !more.isEmpty { try container.encode(more, forKey: .more) }
    if isShortened { try container.encode(true, forKey: .shortened) }
    if !damage.isEmpty { try container.encode(damage, forKey: .damage) }
    let again = nearest.isEmpty ? nil : "the same with one of 'nearest' as 'named', or without 'named'"
    try container.encodeIfPresent(again ?? then, forKey: .then)
  }

  /// The answer without what may be of any size.
  var shortened: ToolAnswer {
    var short = self
    (short.answer, short.isShortened) = (answer.shortened, true)
    return short
  }
}

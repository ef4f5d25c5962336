internal import MessageModel

/// Scores exchanges: each word counts by its BM25 weight in each message, less with the distance from the
/// middle and with repetition.
struct ExchangeScoring {
  private let lines: [ExchangeReader.Line]
  private let weights: [Double]
  private let askedWeights: [Double]
  private let ranking: RankingWeights
  private let averageLength: Double
  private let time: QuestionTime?
  private let asksWhen: Bool
  /// The words before the common ones.
  private let telling: Range<Int>

  struct Scored {
    var score: Double
    var middle: Message.ID
    var best: Message.ID
    var messages: [Message.ID]

    /// The best message and those next to it.
    func besideBest(reach: Int) -> ArraySlice<Message.ID> {
      guard let place = messages.firstIndex(of: best) else { return [] }
      return messages[max(0, place - reach)...min(messages.count - 1, place + reach)]
    }
  }

  init(
    _ lines: [ExchangeReader.Line], weights: [Double], asked: [Double], time: QuestionTime?,
    asksWhen: Bool, ranking: RankingWeights
  ) {
    let common = Self.commonWeights(lines, from: weights.count).map { $0 * ranking.common }
    (self.lines, self.weights, askedWeights) = (lines, weights + common, asked + common)
    (self.time, self.asksWhen, self.ranking, telling) = (time, asksWhen, ranking, weights.indices)
    let sum = lines.reduce(0) { $0 + $1.length }
    averageLength = max(1, Double(sum) / Double(max(1, lines.count)))
  }

  /// Common words weigh by how many of the lines have them.
  private static func commonWeights(_ lines: [ExchangeReader.Line], from first: Int) -> [Double] {
    guard let count = lines.first?.counts.count, count > first else { return [] }
    return (first..<count).map { word in
      CandidateWalk.weight(of: lines.count { $0.counts[word] > 0 }, among: lines.count)
    }
  }

  private func score(_ word: Int, in line: ExchangeReader.Line) -> Double {
    if line.named & 1 << UInt32(word) != 0 { return weights[word] * ranking.named }
    guard line.counts[word] > 0 else { return 0 }
    let count = Double(line.counts[word])
    let length = Double(line.length) / averageLength
    let norm = ranking.saturation * (1 - ranking.lengthPenalty + ranking.lengthPenalty * length)
    let isAsked = line.asked & 1 << UInt32(word) != 0
    let weight = isAsked ? askedWeights[word] : weights[word] * ranking.otherForm
    return weight * count * (ranking.saturation + 1) / (count + norm)
  }

  /// The addition for adjacent words of the question that are adjacent in the message.
  private func phrases(in line: ExchangeReader.Line) -> Double {
    var (rest, sum) = (line.following, 0.0)
    while rest != 0 {
      let word = rest.trailingZeroBitCount
      sum += min(weights[word - 1], weights[word])
      rest &= rest - 1
    }
    return ranking.phrase * sum
  }

  func scored(_ around: ExchangeReader.Surroundings) -> Scored {
    let middle = lines[around.run[around.place]]
    var members = around.run.enumerated().map { place, line in
      (line: line, share: Self.power(ranking.decay, abs(place - around.place)))
    }
    members += around.linked.map { (line: $0, share: ranking.decay) }
    var score = 0.0
    for word in weights.indices where weights[word] > 0 {
      let parts = members.map { $0.share * self.score(word, in: lines[$0.line]) }.filter { $0 > 0 }
      for (rank, part) in parts.sorted(by: >).enumerated() {
        score += part * Self.power(ranking.repetition, rank)
      }
    }
    score += members.map { $0.share * phrases(in: lines[$0.line]) }.max() ?? 0
    if let time { score *= 1 + ranking.time * time.closeness(of: middle.time) }
    if asksWhen {
      score *= 1 + ranking.date * (members.map { lines[$0.line].hasDate ? $0.share : 0 }.max() ?? 0)
    }
    let worths = members.map { member in
      let line = lines[member.line]
      let words = weights.indices.reduce(phrases(in: line)) { $0 + self.score($1, in: line) }
      return (line: member.line, worth: member.share * words)
    }
    let best = worths.max { ($0.worth, lines[$0.line].id) < ($1.worth, lines[$1.line].id) }
    return Scored(
      score: score, middle: middle.id, best: best.map { lines[$0.line].id } ?? middle.id,
      messages: shown(around, best: best?.line))
  }

  /// Whether it has more than common words of the question.
  private func tells(_ line: ExchangeReader.Line) -> Bool {
    telling.contains { score($0, in: line) > 0 }
  }

  /// From the first message with a word to the last, at least those next to the middle and to the best.
  private func shown(_ around: ExchangeReader.Surroundings, best: Int?) -> [Message.ID] {
    var places = around.run.indices.filter { tells(lines[around.run[$0]]) }
    places += [around.place - 1, around.place + 1]
    if let best = around.run.firstIndex(where: { $0 == best }) {
      places += [best - ranking.apart, best + ranking.apart]
    }
    let first = max(0, places.min() ?? around.place)
    let last = min(around.run.count - 1, places.max() ?? around.place)
    return (around.run[first...last] + around.linked).map { lines[$0].id }.sorted()
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }
}

/// The weights of a ranking, chosen by `scrollback-bench ranking --choose`; docs/benchmarks/ranking.md has
/// their results.
package struct RankingWeights: Hashable, Sendable, Codable {
  /// The saturation of a repeated word: BM25's k.
  package var saturation = 0.6
  /// The penalty for long messages: BM25's b.
  package var lengthPenalty = 0.45
  /// The number of messages on each side of an exchange.
  package var reach = 4
  /// The messages next to the best one of an exchange that no other exchange has as its best.
  package var apart = 2
  /// The factor of a neighbour's score for each message of distance.
  package var decay = 0.65
  /// The factor of a word's score that another message of the exchange has, too.
  package var repetition = 0.5
  /// The factor of a word's score if only messages of the same minutes have it.
  package var nearness = 0.35
  /// The factor of the lesser weight, added where two adjacent words of the question are adjacent.
  package var phrase = 0.5
  /// The factor of a word's score in another form than it was asked in.
  package var otherForm = 0.85
  /// The factor of a word's score that is in the sender's name.
  package var named = 1.3
  /// The share added to the score of an exchange within the time that the question names.
  package var time = 1.0
  /// The factor of the weight of a common word.
  package var common = 0.2
  /// The share added to the score of an exchange with a date, if the question asks for a time.
  package var date = 0.2
  /// The most candidates whose exchanges are read.
  package var seedCount = 200
  /// The most rows of the search index to read.
  package var rowBudget = 200_000

  package static let usual = RankingWeights()

  package init() {}
}

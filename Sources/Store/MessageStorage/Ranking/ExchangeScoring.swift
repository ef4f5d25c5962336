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

  struct Scored {
    var score: Double
    var middle: Message.ID
    var best: Message.ID
    var messages: [Message.ID]
  }

  init(
    _ lines: [ExchangeReader.Line], weights: [Double], asked: [Double], time: QuestionTime?,
    ranking: RankingWeights
  ) {
    (self.lines, self.weights, askedWeights) = (lines, weights, asked)
    (self.time, self.ranking) = (time, ranking)
    let sum = lines.reduce(0) { $0 + $1.length }
    averageLength = max(1, Double(sum) / Double(max(1, lines.count)))
  }

  private func score(_ word: Int, in line: ExchangeReader.Line) -> Double {
    if line.named & 1 << UInt32(word) != 0 { return weights[word] }
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
    let worths = members.map { member in
      let line = lines[member.line]
      let words = weights.indices.reduce(phrases(in: line)) { $0 + self.score($1, in: line) }
      return (line: member.line, worth: member.share * words)
    }
    let best = worths.max { ($0.worth, lines[$0.line].id) < ($1.worth, lines[$1.line].id) }
    return Scored(
      score: score, middle: middle.id, best: best.map { lines[$0.line].id } ?? middle.id,
      messages: shown(around, telling: Set(worths.filter { $0.worth > 0 }.map(\.line))))
  }

  /// From the first message with a word to the last, and at least one more on each side.
  private func shown(
    _ around: ExchangeReader.Surroundings, telling: Set<Int>
  ) -> [Message.ID] {
    let places = around.run.indices.filter { telling.contains(around.run[$0]) } + [around.place]
    let first = max(0, min(places.min() ?? around.place, around.place - 1))
    let last = min(around.run.count - 1, max(places.max() ?? around.place, around.place + 1))
    let ids = (around.run[first...last] + around.linked).map { lines[$0].id }
    return ids.sorted()
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
  package var lengthPenalty = 0.3
  /// The number of messages on each side of an exchange.
  package var reach = 4
  /// The factor of a neighbour's score for each message of distance.
  package var decay = 0.7
  /// The factor of a word's score that another message of the exchange has, too.
  package var repetition = 0.5
  /// The factor of a word's score if only messages of the same minutes have it.
  package var nearness = 0.35
  /// The factor of the lesser weight, added where two adjacent words of the question are adjacent.
  package var phrase = 0.5
  /// The factor of a word's score in another form than it was asked in.
  package var otherForm = 0.7
  /// The share added to the score of an exchange within the time that the question names.
  package var time = 1.0
  /// The most candidates whose exchanges are read.
  package var seedCount = 400
  /// The most rows of the search index to read.
  package var rowBudget = 200_000

  package static let usual = RankingWeights()

  package init() {}
}

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
  /// The share added to the score of an exchange within the time that the question names.
  package var time = 1.0
  /// The most candidates whose exchanges are read.
  package var seedCount = 400
  /// The most rows of the search index to read.
  package var rowBudget = 200_000

  package static let usual = RankingWeights()

  package init() {}
}

/// The numbers of a ranking. `scrollback-bench ranking --choose` tries others on conversations that it makes up;
/// docs/benchmarks/ranking.md says how well these do.
package struct RankingWeights: Hashable, Sendable, Codable {
  /// The saturation of a word that is said again: the k of BM25.
  package var saturation = 0.6
  /// The penalty for long messages: the b of BM25.
  package var lengthPenalty = 0.3
  /// The number of messages on each side that belong to an exchange.
  package var reach = 4
  /// The share that is left of a neighbour's score for each message between.
  package var decay = 0.7
  /// The share that is left of the score of a word that another message of the exchange has, too.
  package var repetition = 0.5
  /// The share of a word's score that counts for a candidate if only messages of the same minutes have the word.
  package var nearness = 0.35
  /// The share of the lesser weight that is added where two neighbouring words of the question stand side by side.
  package var phrase = 0.5
  /// The share that is added to the score of an exchange of the time that the question names.
  package var time = 1.0
  /// The most candidates whose exchanges are read.
  package var seedCount = 400
  /// The most rows of the search index that are looked at.
  package var rowBudget = 200_000

  /// The weights that are used.
  package static let usual = RankingWeights()

  /// Creates weights.
  package init() {}
}

/// The numbers of a ranking. `scrollback-bench ranking --choose` tries others on conversations that it makes up;
/// docs/benchmarks/ranking.md says how well these do.
package struct RankingWeights: Hashable, Sendable, Codable {
  /// How soon a word that is said again counts no more: the k of BM25.
  package var saturation = 0.6
  /// How much long messages count less: the b of BM25.
  package var lengthPenalty = 0.3
  /// How many messages on each side belong to an exchange.
  package var reach = 4
  /// What is left of a neighbour's score for each message between.
  package var decay = 0.7
  /// What is left of the score of a word that another message of the exchange has, too.
  package var repetition = 0.5
  /// What a word counts for a candidate that only messages of the same minutes have.
  package var nearness = 0.35
  /// What is added where two neighbouring words of the question stand beside each other, of the lesser one's weight.
  package var phrase = 0.5
  /// How much more an exchange of the time that the question names counts.
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

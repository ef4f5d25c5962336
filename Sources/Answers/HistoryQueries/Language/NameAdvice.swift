internal import MessageModel

/// The advice for a name that is not there.
package struct NameAdvice: Hashable, Sendable {
  /// The most names that are told.
  package var count = QueryCompiler.namedCount
  /// Whether names that are further away are told as well and, where none is near, others: the newest, or those who wrote
  /// most.
  package var isGenerous = false
  /// Whether names stand apart from the sentences of an error: a model may take the words of others for ours.
  var isApart = false

  /// Creates advice.
  package init() {}

  /// The advice for who cannot look at a list beside.
  package static let ofAgents = {
    var advice = NameAdvice()
    (advice.count, advice.isGenerous, advice.isApart) = (5, true, true)
    return advice
  }()

  /// Returns an error that tells of names that are there.
  ///
  /// - Parameters:
  ///   - names: The names, the nearest first.
  ///   - sentence: Returns the cause with the names in it.
  ///   - apart: The cause without names, where they stand apart as `nearest`.
  func telling(
    of names: [String], in error: StoreError, apart: String, _ sentence: ([String]) -> String
  ) -> StoreError {
    guard !names.isEmpty else { return error }
    var error = error
    error.cause = isApart ? apart : sentence(names)
    if isApart { error.nearest = names }
    return error
  }

  /// No more letters of a name are compared.
  private static let letterLimit = 200

  /// Returns the names that are near, the nearest first; if generous, behind them those that a change of every second letter
  /// leads to.
  ///
  /// - Complexity: O(names × letters²) at worst; names of quite another length cost nothing.
  package func names(near name: String, among names: [String]) -> [String] {
    let near = Nearest.names(to: name, among: names, limit: count)
    guard isGenerous, near.count < count else { return near }
    let wanted = Array(name.lowercased().prefix(Self.letterLimit))
    let greatest = max(1, wanted.count / 2)
    let others = names.enumerated().compactMap { place, other -> (distance: Int, place: Int)? in
      let letters = Array(other.lowercased())
      guard abs(letters.count - wanted.count) <= greatest, !near.contains(other) else { return nil }
      let distance = WordDistance.between(wanted, letters)
      return distance <= greatest ? (distance, place) : nil
    }
    let nearest = others.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }
    return near + nearest.prefix(count - near.count).map { names[$0.place] }
  }
}

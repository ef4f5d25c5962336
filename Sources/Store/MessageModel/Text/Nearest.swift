/// Finds the name that somebody may have meant.
package enum Nearest {
  /// Returns the nearest of some names, as ``names(to:among:limit:)``; `nil` if none is near.
  ///
  /// - Complexity: O(names × letters²) at worst.
  package static func name(to name: String, among names: [String]) -> String? {
    self.names(to: name, among: names, limit: 1).first
  }

  /// Returns all names, the nearest first.
  ///
  /// - Complexity: O(names × letters²).
  package static func order(_ names: [String], to name: String) -> [String] {
    let wanted = Array(name.lowercased())
    return names.enumerated().map {
      (WordDistance.between(wanted, Array($0.element.lowercased())), $0.offset, $0.element)
    }
    .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  /// Returns the names that are near, the nearest first: those that few changes of a letter lead to, one in three, and
  /// behind them those that have the name in them, if it has several letters, the shortest first.
  ///
  /// - Complexity: O(names × letters²) at worst; names of quite another length cost nothing.
  package static func names(to name: String, among names: [String], limit: Int) -> [String] {
    let wanted = Array(name.lowercased().prefix(letterLimit))
    guard !wanted.isEmpty else { return [] }
    let text = String(wanted)
    let greatest = max(1, wanted.count / 3)
    let near = names.enumerated().compactMap { place, other -> (distance: Int, place: Int)? in
      let letters = Array(other.lowercased())
      if abs(letters.count - wanted.count) <= greatest {
        let distance = WordDistance.between(wanted, letters)
        if distance <= greatest { return (distance, place) }
      }
      return wanted.count > 1 && other.lowercased().contains(text) ? (letters.count, place) : nil
    }
    return near.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }.prefix(limit).map {
      names[$0.place]
    }
  }

  /// No more letters of a name are compared.
  private static let letterLimit = 200
}

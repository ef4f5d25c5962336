/// Finds the name that somebody may have meant.
package enum Nearest {
  /// Returns the name among `names` that the fewest changes of a letter lead to or, if none is near, the shortest that
  /// has `name` in it; `nil` if there is none.
  ///
  /// - Complexity: O(names × letters²).
  package static func name(to name: String, among names: [String]) -> String? {
    let wanted = Array(name.lowercased())
    let near = names.map { (name: $0, distance: WordDistance.between(wanted, Array($0.lowercased()))) }
      .min { $0.distance < $1.distance }
    if let near, near.distance <= max(1, wanted.count / 3) { return near.name }
    guard wanted.count > 1 else { return nil }
    let part = name.lowercased()
    return names.filter { $0.lowercased().contains(part) }
      .min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
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

  /// Returns the names that are nearest: by changes of a letter, and those that have the name in them.
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
      // Behind those that differ by letters, the shortest first.
      return other.lowercased().contains(text) ? (letters.count, place) : nil
    }
    return near.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }.prefix(limit).map {
      names[$0.place]
    }
  }

  /// No more letters of a name are compared.
  private static let letterLimit = 200
}

/// Finds the name that somebody may have meant.
package enum Nearest {
  /// Returns the name among `names` that the fewest changes of a letter lead to; `nil` if none is near.
  ///
  /// - Complexity: O(names × letters²).
  package static func name(to name: String, among names: [String]) -> String? {
    let wanted = Array(name.lowercased())
    let near = names.map { (name: $0, distance: WordDistance.between(wanted, Array($0.lowercased()))) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= max(1, wanted.count / 3) else { return nil }
    return near.name
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
}

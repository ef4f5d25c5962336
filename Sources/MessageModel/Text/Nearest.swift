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
}

/// Suggests names.
package enum Nearest {
  /// Returns the nearest name by ``names(to:among:limit:)``, if any is near.
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

  /// Returns near names, the nearest first: those within few changes (a third of the letters), then those
  /// that contain a name of several letters, the shortest first.
  ///
  /// - Complexity: O(names × letters²) at worst; names of very different lengths are skipped.
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

  /// The letters of a name that are compared.
  private static let letterLimit = 200
}

package enum WordDistance {
  /// The number of insertions, deletions, replacements and swaps of neighbours between two words.
  ///
  /// - Complexity: O(product of their lengths).
  package static func between(_ a: [Character], _ b: [Character]) -> Int {
    var before: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        row.append(best)
      }
      (before, previous) = (previous, row)
    }
    return previous[b.count]
  }
}

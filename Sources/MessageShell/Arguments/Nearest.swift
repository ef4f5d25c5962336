/// Finds the name that somebody may have meant.
package enum Nearest {
  /// Returns the name among `names` that the fewest changes of a letter lead to; `nil` if none is near.
  ///
  /// - Complexity: O(names × letters²).
  package static func name(to name: String, among names: [String]) -> String? {
    let wanted = Array(name.lowercased())
    let near = names.map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= max(1, wanted.count / 3) else { return nil }
    return near.name
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two words.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
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

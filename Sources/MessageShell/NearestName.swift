/// Finds what somebody meant who mistyped a name.
public enum NearestName {
  /// Returns the candidate that takes the fewest changed, added, dropped or swapped letters; `nil` if all take more
  /// than a third of the name's length.
  ///
  /// - Complexity: O(candidates × length²).
  public static func of(_ name: some StringProtocol, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().prefix(64))
    let most = max(1, wanted.count / 3)
    let found = candidates.map { (name: $0, changes: changes(wanted, Array($0.lowercased().prefix(64)))) }
      .min { $0.changes < $1.changes }
    return found.flatMap { $0.changes <= most ? $0.name : nil }
  }

  /// The optimal string alignment distance.
  private static func changes(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}

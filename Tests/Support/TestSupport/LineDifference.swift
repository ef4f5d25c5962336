/// The difference of two texts, as `diff` shows it.
package enum LineDifference {
  /// Returns the lines that were expected and are not there, after a `-`, and those that were not expected, after a `+`,
  /// in their order and with the number of the line where they begin; empty if there are none.
  ///
  /// A line that is put in shows as that one line, however many follow it.
  package static func text(expected: String, actual: String) -> String {
    let before = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let after = actual.split(separator: "\n", omittingEmptySubsequences: false)
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in after.difference(from: before) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [String] = []
    var (old, new) = (0, 0)
    var isInChange = false
    while old < before.count || new < after.count {
      let isRemoved = removed.contains(old)
      guard isRemoved || inserted.contains(new) else {
        (old, new, isInChange) = (old + 1, new + 1, false)
        continue
      }
      if !isInChange { lines.append("line \(old + 1):") }
      isInChange = true
      if isRemoved {
        lines.append("-" + before[old])
        old += 1
      } else {
        lines.append("+" + after[new])
        new += 1
      }
    }
    return lines.joined(separator: "\n")
  }
}

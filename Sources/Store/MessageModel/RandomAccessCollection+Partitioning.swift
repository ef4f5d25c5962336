extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element for which `predicate` holds, given that it holds for all after it too;
  /// `endIndex` if it holds for none.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = predicate(self[middle]) ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
    }
    return range.lowerBound
  }
}

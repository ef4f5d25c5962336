extension ClosedRange {
  /// Creates a range from bounds that were read from a file. If damage has reversed them, the range contains
  /// only `first`.
  package init(from first: Bound, to last: Bound) { self = first...Swift.max(first, last) }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that satisfies `predicate`, which must hold for all elements
  /// after it, too; else `endIndex`.
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

extension FixedWidthInteger {
  /// Returns the sum, clamped to the type's range.
  package func adding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

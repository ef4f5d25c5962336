extension ClosedRange {
  /// Creates a range from bounds that were read from a file. If damage has reversed them, it has the first
  /// one alone.
  package init(from first: Bound, to last: Bound) { self = first...Swift.max(first, last) }
}

extension ClosedRange {
  /// Creates the range between two bounds that were read from somewhere; of bounds in the wrong order, as only damage
  /// makes them, it holds the first one alone.
  package init(from first: Bound, to last: Bound) { self = first...Swift.max(first, last) }
}

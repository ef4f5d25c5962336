extension FixedWidthInteger {
  /// Returns the sum, or the nearer end of the range of integers if it lies outside.
  package func adding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

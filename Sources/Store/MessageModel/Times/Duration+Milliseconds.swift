extension Duration {
  /// The whole milliseconds, clamped to `Int64`.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000)
    // The fraction of a second has the sign of the seconds.
    let (sum, isBeyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return isTooLong || isBeyond ? (seconds < 0 ? .min : .max) : sum
  }
}

extension PageAnchor {
  /// Returns the ordinal that a percentage of the way from the oldest message (0) to the newest (100) stands for.
  ///
  /// One rule for all sources: the nearest ordinal, with what lies outside, or is no number, moved to the end.
  public static func ordinal(atPercent percent: Double, of total: Int) -> Int {
    guard total > 1, percent > 0 else { return 0 }
    return Int((min(percent, 100) / 100 * Double(total - 1)).rounded())
  }
}

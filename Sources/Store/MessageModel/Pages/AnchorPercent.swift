extension PageAnchor {
  /// Returns the ordinal at a percentage of the way from the oldest message (0) to the newest (100).
  ///
  /// All sources use this rule: the nearest ordinal, clamped to the ends; NaN is the oldest.
  public static func ordinal(atPercent percent: Double, of total: Int) -> Int {
    guard total > 1, percent > 0 else { return 0 }
    return Int((min(percent, 100) / 100 * Double(total - 1)).rounded())
  }
}

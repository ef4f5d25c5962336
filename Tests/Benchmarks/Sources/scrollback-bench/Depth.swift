import ArgumentParser

/// The thoroughness of a run.
enum Depth: String, Codable, ExpressibleByArgument {
  /// Everything there is, a time or two, at one small size: whether it runs, not how fast.
  case trial
  /// Up to a million messages, in a few minutes.
  case quick
  /// All that there is to measure.
  case full

  /// The most messages of a run that is quick unless it is told otherwise.
  private static let quickLimit = 1_000_000

  init(of size: Int) { self = size > Self.quickLimit ? .full : .quick }

  /// The end of the names of results: those of one depth are not taken for those of another.
  var suffix: String { self == .full ? "" : "-\(rawValue)" }

  /// Returns how often a thing is done that a full run does so often, and a quick one perhaps less.
  func times(_ full: Int, quick: Int? = nil) -> Int {
    switch self {
    case .trial: min(full, 2)
    case .quick: quick ?? full
    case .full: full
    }
  }

  /// What is not measured, or less often, for people who read the results; `nil` where nothing is left out.
  var omissions: String? {
    switch self {
    case .trial: "A trial does everything a time or two, to see that it runs: it tells no times."
    case .quick:
      """
      A quick run leaves out what takes long: a million messages are imported once and from JSON Lines alone, IRC logs up to
      100,000, into 1,000 conversations and without the search index 10,000. `check`, `compact` and `salvage` run at
      100,000 once and at no more; doing nothing is watched at a million alone, for 8 s. Keys, jumps and slow baselines have
      fewer turns: `n` says how many.
      `make bench SIZE=10000000` leaves nothing out.
      """
    case .full: nil
    }
  }
}

import Foundation

/// A finding of a scenario: a line of the table, and a point of the plots.
struct Finding: Codable {
  /// Times in nanoseconds, and what was held in memory.
  struct Summary: Codable {
    var name: String
    var count: Int
    var median: Double
    var p99: Double
    var lowest: Double
    var highest: Double
    /// Of the process that did it, where it is one of its own; else 0.
    var peakBytes: Int

    init(_ name: String, _ measurement: Measurement) {
      self.name = name
      count = measurement.count
      median = measurement.median
      p99 = measurement.p99
      lowest = measurement.quantile(0)
      highest = measurement.quantile(1)
      peakBytes = measurement.peakBytes
    }
  }

  /// The thing that was done, in the same words at every size.
  var name: String
  /// The name of the scenarios that it was measured with: they share a picture.
  var group: String?
  /// The number of messages of the history.
  var size = 0
  /// The program that it is of; `nil` until it is kept.
  var origin: Origin?
  var ours: Summary
  /// The baseline; `nil` where only the time itself counts.
  var baseline: Summary?
  /// Further baselines, each in a line of its own below; `nil` for none.
  var others: [Summary]?

  init(name: String, ours: Measurement, baseline: (name: String, measurement: Measurement)? = nil) {
    self.name = name
    self.ours = Summary("Scrollback", ours)
    self.baseline = baseline.map { Summary($0.name, $0.measurement) }
  }

  /// Returns the ratio of its median to that of a baseline.
  func ratio(to baseline: Summary) -> Double { ours.median / max(baseline.median, 1) }
  /// Returns the same of the slowest hundredth.
  func p99Ratio(to baseline: Summary) -> Double { ours.p99 / max(baseline.p99, 1) }

  /// Whether all sides were measured at all.
  var isMeasured: Bool {
    ([ours] + [baseline].compactMap(\.self) + (others ?? [])).allSatisfy { $0.count > 0 }
  }

  /// Reads the findings that a run has kept in a file.
  static func all(in file: URL) throws -> [Finding] {
    try JSONDecoder().decode([Finding].self, from: Data(contentsOf: file))
  }
}

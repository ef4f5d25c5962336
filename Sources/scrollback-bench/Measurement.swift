/// Times of one thing, many times over.
struct Measurement {
  private var nanoseconds: [Int] = []

  /// Times a call.
  mutating func time<Value>(_ body: () throws -> Value) rethrows -> Value {
    let start = ContinuousClock.now
    let value = try body()
    nanoseconds.append(Int((ContinuousClock.now - start) / .nanoseconds(1)))
    return value
  }

  /// Times a call that waits.
  mutating func time<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let start = ContinuousClock.now
    let value = try await body()
    nanoseconds.append(Int((ContinuousClock.now - start) / .nanoseconds(1)))
    return value
  }

  var count: Int { nanoseconds.count }
  var median: Double { quantile(0.5) }
  var p99: Double { quantile(0.99) }

  /// The time in nanoseconds that a part of all calls stayed below.
  func quantile(_ part: Double) -> Double {
    guard !nanoseconds.isEmpty else { return 0 }
    return Double(nanoseconds.sorted()[min(Int(Double(nanoseconds.count) * part), nanoseconds.count - 1)])
  }
}

/// A line of the table that a run prints.
struct Finding {
  var name: String
  var ours: Measurement
  /// What it is held against, and its name; `nil` where only the time itself counts.
  var yardstick: (name: String, measurement: Measurement)?

  /// The columns of the table.
  static let titles = [
    "scenario", "n", "ours p50", "ours p99", "yardstick", "p50", "p99", "ratio p50", "ratio p99",
  ]

  var cells: [String] {
    var cells = [name, "\(ours.count)", Self.time(ours.median), Self.time(ours.p99)]
    if let (name, other) = yardstick {
      cells += [
        name, Self.time(other.median), Self.time(other.p99), Self.ratio(ours.median / other.median),
        Self.ratio(ours.p99 / other.p99),
      ]
    }
    return cells
  }

  private static func time(_ nanoseconds: Double) -> String {
    if nanoseconds < 1_000_000 { return "\(rounded(nanoseconds / 1_000)) µs" }
    if nanoseconds < 1_000_000_000 { return "\(rounded(nanoseconds / 1_000_000)) ms" }
    return "\(rounded(nanoseconds / 1_000_000_000)) s"
  }

  private static func ratio(_ value: Double) -> String {
    value < 0.01 ? "1/\(Int(1 / value))" : "\(rounded(value))×"
  }

  private static func rounded(_ value: Double) -> String {
    let digits = value < 10 ? 100.0 : value < 100 ? 10.0 : 1.0
    let text = "\((value * digits).rounded() / digits)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Lays findings out as a Markdown table.
  static func table(_ findings: [Finding]) -> String {
    let rows = [titles, titles.map { _ in "---" }] + findings.map(\.cells)
    return rows.map {
      "| " + ($0 + Array(repeating: "", count: titles.count - $0.count)).joined(separator: " | ") + " |"
    }
    .joined(separator: "\n")
  }
}

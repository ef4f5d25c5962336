import TerminalText

/// What is wanted of scenarios, beside what was measured.
struct Goal: Sendable {
  enum Measure: Sendable {
    case median
    case p99
    case slowest
    /// Of the median to that of the baseline.
    case ratio
    /// In bytes.
    case peak
  }

  private let question: String
  private let measure: Measure
  /// The most that is wanted at a size; nothing is wanted of others.
  private let bounds: [Int: Double]
  /// Whether a scenario of this name is meant; of several the worst counts.
  private let isMeant: @Sendable (String) -> Bool

  private init(
    _ question: String, _ measure: Measure, of isMeant: @escaping @Sendable (String) -> Bool,
    at bounds: [Int: Double]
  ) {
    (self.question, self.measure, self.isMeant, self.bounds) = (question, measure, isMeant, bounds)
  }

  private init(_ question: String, _ measure: Measure, of scenario: String, most bound: Double) {
    self.init(
      question, measure, of: { $0 == scenario },
      at: Dictionary(uniqueKeysWithValues: Self.sizes.map { ($0, bound) }))
  }

  private static let sizes = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]
  private static let millisecond = 1e6
  private static let megabyte = 1_048_576.0

  private static let all = [
    Goal("the first screen, against `less +G`", .ratio, of: "start to the newest on screen", most: 4),
    Goal("`tail`", .median, of: "tail -n 50", most: 9.5 * millisecond),
    Goal("memory of `tail`", .peak, of: "tail -n 50", most: 22 * megabyte),
    Goal("memory of `search`", .peak, of: "search of a rare word, whole process", most: 25 * megabyte),
    Goal(
      "`search --regex`, against ripgrep", .ratio, of: "search of a regular expression, whole process",
      most: 2),
    Goal(
      "the first page of words that begin with a letter", .median,
      of: "newest 50 hits of words that begin with a letter", most: 100 * millisecond),
    Goal("the first page of a phrase", .median, of: "newest 50 hits of a phrase", most: 100 * millisecond),
    Goal("memory of `check --quick`", .peak, of: "check --quick", most: 22 * megabyte),
    Goal(
      "the slowest count of combined conditions", .median, of: { $0.hasPrefix("count: ") },
      at: [1_000_000: 100 * millisecond, 10_000_000: 500 * millisecond]),
    Goal(
      "the slowest first page of combined conditions", .median, of: { $0.hasPrefix("newest 50: ") },
      at: [1_000_000: 100 * millisecond, 10_000_000: 500 * millisecond]),
    Goal(
      "a page of `serve` with 200 clients, the slowest hundredth", .p99,
      of: { $0 == "a page of 50 anywhere over HTTP, with 200 clients" }, at: [10_000_000: 20 * millisecond]),
    Goal(
      "the same beside 120 slow readers, the longest wait", .slowest,
      of: "a page of 50 anywhere over HTTP, with 200 clients beside 120 slow readers",
      most: 1_000 * millisecond),
    Goal(
      "a line in each of 1,000 growing logs, until `follow` has them, the slowest", .slowest,
      of: "ten lines a second in each of 1,000 logs, until `follow` has them", most: 1_000 * millisecond),
    Goal(
      "work of `follow` in a second, of logs that grow", .median,
      of: "work in a second of following 1,000 logs that grow so", most: 50 * millisecond),
    Goal(
      "work of `follow` in a second, of logs that rest", .median,
      of: "work in a second of following 1,000 logs that rest", most: 0.5 * millisecond),
  ]

  /// The table of the goals of which something was measured; what misses its goal is set in bold.
  static func table(_ findings: [Finding]) -> String {
    let sizes = sizes.filter { size in findings.contains { $0.size == size } }
    let head = [
      ["", "at most"] + sizes.map(NumberText.grouped), ["---"] + (0...sizes.count).map { _ in "---:" },
    ]
    let lines = all.compactMap { goal -> [String]? in
      let cells = sizes.map { goal.cell(at: $0, findings) }
      return cells.allSatisfy(\.isEmpty) ? nil : [goal.question, goal.bound] + cells
    }
    return (head + lines).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private var bound: String {
    Set(bounds.values).sorted().map(text).joined(separator: ", ")
  }

  private func cell(at size: Int, _ findings: [Finding]) -> String {
    guard let bound = bounds[size] else { return "" }
    let worst = findings.filter { $0.size == size && isMeant($0.name) }.compactMap(value).max()
    return worst.map { $0 <= bound ? text($0) : "**\(text($0))**" } ?? ""
  }

  private func value(_ finding: Finding) -> Double? {
    switch measure {
    case .median: finding.ours.median
    case .p99: finding.ours.p99
    case .slowest: finding.ours.highest
    case .ratio: finding.baseline.map { finding.ratio(to: $0) }
    case .peak: Double(finding.ours.peakBytes)
    }
  }

  private func text(_ value: Double) -> String {
    switch measure {
    case .median, .p99, .slowest: FindingTable.time(value)
    case .ratio: FindingTable.ratio(value)
    case .peak: FindingTable.memory(Int(value)) ?? ""
    }
  }
}

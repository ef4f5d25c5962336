/// Findings as a Markdown table.
enum FindingTable {
  private static let titles = [
    "scenario", "n", "ours p50", "spread", "p99", "baseline", "p50", "p99", "ratio p50", "ratio p99",
    "peak memory",
  ]

  static func text(_ findings: [Finding]) -> String {
    let rows = [titles, titles.map { _ in "---" }] + findings.map(cells)
    return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private static func cells(_ finding: Finding) -> [String] {
    let ours = finding.ours
    let own = [
      finding.name, counts(finding), time(ours.median), "\(time(ours.lowest)) – \(time(ours.highest))",
      time(ours.p99),
    ]
    let other = finding.baseline.map {
      [$0.name, time($0.median), time($0.p99), ratio(finding.ratio), ratio(finding.p99Ratio)]
    }
    return own + (other ?? Array(repeating: "", count: 5)) + [peaks(finding)]
  }

  private static func counts(_ finding: Finding) -> String {
    let (own, other) = (finding.ours.count, finding.baseline?.count)
    return other == nil || other == own ? "\(own)" : "\(own) : \(other ?? 0)"
  }

  private static func peaks(_ finding: Finding) -> String {
    [finding.ours, finding.baseline].compactMap { $0.flatMap { memory($0.peakBytes) } }.joined(
      separator: " : ")
  }

  private static func memory(_ bytes: Int) -> String? {
    bytes > 0 ? "\(rounded(Double(bytes) / 1_048_576)) MB" : nil
  }

  static func time(_ nanoseconds: Double) -> String {
    if nanoseconds < 1_000_000 { return "\(rounded(nanoseconds / 1_000)) µs" }
    if nanoseconds < 1_000_000_000 { return "\(rounded(nanoseconds / 1_000_000)) ms" }
    return "\(rounded(nanoseconds / 1_000_000_000)) s"
  }

  private static func ratio(_ value: Double?) -> String {
    guard let value else { return "" }
    return value < 0.01 ? "1/\(Int(1 / max(value, 1e-9)))" : "\(rounded(value))×"
  }

  private static func rounded(_ value: Double) -> String {
    let digits = value < 10 ? 100.0 : value < 100 ? 10.0 : 1.0
    let text = "\((value * digits).rounded() / digits)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

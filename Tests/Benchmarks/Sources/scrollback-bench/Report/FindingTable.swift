/// Findings as a Markdown table.
enum FindingTable {
  private static let titles = [
    "scenario", "n", "ours p50", "spread", "p99", "baseline", "p50", "p99", "ratio p50", "ratio p99",
    "peak memory",
  ]

  static func text(_ findings: [Finding]) -> String {
    let rows = [titles, titles.map { _ in "---" }] + findings.flatMap(lines)
    return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// The line of a finding, and one for each further baseline.
  private static func lines(_ finding: Finding) -> [[String]] {
    let ours = finding.ours
    let own = [
      finding.name, counts(ours, finding.baseline), time(ours.median),
      "\(time(ours.lowest)) – \(time(ours.highest))", time(ours.p99),
    ]
    let first = own + cells(finding.baseline, of: finding) + [peaks(ours, finding.baseline)]
    let others = (finding.others ?? []).map { other in
      ["", counts(ours, other), "", "", ""] + cells(other, of: finding) + [memory(other.peakBytes) ?? ""]
    }
    return [first] + others
  }

  private static func cells(_ baseline: Finding.Summary?, of finding: Finding) -> [String] {
    guard let baseline else { return Array(repeating: "", count: 5) }
    return [
      baseline.name, time(baseline.median), time(baseline.p99), ratio(finding.ratio(to: baseline)),
      ratio(finding.p99Ratio(to: baseline)),
    ]
  }

  private static func counts(_ ours: Finding.Summary, _ other: Finding.Summary?) -> String {
    guard let other, other.count != ours.count else { return "\(ours.count)" }
    return "\(ours.count) : \(other.count)"
  }

  private static func peaks(_ ours: Finding.Summary, _ other: Finding.Summary?) -> String {
    [ours, other].compactMap { $0.flatMap { memory($0.peakBytes) } }.joined(separator: " : ")
  }

  static func memory(_ bytes: Int) -> String? {
    bytes > 0 ? "\(rounded(Double(bytes) / 1_048_576)) MB" : nil
  }

  static func time(_ nanoseconds: Double) -> String {
    if nanoseconds < 1_000_000 { return "\(rounded(nanoseconds / 1_000)) µs" }
    if nanoseconds < 1_000_000_000 { return "\(rounded(nanoseconds / 1_000_000)) ms" }
    return "\(rounded(nanoseconds / 1_000_000_000)) s"
  }

  static func ratio(_ value: Double) -> String {
    value < 0.01 ? "1/\(Int(1 / max(value, 1e-9)))" : "\(rounded(value))×"
  }

  private static func rounded(_ value: Double) -> String {
    let digits = value < 10 ? 100.0 : value < 100 ? 10.0 : 1.0
    let text = "\((value * digits).rounded() / digits)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

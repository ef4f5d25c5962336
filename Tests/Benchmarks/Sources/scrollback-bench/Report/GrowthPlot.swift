import Foundation

/// The growth of the time of one scenario with the history, as a part of an SVG picture; both axes are logarithmic.
struct GrowthPlot {
  let name: String
  let findings: [Finding]

  /// Takes the findings of one scenario at all sizes.
  ///
  /// - Returns: `nil` for fewer than two sizes: nothing grows then.
  init?(_ findings: [Finding]) {
    guard let first = findings.first, Set(findings.map(\.size)).count > 1 else { return nil }
    name = first.name
    self.findings = findings.sorted { $0.size < $1.size }
  }

  static let (width, height) = (420, 220)
  private static let (left, right, top, bottom) = (62.0, 14.0, 34.0, 30.0)

  /// The drawing, its upper left corner at this place.
  func drawing(x: Int, y: Int) -> String {
    let lines = [line(findings.map { ($0.size, $0.ours.median) }, "ours")] + baselines
    return """
      <svg x="\(x)" y="\(y)" width="\(Self.width)" height="\(Self.height)">
      <text x="\(Self.left)" y="14" font-weight="bold">\(Self.escaped(name))</text>
      <text x="\(Self.left)" y="27">\(legend)</text>
      \((grid + lines).joined(separator: "\n"))
      </svg>
      """
  }

  private var legend: String {
    let other = findings.compactMap(\.baseline).first?.name
    return "— Scrollback" + (other.map { "   - - \(Self.escaped($0))" } ?? "")
  }

  private var baselines: [String] {
    let points = findings.compactMap { finding in finding.baseline.map { (finding.size, $0.median) } }
    return points.isEmpty ? [] : [line(points, "other")]
  }

  private func line(_ points: [(size: Int, time: Double)], _ look: String) -> String {
    let places = points.map { "\(x($0.size)),\(y($0.time))" }
    return "<polyline class=\"\(look)\" points=\"\(places.joined(separator: " "))\"/>"
  }

  private var grid: [String] {
    let times = stride(from: exponents.lowerBound, through: exponents.upperBound, by: 1).map { exponent in
      let height = y(pow(10, exponent))
      return """
        <line class="grid" x1="\(Self.left)" x2="\(Double(Self.width) - Self.right)" y1="\(height)" y2="\(height)"/>\
        <text x="\(Self.left - 6)" y="\(height + 4)" text-anchor="end">\(FindingTable.time(pow(10, exponent)))</text>
        """
    }
    return times
      + Set(findings.map(\.size)).sorted().map { size in
        "<text x=\"\(x(size))\" y=\"\(Self.height - 10)\" text-anchor=\"middle\">\(Self.short(size))</text>"
      }
  }

  /// The powers of ten between which all times lie.
  private var exponents: ClosedRange<Double> {
    let times = findings.flatMap { [$0.ours.median] + ($0.baseline.map { [$0.median] } ?? []) }
    let low = log10(max(times.min() ?? 1, 1)).rounded(.down)
    return low...max(log10(max(times.max() ?? 10, 10)).rounded(.up), low + 1)
  }

  private func x(_ size: Int) -> Double {
    let (low, high) = (log10(Double(findings[0].size)), log10(Double(findings[findings.count - 1].size)))
    let part = (log10(Double(size)) - low) / max(high - low, 0.001)
    return (Self.left + part * (Double(Self.width) - Self.left - Self.right)).rounded()
  }

  private func y(_ time: Double) -> Double {
    let part = (log10(max(time, 1)) - exponents.lowerBound) / (exponents.upperBound - exponents.lowerBound)
    let height = Double(Self.height) - Self.bottom
    return (height - part * (height - Self.top)).rounded()
  }

  private static func short(_ size: Int) -> String {
    size >= 1_000_000 ? "\(size / 1_000_000) M" : size >= 1_000 ? "\(size / 1_000) k" : "\(size)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }
}

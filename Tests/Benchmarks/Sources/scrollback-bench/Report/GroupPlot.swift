/// The growth of the times of all scenarios of a group, as one SVG picture.
struct GroupPlot {
  let name: String
  private let plots: [GrowthPlot]

  /// The number of scenarios beside each other.
  private static let columnCount = 2

  /// Takes the findings of a group at all sizes.
  ///
  /// - Returns: `nil` if no scenario has two sizes: nothing grows then.
  init?(_ name: String, _ findings: [Finding]) {
    var names: [String] = []
    for finding in findings where !names.contains(finding.name) { names.append(finding.name) }
    plots = names.compactMap { name in GrowthPlot(findings.filter { $0.name == name }) }
    guard !plots.isEmpty else { return nil }
    self.name = name
  }

  /// The picture.
  var svg: String {
    let width = GrowthPlot.width * min(plots.count, Self.columnCount)
    let height = GrowthPlot.height * ((plots.count + Self.columnCount - 1) / Self.columnCount)
    let drawings = plots.enumerated().map { index, plot in
      plot.drawing(
        x: index % Self.columnCount * GrowthPlot.width, y: index / Self.columnCount * GrowthPlot.height)
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="11">
      <style>.ours{stroke:#0969da;fill:none;stroke-width:2}.other{stroke:#9a6700;fill:none;stroke-width:1.5;stroke-dasharray:5 3}.grid{stroke:#d0d7de;stroke-width:.6}text{fill:#57606a}</style>
      <rect width="100%" height="100%" fill="#fff"/>
      \(drawings.joined(separator: "\n"))
      </svg>

      """
  }
}

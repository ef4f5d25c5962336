import Foundation

/// A page of all findings, with plots of how they grow, and the numbers themselves.
struct Report {
  let findings: [Finding]
  /// The thoroughness of the run.
  let depth: Depth

  /// The machine that was measured on, so that nobody compares with another one.
  var machine = Self.thisMachine

  /// Writes `README.md`, `results.json` and a picture for each group of scenarios into a folder.
  func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(findings).write(to: folder.appendingPathComponent("results.json"))
    try writePage(to: folder)
  }

  /// Writes what is made of the findings, the page and its pictures.
  func writePage(to folder: URL) throws {
    var page = "# Benchmarks\n\n\(machine)\n\n\(Self.howTo)\n"
    if let omissions = depth.omissions { page += "\n\(omissions)\n" }
    for size in Set(findings.map(\.size)).sorted(by: >) {
      page += "\n## \(size) messages\n\n" + FindingTable.text(findings.filter { $0.size == size }) + "\n"
    }
    page += "\n## How it grows\n\nBoth axes are logarithmic: what is flat costs the same at any size.\n\n"
    for plot in plots {
      try Data(plot.svg.utf8).write(to: folder.appendingPathComponent("\(plot.name).svg"))
      page += "![\(plot.name)](\(plot.name).svg)\n"
    }
    try Data(page.utf8).write(to: folder.appendingPathComponent("README.md"))
  }

  private static let howTo = """
    Measured by `make bench SIZE=…`; every scenario takes turns with its baseline in one run. `n` is how often (after the
    colon the baseline, where it differs), `spread` from the fastest to the slowest, `ratio` ours over the baseline's:
    below 1 we are faster. Peak memory is that of the process that did it, ours first; within the library it is that of
    the benchmark, baseline and all. The raw numbers are in [results.json](results.json). Why some lie where they lie
    is told in [notes.md](notes.md).
    """

  private var plots: [GroupPlot] {
    var names: [String] = []
    for finding in findings {
      if let group = finding.group, !names.contains(group) { names.append(group) }
    }
    return names.compactMap { name in GroupPlot(name, findings.filter { $0.group == name }) }
  }

  private static var thisMachine: String {
    let information = ProcessInfo.processInfo
    let cpu = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)).flatMap { text in
      text.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
    }
    let memory = information.physicalMemory >> 30
    return """
      \(cpu.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"), \(information.processorCount) cores, \
      \(memory) GiB, \(information.operatingSystemVersionString).
      """
  }
}

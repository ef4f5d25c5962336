import Foundation

/// A page of all findings, with plots of how they grow, and the numbers themselves.
struct Report {
  private(set) var findings: [Finding]

  /// The machine that was measured on, so that nobody compares with another one.
  var machine = Self.thisMachine

  init(_ findings: [Finding]) { self.findings = findings }

  /// Writes `README.md`, `results.json` and a picture for each group of scenarios into a folder; what the folder has of other
  /// sizes and scenarios stays, and is said to be of the program that it is of.
  func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let results = folder.appendingPathComponent("results.json")
    var whole = self
    if FileManager.default.fileExists(atPath: results.path) {
      whole.findings = try Self.kept(Finding.all(in: results), beside: findings) + findings
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(whole.findings).write(to: results)
    try whole.writePage(to: folder)
  }

  private static func kept(_ old: [Finding], beside new: [Finding]) -> [Finding] {
    old.filter { old in !new.contains { $0.size == old.size && $0.group == old.group } }
  }

  /// Writes what is made of the findings, the page and its pictures.
  func writePage(to folder: URL) throws {
    var page = "# Benchmarks\n\n\(machine)\n\n\(Self.howTo)\n"
    for size in Set(findings.map(\.size)).sorted(by: >) { page += "\n## \(size) messages\n" + section(size) }
    if let omissions = findings.lazy.compactMap({ $0.origin?.depth.omissions }).first {
      page += "\n## What is left out\n\n\(omissions)\n"
    }
    page += "\n## How it grows\n\n\(Self.howItGrows)\n\n"
    for group in Set(findings.compactMap(\.group)) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent("\(group).svg"))
    }
    for plot in plots {
      try Data(plot.svg.utf8).write(to: folder.appendingPathComponent("\(plot.name).svg"))
      page += "![\(plot.name)](\(plot.name).svg)\n"
    }
    try Data(page.utf8).write(to: folder.appendingPathComponent("README.md"))
  }

  /// The tables of one size, one for each program that has been measured at it.
  private func section(_ size: Int) -> String {
    var origins: [Origin?] = []
    let measured = findings.filter { $0.size == size }
    for finding in measured where !origins.contains(finding.origin) { origins.append(finding.origin) }
    return origins.map { origin in
      "\n\(title(of: origin))\n\n" + FindingTable.text(measured.filter { $0.origin == origin }) + "\n"
    }.joined()
  }

  private func title(of origin: Origin?) -> String {
    let manner = origin?.depth == .quick ? "measured by a quick run" : "measured"
    let text = origin?.text ?? "a commit that nobody knows"
    return isPresent(origin, among: findings)
      ? "\(manner.prefix(1).uppercased())\(manner.dropFirst()) at \(text)."
      : "**Of an older program**, \(manner) at \(text) and not since."
  }

  /// Whether none of some findings is of a later program.
  private func isPresent(_ origin: Origin?, among findings: [Finding]) -> Bool {
    origin?.commit == findings.compactMap(\.origin).max { $0.time < $1.time }?.commit
  }

  private static let howItGrows = """
    Both axes are logarithmic: what is flat costs the same at any size. What is of an older program is left out.
    """

  private static let howTo = """
    Measured by `make bench SIZE=…`; every scenario takes turns with its baseline in one run. `n` is how often (after the
    colon the baseline, where it differs), `spread` from the fastest to the slowest, `ratio` ours over the baseline's:
    below 1 we are faster. Peak memory is that of the process that did it, ours first; within the library it is that of
    the benchmark, baseline and all. The raw numbers are in [results.json](results.json). Why some lie where they lie
    is in [notes.md](notes.md).
    """

  private var plots: [GroupPlot] {
    var names: [String] = []
    for finding in findings {
      if let group = finding.group, !names.contains(group) { names.append(group) }
    }
    return names.compactMap { name in
      let group = findings.filter { $0.group == name }
      return GroupPlot(name, group.filter { isPresent($0.origin, among: group) })
    }
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

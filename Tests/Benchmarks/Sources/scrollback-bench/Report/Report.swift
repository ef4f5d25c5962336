import Foundation

/// A page of all findings, with plots of how they grow, and the numbers themselves.
struct Report {
  private(set) var findings: [Finding]

  /// The machine that was measured on, so that nobody compares with another one.
  var machine = Self.thisMachine

  init(_ findings: [Finding]) { self.findings = findings }

  /// Writes `README.md`, `tables.md`, `results.json` and a picture for each group of scenarios into a folder; what the folder has of other
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

  /// Writes what is made of the findings: the page, the tables and their pictures.
  func writePage(to folder: URL) throws {
    for group in Set(findings.compactMap(\.group)) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent("\(group).svg"))
    }
    for plot in plots + [growth].compactMap({ $0 }) {
      try Data(plot.svg.utf8).write(to: folder.appendingPathComponent("\(plot.name).svg"))
    }
    try Data(page.utf8).write(to: folder.appendingPathComponent("README.md"))
    try Data(tables.utf8).write(to: folder.appendingPathComponent("tables.md"))
  }

  /// The page, which begins with what most people ask.
  private var page: String {
    let table = Overview.table(findings)
    let picture =
      growth.map { "\n## How it grows\n\n\(Self.howItGrows)\n\n![growth](\($0.name).svg)\n" } ?? ""
    let goals = "## What was wanted\n\n\(Self.wanted)\n\n\(Goal.table(findings))\n"
    return
      "# Benchmarks\n\n\(machine)\n\n\(Self.overview)\n\n\(table)\n\n\(goals)\(picture)\n\(Self.furtherReading)\n"
  }

  /// All tables and pictures.
  private var tables: String {
    var text = "# Benchmarks, all tables\n\n\(machine)\n\n\(Self.howTo)\n"
    for size in Set(findings.map(\.size)).sorted(by: >) { text += "\n## \(size) messages\n" + section(size) }
    if let omissions = findings.lazy.compactMap({ $0.origin?.depth.omissions }).first {
      text += "\n## What is left out\n\n\(omissions)\n"
    }
    text += "\n## How it grows\n\n\(Self.howItGrows)\n\n"
    return text + plots.map { "![\($0.name)](\($0.name).svg)\n" }.joined()
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
    origin?.commit == Origin.newest(of: findings)?.commit
  }

  /// Whether a size has nothing of a later program.
  private func isNewestOfItsSize(_ finding: Finding) -> Bool {
    isPresent(finding.origin, among: findings.filter { $0.size == finding.size && $0.group == finding.group })
  }

  private static let overview = """
    Medians of what people do, at every size: a history of one conversation, all of it in one file, everything on. Each size is
    of the program that the last line names; times in *italics* are of an older one. Who is compared with what, the slowest
    hundredth, memory and everything else that is measured is in [tables.md](tables.md), each number with the commit that it is
    of.
    """

  private static let wanted = """
    What lies over its goal is set in bold; [notes.md](notes.md#what-is-left-over-the-limit) says why, and what was tried.
    """

  private static let furtherReading = """
    `make bench SIZE=1000000` measures on your machine, in some minutes. [notes.md](notes.md) says why some numbers lie where they
    lie, [stories.md](stories.md) plays what apps do wrong, [ranking.md](ranking.md) how well questions are answered, and
    [browser.md](browser.md) is of the page in a browser.
    """

  private static let howItGrows = """
    Both axes are logarithmic: what is flat costs the same at any size. Each size is of the program that it was last
    measured with: [tables.md](tables.md) names them.
    """

  private static let howTo = """
    Measured by `make bench SIZE=…`; every scenario takes turns with its baseline in one run. `n` is how often (after the
    colon the baseline, where it differs), `spread` from the fastest to the slowest, `ratio` ours over the baseline's:
    below 1 we are faster. Peak memory is that of the process that did it, ours first; within the library it is that of
    the benchmark, baseline and all. A hundred million come through a pipe: no text of them is kept for other tools to read, and
    what appends does so to the store itself. The raw numbers are in [results.json](results.json). Why some lie where they lie
    is in [notes.md](notes.md).
    """

  /// The growth of what the page begins with.
  private var growth: GroupPlot? {
    GroupPlot("growth-of-all", Overview.plotted(findings).filter(isNewestOfItsSize))
  }

  private var plots: [GroupPlot] {
    var names: [String] = []
    for finding in findings {
      if let group = finding.group, !names.contains(group) { names.append(group) }
    }
    return names.compactMap { name in
      let group = findings.filter { $0.group == name }
      return GroupPlot(name, group.filter(isNewestOfItsSize))
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

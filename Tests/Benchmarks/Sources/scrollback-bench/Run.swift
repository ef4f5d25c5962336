import ArgumentParser
import Foundation

/// `run`: measures all scenarios at growing sizes, each in a process of its own, and reports.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Measure Scrollback against its baselines, at --from messages and ten times as many up to --size.",
    discussion: """
      What was measured is kept in the folder: a run of the same build that was stopped goes on where it was. --again begins
      anew.

      Up to a million messages a run is quick: it leaves out what takes long, and says so. --full leaves nothing out. What a
      quick run has measured is not taken for what a full one would. A report keeps what it has of sizes and scenarios that were
      not measured, and says of which commit.

      Examples:
        scrollback-bench run
        scrollback-bench run --size 10000 --trial
        scrollback-bench run --size 10000000 --report docs/benchmarks
        scrollback-bench run --from 100000000 --size 100000000 --report docs/benchmarks
        scrollback-bench run --size 100000 --only search --again
      """)

  @Option(help: ArgumentHelp("The most messages to measure with.", valueName: "count"))
  var size = 1_000_000

  @Option(help: ArgumentHelp("The fewest messages to measure with.", valueName: "count"))
  var from = 10_000

  @Option(
    help: ArgumentHelp("Where histories, stores and results are kept between runs.", valueName: "folder"))
  var folder = ".build/bench"

  @Option(help: ArgumentHelp("Scenarios to measure; all if none is named.", valueName: "name"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp("Where to write a page with plots, and the numbers as JSON.", valueName: "folder"))
  var report: String?

  @Flag(help: "Leave nothing out, as above a million messages.") var full = false

  @Flag(help: "Do everything a time or two at --size, to see that it runs; no times are told.") var trial =
    false

  @Flag(help: "Measure again what has been measured.") var again = false

  @Flag(help: "Measure the time of the processor, on a machine that is busy; no report is written.")
  var processorTime = false

  func validate() throws {
    let names = ScenarioGroup.all.map(\.name)
    if let unknown = only.first(where: { !names.contains($0) }) {
      throw ValidationError("There is no '\(unknown)', only \(names.joined(separator: ", ")).")
    }
    guard size > 0, from > 0 else { throw ValidationError("A history has at least 1 message.") }
    guard !processorTime || report == nil else {
      throw ValidationError("A report tells the time that passes: --processor-time goes without one.")
    }
    guard !trial || (!full && report == nil) else {
      throw ValidationError("A trial measures nothing: neither --full nor --report goes with it.")
    }
  }

  func run() throws {
    let setting = try Setting(size: size, folder: folder, depth: depth)
    let (origin, build) = (Origin.now(depth), Origin.buildKey)
    var findings: [Finding] = []
    for size in sizes {
      for group in ScenarioGroup.all
      where (group.sizes.contains(size) || trial) && (only.isEmpty || only.contains(group.name)) {
        let results = setting.path(
          "results-\(group.name)-\(size)\(depth.suffix)\(processorTime ? "-processor" : "")-\(build).json")
        findings += try measured(group, at: size, origin, keptIn: results)
      }
    }
    guard !trial else { return print("\(findings.count) scenarios run at \(size) messages") }
    for size in sizes {
      print("\n\(size) messages\n\n" + FindingTable.text(findings.filter { $0.size == size }))
    }
    if let omissions = depth.omissions { print("\n" + omissions) }
    if let report { try Report(findings).write(to: URL(fileURLWithPath: report)) }
  }

  private var depth: Depth { trial ? .trial : full ? .full : Depth(of: size) }

  private var sizes: [Int] {
    guard !trial else { return [size] }
    var sizes = [min(size, from)]
    while let last = sizes.last, last < size { sizes.append(min(last * 10, size)) }
    return sizes
  }

  /// Measures a group in a process of its own, unless that was done before.
  private func measured(
    _ group: ScenarioGroup, at size: Int, _ origin: Origin, keptIn results: String
  ) throws -> [Finding] {
    let file = URL(fileURLWithPath: results)
    if !again, !trial, FileManager.default.fileExists(atPath: results) { return try Finding.all(in: file) }
    print(toStandardError: "\(group.name), \(size) messages")
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [
      "measure", group.name, "--size", "\(size)", "--folder", folder, "--depth", depth.rawValue,
      "--output", results,
    ]
    if processorTime { process.arguments?.append("--processor-time") }
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let ending = process.terminationReason == .exit ? "ended with status" : "were ended by signal"
      throw Program.Failure("the scenarios '\(group.name)' \(ending) \(process.terminationStatus)")
    }
    var findings = try Finding.all(in: file)
    for index in findings.indices { (findings[index].group, findings[index].origin) = (group.name, origin) }
    try JSONEncoder().encode(findings).write(to: file, options: .atomic)
    return findings
  }
}

/// `measure`: measures one group of scenarios, for `run`.
struct Measure: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure one group of scenarios at one size.", shouldDisplay: false)

  @Argument var name: String
  @Option var size: Int
  @Option var folder: String
  @Option var depth = Depth.full
  @Option var output: String
  @Flag var processorTime = false

  func run() async throws {
    if processorTime { Measurement.clock = .processor }
    guard let group = ScenarioGroup.all.first(where: { $0.name == name }) else {
      throw ValidationError("There is no '\(name)'.")
    }
    var findings = try await group.measure(try Setting(size: size, folder: folder, depth: depth))
    guard !findings.isEmpty, findings.allSatisfy(\.isMeasured) else {
      let missing = findings.filter { !$0.isMeasured }.map { "'\($0.name)'" }.joined(separator: ", ")
      throw Program.Failure(
        "the scenarios '\(name)' measured nothing", cause: missing.isEmpty ? nil : "of \(missing)")
    }
    for index in findings.indices {
      findings[index].size = size
      // What was not done by a process of its own was done by this one.
      if findings[index].ours.peakBytes == 0 { findings[index].ours.peakBytes = Memory.peak }
    }
    try JSONEncoder().encode(findings).write(to: URL(fileURLWithPath: output), options: .atomic)
  }
}

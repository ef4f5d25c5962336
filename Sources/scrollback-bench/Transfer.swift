import ArgumentParser
import Foundation

/// `transfer`: measures imports and exports, as whole processes.
struct Transfer: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Measure imports against C over the SQLite API, and exports against sqlite3 -json, turn by turn.",
    discussion: """
      Examples:
        scrollback-bench transfer
        scrollback-bench transfer --size 200000 --rounds 3 --onto 5000000
      """)

  @Option(help: ArgumentHelp("How many messages.", valueName: "count")) var size = 1_000_000
  @Option(help: ArgumentHelp("How often each scenario is run.", valueName: "count")) var rounds = 5
  @Option(
    name: .customLong("onto"),
    help: ArgumentHelp("Import into a store of so many messages, too.", valueName: "count")) var depth: Int?
  @Option(help: ArgumentHelp("Where histories and stores are kept between runs.", valueName: "folder"))
  var folder = ".build/bench"
  @Option(help: ArgumentHelp("The program to measure; otherwise the one beside this one.", valueName: "path"))
  var program: String?

  func run() throws {
    let folder = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = program ?? Self.neighbour
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw ValidationError("There is no program '\(program)' to measure.")
    }
    let histories = Histories(folder: folder, size: size)
    let imports = ImportScenarios(program: program, histories: histories, rounds: rounds)
    var findings: [TransferFinding] = []
    for conversations in [12, 1_000] { findings += try imports.run(conversations: conversations) }
    if let depth { findings += try imports.run(conversations: 12, onto: depth) }
    findings += try ExportScenarios(program: program, histories: histories, rounds: rounds).run()
    print("\(size) messages, \(rounds) rounds\n")
    print(TransferFinding.table(findings))
  }

  private static var neighbour: String {
    let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return own.deletingLastPathComponent().appendingPathComponent("scrollback").path
  }
}

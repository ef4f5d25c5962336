import ArgumentParser
import Foundation
import MessageModel

/// Breaks the real program, its disk and its stores on purpose, and looks at what is left.
@main
struct ScrollbackTorture: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scrollback-torture",
    abstract: "Kill, cut off and starve commands that write, and look at what is left.",
    discussion: """
      docs/internals/testing.md says what is done and demanded. A round that fails is told with what plays it again, its \
      files are kept, and the exit status is 1.
      """)

  @Option(help: "The program; by default the one that was built beside this one.") var program: String?
  @Option(help: "For how long.") var minutes = 5.0
  @Option(help: "What all that is drawn comes from; by default a new number.") var seed: UInt64?
  @Option(help: "Play so many rounds instead.") var rounds: Int?
  @Option(help: "Play one round, as a failure names it, or steps for all of those.") var round: String?
  @Option(
    help: ArgumentHelp(
      "Only these kinds: fault, time, power, flip, extreme, crowd, follow.", valueName: "kinds"))
  var kinds = "fault,time,power,flip,extreme,crowd,follow"
  @Option(help: ArgumentHelp("Only these commands, as rounds name them.", valueName: "deeds")) var deeds:
    String?
  @Option(help: "How many rounds at once.") var jobs = 2
  @Option(help: "Where files lie meanwhile; by default in memory, where there is such a place.") var folder:
    String?
  @Option(help: ArgumentHelp("Make a fault after each deed, which must be found.", visibility: .hidden))
  var plant: String?

  /// Plays. An error is shown with its reason, which ArgumentParser leaves out.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as any ExplainedError {
      FileHandle.standardError.write(Data("\(error.description)\n".utf8))
      exit(withError: ExitCode.failure)
    } catch {
      exit(withError: error)
    }
  }

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1...999_999)
    let place = "\(folder ?? Self.defaultFolder)/scrollback-torture-\(getpid())"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    print("seed \(seed) · \(place)")
    fflush(nil)
    let torture = try prepared(seed, place)
    let report: Torture.Report
    if let wanted = try wanted {
      report = torture.play(only: wanted, threads: jobs) { Self.tell($0, again: again) }
    } else {
      let end = Date().addingTimeInterval(rounds == nil ? minutes * 60 : .infinity)
      report = torture.run(until: end, count: rounds, threads: jobs) { Self.tell($0, again: again) }
    }
    Self.summarise(report)
    guard report.failures.isEmpty else { throw ExitCode(1) }
    try? FileManager.default.removeItem(atPath: place)
  }

  private func prepared(_ seed: UInt64, _ place: String) throws -> Torture {
    let disk = try FaultyDisk(in: place)
    let stock = Stock(in: place + "/stock")
    let names = deeds.map { Set($0.split(separator: ",").map(String.init)) }
    let deeds =
      try wanted?.flatMap { round in round.deeds.filter { $0.name == round.deedName } }
      ?? TortureCommand.all.filter { names?.contains($0.name) ?? true }
    var tools = Arena.Tools(program: programPath, disk: disk, stock: stock)
    tools.ids = try stock.make(Set(deeds.map(\.template)), program: programPath, disk: disk)
    tools.plant = try plant.map { name in
      guard let plant = Plant(rawValue: name) else { throw ValidationError("no such fault: \(name)") }
      return plant
    }
    return try Torture(
      in: place, tools, seed: seed, kinds: Set(kinds.split(separator: ",").map(String.init)), deeds: deeds)
  }

  /// The rounds that were asked for; `nil` for those of an agenda.
  private var wanted: [Round]? {
    get throws {
      guard let round else { return nil }
      if round == "steps" { return TortureCommand.inSteps.map { .steps(deed: $0.name, number: nil) } }
      guard let round = Round(round) else { throw ValidationError("'\(round)' is no round") }
      return [round]
    }
  }

  private var programPath: String {
    program ?? Self.own.deletingLastPathComponent().appendingPathComponent("scrollback").path
  }

  /// The file of this program, however it was found: by a path, or by its name alone along `PATH`.
  private static var own: URL {
    let place = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    return URL(fileURLWithPath: place ?? CommandLine.arguments[0]).resolvingSymlinksInPath()
  }

  private static var defaultFolder: String {
    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
  }

  private var again: String { "make torture ROUND=" }

  private static func tell(_ failure: Torture.Failure, again: String) {
    let lines =
      ["", "FAILED \(failure.round)", "  demanded: \(failure.demanded)", "  found: \(failure.found)"]
      + failure.steps.map { "    \($0)" } + [
        "  kept: \(failure.folder)", "  again: \(again)\(failure.round)",
      ]
    print(lines.joined(separator: "\n"))
    fflush(nil)
  }

  private static func summarise(_ report: Torture.Report) {
    for figure in report.figures { print(figure) }
    let counts = report.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(
      separator: ", ")
    let total = report.counts.values.reduce(0, +)
    print("\(total) rounds (\(counts)); \(report.failures.count) failed")
    let pass = (report.passCount * 1_000).rounded() / 10
    print("\(report.pointCount) points at which a command can be disturbed; gone through: \(pass) %")
  }
}

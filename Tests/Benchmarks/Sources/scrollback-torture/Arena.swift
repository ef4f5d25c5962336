import Foundation
import Synchronization

/// A demand of a round that was not met.
struct Violation: Error {
  var demanded: String
  var found: String
}

/// The folder of a round, and the program at work in it.
final class Arena: Sendable {
  let folder: String
  /// The folder whose disk may be faulty; the store lies here.
  let diskFolder: String
  let tools: Tools
  /// What was done, for people.
  var steps: [String] { notes.withLock { $0 } }
  private let notes = Mutex<[String]>([])
  /// What was measured, for people.
  var figures: [String] { measurements.withLock { $0 } }
  private let measurements = Mutex<[String]>([])

  /// What all rounds share.
  struct Tools: Sendable {
    /// The path of the program.
    var program: String
    var disk: FaultyDisk
    var stock: Stock
    /// The ids of some imported messages of the stock.
    var ids: [String] = []
    /// The fault of the harness itself that a test has planted.
    var plant: Plant?
  }

  /// Makes the folder anew, with one of the stock's stores in it.
  init(_ folder: String, _ tools: Tools, holding template: Stock.Template?) throws {
    (self.folder, self.tools) = (folder, tools)
    diskFolder = folder + "/disk"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder + "/home", withIntermediateDirectories: true)
    if let template {
      try FileManager.default.copyItem(atPath: tools.stock.folder(of: template), toPath: diskFolder)
    } else {
      try FileManager.default.createDirectory(atPath: diskFolder, withIntermediateDirectories: true)
    }
  }

  var store: String { diskFolder + "/store.db" }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  func note(_ step: String) { notes.withLock { $0.append(step) } }

  func measure(_ figure: String) { measurements.withLock { $0.append(figure) } }

  private var environment: [String: String] {
    [
      "HOME": folder + "/home", "XDG_STATE_HOME": folder + "/home", "XDG_CONFIG_HOME": folder + "/home",
      "SCROLLBACK_STORE": store, "TZ": "UTC", "USER": "torture", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
      "PAGER": "cat", "INPUTRC": "/dev/null", "SWIFT_BACKTRACE": "enable=no", "TMPDIR": folder + "/home",
    ]
  }

  /// Runs the program and demands what holds for every run: no signal that it was not sent, no hang, an exit status
  /// that it is known to have.
  @discardableResult
  func run(
    _ arguments: [String], input: String = "", plan: FaultyDisk.Plan? = nil, trace: String? = nil,
    killedAfter: Int? = nil
  ) throws -> ProgramRun {
    var environment = environment
    if plan != nil || trace != nil {
      environment.merge(tools.disk.environment(for: diskFolder, plan: plan, trace: trace)) { $1 }
    }
    let run = try ProgramRun.run(
      tools.program, ["scrollback"] + arguments, environment: environment, input: input,
      killedAfter: killedAfter)
    note(Self.describe(arguments, input, plan, killedAfter, run))
    try demand(run, mayBeKilled: plan?.fault.isKill == true || killedAfter != nil)
    return run
  }

  /// Runs the program beside others, which is not noted.
  func runBeside(_ arguments: [String], input: String = "") throws -> ProgramRun {
    let run = try ProgramRun.run(
      tools.program, ["scrollback"] + arguments, environment: environment, input: input)
    try demand(run)
    return run
  }

  /// Starts the program.
  func start(_ arguments: [String], input: String = "") throws -> RunningProgram {
    try RunningProgram(
      tools.program, ["scrollback"] + arguments, environment: environment, input: input)
  }

  /// Demands what holds for every run.
  func demand(_ run: ProgramRun, mayBeKilled: Bool = false) throws {
    if run.isHung {
      throw Violation(demanded: "an end within \(ProgramRun.limit) s", found: "none: \(steps.last ?? "")")
    }
    if run.signal != 0, !(mayBeKilled && run.signal == SIGKILL) {
      throw Violation(
        demanded: "no end by a signal", found: "signal \(run.signal)\n\(run.errors.suffix(2_000))")
    }
    if let status = run.status, !Self.knownStatuses.contains(status) {
      throw Violation(
        demanded: "one of the exit statuses of the documentation",
        found: "\(status)\n\(run.errors.suffix(2_000))")
    }
  }

  private static let knownStatuses: Set<Int32> = [0, 1, 3, 64, 65, 66, 73, 74, 75, 77, 130]

  private static func describe(
    _ arguments: [String], _ input: String, _ plan: FaultyDisk.Plan?, _ killedAfter: Int?, _ run: ProgramRun
  ) -> String {
    var words = arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
    if !input.isEmpty { words += " <<'\(input.prefix(60).replacing("\n", with: "\\n"))…'" }
    if let plan { words += "  [\(plan.fault) at call \(plan.number) of \(plan.calls)]" }
    if let killedAfter { words += "  [killed after \(killedAfter) µs]" }
    let cause = run.errors.split(separator: "\n").prefix(2).joined(separator: " · ")
    return "scrollback \(words) → \(run.ending)\(cause.isEmpty ? "" : "  (\(cause))")"
  }
}

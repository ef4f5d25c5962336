import ArgumentParser
import Foundation
import MessageSourceTesting
import Synchronization
import TestSupport

/// `guard`: counts the instructions of the hot paths and compares them with those that were recorded.
///
/// Instructions do not depend on what else the machine does. They do depend on the compiler and the libraries, so the
/// record is only good for a toolchain like the one it was made with. A debug build has a record of its own: it takes a
/// fraction of the time to build, and what grows in it grows in the other.
struct Guard: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count the instructions of the hot paths by callgrind, and compare them with the record.",
    discussion: """
      Ends with status 1 if one takes over 2 % more than it did, also when it is counted twice more. --record writes the
      counts down, those of a debug build beside those of a release build.

      Examples:
        scrollback-bench guard
        scrollback-bench guard --record
      """)

  @Option(help: ArgumentHelp("The counts to compare with.", valueName: "file"))
  var baseline = "docs/benchmarks/instructions.json"

  @Option(help: ArgumentHelp("Where histories are kept between runs.", valueName: "folder"))
  var folder = ".build/bench"

  @Flag(help: "Write the counts down instead of comparing them.") var record = false

  #if DEBUG
    private static let build = "debug"
  #else
    private static let build = "release"
  #endif
  private static let tolerance = 0.02

  /// What makes counts differ from run to run, or from one processor to the next: seeds of hashes, and the C library's choice of
  /// its functions by what the processor has.
  private static let environment = [
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-BMI2,-LZCNT,-MOVBE,-RTM,-ERMS",
  ]

  func run() throws {
    guard let valgrind = Program.installed("valgrind") else {
      throw ValidationError("valgrind is not installed.")
    }
    let file = URL(fileURLWithPath: baseline)
    let program = try strippedCopy(of: Program.own, named: "counted")
    let command = try strippedCopy(of: BuiltProduct.path(of: "scrollback"), named: "started")
    defer { for copy in [program, command] { unlink(copy) } }
    for (name, value) in Self.environment { setenv(name, value, 1) }
    let counter = Counter(valgrind: valgrind, program: program, folder: folder)
    let store = try Setting(size: Repeat.size, folder: folder).store()
    var paths: [(name: String, count: @Sendable () throws -> Int)] = []
    for path in HotPath.allCases {
      try counter.prepare(path)
      paths.append((path.rawValue, { try counter.instructions(of: path) }))
    }
    paths.append(("start", { try counter.instructions(of: command, ["--version"]) }))
    paths.append(("tail", { try counter.instructions(of: command, ["tail", "--store", store]) }))
    paths.append(("servedPage", { try counter.instructionsOfServedPage(by: command, from: store) }))
    var records = try JSONDecoder().decode([String: [String: Int]].self, from: Data(contentsOf: file))
    let recorded = records[Self.build] ?? [:]
    let counts = try Self.counts(of: paths, at: record ? [:] : recorded)
    if record {
      records[Self.build] = counts
      return try write(records, to: file)
    }
    let worse = counts.keys.sorted().filter { tell($0, counts[$0] ?? 0, recorded[$0]) }
    guard worse.isEmpty else { throw ExitCode(1) }
  }

  /// Counts paths, as many at a time as there are processors: no path writes what another reads.
  private static func counts(
    of paths: [(name: String, count: @Sendable () throws -> Int)], at recorded: [String: Int]
  ) throws -> [String: Int] {
    let counted = Mutex<[String: Result<Int, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: paths.count) { index in
      let (name, count) = paths[index]
      let result = Result { try fewest(count, at: recorded[name]) }
      counted.withLock { $0[name] = result }
    }
    return try counted.withLock { $0 }.mapValues { try $0.get() }
  }

  /// Counts a path, and twice more while it seems to take too many.
  private static func fewest(_ count: () throws -> Int, at recorded: Int?) throws -> Int {
    var fewest = try count()
    for _ in 0..<2 {
      guard let recorded, Double(fewest) > Double(recorded) * (1 + tolerance) else { break }
      fewest = min(fewest, try count())
    }
    return fewest
  }

  /// Prints a count beside the recorded one, and returns whether it has grown by too much.
  private func tell(_ name: String, _ count: Int, _ recorded: Int?) -> Bool {
    guard let recorded else {
      print("\(name): \(count) instructions, never recorded")
      return true
    }
    let change = Double(count - recorded) / Double(recorded)
    let percent = (change * 1_000).rounded() / 10
    print("\(name): \(count) instructions, \(percent) % against \(recorded)")
    return change > Self.tolerance
  }

  private func write(_ records: [String: [String: Int]], to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(records) + Data("\n".utf8)).write(to: file)
    for (name, count) in (records[Self.build] ?? [:]).sorted(by: { $0.key < $1.key }) {
      print("\(name): \(count) instructions")
    }
  }

  /// Makes a copy of a program without what debuggers read: valgrind gives up at that of Swift 6.2.
  private func strippedCopy(of program: String, named name: String) throws -> String {
    guard let strip = Program.installed("strip") else {
      throw ValidationError("strip is not installed.")
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let copy = "\(folder)/\(name)"
    try Program(strip, "-g", "-o", copy, program).run()
    return copy
  }
}

/// Counts instructions by callgrind.
private struct Counter {
  let valgrind: String
  let program: String
  let folder: String

  /// What one more time costs: the difference of two runs leaves out what is done once.
  func instructions(of path: HotPath) throws -> Int {
    let (few, many) = Self.counts(of: path)
    return try (total(path, many) - total(path, few)) / (many - few)
  }

  /// Makes what a path reads.
  func prepare(_ path: HotPath) throws {
    let (few, many) = Self.counts(of: path)
    for count in [few, many] { try path.prepare(count, folder: folder) }
  }

  private static func counts(of path: HotPath) -> (few: Int, many: Int) { (path.count, 3 * path.count) }

  private func total(_ path: HotPath, _ count: Int) throws -> Int {
    try instructions(of: program, ["repeat", path.rawValue, "\(count)", "--folder", folder])
  }

  /// The instructions of a program from its start to its end.
  func instructions(of program: String, _ arguments: [String]) throws -> Int {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: valgrind)
    process.arguments = counting + [program] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Self.failure(arguments, text) }
    return try Self.count(in: text, of: arguments)
  }

  /// What a page costs whoever serves it, from the bytes of the question to those of the answer, all threads together.
  func instructionsOfServedPage(by program: String, from store: String) throws -> Int {
    let (few, many) = (20, 60)
    return try
      (instructions(of: program, serving: many, from: store)
      - instructions(of: program, serving: few, from: store)) / (many - few)
  }

  /// The instructions of a server that is asked for pages of 50 at random places.
  private func instructions(of program: String, serving pageCount: Int, from store: String) throws -> Int {
    let conversation = try ServerScenarios.conversation(in: store)
    let errors = Pipe()
    let server = try ServerProcess(
      store: store, by: [valgrind] + counting + [program], errors: errors.fileHandleForWriting)
    do {
      // Callgrind counts until its end.
      defer { server.stop() }
      let client = try ServerClient(server)
      var dice = SeededGenerator(seed: 1)
      for _ in 0..<pageCount {
        let number = Int.random(in: 1...Repeat.size, using: &dice)
        try client.ask("api/page?conversationID=\(conversation.rawValue)&at=number:\(number)&limit=50")
      }
    }
    try errors.fileHandleForWriting.close()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return try Self.count(in: text, of: ["serve"])
  }

  private var counting: [String] { ["--tool=callgrind", "--callgrind-out-file=/dev/null"] }

  /// Returns the count that callgrind ends with.
  private static func count(in text: String, of arguments: [String]) throws -> Int {
    let line = text.split(separator: "\n").last { $0.contains("Collected :") }
    guard let number = line?.split(separator: " ").last.flatMap({ Int($0) }) else {
      throw failure(arguments, text)
    }
    return number
  }

  private static func failure(_ arguments: [String], _ text: String) -> Program.Failure {
    Program.Failure(
      "callgrind did not count '\(arguments.joined(separator: " "))'", cause: String(text.suffix(400)))
  }
}

/// `repeat`: does one thing many times, for `guard`.
struct Repeat: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Do what is done often, a number of times.", shouldDisplay: false)

  /// The size of the history that hot paths are counted on.
  static let size = 20_000

  @Argument var name: String
  @Argument var count: Int
  @Option var folder: String

  func run() throws {
    guard let path = HotPath(rawValue: name) else { throw ValidationError("There is no '\(name)'.") }
    try path.run(count, try Setting(size: Self.size, folder: folder))
  }
}

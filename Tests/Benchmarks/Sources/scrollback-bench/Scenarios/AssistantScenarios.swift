import Foundation
import MessageModel
import MessageStorage

/// Imports of a session of an assistant in the shapes of several programs, each against the same messages, with the same facts, as
/// JSON Lines. Times are of the processor.
struct AssistantScenarios {
  private static let baseline = "the same messages as JSON Lines"
  /// A question, a thought, a remark, a call, a result and an answer.
  private static let messagesOfTurn = 6

  let setting: Setting

  private var rounds: Int { setting.depth == .trial ? 1 : 5 }

  /// Imports into empty stores.
  func run() throws -> [Finding] {
    SynchronousMessageStore.forgoMemoryFigures()
    let history = AssistantHistory(turnCount: max(setting.size / Self.messagesOfTurn, 1))
    return try AssistantHistory.Shape.allCases.map { try measure($0, history) }
  }

  private func measure(_ shape: AssistantHistory.Shape, _ history: AssistantHistory) throws -> Finding {
    let folder = setting.folder.appending(path: "assistants-\(setting.size)/\(shape)")
    let file = folder.appending(path: shape.path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(history.bytes(shape)).write(to: file)
    let lines = setting.path("assistants-\(setting.size)-\(shape).jsonl")
    var (ours, theirs) = (Measurement(), Measurement())
    for round in 0..<rounds {
      let store = setting.noStore(named: "assistants")
      // A folder that was named is gone through for what is hidden, too.
      try load(folder.path, into: store, &ours)
      if round == 0 {
        try? FileManager.default.removeItem(atPath: lines)
        try Program(setting.scrollback, "export", "--store", store, "--output", lines).run()
        try expectMessages(history.turns.count, in: store)
      }
      try load(lines, into: setting.noStore(named: "assistants-lines"), &theirs)
    }
    try tell(shape, bytes(of: file.path), ours, bytes(of: lines), theirs)
    return Finding(
      name: "import of a session of \(shape.rawValue)", ours: ours, baseline: (Self.baseline, theirs))
  }

  private func load(_ path: String, into store: String, _ measurement: inout Measurement) throws {
    let before = Self.processorTime
    let peak = try Program(
      setting.scrollback, "import", "--quiet", "--me", "Ann", "--time-zone", "UTC", "--store", store, path
    ).run()
    measurement.add(Self.processorTime - before)
    measurement.peakBytes = max(measurement.peakBytes, peak)
  }

  /// The time of the processor that programs took which were run to their end.
  private static var processorTime: Duration {
    var usage = rusage()
    // RUSAGE_CHILDREN, which is of another type on each system.
    getrusage(-1, &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    return times.reduce(.zero) { $0 + .seconds($1.tv_sec) + .microseconds($1.tv_usec) }
  }

  /// What was not read took no time.
  private func expectMessages(_ turnCount: Int, in path: String) throws {
    let store = try SynchronousMessageStore(path: path, options: .readOnly)
    defer { store.close() }
    let found = try store.conversations().reduce(0) { $0 + $1.messageCount }
    guard found >= 2 * turnCount else {
      throw Program.Failure(
        "'\(path)' holds \(found) messages", cause: "\(turnCount) questions and answers were to be imported")
    }
  }

  private func bytes(of path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  /// Says how many bytes a second each shape takes.
  private func tell(
    _ shape: AssistantHistory.Shape, _ byteCount: Int, _ ours: Measurement, _ lineByteCount: Int,
    _ theirs: Measurement
  ) {
    func rate(_ count: Int, _ measurement: Measurement) -> Double {
      Double(count) / max(measurement.median, 1) * 1_000
    }
    let (own, other) = (rate(byteCount, ours), rate(lineByteCount, theirs))
    func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 }
    print(
      toStandardError: """
        \(shape.rawValue): \(rounded(own)) MB a second of the processor, JSON Lines \(rounded(other)): \
        \(Int(100 * own / max(other, 1e-9))) %; of the time for the same messages \(Int(100 * ours.median / max(theirs.median, 1))) %; \
        \(ours.peakBytes >> 20) MB of memory
        """)
  }
}

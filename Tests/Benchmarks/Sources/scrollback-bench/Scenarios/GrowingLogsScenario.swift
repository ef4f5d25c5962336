import Foundation
import HistoryModel
import MessageModel
import MessageStorage

/// `follow` of a thousand logs: how long their lines take while all of them grow, and what it works then and at rest.
struct GrowingLogsScenario {
  let setting: Setting

  private static let linesPerSecond = 10
  private static let patience = Duration.seconds(120)

  private var logCount: Int { setting.depth == .trial ? 50 : 1_000 }
  private var seconds: Int { setting.depth.times(20, quick: 8) }

  func run() throws -> [Finding] {
    let path = try setting.storeToWrite(named: "growing")
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    let folder = setting.path("growing-logs")
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let logs = (0..<logCount).map { "\(folder)/irc.example.#room\($0).weechatlog" }
    var lines = Lines(store: store, logs: logs, before: try Self.count(in: store))
    try lines.write()
    let follower = Process()
    follower.executableURL = URL(fileURLWithPath: setting.scrollback)
    follower.arguments = ["follow", "--quiet", "--store", path, "--time-zone", "UTC", folder]
    (follower.standardOutput, follower.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try follower.run()
    defer {
      follower.terminate()
      follower.waitUntilExit()
    }
    try lines.waitForAll(atMost: Self.patience)
    // Positions are saved two seconds later.
    if setting.depth != .trial { Thread.sleep(forTimeInterval: 4) }
    let resting = try work(of: follower, for: seconds) { Thread.sleep(forTimeInterval: Double(seconds)) }
    lines.behind = Measurement()
    var growing = try work(of: follower, for: seconds) {
      let start = ContinuousClock.now
      for tick in 0..<seconds * Self.linesPerSecond {
        try lines.write()
        try lines.look(until: start + .seconds(tick + 1) / Self.linesPerSecond)
      }
      try lines.waitForAll(atMost: Self.patience)
    }
    growing.peakBytes = Memory.peak(of: follower.processIdentifier)
    let many = "1,000 logs"
    return [
      Finding(name: "ten lines a second in each of \(many), until `follow` has them", ours: lines.behind),
      Finding(name: "work in a second of following \(many) that grow so", ours: growing),
      Finding(name: "work in a second of following \(many) that rest", ours: resting),
    ]
  }

  /// The time in a second that a process works while something is done for some seconds.
  private func work(of process: Process, for seconds: Int, _ body: () throws -> Void) throws -> Measurement {
    let before = ProcessorTime.of(process.processIdentifier)
    try body()
    var work = Measurement()
    if let before, let after = ProcessorTime.of(process.processIdentifier) {
      work.add((after - before) / seconds)
    }
    return work
  }

  private static func count(in store: SynchronousMessageStore) throws -> Int {
    try store.page(PageRequest(.everything, fetchLimit: 0)).counts?.total ?? 0
  }

  /// The lines that were written, and when.
  private struct Lines {
    let store: SynchronousMessageStore
    let logs: [String]
    /// The messages of the store before the first line.
    let before: Int
    var behind = Measurement()
    private var writtenAt: [ContinuousClock.Instant] = []
    private var arrivedCount = 0

    init(store: SynchronousMessageStore, logs: [String], before: Int) {
      (self.store, self.logs, self.before) = (store, logs, before)
    }

    /// Writes a line to each log.
    mutating func write() throws {
      let time = String(Date.now.formatted(.iso8601).prefix(19)).replacing("T", with: " ")
      let line = Array("\(time)\tann\tline \(writtenAt.count), of a usual length\n".utf8)
      for log in logs {
        let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        guard Foundation.write(descriptor, line, line.count) == line.count else {
          throw Program.Failure("cannot write to '\(log)'")
        }
      }
      writtenAt.append(.now)
    }

    /// Takes down for each line how long it took to come, as soon as it is there in all logs.
    mutating func look(until end: ContinuousClock.Instant) throws {
      repeat {
        let count = try GrowingLogsScenario.count(in: store) - before
        while arrivedCount < writtenAt.count, count >= (arrivedCount + 1) * logs.count {
          behind.add(.now - writtenAt[arrivedCount])
          arrivedCount += 1
        }
        Thread.sleep(forTimeInterval: 0.01)
      } while .now < end
    }

    mutating func waitForAll(atMost time: Duration) throws {
      let end = ContinuousClock.now + time
      while arrivedCount < writtenAt.count {
        guard .now < end else { throw Program.Failure("the lines of \(logs.count) logs do not come") }
        try look(until: .now)
      }
    }
  }
}

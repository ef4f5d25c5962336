import Foundation
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport

/// How long keys take in the REPL, driven through a pseudo-terminal of 50 rows, how much it does when nobody presses
/// any, and how long it takes to start.
///
/// The times of keys are the program's own (`--trace-latency`): from keys being there to be read until the screen is
/// written.
struct LatencyScenarios {
  let setting: Setting
  private let path: String
  /// How often each key is pressed.
  private let count: Int

  init(setting: Setting) throws {
    self.setting = setting
    count = setting.depth.times(200, quick: 100)
    path = try setting.store()
  }

  func run() throws -> [Finding] {
    let fixture = try LatencyFixture(path: path)
    defer { fixture.remove() }
    return try keys(at: fixture) + idleTimes(at: fixture) + [try start(at: fixture)]
  }

  // MARK: Keys

  private func keys(at fixture: LatencyFixture) throws -> [Finding] {
    let trace = fixture.folder.appendingPathComponent("trace").path
    let terminal = try fixture.open(path, ["--trace-latency", trace])
    var dice = SeededGenerator(seed: 1)
    try press(terminal, "\u{1B}[5~", times: count)
    try press(terminal, "\u{1B}[6~", times: count)
    for _ in 0..<count {
      try press(terminal, "/goto \(Double(dice.next() % 100_000) / 1_000)%\r", times: 1)
    }
    var shown: String?
    for _ in 0..<count {
      let time = fixture.first.advanced(byMilliseconds: Int64(dice.next() % UInt64(fixture.milliseconds)))
      let day = time.utc.dateText
      // On the day that is shown nothing would be painted.
      if day != shown { try press(terminal, "/goto \(day)\r", times: 1) }
      shown = day
    }
    try press(terminal, "/bottom\r/search \(fixture.word)\r", times: 1)
    try press(terminal, "\u{1B}p", times: count)
    try press(terminal, "/goto 50%\r/search \(fixture.word)\r", times: 1)
    try press(terminal, "\u{1B}n", times: count)
    try terminal.type("\u{4}")
    _ = terminal.waitForExit()
    return try Self.findings(in: trace)
  }

  /// Presses keys one by one, each when the screen has been painted for the one before.
  private func press(_ terminal: PseudoTerminal, _ keys: String, times: Int) throws {
    for _ in 0..<times {
      let before = terminal.screen.updateCount
      try terminal.type(keys)
      // The line is echoed before the screen is painted: who waits for the echo alone types ahead of it.
      try? terminal.wait(for: "the screen", seconds: 0.25) { $0.updateCount > before }
      // Where nothing is to be painted, a letter shows when it is done.
      try terminal.type("x")
      try terminal.wait(for: "the keys to be done") { $0.lines.last == "> x" }
      try terminal.type("\u{15}")
      try terminal.wait(for: "an empty line") { $0.lines.last == ">" }
    }
  }

  private static func findings(in trace: String) throws -> [Finding] {
    var times: [String: Measurement] = [:]
    for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let microseconds = Int(words[1]) else { continue }
      times[String(words[0]), default: Measurement()].add(.microseconds(microseconds))
    }
    let names = [
      ("pageOlder", "a page up"), ("pageNewer", "a page down"), ("/goto", "/goto a part or a date"),
      ("previousHit", "the hit before"), ("nextHit", "the hit after"),
    ]
    return names.map { key, name in
      Finding(name: "key to screen: \(name)", ours: times[key] ?? Measurement())
    }
  }

  // MARK: Doing nothing

  /// The time that the processor works in a second, nobody pressing a key; in a quick run at one size only.
  private func idleTimes(at fixture: LatencyFixture) throws -> [Finding] {
    guard setting.depth != .quick || setting.size == 1_000_000 else { return [] }
    let terminal = try fixture.open(path, [])
    // What is counted in the background belongs to the start.
    Thread.sleep(forTimeInterval: 2)
    var ours = Measurement()
    let seconds = setting.depth.times(20, quick: 8)
    let before = ProcessorTime.of(terminal.process)
    Thread.sleep(forTimeInterval: Double(seconds))
    if let before, let after = ProcessorTime.of(terminal.process) { ours.add((after - before) / seconds) }
    return [Finding(name: "work in a second of doing nothing", ours: ours)]
  }

  // MARK: Starting

  private func start(at fixture: LatencyFixture) throws -> Finding {
    let small = try fixture.smallStore()
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<setting.depth.times(21) {
      try leave(try theirs.time { try fixture.open(small, []) })
      try leave(try ours.time { try fixture.open(path, []) })
    }
    return Finding(name: "start to the first screen", ours: ours, baseline: ("of 100 messages", theirs))
  }

  private func leave(_ terminal: PseudoTerminal) throws {
    try terminal.type("\u{4}")
    _ = terminal.waitForExit()
  }
}

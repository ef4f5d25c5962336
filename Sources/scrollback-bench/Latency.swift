import ArgumentParser
import Foundation
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport

/// `latency`: drives the REPL through a pseudo-terminal over a store, and prints how long keys take.
///
/// The times are the program's own (`--trace-latency`): from keys being there to be read until the screen is written.
struct Latency: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency",
    abstract: "Press keys in the REPL over a store, and print how long they take until the screen is written."
  )

  @Argument(help: "The store; it should have a conversation of many messages.")
  var path: String

  @Option(help: ArgumentHelp("What to search for (a word that many messages have).", valueName: "word"))
  var word: String?

  @Option(help: ArgumentHelp("How often each key is pressed.", valueName: "count"))
  var count = 200

  @Option(help: ArgumentHelp("How long to watch it doing nothing.", valueName: "seconds"))
  var idle = 20

  func run() throws {
    let desk = try LatencyDesk(path: path)
    defer { desk.remove() }
    print("\(desk.conversation): \(desk.messageCount) messages\n")
    for line in try keys(at: desk) { print(line) }
    print(try idling(at: desk))
    print(try starting(at: desk))
  }

  // MARK: Keys

  private func keys(at desk: LatencyDesk) throws -> [String] {
    let trace = desk.folder.appendingPathComponent("trace").path
    let terminal = try desk.open(path, ["--trace-latency", trace])
    let word = word ?? desk.word
    var dice = SeededGenerator(seed: 1)
    try press(terminal, "\u{1B}[5~", times: count)
    try press(terminal, "\u{1B}[6~", times: count)
    for _ in 0..<count {
      try press(terminal, "/goto \(Double(dice.next() % 100_000) / 1_000)%\r", times: 1)
    }
    try press(terminal, "/bottom\r/search \(word)\r", times: 1)
    try press(terminal, "\u{1B}p", times: count)
    try press(terminal, "/goto 50%\r/search \(word)\r", times: 1)
    try press(terminal, "\u{1B}n", times: count)
    try terminal.type("\u{4}")
    _ = try terminal.waitForExit()
    return try Self.table(of: trace)
  }

  /// Presses keys one by one, each when the screen has been written for the one before.
  private func press(_ terminal: PseudoTerminal, _ keys: String, times: Int) throws {
    for _ in 0..<times {
      try terminal.type(keys)
      // A letter behind it shows when it is done; it is taken back with the next one.
      try terminal.type("x")
      try terminal.wait(for: "the keys to be done") { $0.lines.last == "> x" }
      try terminal.type("\u{15}")
      try terminal.wait(for: "an empty line") { $0.lines.last == ">" }
    }
  }

  private static func table(of trace: String) throws -> [String] {
    var times: [String: [Int]] = [:]
    for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let microseconds = Int(words[1]) else { continue }
      times[String(words[0]), default: []].append(microseconds)
    }
    let rows = ["pageOlder", "pageNewer", "/goto", "previousHit", "nextHit"].compactMap { key in
      times[key].map { times in
        let sorted = times.sorted()
        return "| \(key) | \(sorted.count) | \(milliseconds(sorted[sorted.count / 2]))"
          + " | \(milliseconds(sorted[min(sorted.count - 1, sorted.count * 99 / 100)])) |"
      }
    }
    return ["| key | n | p50 ms | p99 ms |", "| --- | --- | --- | --- |"] + rows
  }

  private static func milliseconds(_ microseconds: Int) -> String {
    "\(Double(microseconds / 10) / 100)"
  }

  // MARK: Doing nothing

  private func idling(at desk: LatencyDesk) throws -> String {
    let terminal = try desk.open(path, [])
    // What is counted in the background belongs to the start.
    Thread.sleep(forTimeInterval: 2)
    let before = desk.processorSeconds(of: terminal)
    Thread.sleep(forTimeInterval: Double(idle))
    guard let before, let after = desk.processorSeconds(of: terminal) else {
      return "\nidle: unknown, this system does not tell"
    }
    let share = (after - before) / Double(idle) * 100
    return "\nidle: \(Double(Int(share * 1_000)) / 1_000) % of a core over \(idle) s"
  }

  // MARK: Starting

  private func starting(at desk: LatencyDesk) throws -> String {
    let small = try desk.smallStore()
    var times: [String: [Double]] = [:]
    for _ in 0..<11 {
      for store in [path, small] {
        let start = ContinuousClock.now
        let terminal = try desk.open(store, [])
        times[store, default: []].append((ContinuousClock.now - start) / .milliseconds(1))
        try terminal.type("\u{4}")
        _ = try terminal.waitForExit()
      }
    }
    let medians = [path, small].map { store in (times[store] ?? []).sorted()[5] }
    let shown = medians.map { "\(Double(Int($0 * 10)) / 10) ms" }
    let ratio = Double(Int(medians[0] / medians[1] * 100)) / 100
    return "start to first screen: \(shown[0]) here, \(shown[1]) with 100 messages: \(ratio)×"
  }
}

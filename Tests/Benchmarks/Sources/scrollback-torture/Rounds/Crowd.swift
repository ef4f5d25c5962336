import Foundation
import MessageSourceTesting
import Synchronization
import TestSupport

/// Twenty processes that write and twenty that read, all in one store, for some seconds.
struct Crowd: Sendable {
  let arena: Arena
  let seed: UInt64

  /// How long it goes on.
  private static let seconds = 4.0
  private static let size = 20

  /// What was tried, and what was acknowledged.
  private struct Outcome {
    var tried: Set<String> = []
    var acknowledged: Set<String> = []
    var violation: Violation?
  }

  func run() throws {
    let outcome = Mutex(Outcome())
    let end = Date().addingTimeInterval(Self.seconds)
    let before = try arena.state()
    let follower = try arena.start(["tail", "-f", "--all"])
    DispatchQueue.concurrentPerform(iterations: 2 * Self.size) { number in
      var dice = SeededGenerator(seed: seed &+ UInt64(number))
      var turn = 0
      while Date() < end {
        turn += 1
        do {
          if number < Self.size {
            try write("w\(number)t\(turn)", outcome, &dice)
          } else {
            try read(&dice)
          }
        } catch {
          outcome.withLock { $0.violation = $0.violation ?? error as? Violation }
        }
      }
    }
    follower.send(SIGTERM)
    let followed = follower.finish(within: ProgramRun.limit)
    if followed.isHung { throw Violation(demanded: "an end of tail -f by SIGTERM", found: "none") }
    try judge(outcome.withLock { $0 }, before)
  }

  private func write(_ name: String, _ outcome: borrowing Mutex<Outcome>, _ dice: inout SeededGenerator)
    throws
  {
    let texts: [String]
    let run: ProgramRun
    switch Int.random(in: 0..<4, using: &dice) {
    case 0:
      texts = (0..<5).map { "\(name)n\($0)" }
      run = try arena.runBeside(
        ["append", "-c", "general", "--from", "crowd"], input: texts.map { $0 + "\n" }.joined())
    case 1:
      texts = []
      run = try arena.runBeside(["edit", arena.ids.randomElement(using: &dice) ?? "", "edited by \(name)"])
    case 2 where name.hasPrefix("w1t"):
      texts = []
      run = try arena.runBeside(["import", "--quiet", arena.input("more.jsonl")])
    default:
      texts = [name]
      run = try arena.runBeside(["append", "-c", "general", "--from", "crowd", name])
    }
    outcome.withLock {
      $0.tried.formUnion(texts)
      if run.status == 0 { $0.acknowledged.formUnion(texts) }
    }
  }

  private func read(_ dice: inout SeededGenerator) throws {
    let commands = [
      ["tail", "-n", "5", "--all"], ["search", "tea"], ["export", "--json"], ["conversations"], ["check"],
      ["stats"], ["show", arena.ids[0]],
    ]
    guard let command = commands.randomElement(using: &dice) else { return }
    let run = try arena.runBeside(command)
    guard let status = run.status, [0, 1, 75].contains(status) else {
      throw Violation(
        demanded: "an answer to '\(command)' beside writers", found: "\(run.ending)\n\(run.errors)")
    }
  }

  private func judge(_ outcome: Outcome, _ before: StoreState) throws {
    if let violation = outcome.violation { throw violation }
    try arena.demandSound()
    let texts = try arena.allTexts()
    let counts = texts.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    for text in outcome.tried.sorted() {
      let count = counts[text] ?? 0
      if count > 1 { throw Violation(demanded: "'\(text)' once", found: "\(count) times") }
      if count == 0, outcome.acknowledged.contains(text) {
        throw Violation(demanded: "'\(text)', which was acknowledged", found: "it is not there")
      }
    }
    arena.note("\(outcome.acknowledged.count) of \(outcome.tried.count) messages acknowledged")
    guard texts.count >= before.messages.count + outcome.acknowledged.count else {
      throw Violation(
        demanded: "\(before.messages.count + outcome.acknowledged.count) messages", found: "\(texts.count)")
    }
  }
}

extension Arena {
  /// The texts of all messages.
  func allTexts() throws -> [String] {
    let output = try run(["export", "--json", "--all"]).output
    return try output.split(separator: 0x0A).map { line in
      let record = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      return record?["text"] as? String ?? ""
    }
  }
}

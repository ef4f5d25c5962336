import Foundation
import MessageModel
import MessageSourceTesting
import MessageWindows
import Testing

/// How many times longer the long runs are.
let lengthFactor = ProcessInfo.processInfo.environment["SCROLLBACK_LONG"] == "1" ? 20 : 1

@Suite struct WindowModelTests {
  @Test(arguments: UInt64(0)..<40)
  func `a window equals the naive array after every step of a random walk`(seed: UInt64) async throws {
    let limits = try WindowLimits(messages: 24, pageSize: 6)
    try await walk(seed: seed, steps: 200 * lengthFactor) { WindowWalk(limits: limits, count: 90) }
  }

  @Test(arguments: UInt64(100)..<120)
  func `a window that can hold all there is never loses its place`(seed: UInt64) async throws {
    try await walk(seed: seed, steps: 200 * lengthFactor) { WindowWalk(limits: .standard, count: 30) }
  }

  @Test(arguments: UInt64(200)..<240)
  func `the bytes held never exceed the budget by more than one message`(seed: UInt64) async throws {
    // A thousandth of 4 MB and 15 MB: what counts is how sizes and budget compare.
    let sizes = [0, 0, 10, 100, 1_000, 3_000, 15_000]
    let limits = try WindowLimits(messages: 40, bytes: 4_096, pageSize: 5)
    try await walk(seed: seed, steps: 200 * lengthFactor, bytes: sizes) {
      WindowWalk(limits: limits, count: 60, bytes: sizes)
    }
  }

  @Test(arguments: UInt64(300)..<360)
  func `pages that arrive late, in any order or never leave a window true`(seed: UInt64) async throws {
    let limits = try WindowLimits(messages: 24, pageSize: 6)
    var generator = SeededGenerator(seed: seed)
    let steps = (0..<(300 * lengthFactor)).map { _ in WindowStep.racing(using: &generator) }
    await expectNoMistake(on: [.jump(.newest)] + steps, seed: seed) { race in
      var state = WindowWalk(limits: limits, count: 90)
      for step in race {
        if let mistake = state.race(step) { return mistake }
      }
      return state.settle()
    }
  }

  private func walk(
    seed: UInt64, steps: Int, bytes: [Int] = [0], from start: () -> WindowWalk
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    let walk = (0..<steps).map { _ in WindowStep.random(using: &generator, bytes: bytes) }
    await expectNoMistake(on: [.jump(.newest)] + walk, seed: seed) { walk in
      var state = start()
      for step in walk {
        if let mistake = state.take(step) { return mistake }
      }
      return nil
    }
  }

  /// Reports a mistake with the shortest walk that leads to it.
  private func expectNoMistake(
    on walk: [WindowStep], seed: UInt64, mistake: ([WindowStep]) -> String?
  ) async {
    guard mistake(walk) != nil else { return }
    let shortest = await shrunk(walk) { mistake($0) != nil }
    Issue.record("seed \(seed): \(mistake(shortest) ?? "") after \(shortest.map { "\($0)" })")
  }
}

import Foundation
import MessageModel
import MessageSourceTesting
import MessageWindows
import Testing

/// How many times longer the long runs are.
let lengthFactor = ProcessInfo.processInfo.environment["SCROLLBACK_LONG"] == "1" ? 50 : 1

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

  /// Walks at random; a mistake is reported with the shortest walk that leads to it.
  private func walk(
    seed: UInt64, steps: Int, bytes: [Int] = [0], from start: () -> WindowWalk
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    let walk = [.jump(.newest)] + (0..<steps).map { _ in WindowStep.random(using: &generator, bytes: bytes) }
    guard mistake(on: walk, from: start()) != nil else { return }
    let shortest = await shrunk(walk) { mistake(on: $0, from: start()) != nil }
    Issue.record(
      "seed \(seed): \(mistake(on: shortest, from: start()) ?? "") after \(shortest.map { "\($0)" })")
  }

  private func mistake(on walk: [WindowStep], from start: WindowWalk) -> String? {
    var state = start
    for step in walk {
      if let mistake = state.take(step) { return mistake }
    }
    return nil
  }
}

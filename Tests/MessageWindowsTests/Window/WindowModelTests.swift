import ArchiveTesting
import Foundation
import MessageModel
import MessageSourceTesting
import MessageWindows
import TestSupport
import Testing

@Suite struct WindowModelTests {
  /// Where the walks take place: in memory for speed, over a real file, and over a real server where one is installed.
  enum Ground: CaseIterable {
    case reference, store, archive

    /// How many walks of each kind are taken there.
    var seedCount: UInt64 {
      switch self {
      case .reference: isLong ? 40 : 8
      case .store: isLong ? 20 : 2
      case .archive: PostgresServer.isThere ? isLong ? 8 : 1 : 0
      }
    }

    static var walks: [(Ground, UInt64)] {
      allCases.flatMap { ground in (0..<ground.seedCount).map { (ground, $0) } }
    }
  }

  @Test(arguments: Ground.walks)
  func `a window equals the naive array after every step of a random walk`(ground: Ground, seed: UInt64)
    async throws
  {
    let limits = try WindowLimits(messages: 24, pageSize: 6)
    try await walk(on: ground, seed: seed, limits: limits, count: 90)
  }

  @Test(arguments: Ground.walks)
  func `a window that can hold all there is never loses its place`(ground: Ground, seed: UInt64) async throws
  {
    try await walk(on: ground, seed: 100 + seed, limits: .standard, count: 30)
  }

  @Test(arguments: Ground.walks)
  func `a window over the whole source or over several conversations equals the array, too`(
    ground: Ground, seed: UInt64
  ) async throws {
    let limits = try WindowLimits(messages: 24, pageSize: 6)
    for place in [WalkPlace.everything, .union] {
      try await walk(on: ground, seed: 400 + seed, limits: limits, count: 90, place: place)
    }
  }

  @Test(arguments: Ground.walks)
  func `the bytes held never exceed the budget by more than one message`(ground: Ground, seed: UInt64)
    async throws
  {
    // A thousandth of 4 MB and 15 MB: what counts is how sizes and budget compare.
    let sizes = [0, 0, 10, 100, 1_000, 3_000, 15_000]
    let limits = try WindowLimits(messages: 40, bytes: 4_096, pageSize: 5)
    try await walk(on: ground, seed: 200 + seed, limits: limits, count: 60, bytes: sizes)
  }

  @Test(arguments: Ground.walks)
  func `pages that arrive late, in any order or never leave a window true`(ground: Ground, seed: UInt64)
    async throws
  {
    let limits = try WindowLimits(messages: 24, pageSize: 6)
    var generator = SeededGenerator(seed: 300 + seed)
    let steps = (0..<(isLong ? 3_000 : 300)).map { _ in WindowStep.racing(using: &generator) }
    switch ground {
    case .reference: try await race(steps, seed, limits) { ReferenceSource() }
    case .store: try await race(steps, seed, limits) { try StoreSource() }
    case .archive: try await race(steps, seed, limits) { try PublishedSource() }
    }
  }

  private func race(
    _ steps: [WindowStep], _ seed: UInt64, _ limits: WindowLimits,
    over makeSource: () throws -> some MutableMessageSource & SynchronousMessageSource
  ) async throws {
    try await expectNoMistake(on: [.jump(.newest)] + steps, seed: seed) { race in
      var state = try await WindowWalk(over: makeSource(), limits: limits, count: 90)
      for step in race {
        if let mistake = await state.race(step) { return mistake }
      }
      return await state.settle()
    }
  }

  private func walk(
    on ground: Ground, seed: UInt64, limits: WindowLimits, count: Int, bytes: [Int] = [0],
    place: WalkPlace = .conversation
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    let steps = (0..<(isLong ? 2_000 : 200)).map { _ in WindowStep.random(using: &generator, bytes: bytes) }
    switch ground {
    case .reference: try await walk(steps, seed, limits, count, bytes, place) { ReferenceSource() }
    case .store:
      // In every other walk all that is there is of the future for who writes.
      let now = seed.isMultiple(of: 2) ? CivilTime(year: 2024, month: 5, day: 1) : CivilTime(daysSince1970: 0)
      try await walk(steps, seed, limits, count, bytes, place) { try StoreSource(clock: Timestamp(utc: now)) }
    case .archive: try await walk(steps, seed, limits, count, bytes, place) { try PublishedSource() }
    }
  }

  private func walk(
    _ steps: [WindowStep], _ seed: UInt64, _ limits: WindowLimits, _ count: Int, _ bytes: [Int],
    _ place: WalkPlace, over makeSource: () throws -> some MutableMessageSource & SynchronousMessageSource
  ) async throws {
    try await expectNoMistake(on: [.jump(.newest)] + steps, seed: seed) { walk in
      var state = try await WindowWalk(
        over: makeSource(), limits: limits, count: count, bytes: bytes, place: place)
      for step in walk {
        if let mistake = await state.take(step) { return mistake }
      }
      return nil
    }
  }
}

/// Reports a mistake with the shortest walk that leads to it.
func expectNoMistake(
  on walk: [WindowStep], seed: UInt64, mistake: ([WindowStep]) async throws -> String?
) async throws {
  guard try await mistake(walk) != nil else { return }
  let shortest = try await shrunk(walk) { try await mistake($0) != nil }
  let found = try await mistake(shortest) ?? "nothing when repeated"
  Issue.record("seed \(seed): \(found) after \(shortest.map { "\($0)" })")
}

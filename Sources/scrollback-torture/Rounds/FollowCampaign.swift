import Foundation
import Synchronization
import TestSupport

/// Sources to which others write while `follow` takes them in and is killed again and again: a log that is rotated, JSON Lines
/// that are written anew, sessions of Claude Code, and a database of another program that is brought to rest and replaced.
///
/// Demanded is that each write is in the store once. How long it took to be there is measured: a figure, since other work on
/// the computer would be a part of it.
struct FollowCampaign {
  let arena: Arena
  let writeCount: Int
  let seed: UInt64

  /// One disturbance comes after so many writes, one kill after twice as many.
  private static let pieceCount = 50
  /// Between two writes lie so many microseconds at most.
  private static let longestPause = 24_000
  /// So many writes come while nobody follows, after every second kill.
  private static let absence = 10
  /// How long is waited for the last writes, in seconds.
  private static let patience = 120.0

  func run() throws {
    let followed = try FollowedSources(in: arena.folder + "/followed", seed: seed)
    let sightings = Sightings(in: arena.store, count: writeCount)
    sightings.begin()
    defer { sightings.end() }
    var runs = FollowerRuns(arena: arena, folder: followed.folder)
    var dice = SplitMix64(seed: seed)
    try runs.begin()
    for number in 1...writeCount {
      try followed.write(number)
      sightings.note(number, runs.isFollowing)
      usleep(UInt32.random(in: 0..<UInt32(Self.longestPause), using: &dice))
      if number % Self.pieceCount == 0 {
        try followed.disturb(number / Self.pieceCount, seenBefore: sightings.low)
      }
      if number % (2 * Self.pieceCount) == 0 { try runs.kill() }
      let isPause = number / (2 * Self.pieceCount) % 2 == 1 && number % (2 * Self.pieceCount) < Self.absence
      if !runs.isFollowing, !isPause { try runs.begin() }
    }
    if !runs.isFollowing { try runs.begin() }
    sightings.waitForAll(atMost: Self.patience)
    try runs.end()
    try judge()
    arena.measure("\(runs.killCount) kills; \(sightings.summary(runs.moments))")
  }

  private func judge() throws {
    try arena.demandSound()
    let counts = try arena.allTexts().reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    let numbers = (1...writeCount).map { (FollowedSources.text($0), counts[FollowedSources.text($0)] ?? 0) }
    guard let wrong = numbers.first(where: { $0.1 != 1 }) else { return }
    let (lost, doubled) = (numbers.count { $0.1 == 0 }, numbers.count { $0.1 > 1 })
    throw Violation(
      demanded: "each of \(writeCount) writes once",
      found: "\(lost) lost, \(doubled) twice; '\(wrong.0)' \(wrong.1) times")
  }
}

/// The processes that follow, one after the other.
struct FollowerRuns {
  let arena: Arena
  let folder: String
  /// When each of them was started and ended, in seconds.
  private(set) var moments: [ClosedRange<Double>] = []
  private(set) var killCount = 0
  private var process: RunningProgram?
  private var startedAt = 0.0

  init(arena: Arena, folder: String) { (self.arena, self.folder) = (arena, folder) }

  var isFollowing: Bool { process != nil }

  mutating func begin() throws {
    startedAt = Sightings.now()
    process = try arena.start(["follow", "--quiet", folder])
  }

  mutating func kill() throws {
    process?.send(SIGKILL)
    killCount += 1
    try finish(mayBeKilled: true)
  }

  /// Ends the last one as a service is ended.
  mutating func end() throws {
    process?.send(SIGTERM)
    try finish(mayBeKilled: false)
  }

  private mutating func finish(mayBeKilled: Bool) throws {
    moments.append(startedAt...max(Sightings.now(), startedAt))
    guard let ended = process?.finish(within: ProgramRun.limit) else { return }
    process = nil
    if !ended.errors.isEmpty { arena.note("a follower told: \(ended.errors.prefix(500))") }
    try arena.demand(ended, mayBeKilled: mayBeKilled)
    if !mayBeKilled, ended.status != 0 {
      throw Violation(demanded: "an end of follow by SIGTERM with 0", found: ended.ending)
    }
  }
}

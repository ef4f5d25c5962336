import Foundation
import MessageSourceTesting
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
  /// Besides, every second disturbance has a kill after it, and one of so many writes.
  private static let killRarity = 60
  /// Between two writes lie so many microseconds at most.
  private static let longestPause = 24_000
  /// At most so many writes come while nobody follows, after every second kill.
  private static let longestAbsence = 12
  /// How long is waited for the last writes, in seconds.
  private static let patience = 120.0

  func run() throws {
    let followed = try FollowedSources(in: arena.folder + "/followed", seed: seed)
    let sightings = Sightings(in: arena.store, count: writeCount)
    sightings.begin()
    defer { sightings.end() }
    var runs = FollowerRuns(arena: arena, folder: followed.folder)
    var dice = SeededGenerator(seed: seed)
    try runs.begin()
    var absence = 0
    for number in 1...writeCount {
      try followed.write(number)
      sightings.note(number, runs.isFollowing)
      usleep(UInt32.random(in: 0..<UInt32(Self.longestPause), using: &dice))
      if number % Self.pieceCount == 0 {
        try followed.disturb(number / Self.pieceCount, seenBefore: sightings.low)
      }
      if isKilled(after: number, &dice), runs.isFollowing {
        try runs.kill()
        absence = Bool.random(using: &dice) ? Int.random(in: 1...Self.longestAbsence, using: &dice) : 0
      }
      if !runs.isFollowing, absence == 0 { try runs.begin() }
      absence = max(absence - 1, 0)
    }
    if !runs.isFollowing { try runs.begin() }
    sightings.waitForAll(atMost: Self.patience)
    try runs.end()
    try judge()
    arena.measure("\(runs.killCount) kills; \(sightings.summary(runs.moments))")
  }

  private func isKilled(after number: Int, _ dice: inout SeededGenerator) -> Bool {
    let isChance = Int.random(in: 0..<Self.killRarity, using: &dice) == 0
    let isDisturbed = number % Self.pieceCount == 0 && Bool.random(using: &dice)
    return isChance || isDisturbed || number % (2 * Self.pieceCount) == 0
  }

  private func judge() throws {
    try arena.demandSound()
    let counts = try arena.allTexts().reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    let numbers = (1...writeCount).map { (FollowedSources.text($0), counts[FollowedSources.text($0)] ?? 0) }
    guard let wrong = numbers.first(where: { $0.1 != 1 }) else { return try judgePlaces() }
    let (lost, doubled) = (numbers.count { $0.1 == 0 }, numbers.count { $0.1 > 1 })
    throw Violation(
      demanded: "each of \(writeCount) writes once",
      found: "\(lost) lost, \(doubled) twice; '\(wrong.0)' \(wrong.1) times")
  }
}

extension FollowCampaign {
  /// Each source is one conversation, whatever its log was called: those of Claude Code are one for each session.
  private func judgePlaces() throws {
    let places = try arena.conversationsOfTexts()
    for (source, name) in ["the log", "the JSON Lines"].enumerated() {
      let own = (1...writeCount).filter { $0 % 4 == source }
      let found = Set(own.flatMap { places[FollowedSources.text($0)] ?? [] })
      if found.count > 1 {
        throw Violation(
          demanded: "one conversation of \(name)", found: found.sorted().joined(separator: ", "))
      }
    }
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
    process?.waitUntilItHandles(SIGTERM, atMost: ProgramRun.limit)
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

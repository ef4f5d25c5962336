import Foundation
import MessageSourceTesting
import TestSupport

extension Round {
  /// Carries a deed out with one fault.
  static func disturb(
    _ deed: TortureCommand, _ plan: FaultyDisk.Plan, _ rehearsal: Rehearsal, in arena: Arena
  ) throws {
    let run = try arena.run(deed.arguments(arena), input: deed.input(arena), plan: plan)
    let judgement = Verdict(arena: arena, deed: deed, rehearsal: rehearsal)
    // What needs no sync may be forgotten: nothing was cut off.
    if plan.fault.isLie, plan.calls != .syncs { return try judgement.passAfterLie() }
    try judgement.pass(isAcknowledged: run.status == 0, output: run.output)
  }

  /// Carries a deed out and kills it at some time.
  static func kill(_ deed: TortureCommand, after microseconds: Int, _ rehearsal: Rehearsal, in arena: Arena)
    throws
  {
    let run = try arena.run(deed.arguments(arena), input: deed.input(arena), killedAfter: microseconds)
    try Verdict(arena: arena, deed: deed, rehearsal: rehearsal)
      .pass(isAcknowledged: run.status == 0, output: run.output)
  }

  /// Leaves what a cut of the power would, after some of what a deed changes.
  static func cutPower(
    _ deed: TortureCommand, after count: Int, seed: UInt64, _ rehearsal: Rehearsal, in arena: Arena
  ) throws {
    let events = try DiskTrace(file: rehearsal.folder + "/trace").events
    let root = rehearsal.folder + "/disk"
    var disk = try LostPower(holding: arena.diskFolder, as: root, inodes: rehearsal.inodes)
    disk.perform(events.prefix(count))
    try FileManager.default.removeItem(atPath: arena.diskFolder)
    try FileManager.default.createDirectory(atPath: arena.diskFolder, withIntermediateDirectories: true)
    var dice = SeededGenerator(seed: seed)
    let lost = try disk.leave(in: arena.diskFolder, root: root, &dice)
    arena.note("power cut after \(count) of \(events.count) changes of '\(deed.name)': \(lost)")
    let said = events.prefix(count).flatMap(\.output)
    try Verdict(arena: arena, deed: deed, rehearsal: rehearsal)
      .pass(isAcknowledged: count >= events.count, output: said)
  }
}

extension Verdict {
  /// Looks at the store after the disk has said that something was done that was not: nobody can keep what was written
  /// then, but what is there is right, or `check` tells.
  func passAfterLie() throws {
    guard FileManager.default.fileExists(atPath: arena.store) else { return }
    let check = try arena.run(["check"])
    let export = try arena.run(["export", "--json", "--all"])
    guard check.status == 0, export.status == 0 else { return }
    let state = try arena.state()
    if let fault = faultOnTheWay(state), !deed.startsUnsound {
      throw Violation(demanded: "what is right, or a check that tells", found: fault)
    }
  }
}

import Foundation
import Synchronization

/// The rounds of a run, on some threads, until the time is over.
final class Torture: Sendable {
  private let tools: Arena.Tools
  private let folder: String
  private let rehearsals: [String: Rehearsal]
  private let state: Mutex<State>

  private struct State {
    var agenda: Agenda
    var begun = 0
    var counts: [String: Int] = [:]
    var failures: [Failure] = []
    var figures: [String] = []
  }

  /// A round that failed.
  struct Failure: Sendable {
    var round: Round
    var demanded: String
    var found: String
    var steps: [String]
    /// Where its files are.
    var folder: String
  }

  /// What came of a run.
  struct Report {
    var counts: [String: Int]
    var failures: [Failure]
    /// What rounds have measured.
    var figures: [String]
    var pointCount: Int
    var passCount: Double
  }

  /// Makes the stores and rehearses all deeds.
  init(in folder: String, _ tools: Arena.Tools, seed: UInt64, kinds: Set<String>, deeds: [TortureCommand])
    throws
  {
    (self.folder, self.tools) = (folder, tools)
    var rehearsals: [String: Rehearsal] = [:]
    for deed in deeds {
      do {
        rehearsals[deed.name] = try Rehearsal(deed, in: "\(folder)/rehearsals/\(deed.name)", tools)
      } catch let violation as Violation {
        throw FaultyDisk.Failure(
          description: "'\(deed.name)' undisturbed: demanded \(violation.demanded), found \(violation.found)")
      }
    }
    self.rehearsals = rehearsals
    state = Mutex(State(agenda: Agenda(seed: seed, rehearsals: rehearsals, kinds: kinds)))
  }

  /// Plays rounds until a moment, or so many.
  ///
  /// - Parameter tell: Told each failure as it comes.
  func run(until end: Date, count: Int?, threads: Int, tell: @Sendable (Failure) -> Void) -> Report {
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      while Date() < end, let round = next(count) { play(round, thread, tell) }
    }
    return report
  }

  /// Plays some rounds alone.
  func play(only rounds: [Round], threads: Int, tell: @Sendable (Failure) -> Void) -> Report {
    let left = Mutex(rounds[...])
    DispatchQueue.concurrentPerform(iterations: min(threads, rounds.count)) { thread in
      while let round = left.withLock({ $0.popFirst() }) { play(round, thread, tell) }
    }
    return report
  }

  private var report: Report {
    state.withLock { state in
      Report(
        counts: state.counts, failures: state.failures, figures: state.figures,
        pointCount: state.agenda.pointCount,
        passCount: state.agenda.passCount)
    }
  }

  private func next(_ count: Int?) -> Round? {
    state.withLock { state in
      if let count, state.begun >= count { return nil }
      state.begun += 1
      return state.agenda.next()
    }
  }

  /// Plays a round, and keeps its files if it fails.
  private func play(_ round: Round, _ thread: Int, _ tell: @Sendable (Failure) -> Void) {
    let place = "\(folder)/round-\(thread)"
    guard let failure = failure(of: round, in: place) else {
      return state.withLock { $0.counts[round.kind, default: 0] += 1 }
    }
    tell(failure)
    state.withLock { state in
      state.counts[round.kind, default: 0] += 1
      state.failures.append(failure)
    }
  }

  private func failure(of round: Round, in place: String) -> Failure? {
    var arena: Arena?
    do {
      let deed = round.deeds.first { $0.name == round.deedName }
      let made = try Arena(place, tools, holding: deed?.template ?? .full)
      arena = made
      try play(round, deed, in: made)
      let figures = made.figures
      state.withLock { $0.figures += figures.map { "\(round): \($0)" } }
      made.remove()
      return nil
    } catch {
      let violation = error as? Violation
      let kept = "\(folder)/failed-\(round.description.replacing("/", with: "-"))"
      try? FileManager.default.removeItem(atPath: kept)
      try? FileManager.default.moveItem(atPath: place, toPath: kept)
      return Failure(
        round: round, demanded: violation?.demanded ?? "a round that can be played",
        found: violation?.found ?? "\(error)", steps: arena?.steps ?? [], folder: kept)
    }
  }

  private func play(_ round: Round, _ deed: TortureCommand?, in arena: Arena) throws {
    switch round {
    case .flip(let seed): return try Round.flip(seed: seed, in: arena)
    case .extreme(let seed): return try Round.putExtremes(seed: seed, in: arena)
    case .crowd(let seed): return try Crowd(arena: arena, seed: seed).run()
    case .follow(let writeCount, let seed):
      return try FollowCampaign(arena: arena, writeCount: writeCount, seed: seed).run()
    case .fault, .time, .power, .steps: break
    }
    guard let deed, let rehearsal = rehearsals[deed.name] else {
      throw FaultyDisk.Failure(description: "there is no deed '\(round.deedName ?? "")'")
    }
    switch round {
    case .fault(_, let fault, let calls, let number, let length):
      let plan = FaultyDisk.Plan(fault: fault, calls: calls, number: number, length: length)
      try Round.disturb(deed, plan, rehearsal, in: arena)
    case .time(_, let microseconds): try Round.kill(deed, after: microseconds, rehearsal, in: arena)
    case .power(_, let events, let seed):
      try Round.cutPower(deed, after: events, seed: seed, rehearsal, in: arena)
    case .steps(_, let number): try Steps(arena: arena, deed: deed, rehearsal: rehearsal).run(at: number)
    case .flip, .extreme, .crowd, .follow: break
    }
  }
}

extension Round {
  /// The commands of which its deed is one.
  var deeds: [TortureCommand] {
    if case .steps = self { TortureCommand.inSteps } else { TortureCommand.all }
  }
}

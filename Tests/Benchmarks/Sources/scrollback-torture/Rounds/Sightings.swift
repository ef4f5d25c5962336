import Foundation
import GRDB
import Synchronization

/// When writes to sources are to be seen in the store, by somebody who reads it all the time.
final class Sightings: Sendable {
  private let path: String
  private let state: Mutex<State>

  private struct State {
    /// The moment of each write, and the one at which it was seen, by its number; 0 for not yet.
    var writtenAt: [Double]
    var seenAt: [Double]
    /// The number before which all were seen.
    var low = 1
    var wasFollowed: [Bool]
    var isOver = false
  }

  /// The microseconds between two looks.
  private static let pause: UInt32 = 2_000

  /// Prepares to look for so many writes in the store at a path.
  init(in path: String, count: Int) {
    self.path = path
    let moments = [Double](repeating: 0, count: count + 1)
    state = Mutex(
      State(writtenAt: moments, seenAt: moments, wasFollowed: [Bool](repeating: false, count: count + 1)))
  }

  static func now() -> Double { ProcessInfo.processInfo.systemUptime }

  /// Notes that a write was made just now.
  func note(_ number: Int, _ isFollowed: Bool) {
    let now = Self.now()
    state.withLock { state in
      state.writtenAt[number] = now
      state.wasFollowed[number] = isFollowed
    }
  }

  /// The number before which all writes were seen.
  var low: Int { state.withLock { $0.low } }

  func begin() { Thread.detachNewThread { [self] in look() } }

  func end() { state.withLock { $0.isOver = true } }

  func waitForAll(atMost seconds: Double) {
    let end = Self.now() + seconds
    while Self.now() < end, state.withLock({ $0.low < $0.seenAt.count }) { usleep(Self.pause) }
  }

  private func look() {
    var configuration = Configuration()
    configuration.readonly = true
    guard let store = try? DatabaseQueue(path: path, configuration: configuration) else { return }
    var version = -1
    while !state.withLock({ $0.isOver }) {
      usleep(Self.pause)
      guard let present = try? store.read({ try Int.fetchOne($0, sql: "PRAGMA data_version") }),
        present != version
      else { continue }
      if (try? lookOnce(store)) != nil { version = present }
    }
    try? store.close()
  }

  private func lookOnce(_ store: DatabaseQueue) throws {
    let low = low
    let texts = try store.read { db in
      try String.fetchAll(
        db, sql: "SELECT text FROM message WHERE id >= ?",
        arguments: [(FollowedSources.second(low) - 2) * 1_000 * 4_096])
    }
    let now = Self.now()
    let numbers = texts.compactMap(FollowedSources.number)
    state.withLock { state in
      for number in numbers where number < state.seenAt.count && state.seenAt[number] == 0 {
        state.seenAt[number] = now
      }
      while state.low < state.seenAt.count, state.seenAt[state.low] > 0 { state.low += 1 }
    }
  }

  /// Says how long writes took to be seen: those that were seen by the one who followed when they were written and, from its
  /// start, those that were left to the next.
  func summary(_ runs: [ClosedRange<Double>]) -> String {
    state.withLock { state in
      var (direct, later): ([Double], [Double]) = ([], [])
      for number in 1..<state.seenAt.count where state.seenAt[number] > 0 {
        let (written, seen) = (state.writtenAt[number], state.seenAt[number])
        let run = runs.last { $0.lowerBound <= seen } ?? 0...0
        if state.wasFollowed[number], written >= run.lowerBound {
          direct.append(max(seen - written, 0))
        } else {
          later.append(max(seen - run.lowerBound, 0))
        }
      }
      return "of \(state.seenAt.count - 1) writes \(Self.figures(direct)) while followed; "
        + "\(Self.figures(later)) after the start of the next follower"
    }
  }

  private static func figures(_ seconds: [Double]) -> String {
    let sorted = seconds.sorted()
    func part(_ share: Double) -> String {
      let place = min(Int(Double(sorted.count) * share), sorted.count - 1)
      return place < 0 ? "-" : "\(Int((sorted[place] * 1_000).rounded()))"
    }
    return
      "\(sorted.count) seen within \(part(0.5)) ms (median), \(part(0.95)) (95 %), \(part(0.99)) (99 %), "
      + "\(part(1)) (longest), \(sorted.count { $0 > 1 }) after more than 1 s"
  }
}

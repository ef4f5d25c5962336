import Foundation

/// Times of one thing, many times over.
struct Measurement {
  /// The clock by which calls are timed.
  enum Clock: String, Codable {
    /// The time that passes.
    case wall
    /// The time that the processor works for this process, which is the same whatever else a machine does.
    case processor

    var nanoseconds: Int {
      switch self {
      case .wall: Self.nanoseconds(of: CLOCK_MONOTONIC)
      case .processor: Self.nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)
      }
    }

    private static func nanoseconds(of clock: clockid_t) -> Int {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
  }

  /// The clock of measurements that begin.
  nonisolated(unsafe) static var clock = Clock.wall

  private(set) var nanoseconds: [Int] = []
  /// The most memory in bytes that the process held that did it; 0 where that is not measured.
  var peakBytes = 0

  /// Times a call.
  mutating func time<Value>(_ body: () throws -> Value) rethrows -> Value {
    let start = Self.clock.nanoseconds
    let value = try body()
    nanoseconds.append(Self.clock.nanoseconds - start)
    return value
  }

  /// Times a call that waits.
  mutating func time<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let start = ContinuousClock.now
    let value = try await body()
    add(ContinuousClock.now - start)
    return value
  }

  /// Takes down a time that was measured elsewhere.
  mutating func add(_ duration: Duration) { nanoseconds.append(Int(duration / .nanoseconds(1))) }

  /// Takes down the times of another measurement.
  mutating func add(_ other: Measurement) { nanoseconds += other.nanoseconds }

  var count: Int { nanoseconds.count }
  var median: Double { quantile(0.5) }
  var p99: Double { quantile(0.99) }

  /// The time in nanoseconds that a part of all calls stayed below.
  func quantile(_ part: Double) -> Double {
    guard !nanoseconds.isEmpty else { return 0 }
    return Double(nanoseconds.sorted()[min(Int(Double(nanoseconds.count) * part), nanoseconds.count - 1)])
  }
}

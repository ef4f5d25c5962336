import Foundation

/// Sixty frames a second: what each took of it, by the wall and by the processor.
struct FrameClock {
  private(set) var wall = Measurement()
  private(set) var processor = Measurement()

  /// Draws a frame, then waits until the next is due.
  mutating func frame(_ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    let before = Self.processorNanoseconds()
    try body()
    let took = ContinuousClock.now - start
    wall.add(took)
    processor.add(.nanoseconds(Self.processorNanoseconds() - before))
    let left = Duration.milliseconds(16) - took
    if left > .zero { usleep(UInt32(left / .microseconds(1))) }
  }

  private static func processorNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Tells what was measured under a name.
  func tell(_ name: String) {
    StoryPart.tell("\(name)-frames", Double(wall.count))
    StoryPart.tell("\(name)-p50", wall.median / 1e6)
    StoryPart.tell("\(name)-p99", wall.p99 / 1e6)
    StoryPart.tell("\(name)-worst", wall.quantile(1) / 1e6)
    StoryPart.tell("\(name)-processor-p99", processor.p99 / 1e6)
  }
}

internal import MessageShell

/// Work on many messages that shows its progress and stops, at a whole piece, when Ctrl-C is pressed.
enum LongWork {
  /// Runs `work`, which tells how many messages it has done and is answered whether to go on.
  static func run<Value>(
    _ console: Console, _ work: ((Int) -> Bool) throws -> Value
  ) throws -> Value {
    var meter = ProgressMeter(console)
    defer { meter.clear() }
    return try work { count in
      meter.show(count, unit: "messages", done: 0, of: nil)
      return !Interruption.isAskedFor
    }
  }
}

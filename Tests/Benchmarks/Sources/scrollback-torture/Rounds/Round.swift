/// One try, told in full by its text: `fault/append/eio/wt/17/1`, `power/import/133/4711`.
enum Round: Sendable, Hashable, CustomStringConvertible {
  /// A deed in which one call fails, is torn, forgotten or late, or in which the process is killed.
  case fault(deed: String, fault: FaultyDisk.Fault, calls: FaultyDisk.Calls, number: Int, length: Int)
  /// A deed that is killed after some microseconds.
  case time(deed: String, microseconds: Int)
  /// A deed after some of whose changes the power is cut.
  case power(deed: String, events: Int, seed: UInt64)
  /// A store of which bytes were changed, and commands on it.
  case flip(seed: UInt64)
  /// A store with values that no program writes, and commands on it.
  case extreme(seed: UInt64)
  /// Many processes in one store.
  case crowd(seed: UInt64)
  /// Sources that others write to so many times, followed by processes that are killed.
  case follow(writeCount: Int, seed: UInt64)
  /// A deed of several transactions that is killed at a call, or at each, and what is done next.
  case steps(deed: String, number: Int?)

  var description: String {
    switch self {
    case .fault(let deed, let fault, let calls, let number, let length):
      "fault/\(deed)/\(fault.rawValue)/\(calls.rawValue)/\(number)/\(length)"
    case .time(let deed, let microseconds): "time/\(deed)/\(microseconds)"
    case .power(let deed, let events, let seed): "power/\(deed)/\(events)/\(seed)"
    case .flip(let seed): "flip/\(seed)"
    case .extreme(let seed): "extreme/\(seed)"
    case .crowd(let seed): "crowd/\(seed)"
    case .follow(let writeCount, let seed): "follow/\(writeCount)/\(seed)"
    case .steps(let deed, let number): "steps/\(deed)\(number.map { "/\($0)" } ?? "")"
    }
  }

  /// Reads a round; nil if the text tells none.
  init?(_ text: String) {
    let parts = text.split(separator: "/").map(String.init)
    let numbers = parts.map { UInt64($0) ?? 0 }
    switch (parts.first, parts.count) {
    case ("fault", 6):
      guard let fault = FaultyDisk.Fault(rawValue: parts[2]), let calls = FaultyDisk.Calls(rawValue: parts[3])
      else { return nil }
      self = .fault(
        deed: parts[1], fault: fault, calls: calls, number: Int(clamping: numbers[4]),
        length: Int(clamping: numbers[5]))
    case ("time", 3): self = .time(deed: parts[1], microseconds: Int(clamping: numbers[2]))
    case ("power", 4): self = .power(deed: parts[1], events: Int(clamping: numbers[2]), seed: numbers[3])
    case ("flip", 2): self = .flip(seed: numbers[1])
    case ("extreme", 2): self = .extreme(seed: numbers[1])
    case ("crowd", 2): self = .crowd(seed: numbers[1])
    case ("follow", 3): self = .follow(writeCount: Int(clamping: numbers[1]), seed: numbers[2])
    case ("steps", 2): self = .steps(deed: parts[1], number: nil)
    case ("steps", 3): self = .steps(deed: parts[1], number: Int(clamping: numbers[2]))
    default: return nil
    }
  }

  /// The deed that is disturbed, if it is one.
  var deedName: String? {
    switch self {
    case .fault(let deed, _, _, _, _), .time(let deed, _), .power(let deed, _, _), .steps(let deed, _): deed
    case .flip, .extreme, .crowd, .follow: nil
    }
  }

  /// The first word of the text.
  var kind: String { String(description.prefix { $0 != "/" }) }
}

import Foundation

/// A command that writes, as rounds disturb it.
struct TortureCommand: Sendable {
  /// What becomes of the command when it is run again after a disturbance.
  enum Repetition: Sendable {
    /// It may be run again, whatever has become of it.
    case always
    /// It is run again as long as it is not done: a second time it would do more.
    case untilDone
    /// It is not run again: some of it is done, and doing that twice is something else.
    case never
  }

  let name: String
  /// The store that it begins with.
  var template = Stock.Template.full
  /// Whether all of it is there or nothing.
  var isAtomic = true
  /// Whether it takes messages in first, and then the files that belong to them.
  var takesFiles = false
  var repetition = Repetition.untilDone
  /// A file that it makes on the same disk, which is whole if it is there.
  var product: String?
  /// Whether the store it begins with is one that `check` finds faults in.
  var startsUnsound = false
  /// Its arguments.
  let arguments: @Sendable (Arena) -> [String]
  /// Its standard input.
  var input: @Sendable (Arena) -> String = { _ in "" }
  /// The lines of its input that it acknowledges, each with a line of its output.
  var acknowledged: [String] = []
  /// What it is given the second time, told what is there by then.
  var rest: (@Sendable (Arena, StoreState) -> String)?
}

internal import ArgumentParser
internal import ChatSession
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

/// The number of what a command lists.
struct LimitOption: ParsableArguments {
  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("limit")], parsing: .unconditional,
    help: ArgumentHelp("How many.", valueName: "count"))
  var count = QuestionAnswerer.usualLimit

  func validate() throws { try Self.validate(count) }

  /// Refuses a number below 0.
  static func validate(_ count: Int) throws {
    if count < 0 { throw ValidationError("-n must be 0 or more") }
  }
}

/// A list, newest first, that is printed part by part: each names the message before which the next begins.
struct ListPart {
  /// The command that lists, which goes on.
  let command: String
  /// The message before which this part begins; `nil` for the first.
  let start: Message.ID?

  /// Reads what was typed behind `--before`.
  init(by command: String, before id: String?) throws {
    self.command = command
    start = try id.map { try MessageIDs.parsed([$0])[0] }
  }

  /// Ends the list: says on a terminal how to go on, or that there is nothing.
  ///
  /// - Parameter condition: What is said behind the name of what there is not.
  /// - Returns: `nothingFound` if there is nothing.
  func end(
    isEmpty: Bool, next: Message.ID?, _ condition: String = "", after store: SynchronousMessageStore,
    _ console: Console
  ) -> ExitStatus {
    console.flush()
    if console.errorsAreTerminal {
      if let next { console.note("older ones: scrollback \(command) --before '#\(next)'") }
      if isEmpty { console.note("there are no \(start == nil ? "" : "older ")\(command)\(condition)") }
    }
    return DamageReport.status(isEmpty ? .nothingFound : .done, after: store, console)
  }
}

internal import ArgumentParser
internal import ChatSession
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

struct LimitOption: ParsableArguments {
  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("limit")], parsing: .unconditional,
    help: ArgumentHelp("How many.", valueName: "count"))
  var count = QuestionAnswerer.usualLimit

  func validate() throws { try Self.validate(count) }

  static func validate(_ count: Int) throws {
    if count < 0 { throw ValidationError("-n must be 0 or more") }
  }
}

/// One page of a list, newest first; each names the message before which the next begins.
struct ListPart {
  let command: String
  /// The message before which this page begins; `nil` for the first.
  let start: Message.ID?

  /// Parses the argument of `--before`.
  init(by command: String, before id: String?) throws {
    self.command = command
    start = try id.map { try MessageIDs.parsed([$0])[0] }
  }

  /// On a terminal, shows how to get the next page, or that the list is empty.
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

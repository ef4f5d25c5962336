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
  /// What is listed.
  let noun: String
  /// The message before which this page begins; `nil` for the first.
  let start: Message.ID?

  /// Parses the argument of `--before`.
  init(by command: String, of noun: String? = nil, before id: String?) throws {
    self.command = command
    self.noun = noun ?? command
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
      if isEmpty { console.note("there are no \(start == nil ? "" : "older ")\(noun)\(condition)") }
    }
    return DamageReport.status(isEmpty ? .nothingFound : .done, after: store, console)
  }
}

struct WindowOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("At most this many messages.", valueName: "count"))
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Skip this many first.", valueName: "count"))
  var offset = 0

  @Flag(exclusivity: .exclusive)
  var direction = Direction.oldestFirst

  enum Direction: String, EnumerableFlag {
    case oldestFirst, newestFirst

    var order: PageRequest.Order { self == .oldestFirst ? .oldestFirst : .newestFirst }
  }

  var order: PageRequest.Order { direction.order }

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must be 0 or more") }
    if offset < 0 { throw ValidationError("--offset must be 0 or more") }
  }
}

/// Message ids as typed, with or without `#`.
enum MessageIDs {
  static func parsed(_ words: [String]) throws -> [Message.ID] {
    try words.map { word in
      if let id = Message.ID(word.hasPrefix("#") ? String(word.dropFirst()) : word) { return id }
      throw UsageError(
        "'\(VisibleText.of(word))' is not a message id", remedy: "#ID, as `export` and the window show it")
    }
  }
}

struct ChangedMessages: ParsableArguments {
  @Argument(help: ArgumentHelp("Ids of messages.", valueName: "id"))
  var ids: [String]

  @OptionGroup var common: CommonOptions

  func change(
    in shell: Shell, _ change: (SynchronousMessageStore, [Message.ID], Console) throws -> Void
  ) throws -> ExitStatus {
    let ids = try MessageIDs.parsed(ids)
    return try common.change(in: shell) { store, console in try change(store, ids, console) }
  }
}

internal import ArgumentParser
internal import MessageModel

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

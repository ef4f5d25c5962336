/// `/source`: commands from a file run like typed lines, one after the other.
extension Session {
  private static var linesAtOnce: Int { 20 }

  /// Queues a file's commands before all others that wait.
  mutating func source(_ path: String) throws -> Effects {
    let lines = try CommandFile.lines(of: path, depth: sourceDepth + 1)
    guard sourced.count + lines.count <= CommandFile.mostLines else {
      sourced = []
      throw UsageError("these files of commands have too many lines", cause: "they name each other")
    }
    sourced = lines + sourced
    return Effects()
  }

  /// Whether a command can run now: one at a time, and none while a question is open.
  var hasSourced: Bool {
    !sourced.isEmpty && transfer == nil && question == nil
      && !(search.map { $0.place == nil && !$0.isIndexed } ?? false)
  }

  mutating func runSourced() -> Effects {
    var effects = Effects()
    for _ in 0..<Self.linesAtOnce where hasSourced && !effects.leaves {
      let line = sourced.removeFirst()
      do {
        reader.putAway()
        sourceDepth = line.depth
        defer { sourceDepth = 0 }
        let next = try carryOut(try command(sourced: line))
        effects = effects.adding(next)
      } catch {
        sourced = []
        reader.complain(Self.error(error, at: line))
      }
    }
    return effects
  }

  mutating func command(sourced line: CommandFile.Line) throws -> TypedCommand? {
    guard CommandParser.isCommand(line.text) else {
      throw UsageError("commands start with /", cause: "plain text in a file of commands is never sent")
    }
    return try CommandParser.command(in: line.text)
  }

  static func error(_ error: any Error, at line: CommandFile.Line) -> UsageError {
    var error = UsageError(error)
    error.summary = "\(line.place): \(error.summary)"
    return error
  }
}

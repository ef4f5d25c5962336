/// Commands from a file: they are carried out like lines that are typed, one after the other.
extension Session {
  /// The number of lines that are carried out before keys are looked at again.
  private static var linesAtOnce: Int { 20 }

  /// Has the commands of a file carried out before anything else that waits.
  mutating func source(_ path: String) throws -> Effects {
    let lines = try CommandFile.lines(of: path, depth: sourceDepth + 1)
    guard sourced.count + lines.count <= CommandFile.mostLines else {
      sourced = []
      throw UsageError("these files of commands have too many lines", cause: "they name each other")
    }
    sourced = lines + sourced
    return Effects()
  }

  /// Whether a command waits that can be carried out now: one after the other, and none while something is asked.
  var hasSourced: Bool {
    !sourced.isEmpty && transfer == nil && question == nil
      && !(search.map { $0.place == nil && !$0.isIndexed } ?? false)
  }

  /// Carries out some of the commands that wait. The first that fails ends them.
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

  /// Returns what a line of a file means: a command, as in a script.
  mutating func command(sourced line: CommandFile.Line) throws -> TypedCommand? {
    guard CommandParser.isCommand(line.text) else {
      throw UsageError("commands start with /", cause: "plain text in a file of commands is never sent")
    }
    return try CommandParser.command(in: line.text)
  }

  /// An error that says where it happened.
  static func error(_ error: any Error, at line: CommandFile.Line) -> UsageError {
    var error = UsageError(error)
    error.summary = "\(line.place): \(error.summary)"
    return error
  }
}

internal import ArgumentParser
internal import ChatSession

/// The option of commands that destroy something: they ask on a terminal before they do.
struct ConfirmationOption: ParsableArguments {
  @Flag(help: "Don't ask for confirmation. (Only a terminal is asked.)")
  var yes = false

  /// Asks whoever sits at the terminal whether to go on. Elsewhere nobody is asked: scripts go on.
  ///
  /// - Parameter plan: What is to be done, in numbers, and what cannot be undone; a line each.
  /// - Throws: ``UsageError`` if they do not want it, and what `plan` throws.
  func ask(_ plan: @autoclosure () throws -> [String], in shell: Shell, _ console: Console) throws {
    guard !yes, shell.canAsk else { return }
    console.ask(try plan().joined(separator: "\n  ") + "\nContinue? [y/N] ")
    var lines = ArrivingLines(descriptor: shell.standardInput)
    let answer = try lines.next()?.first
    guard let answer else {
      console.complain("")
      throw Self.refusal
    }
    let word = answer.trimming(while: \.isWhitespace).lowercased()
    if word != "y", word != "yes" { throw Self.refusal }
  }

  private static let refusal = UsageError("nothing was changed", status: .interrupted)
}

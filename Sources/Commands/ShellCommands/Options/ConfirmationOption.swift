internal import ArgumentParser
internal import ChatSession

/// The option of destructive commands, which ask for confirmation on a terminal.
struct ConfirmationOption: ParsableArguments {
  @Flag(help: "Don't ask for confirmation. (Only a terminal is asked.)")
  var yes = false

  /// Asks for confirmation on a terminal; scripts continue unasked. `plan` says what will be done, in
  /// numbers, and what cannot be undone, a line each.
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

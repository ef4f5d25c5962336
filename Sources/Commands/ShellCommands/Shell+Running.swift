internal import ArgumentParser
package import ChatSession
package import MessageModel

extension Shell {
  /// Runs a command line, and says what went wrong.
  ///
  /// - Parameter arguments: What was typed behind the name of the program.
  /// - Returns: The exit code, as the README lists them.
  package func run(_ arguments: [String]) -> ExitStatus {
    defer { pager?.finish() }
    if arguments.first == CompletionScripts.request { return complete(Array(arguments.dropFirst())) }
    // ArgumentParser would look at all commands first: half of the instructions of the program.
    if arguments == ["--version"] { return answer(versionText) }
    let arguments = ArgumentOrder.normalized(
      CompletionScripts.asked(by: arguments), subcommands: CommandNames.all)
    if let mistake = CommandNames.unknown(inHelp: arguments) { return complain(mistake) }
    do {
      var command = try CommandNames.parsed(arguments) ?? Scrollback.parseAsRoot(arguments)
      if let command = command as? any ShellCommand { return try command.run(in: self) }
      // What is no command of ours asks for help.
      try command.run()
      return .done
    } catch let error as any ExplainedError {
      return complain(error)
    } catch {
      if Scrollback.exitCode(for: error) == .validationFailure,
        let mistake = CommandNames.mistake(in: arguments)
      {
        return complain(mistake)
      }
      return answer(error)
    }
  }

  /// Says what went wrong, and returns the status that tells of it.
  package func complain(_ error: any ExplainedError) -> ExitStatus {
    Console(in: self).complain("scrollback: \(error.typed)")
    return ExitStatus(error)
  }

  /// The width of help in columns.
  private var columns: Int { environment["COLUMNS"].flatMap { Int($0) } ?? output.size?.columns ?? 80 }

  /// Prints the help that was asked for, or what cannot be understood.
  ///
  /// ArgumentParser would write its sentences as they are, whatever is in the arguments, and take help that finds no room
  /// for printed.
  private func answer(_ error: any Error) -> ExitStatus {
    let code = Scrollback.exitCode(for: error)
    let text = Scrollback.fullMessage(for: error, columns: columns)
    if code.isSuccess { return answer(text == Scrollback.version ? versionText : text) }
    if !text.isEmpty { Console(in: self).complain(text) }
    return ExitStatus(rawValue: code.rawValue)
  }

  /// Prints what was asked for.
  private func answer(_ text: String) -> ExitStatus {
    let console = Console(in: self)
    if !text.isEmpty { console.write(text + "\n") }
    console.flush()
    return .done
  }

  /// The version of the program, and what it was built with.
  private var versionText: String { "\(Scrollback.version)\n\(build.text)" }
}

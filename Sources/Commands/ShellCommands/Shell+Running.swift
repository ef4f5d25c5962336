internal import ArgumentParser
package import ChatSession
package import MessageModel

extension Shell {
  /// Runs a command line and reports errors.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The exit status, as the README lists it.
  package func run(_ arguments: [String]) -> ExitStatus {
    defer { pager?.finish() }
    if arguments.first == CompletionScripts.request { return complete(Array(arguments.dropFirst())) }
    // ArgumentParser would visit all commands first: half of the program's instructions.
    if arguments == ["--version"] { return answer(versionText) }
    let arguments = ArgumentOrder.normalized(
      CompletionScripts.asked(by: arguments), subcommands: CommandNames.all)
    if let mistake = CommandNames.unknown(inHelp: arguments) { return complain(mistake) }
    do {
      var command = try CommandNames.parsed(arguments) ?? Scrollback.parseAsRoot(arguments)
      if let command = command as? any ShellCommand { return try command.run(in: self) }
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

  /// Reports an error and returns its exit status.
  package func complain(_ error: any ExplainedError) -> ExitStatus {
    Console(in: self).complain("scrollback: \(error.typed)")
    return ExitStatus(error)
  }

  private var columns: Int { environment["COLUMNS"].flatMap { Int($0) } ?? output.size?.columns ?? 80 }

  /// Prints help, or a usage error. ArgumentParser itself would print arguments with their control
  /// characters, and ignore write errors.
  private func answer(_ error: any Error) -> ExitStatus {
    let text = Scrollback.fullMessage(for: error, columns: columns)
    if Scrollback.exitCode(for: error).isSuccess {
      return answer(text == Scrollback.version ? versionText : text)
    }
    return complain(ArgumentMistake(Scrollback.message(for: error), in: text).error)
  }

  private func answer(_ text: String) -> ExitStatus {
    let console = Console(in: self)
    if !text.isEmpty { console.write(text + "\n") }
    console.flush()
    return .done
  }

  private var versionText: String { "\(Scrollback.version)\n\(build.text)" }
}

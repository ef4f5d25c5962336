internal import ArgumentParser
internal import ChatSession

/// A command of the shell: its options, and what it does in a ``Shell``.
protocol ShellCommand: ParsableCommand {
  /// Does what the options ask for.
  ///
  /// - Returns: What to tell the program that ran the command.
  func run(in shell: Shell) throws -> ExitStatus
}

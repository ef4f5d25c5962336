internal import ArgumentParser
internal import ChatSession

/// A command of the shell: its options, and what it does in a ``Shell``.
protocol ShellCommand: ParsableCommand {
  /// Does what the options ask for.
  ///
  /// - Returns: What to tell the program that ran the command.
  func run(in shell: Shell) throws -> ExitStatus
}

extension CommandConfiguration {
  /// Describes a command of the shell.
  ///
  /// It says that it belongs to `scrollback`: ArgumentParser, which ``CommandNames`` has parse a command without its root, would
  /// try first whether that root is asked for scripts for completion, in a sixth of the instructions of `tail`.
  static func ofShell(
    commandName: String, abstract: String, discussion: String = "",
    subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: commandName, _superCommandName: "scrollback", abstract: abstract, discussion: discussion,
      subcommands: subcommands, defaultSubcommand: defaultSubcommand)
  }
}

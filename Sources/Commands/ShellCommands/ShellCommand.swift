internal import ArgumentParser
internal import ChatSession

protocol ShellCommand: ParsableCommand {
  func run(in shell: Shell) throws -> ExitStatus
}

extension CommandConfiguration {
  /// Describes a subcommand of `scrollback`. Without the super command's name, ArgumentParser would first
  /// check requests for completion scripts of a command parsed by ``CommandNames`` as its own root: a sixth
  /// of the instructions of `tail`.
  static func ofShell(
    commandName: String, abstract: String, discussion: String = "",
    subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: commandName, _superCommandName: "scrollback", abstract: abstract, discussion: discussion,
      subcommands: subcommands, defaultSubcommand: defaultSubcommand)
  }
}

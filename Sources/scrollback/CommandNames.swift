internal import ArgumentParser
internal import MessageShell

/// The names of the commands there are.
enum CommandNames {
  static let all = Set(Scrollback.configuration.subcommands.compactMap { $0._commandName })

  /// Returns what to say of arguments that cannot be understood because they begin with a command that is nearly there:
  /// taken for the name of a conversation, it would be another argument that makes no sense.
  static func mistake(in arguments: [String]) -> UsageError? {
    guard let name = arguments.first, !name.hasPrefix("-"), !all.contains(name),
      let near = Nearest.name(to: name, among: all.sorted())
    else { return nil }
    return UsageError("no command '\(name)'", cause: "did you mean '\(near)'?", remedy: "scrollback --help")
  }
}

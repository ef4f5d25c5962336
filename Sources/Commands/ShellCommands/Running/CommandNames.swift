internal import ArgumentParser
internal import ChatSession
internal import MessageModel

/// The names of the commands there are.
enum CommandNames {
  static let all = Set(Scrollback.configuration.subcommands.compactMap { $0._commandName })

  /// Returns the command that arguments are for, if it takes all of them as they are.
  ///
  /// ArgumentParser would go down to it from the root, and look at all that the root and its default command take: a third
  /// of what it needs for a command. Whatever is left over, help and mistakes, goes that way.
  static func parsed(_ arguments: [String]) -> (any ParsableCommand)? {
    let named = arguments.first.flatMap { first in
      Scrollback.configuration.subcommands.first { $0._commandName == first }
    }
    guard arguments.first != "help", named?.configuration.subcommands.isEmpty != false,
      !arguments.contains(where: { ["-h", "--help", "--version"].contains($0) })
    else { return nil }
    let type = named ?? Open.self
    let parsed = try? type.parseAsRoot(named == nil ? arguments : Array(arguments.dropFirst()))
    // Asked for help in a way of its own, it is another command.
    return parsed.flatMap { Swift.type(of: $0) == type ? $0 : nil }
  }

  /// Returns what to say of `help` for a command that there is not; `nil` for other arguments.
  ///
  /// ArgumentParser would print the help of the last command that it knows.
  static func unknown(inHelp arguments: [String]) -> UsageError? {
    guard arguments.first == "help" else { return nil }
    var types = Scrollback.configuration.subcommands
    for name in arguments.dropFirst() where !name.hasPrefix("-") && name != "help" {
      guard let type = types.first(where: { $0._commandName == name }) else {
        let near = Nearest.name(to: name, among: types.map { $0._commandName }.sorted())
        return UsageError(
          "no command '\(VisibleText.of(name, keepsTabs: false))'",
          cause: near.map { "did you mean '\($0)'?" }, remedy: "scrollback --help")
      }
      types = type.configuration.subcommands
    }
    return nil
  }

  /// Returns what to say of arguments that cannot be understood because they begin with a command that is nearly there:
  /// taken for the name of a conversation, it would be another argument that makes no sense.
  static func mistake(in arguments: [String]) -> UsageError? {
    guard let name = arguments.first, !name.hasPrefix("-"), !all.contains(name),
      let near = Nearest.name(to: name, among: all.sorted())
    else { return nil }
    return UsageError("no command '\(name)'", cause: "did you mean '\(near)'?", remedy: "scrollback --help")
  }
}

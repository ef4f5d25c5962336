internal import ArgumentParser
internal import MessageShell

/// The option that names a conversation.
struct ConversationOption: ParsableArguments {
  @Option(name: [.short, .long], help: ArgumentHelp("The conversation.", valueName: "name"))
  var conversation: [String] = []

  @Flag(help: "All conversations.")
  var all = false

  /// Returns the choice that was made, else the one that the command means without it.
  func choice(otherwise: ConversationChoice) -> ConversationChoice {
    if all { return .all }
    return conversation.isEmpty ? otherwise : .named(conversation)
  }
}

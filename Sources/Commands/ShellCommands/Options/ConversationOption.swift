internal import ArgumentParser
internal import ChatSession

/// The options that name conversations.
struct ConversationOption: ParsableArguments {
  @Option(
    name: [.customShort("c", allowingJoined: true), .long],
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The conversation; several may be named.", valueName: "name"),
    completion: ValueCompletions.conversations)
  var conversation: [String] = []

  @Flag(help: "All conversations.")
  var all = false

  /// Returns the choice that was made, else the one that the command means without it.
  func choice(otherwise: ConversationChoice) -> ConversationChoice {
    if all { return .all }
    return conversation.isEmpty ? otherwise : .named(conversation)
  }
}

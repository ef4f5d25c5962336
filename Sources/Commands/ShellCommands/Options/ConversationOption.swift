internal import ArgumentParser
internal import ChatSession

struct ConversationOption: ParsableArguments {
  @Option(
    name: [.customShort("c", allowingJoined: true), .long],
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The conversation; several may be named.", valueName: "name"),
    completion: ValueCompletions.conversations)
  var conversation: [String] = []

  @Flag(help: "All conversations.")
  var all = false

  func choice(otherwise: ConversationChoice) -> ConversationChoice {
    if all { return .all }
    return conversation.isEmpty ? otherwise : .named(conversation)
  }
}

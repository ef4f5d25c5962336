internal import ArgumentParser

struct OneConversationOption: ParsableArguments {
  @Option(
    name: [.customShort("c", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp("The conversation.", valueName: "name"), completion: ValueCompletions.conversations)
  var conversation: String?
}

internal import ArgumentParser
internal import MessageShell
internal import MessageStorage

struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Read and write in a full-screen window.")

  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func run() async throws {}
}

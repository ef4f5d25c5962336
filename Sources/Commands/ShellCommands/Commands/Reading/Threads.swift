internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Threads: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "threads",
    abstract: "List threads, newest replies first.",
    discussion: """
      Prints for each thread: the id of its first message, the time of the newest reply, the number of replies and \
      of unread ones, who began it, and the first words. If a platform has no threads, a message and all direct and \
      indirect replies to it are one. `show --thread ID` shows a whole thread.

      Examples:
        scrollback threads
        scrollback threads -c general -n 100
        scrollback threads --json --before '#7022857543691537'
      """)

  @OptionGroup var limit: LimitOption

  @Option(
    help: ArgumentHelp(
      "Only threads whose newest reply is older than this message: the next page.", valueName: "id"))
  var before: String?

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.opened(in: shell)
    defer { store.close() }
    let console = pager.console(common, in: shell)
    let choice = conversation.choice(otherwise: .all)
    let part = try ListPart(by: "threads", before: before)
    shell.listenForInterruption()
    let answer = try QuestionAnswerer(store).threads(
      in: try choice.selection(in: store).conversations, before: part.start, limit: limit.count
    ) { Interruption.isAskedFor }
    try console.write(answers: answer.threads, asJSON: json.json) { layout in
      ThreadTable(timeZone: try common.zone(in: shell), isOfSeveral: try choice.isOfSeveral(in: store))
        .text(of: answer.threads, layout: layout)
    }
    return part.end(isEmpty: answer.threads.isEmpty, next: answer.next, after: store, console)
  }
}

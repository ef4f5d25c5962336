internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Links: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "links",
    abstract: "List web addresses, newest first: when, by whom, where, and the line around them.",
    discussion: """
      Examples:
        scrollback links
        scrollback links -c general -n 100
        scrollback links --json 'from:ann since:2024'
        scrollback links --before '#7022857543691537'
      """)

  @OptionGroup var shared: SharedOptions

  func run(in shell: Shell) throws -> ExitStatus { try shared.list(.links, by: "links", in: shell) }
}

struct Files: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "files",
    abstract: "List attached files, newest first: when, by whom, where, name, type and size.",
    discussion: """
      `save` writes those of a message into a folder.

      Examples:
        scrollback files
        scrollback files -c general --json 'from:ann'
      """)

  @OptionGroup var shared: SharedOptions

  func run(in shell: Shell) throws -> ExitStatus { try shared.list(.files, by: "files", in: shell) }
}

struct Pictures: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "pictures",
    abstract: "List attached pictures, newest first: when, by whom, where, name, type and size.",
    discussion: """
      Examples:
        scrollback pictures
        scrollback pictures -c general --json 'on:"may 2024"'
      """)

  @OptionGroup var shared: SharedOptions

  func run(in shell: Shell) throws -> ExitStatus { try shared.list(.pictures, by: "pictures", in: shell) }
}

struct SharedOptions: ParsableArguments {
  @Argument(help: "Of which messages; several arguments are one query, see docs/queries.md.")
  var query: [String] = []

  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("limit")], parsing: .unconditional,
    help: ArgumentHelp("How many; those of one message stay together.", valueName: "count"))
  var count = QuestionAnswerer.usualLimit

  @Option(help: ArgumentHelp("Only what is older than this message: the next page.", valueName: "id"))
  var before: String?

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws { try LimitOption.validate(count) }

  /// - Parameter command: The command's name, for the hint at the next page.
  func list(_ sort: SharedSort, by command: String, in shell: Shell) throws -> ExitStatus {
    let store = try common.opened(in: shell)
    defer { store.close() }
    let console = pager.console(common, in: shell)
    let choice = conversation.choice(otherwise: .all)
    let typed = try query.isEmpty ? nil : MessageQuery(query.joined(separator: " "))
    let selection = try choice.selection(in: store)
      .narrowed(to: try common.predicate(typed, in: store, shell))
    let part = try ListPart(by: command, before: before)
    shell.listenForInterruption()
    let answer = try QuestionAnswerer(store).shared(sort, in: selection, before: part.start, limit: count) {
      Interruption.isAskedFor
    }
    try console.write(answers: answer.shared, asJSON: json.json) { layout in
      SharedTable(timeZone: try common.zone(in: shell), isOfSeveral: try choice.isOfSeveral(in: store))
        .text(of: answer.shared, layout: layout)
    }
    return part.end(isEmpty: answer.shared.isEmpty, next: answer.next, after: store, console)
  }
}

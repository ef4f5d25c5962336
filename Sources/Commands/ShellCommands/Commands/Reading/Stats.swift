internal import ArgumentParser
internal import ChatSession
internal import HistoryModel
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Stats: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "stats",
    abstract: "Show counts, sizes on disk and memory; with --by, counts by time, sender or kind.",
    discussion: """
      With -c, counts of these conversations alone. With --by, messages counted by year, month, day, weekday, hour, sender, \
      person, conversation or kind, all of them or those that a query finds: bars on a terminal, days as a calendar; into a pipe a \
      name, a tab and a number a line.

      With --pace, the pace of a history: the first and the last message, the longest silence (of an hour or more), \
      the busiest day, and how fast people reply to each other, among the 64 with the most messages. A message \
      replies to the one that it names. If it names none, it replies to the previous message of its conversation, if \
      that is by another sender and at most eight hours older.

      Examples:
        scrollback stats
        scrollback stats -c general --json
        scrollback stats --by hour
        scrollback stats --by month 'from:ann has:link'
        scrollback stats --pace -c general
      """)

  @Argument(help: "Which messages are counted; several arguments are one query, see docs/queries.md.")
  var query: [String] = []

  @Option(
    help: ArgumentHelp(
      "Count messages by \(MessageGrouping.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "property"), completion: .list(MessageGrouping.allCases.map(\.rawValue)),
    transform: { try Stats.grouping($0) })
  var by: MessageGrouping?

  @Flag(help: "Show the longest silence, the busiest day, and who replies to whom how fast.")
  var pace = false

  @Flag(help: "Show what texts, search index and the rest take on disk. Reads the whole store.")
  var sizes = false

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if sizes, !conversation.conversation.isEmpty {
      throw ValidationError("--sizes cannot be combined with -c")
    }
    if sizes, by != nil { throw ValidationError("--sizes cannot be combined with --by") }
    if pace, sizes || by != nil { throw ValidationError("--pace cannot be combined with --by or --sizes") }
    if !query.isEmpty, by == nil, !pace {
      throw ValidationError("a query needs --by or --pace: stats --by month QUERY")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.opened(in: shell)
    defer { store.close() }
    let selection = try conversation.choice(otherwise: .all).selection(in: store)
    if pace { return try tellPace(of: selection, store, in: shell) }
    if let by { return try count(selection, by: by, of: store, in: shell) }
    let console = common.console(in: shell)
    let queries = QuestionAnswerer(store)
    // The sizes of an archive are its server's.
    if sizes || selection.conversations == .all && common.address(in: shell) == nil {
      let figures = try queries.statistics(withSizes: sizes)
      try console.write(figures, asJSON: json.json, text: StatisticsTable.text)
    } else {
      let figures = try queries.statistics(of: selection.conversations)
      try console.write(figures, asJSON: json.json, text: StatisticsTable.text)
    }
    console.flush()
    return .done
  }

  private static func grouping(_ text: String) throws -> MessageGrouping {
    if let grouping = MessageGrouping(rawValue: text) { return grouping }
    let names = MessageGrouping.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("--by is one of \(names)")
  }

  private func tellPace(
    of selection: Selection, _ store: SynchronousMessageStore, in shell: Shell
  ) throws -> ExitStatus {
    let console = pager.console(common, in: shell)
    let (chosen, zone) = (try narrowed(selection, in: store, shell), try common.zone(in: shell))
    shell.listenForInterruption()
    let answer = try LongWork.run(console) { tell in
      try QuestionAnswerer(store).pace(of: chosen, zone: zone, progress: tell)
    }
    try console.write(answers: CollectionOfOne(answer), asJSON: json.json) {
      PaceTable.text(of: answer, zone: zone, layout: $0)
    }
    console.flush()
    return DamageReport.status(answer.messages == 0 ? .nothingFound : .done, after: store, console)
  }

  private func narrowed(
    _ selection: Selection, in store: SynchronousMessageStore, _ shell: Shell
  ) throws -> Selection {
    let typed = try query.isEmpty ? nil : MessageQuery(query.joined(separator: " "))
    return selection.narrowed(to: try common.predicate(typed, in: store, shell))
  }

  private func count(
    _ selection: Selection, by grouping: MessageGrouping, of store: SynchronousMessageStore, in shell: Shell
  ) throws -> ExitStatus {
    let console = pager.console(common, in: shell)
    let (chosen, zone) = (try narrowed(selection, in: store, shell), try common.zone(in: shell))
    shell.listenForInterruption()
    let answer = try LongWork.run(console) { tell in
      try QuestionAnswerer(store).groups(of: chosen, by: grouping, zone: zone, progress: tell)
    }
    try console.write(answers: answer.groups, asJSON: json.json) {
      GroupTable.text(of: answer, by: grouping, layout: $0)
    }
    console.flush()
    if answer.groups.isEmpty, console.errorsAreTerminal { console.note("there are no messages") }
    return DamageReport.status(.done, after: store, console)
  }
}

internal import ArgumentParser
internal import ChatSession
internal import HistoryQueries
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct OnThisDay: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "onthisday", abstract: "Show what was written on this day of earlier years, latest first.",
    discussion: """
      Examples:
        scrollback onthisday
        scrollback onthisday --day 'may 1' -c general -n 20
        scrollback onthisday --json from:ann
      """)

  @Argument(help: "Which messages are shown; several arguments are one query, see docs/queries.md.")
  var query: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Another day than today; its year does not matter.", valueName: "day"))
  var day: String?

  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("limit")], parsing: .unconditional,
    help: ArgumentHelp("At most this many messages of each year (the first ones).", valueName: "count"))
  var count = 10

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws { try LimitOption.validate(count) }

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.readableStore(in: shell, readerCount: 1)
    defer { store.close() }
    let console = pager.console(common, in: shell)
    let zone = try common.zone(in: shell)
    let choice = conversation.choice(otherwise: .all)
    let typed = try query.isEmpty ? nil : MessageQuery(query.joined(separator: " "))
    let selection = try choice.selection(in: store)
      .narrowed(to: try common.predicate(typed, in: store, shell))
    var clock = WallClock(zone: zone)
    let today = clock.civil(at: shell.now())
    shell.listenForInterruption()
    let answer = try QuestionAnswerer(store).anniversaries(
      of: try date(at: shell.now(), &clock), before: today, in: selection, zone: zone, limit: count
    ) { Interruption.isAskedFor }
    if json.json {
      try console.write(answers: answer.years)
    } else {
      let naming: PrintedText.Naming = try choice.isOfSeveral(in: store) ? .inLines : .none
      let format = PrintedText(console.printing(zone: zone, naming: naming, partsDays: false))
      for year in answer.years { try write(year, of: store, as: format, console) }
    }
    console.flush()
    if answer.years.isEmpty, console.errorsAreTerminal {
      console.note("nothing was written on this day of the years before")
    }
    return DamageReport.status(answer.years.isEmpty ? .nothingFound : .done, after: store, console)
  }

  private func date(at now: Timestamp, _ clock: inout WallClock) throws -> CivilTime {
    guard let day else { return clock.civil(at: now) }
    guard let time = TimeExpression(day) else {
      throw UsageError(
        "'\(VisibleText.of(day))' is not a day", remedy: "--day 'may 1', --day 2014-05-01, --day yesterday")
    }
    return clock.civil(at: time.day(now: now, clock: &clock).start)
  }

  private func write(
    _ year: AnniversaryAnswer, of store: SynchronousMessageStore, as format: PrintedText, _ console: Console
  ) throws {
    let heading = "==> \(year.day) · \(NumberText.counted(year.total, "message")) <=="
    console.write(styled: console.encoder.string(Row(heading, .heading)) + "\n")
    var format = format
    var bytes: [UInt8] = []
    for message in year.messages {
      for record in try store.records(of: [message.id], byteLimit: 1 << 20).records {
        format.write(ExportRecord(record, conversation: message.conversation), to: &bytes)
      }
    }
    console.write(bytes)
    if year.total > year.messages.count {
      let rest = NumberText.counted(year.total - year.messages.count, "more message")
      console.write(styled: console.encoder.string(Row("… \(rest)", .dim)) + "\n")
    }
  }
}

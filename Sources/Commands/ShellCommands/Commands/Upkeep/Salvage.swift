internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Salvage: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "salvage",
    abstract: "Save what can be read from a damaged store into a new one.",
    discussion: """
      For a store that `check --repair` cannot repair and that has no backup. It is read page by page, skipping \
      what is damaged; nothing is written to it. Ids stay as they are. A text that differs from its checksum begins \
      with [damaged] in the new store. What is missing is listed, with its dates. Exit code 3: \
      something is missing or doubtful.

      Examples:
        scrollback salvage store.db -o new.db
        scrollback salvage store.db -o other.db --json
      """)

  @Argument(help: "The damaged store.", completion: .file()) var damaged: String

  @Option(
    name: [.customShort("o", allowingJoined: true), .customLong("output")],
    help: ArgumentHelp("The new store.", valueName: "new"), completion: .file())
  var output: String

  @OptionGroup var json: JSONOption
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let console = common.console(in: shell)
    let zone = try common.zone(in: shell)
    shell.listenForInterruption()
    let report = try salvage(console)
    if json.json { try console.write(answers: CollectionOfOne(SalvageAnswer(report))) }
    console.flush()
    var text = SalvageText(zone: zone)
    for line in text.lines(report, into: output) { console.note(line) }
    return report.isWhole ? .done : .incomplete
  }

  private func salvage(_ console: Console) throws -> SalvageReport {
    try LongWork.run(console, "salvaging") { tell in
      try SynchronousMessageStore.salvage(damaged, to: output) { progress in
        let pages =
          "\(NumberText.grouped(progress.pageCount)) of \(NumberText.grouped(progress.pageTotal)) pages"
        return tell(progress.pageCount < progress.pageTotal ? pages : "putting together what was found")
      }
    }
  }
}

struct SalvageText {
  private var clock: WallClock

  /// The most conversations, gaps and ids listed; `--json` has more of them.
  private static let limit = 20

  init(zone: TimeZone) { clock = WallClock(zone: zone) }

  mutating func lines(_ report: SalvageReport, into path: String) -> [String] {
    let count = NumberText.counted(report.messageCount, "message")
    let conversations = NumberText.counted(report.conversations.count, "conversation")
    var lines = ["brought \(count) of \(conversations) into \(VisibleText.of(path, keepsTabs: false))"]
    lines += Self.shortened(report.conversations.map(line), "conversations")
    lines += doubtful(report)
    let lacking = report.conversations.filter { $0.missingCount > 0 }
    lines += Self.shortened(lacking.flatMap { gaps(of: $0) }, "gaps")
    lines += Self.shortened((report.losses + report.notes).map { "  \(VisibleText.of($0))" }, "notes")
    lines.append(report.isWhole ? "nothing is missing, as far as is known" : Self.end)
    return lines
  }

  private static let end = """
    keep the damaged store until you know what you need: a backup may have what is missing (scrollback import adds \
    what is not there yet)
    """

  private func line(_ conversation: SalvageReport.Conversation) -> String {
    let missing = conversation.missingCount
    return
      "  \(VisibleText.of(conversation.name)): \(NumberText.counted(conversation.messageCount, "message"))"
      + (missing > 0 ? ", \(NumberText.grouped(missing)) missing" : "")
  }

  private func doubtful(_ report: SalvageReport) -> [String] {
    var lines: [String] = []
    if report.damaged.count > 0 {
      lines.append(
        "\(NumberText.counted(report.damaged.count, "message")) not as written, marked [damaged]: "
          + Self.ids(report.damaged))
    }
    if report.unproven.count > 0 {
      lines.append(
        "\(NumberText.counted(report.unproven.count, "message")) that nothing vouches for (no checksum, found beside "
          + "the trees): \(Self.ids(report.unproven))")
    }
    if report.unsummedCount > report.unproven.count {
      lines.append(
        "\(NumberText.counted(report.unsummedCount, "message")) without a checksum: it is unknown whether they are "
          + "as written")
    }
    return lines
  }

  private static func ids(_ list: SalvageReport.Listed) -> String {
    let shown = list.first.prefix(limit).map { "#\($0)" }.joined(separator: " ")
    return list.count > limit ? "\(shown) and \(NumberText.grouped(list.count - limit)) more" : shown
  }

  private mutating func gaps(of conversation: SalvageReport.Conversation) -> [String] {
    let name = VisibleText.of(conversation.name)
    return conversation.gaps.map { gap in
      "missing in \(name): \(NumberText.counted(gap.messageCount, "message")), \(dates(of: gap))"
    }
  }

  private mutating func dates(of gap: SalvageReport.Gap) -> String {
    switch (gap.first, gap.last) {
    case (let first?, let last?) where first == last: text(first)
    case (let first?, let last?): "\(text(first)) to \(text(last))"
    case (let first?, nil): "\(text(first)) or later"
    case (nil, let last?): "\(text(last)) or earlier"
    case (nil, nil): "dates unknown"
    }
  }

  private mutating func text(_ time: Timestamp) -> String {
    DateText.dateAndTime(clock.civil(at: time), precision: .second)
  }

  private static func shortened(_ lines: [String], _ noun: String) -> [String] {
    guard lines.count > limit else { return lines }
    return lines.prefix(limit) + ["  and \(NumberText.grouped(lines.count - limit)) more \(noun) (--json)"]
  }
}

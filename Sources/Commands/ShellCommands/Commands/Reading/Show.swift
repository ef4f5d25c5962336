internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Show: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "show",
    abstract: "Show whole messages with everything known about them.",
    discussion: """
      Examples:
        scrollback show '#7022857543691537'
        scrollback show --context 3 '#7022857543691537'
        scrollback show --thread '#7022857543691537'
        scrollback show --platform slack C1/1714567890.123456
      """)

  @Argument(help: ArgumentHelp("Ids of messages.", valueName: "id"))
  var ids: [String]

  @Option(help: ArgumentHelp("The ids are those that this platform gave (slack, mail …).", valueName: "name"))
  var platform: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Also show this many messages before and after it, with ids.", valueName: "n"))
  var context = 0

  @Flag(help: "Show the whole thread that each belongs to, oldest first.")
  var thread = false

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if context < 0 { throw ValidationError("--context must be 0 or more") }
    if context > 0, thread { throw ValidationError("--context cannot be combined with --thread") }
    if context > 0, json.json {
      throw ValidationError(
        "--context is for lines: `scrollback query` answers pages around a message in JSON")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    if let archive = try common.archive(in: shell) { return try run(archive, in: shell) }
    let ids = platform == nil ? try MessageIDs.parsed(ids) : []
    let store = try SynchronousMessageStore(path: common.path(in: shell), options: .readOnly)
    defer { store.close() }
    let console = pager.console(common, in: shell)
    let (found, missing) = try platform.map { try messages(of: $0, in: store) } ?? (ids, [])
    for name in missing { console.complain("scrollback: there is no message '\(name)' of \(platform ?? "")") }
    let command = ShowCommand(timeZone: try common.zone(in: shell), asJSON: json.json, context: context)
    shell.listenForInterruption()
    let status =
      thread ? try command.run(store, threadsOf: found, console) : try command.run(store, found, console)
    return DamageReport.status(missing.isEmpty ? status : .nothingFound, after: store, console)
  }

  private func messages(
    of platform: String, in store: SynchronousMessageStore
  ) throws -> (found: [Message.ID], missing: [String]) {
    let found = try ids.map { (name: $0, id: try store.messageID(platform: platform, id: $0)) }
    return (found.compactMap(\.id), found.filter { $0.id == nil }.map(\.name))
  }
}

struct ShowCommand: Sendable {
  private let clock: WallClock
  private let asJSON: Bool
  private let context: Int

  init(timeZone: TimeZone, asJSON: Bool = false, context: Int = 0) {
    clock = WallClock(zone: timeZone)
    self.asJSON = asJSON
    self.context = context
  }

  func run(_ store: SynchronousMessageStore, _ ids: [Message.ID], _ console: Console) throws -> ExitStatus {
    let missing = asJSON ? try writeJSON(store, ids, console) : try writeText(store, ids, console)
    console.flush()
    for id in missing { console.complain("scrollback: there is no message #\(id)") }
    return missing.isEmpty ? .done : .nothingFound
  }

  func run(
    _ store: SynchronousMessageStore, threadsOf ids: [Message.ID], _ console: Console
  ) throws -> ExitStatus {
    var isFirst = true
    var missing: [Message.ID] = []
    for id in ids {
      let thread = Selection(.all, where: .thread(try store.threadStart(of: id)))
      var (isThere, anchor) = (false, PageAnchor?.some(.oldest))
      while let place = anchor, !Interruption.isAskedFor {
        let page = try store.page(
          PageRequest(thread, anchor: place, fetchLimit: Self.pageCount, wantsCounts: false))
        let found = page.messages.map(\.id)
        isThere = isThere || found.contains(id)
        _ =
          asJSON
          ? try writeJSON(store, found, console) : try writeText(store, found, console, isFirst: isFirst)
        isFirst = isFirst && found.isEmpty
        anchor = page.hasNewer ? found.last.map { .after($0) } : nil
      }
      if !isThere, !Interruption.isAskedFor { missing.append(id) }
    }
    console.flush()
    for id in missing { console.complain("scrollback: there is no message #\(id)") }
    if Interruption.isAskedFor { return .interrupted }
    return missing.isEmpty ? .done : .nothingFound
  }

  private static let pageCount = 200

  /// Returns the missing ids.
  private func writeJSON(
    _ store: SynchronousMessageStore, _ ids: [Message.ID], _ console: Console
  ) throws -> [Message.ID] {
    let queries = QuestionAnswerer(store)
    var (rest, missing) = (ids, [Message.ID]())
    while !rest.isEmpty {
      let answer = try queries.messages(rest)
      try console.write(answers: answer.messages)
      missing += answer.missing ?? []
      rest = answer.rest ?? []
    }
    return missing
  }

  /// Returns the missing ids.
  private func writeText(
    _ store: SynchronousMessageStore, _ ids: [Message.ID], _ console: Console, isFirst: Bool = true
  ) throws -> [Message.ID] {
    var names = ConversationNames(store)
    var (isFirst, missing) = (isFirst, [Message.ID]())
    for id in ids {
      guard let record = try store.records(of: [id]).records.first else {
        missing.append(id)
        continue
      }
      let name = try names.name(of: record.message.conversation)
      console.write(styled: (isFirst ? "" : "\n") + text(of: record, conversation: name, console.encoder))
      isFirst = false
      if context > 0 { try writeSurroundings(of: record.message, in: store, console) }
    }
    return missing
  }

  /// Writes the messages around a message, with ids; `>` marks the message itself.
  private func writeSurroundings(
    of message: Message, in store: SynchronousMessageStore, _ console: Console
  ) throws {
    console.write("\n")
    let format = PrintedText(console.printing(zone: clock.zone, partsDays: false))
    var writer = HitWriter(store: store, format: format, console: console, context: context, showsIDs: true)
    try writer.write(message)
  }

  func text(of record: MessageRecord, conversation: String, _ encoder: StyleEncoder) -> String {
    var clock = clock
    let message = record.message
    func time(_ time: Timestamp, _ precision: TimePrecision = .second) -> String {
      DateText.dateAndTime(clock.civil(at: time, knownTo: precision), precision: precision)
    }
    var facts: [[String]] = [
      ["message", "#\(message.id)"], ["conversation", conversation],
      ["time", "\(time(message.time, message.precision)) (known to the \(message.precision.name))"],
      ["kind", message.kind.name],
    ]
    if let sender = message.sender {
      facts.append(["sender", sender.name + (record.senderID.map { " (\($0))" } ?? "")])
    }
    if let forward = message.forward {
      facts.append([
        "forwarded",
        [forward.line, forward.time.map { time($0) }].compactMap(\.self).joined(separator: "  "),
      ])
    }
    if let deletion = message.deletion {
      facts.append([
        "deleted", [time(deletion.time), deletion.sender].compactMap(\.self).joined(separator: "  "),
      ])
    }
    if let reply = message.replyTo { facts.append(["reply to", "#\(reply)"]) }
    if let thread = message.thread { facts.append(["thread", "#\(thread)"]) }
    if let moment = message.starredAt { facts.append(["starred", time(moment)]) }
    for reaction in message.reactions {
      facts.append(["reaction", "\(reaction.emoji) \(reaction.senders.joined(separator: ", "))"])
    }
    for attachment in message.attachments {
      let path = attachment.isStored ? nil : attachment.path
      facts.append(
        [
          "attachment",
          [AttachmentText.text(of: attachment), path].compactMap { $0 }.joined(separator: "  "),
        ])
    }
    if let source = record.source {
      facts.append(["source", [source.platform, source.id].compactMap { $0 }.joined(separator: " ")])
    }
    for edit in record.edits { facts.append(["until \(time(edit.time))", edit.text]) }
    facts.append(["text", NumberText.bytes(message.text.utf8.count)])
    let sender = Style.sender(SafeText.oneLine(message.sender?.name ?? ""))
    let rows = facts.map { fact in
      let styles = [Style.dim, fact[0] == "sender" ? sender : .plain]
      return zip(fact, styles).map { Span(VisibleText.of($0, keepsTabs: false), $1) }
    }
    let table = TextTable.text(rows, layout: TableLayout(encoder: encoder))
    let lines = message.text.split(separator: "\n", omittingEmptySubsequences: false)
    return table + lines.map { "  \(VisibleText.of(String($0)))\n" }.joined()
  }
}

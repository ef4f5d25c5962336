internal import ArgumentParser
internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

struct Show: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show whole messages with everything known about them.",
    discussion: """
      Example:
        scrollback show '#7022857543691537'
      """)

  @Argument(help: ArgumentHelp("Ids of messages.", valueName: "id"))
  var ids: [String]

  @Flag(help: "Print JSON, an object a line.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let ids = try MessageIDs.parsed(ids)
    let store = try SynchronousMessageStore(path: common.path(in: shell), options: .reading)
    defer { store.close() }
    let command = ShowCommand(timeZone: try common.zone(in: shell), asJSON: json)
    let console = common.console(in: shell)
    return DamageReport.status(try command.run(store, ids, console), after: store, console)
  }
}

/// `show`: whole messages with everything that is known about them.
struct ShowCommand: Sendable {
  private let clock: WallClock
  private let asJSON: Bool

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - timeZone: The zone of the times shown.
  ///   - asJSON: Whether messages are printed as JSON Lines.
  init(timeZone: TimeZone, asJSON: Bool = false) {
    clock = WallClock(zone: timeZone)
    self.asJSON = asJSON
  }

  /// Prints the messages that are there, and says which are not.
  func run(_ store: SynchronousMessageStore, _ ids: [Message.ID], _ console: Console) throws -> ExitStatus {
    var format = try ExportFormats.named("jsonl")
    var missing = 0
    for (place, id) in ids.enumerated() {
      guard let record = try Self.record(id, in: store) else {
        missing += 1
        console.complain("scrollback: there is no message #\(id)")
        continue
      }
      let name = try store.conversation(record.message.conversation)?.name ?? ""
      if asJSON {
        var bytes: [UInt8] = []
        format.write(ExportRecord(record, conversation: name), to: &bytes)
        console.write(bytes)
      } else {
        console.write(
          styled: (place == 0 ? "" : "\n") + text(of: record, conversation: name, console.encoder))
      }
    }
    console.flush()
    return missing == 0 ? .done : .nothingFound
  }

  private static func record(_ id: Message.ID, in store: SynchronousMessageStore) throws -> MessageRecord? {
    let page = try store.records(
      PageRequest(.everything, anchor: .around(id), fetchLimit: 1, wantsCounts: false))
    return page.records.first { $0.message.id == id }
  }

  /// Returns a message with a line per fact, then its text.
  func text(of record: MessageRecord, conversation: String, _ encoder: StyleEncoder) -> String {
    var clock = clock
    let message = record.message
    func time(_ time: Timestamp, _ precision: TimePrecision = .second) -> String {
      // A date without a time is the same in every zone.
      let civil = precision == .day ? time.utc : clock.civil(at: time)
      return DateText.dateAndTime(civil, precision: precision)
    }
    var facts: [[String]] = [
      ["message", "#\(message.id)"], ["conversation", conversation],
      ["time", "\(time(message.time, message.precision)) (known to the \(message.precision.name))"],
      ["kind", message.kind.name],
    ]
    if let sender = message.sender {
      facts.append(["sender", sender.name + (record.senderID.map { " (\($0))" } ?? "")])
    }
    if let reply = message.replyTo { facts.append(["answers", "#\(reply)"]) }
    if let thread = message.thread { facts.append(["thread", "#\(thread)"]) }
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
    let table = TextTable.text(rows, encoder: encoder)
    let lines = message.text.split(separator: "\n", omittingEmptySubsequences: false)
    return table + lines.map { "  \(VisibleText.of(String($0)))\n" }.joined()
  }
}

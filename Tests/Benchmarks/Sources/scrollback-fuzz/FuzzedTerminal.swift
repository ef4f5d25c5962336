internal import ChatSession
internal import Foundation
import HistoryModel
internal import MessageModel
internal import MessageStorage
internal import ShellCommands
internal import TestSupport

/// A history whose texts and names are made up, in everything that shows it on a terminal: what is written there shows
/// itself, or is a sequence of our own.
enum FuzzedTerminal {
  static func show(_ input: FuzzInput) {
    var input = input
    let choice = input.byte()
    let fields = Fields(input.fields)
    let path = SampleStore.place(empty)
    guard attempt({ try fill(path, fields) }) != nil else { return }
    showInSession(path, fields, choice)
    for words in commands(fields, choice) { run(words, on: path, columns: choice % 7 * 20 + 12) }
  }

  /// The bytes of a store without a message.
  private static let empty: [UInt8] = {
    let path = SampleStore.folder + "/empty.db"
    guard let store = attempt({ try SampleStore.opened(path, .create) }) else {
      mistake("There is no empty store.")
    }
    store.close()
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      mistake("The empty store cannot be read.")
    }
    return Array(data)
  }()

  // MARK: The history

  /// Made-up texts, from the front and again from there.
  struct Fields {
    private let all: [String]

    init(_ fields: [String]) { all = fields.isEmpty ? [""] : fields }

    subscript(_ index: Int) -> String { all[index % all.count] }

    /// A field that is no empty name.
    func name(_ index: Int) -> String { self[index].isEmpty ? "x" : self[index] }
    /// A field in one line, as it can be typed.
    func line(_ index: Int) -> String { self[index].filter { !$0.isNewline } }
  }

  private static func fill(_ path: String, _ fields: Fields) throws {
    let store = try SampleStore.opened(path, .readWrite)
    defer { store.close() }
    let load = try BulkImport(
      into: store, .init(name: fields.name(8), format: fields.name(9), zone: "UTC", options: fields[10]))
    try load.add(entries(fields))
    _ = try load.finish()
    let ids = try store.page(PageRequest(.everything, anchor: .oldest, fetchLimit: 10)).messages.map(\.id)
    guard let first = try store.conversations().first, ids.count > 2 else { return }
    _ = attempt { try store.edit(ids[1], text: fields[6]) }
    _ = attempt { try store.react(fields.name(4), to: ids[2], by: fields.name(1)) }
    _ = attempt {
      try store.setMark(NamedMark(name: fields.name(7), conversation: first.id, message: ids[0]))
    }
    _ = attempt { try store.saveFilter(named: fields.name(5), words: fields[2], predicate: .has(.link)) }
    _ = attempt {
      try store.append([NewMessage(fields[0], from: fields.name(1), replyTo: .message(ids[0]))], to: first.id)
    }
  }

  private static func entries(_ fields: Fields) -> ImportBatch {
    var batch = ImportBatch()
    let rooms = [batch.conversation(named: fields.name(2)), batch.conversation(named: "general")]
    let kinds: [Message.Kind] = [.text, .action, .notice, .topic]
    for index in 0..<6 {
      var details = ImportDetails()
      details.source = Message.Source(
        platform: fields.name(9), id: "\(index)\(fields[3])", original: fields[index])
      details.replyTo = .external("\(index / 2)\(fields[3])")
      details.thread = .external("0\(fields[3])")
      details.edits = [Message.Edit(time: SampleStore.now, text: fields[index + 1])]
      details.reactions = [
        Message.Reaction(emoji: fields.name(4), senders: [fields.name(1), fields.name(3)])
      ]
      details.attachments = [
        Message.Attachment(name: fields.name(3), mediaType: fields[5], byteCount: 10, path: fields[8])
      ]
      details.senderID = fields[8]
      let place = batch.append(
        ImportBatch.Entry(
          time: SampleStore.now.advanced(byMilliseconds: Int64(index) * 3_600_000), precision: .minute,
          kind: kinds[index % 4], conversation: rooms[index % 2], sender: batch.store(fields.name(index % 3)),
          text: batch.store(fields[index])))
      batch.details[place] = details
    }
    return batch
  }

  // MARK: The window

  private static func showInSession(_ path: String, _ fields: Fields, _ choice: Int) {
    guard let store = attempt({ try SampleStore.opened(path, .readWrite) }) else { return }
    defer { store.close() }
    let lines = [
      "/top", "/view a", "/open \(fields.line(2))", "/conversations", "", "/marks",
      "/goto '\(fields.line(7))", "/days",
      "/set me \(fields.line(1))", "/set", "/filter from:\"\(fields.line(1))\"", "/filter \(fields.line(5))",
      "/filter",
      "/search \(fields.line(0))", "/hits \(fields.line(0))", "q", "/url a", "/thread a", "/copy a",
      "/edit a",
      "/help \(fields.line(2))", "/\(fields.line(0))", "/react a \(fields.line(4))", "/map",
      "/mark \(fields.line(6))",
    ]
    let events = lines.filter { !$0.contains("\n") }.map { FuzzedRepl.Event($0) }.filter(\.isHarmless)
    let (rows, columns) = (choice % 5 * 7 + 2, choice % 7 * 20 + 12)
    switch choice % 3 {
    case 0: ReplRun.printed(events, store, rows: rows, columns: columns, isReadOnly: false)
    default: ReplRun.painted(events, store, rows: rows, columns: columns, isReadOnly: choice % 4 == 0)
    }
  }

  // MARK: Commands

  /// Some of the commands that show a history. What is made up stands behind `=` or `--`: it is no option, and names no
  /// file.
  private static func commands(_ fields: Fields, _ choice: Int) -> [[String]] {
    let formats = ["text", "markdown", "jsonl", "csv", "tsv", "html", "mbox"]
    let all: [[String]] = [
      ["conversations"], ["senders"], ["filters"], ["imports"], ["tail", "--all", "-n", "20"], ["stats"],
      ["check"],
      ["search", "--", fields.line(0)], ["search", "--ids", "--regex", "--context", "1", "."],
      ["conversations", "list", "--by", "day", "--conversation=\(fields.line(2))"],
      ["tail", "--conversation=\(fields.line(1))"], ["tail", "--from=\(fields.line(1))", "--all"],
      ["export", "--format", formats[choice % formats.count]], ["export", "--merge"],
      ["append", "--conversation=\(fields.line(0))", "--", fields.line(1)],
      ["edit", "--", fields.line(0), "x"],
      ["show", "--", fields.line(0)], ["show", "--platform=\(fields.line(9))", "--", fields.line(3)],
      ["conversations", "rename", "--", fields.line(2), fields.line(0)],
      ["filters", "delete", "--", fields.line(5)],
      ["import", "--format=\(fields.line(0))", "/dev/null"], ["x\(fields.line(0))"], ["--x\(fields.line(0))"],
    ]
    return (0..<2).map { all[(choice / 3 + $0 * 11) % all.count] }
  }

  private static func run(_ words: [String], on path: String, columns: Int) {
    let (output, errors) = (CapturedBytes(size: (24, columns)), CapturedBytes(size: (24, columns)))
    let input = open("/dev/null", O_RDONLY)
    defer { close(input) }
    let shell = Shell(
      environment: [
        "SCROLLBACK_STORE": path, "HOME": SampleStore.folder, "USER": "carol", "TERM": "xterm-256color",
      ], standardInput: input, output: output, errors: errors, localZone: { .gmt },
      now: { SampleStore.now }, takesSignals: false,
      openWindow: { _ in throw UsageError("there is no window") })
    _ = shell.run(words)
    ReplRun.check(output.text, .styles)
    ReplRun.check(errors.text, .styles)
  }
}

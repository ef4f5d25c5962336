internal import ArgumentParser
internal import ChatSession
internal import HistoryQueries
internal import MessageInterchange
internal import MessageModel
internal import MessagePostgres
internal import MessageStorage

struct Tail: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "tail",
    abstract: "Show the newest messages.",
    discussion: """
      Examples:
        scrollback tail -n 50 -c general
        scrollback tail -f --all
        scrollback tail -f --all --exec 'cat >>new.jsonl'
      """)

  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("limit")], parsing: .unconditional,
    help: ArgumentHelp("How many (a screen, or 10 when piped); -5 is -n 5.", valueName: "count"))
  var count: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Skip this many of the newest.", valueName: "count"))
  var offset = 0

  @Flag(exclusivity: .exclusive)
  var direction = WindowOptions.Direction.oldestFirst

  @Flag(name: [.short, .long], help: "Keep printing new messages.")
  var follow = false

  @Option(
    help: ArgumentHelp(
      "With --follow: print nothing, and give each new message to this command, as a line of JSON.",
      valueName: "command"))
  var exec: String?

  @OptionGroup var json: JSONOption
  @OptionGroup var filter: FilterOptions
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let count { try LimitOption.validate(count) }
    if offset < 0 { throw ValidationError("--offset must be 0 or more") }
    if exec != nil, !follow { throw ValidationError("--exec needs --follow") }
    if follow, offset > 0 || direction == .newestFirst {
      throw ValidationError("--follow cannot be combined with --offset or --newest-first")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    if let archive = try common.archive(in: shell) {
      guard exec == nil else {
        throw UsageError(
          "--exec is for a store in a file", cause: "this is a published archive",
          remedy: "tail -f --json | COMMAND")
      }
      return try run(archive, in: shell)
    }
    let console = common.console(in: shell)
    let store = try SynchronousMessageStore(path: common.path(in: shell), options: .readOnly)
    defer { store.close() }
    let choice = conversation.choice(otherwise: .only)
    let command = TailCommand(
      choice: choice, predicate: try filter.predicate(in: store, common, shell),
      count: count.map { .messages($0) } ?? console.size.map { .rows($0.rows - 1) } ?? .messages(10),
      offset: offset, order: direction.order, follows: follow)
    if let exec { return try command.run(store, exec, console) }
    let naming: PrintedText.Naming = try choice.isOfSeveral(in: store, mayGrow: follow) ? .inLines : .none
    let format: any ExportFormat =
      json.json
      ? try ExportFormats.named("jsonl")
      : PrintedText(console.printing(zone: try common.zone(in: shell), naming: naming))
    let status = try command.run(store, format: format, console)
    return DamageReport.status(status, after: store, console)
  }
}

struct TailCommand: Sendable {
  var choice: ConversationChoice
  var predicate: MessagePredicate
  var count: Count
  var offset: Int
  var order: PageRequest.Order
  var follows: Bool

  enum Count: Hashable, Sendable {
    case messages(Int)
    /// As many as fit into this many terminal rows, at least one.
    case rows(Int)
  }

  /// Writes the newest messages; when following, continues until the process ends.
  func run(
    _ store: SynchronousMessageStore, format: any ExportFormat, _ console: Console
  ) throws -> ExitStatus {
    let selection = try choice.selection(in: store).narrowed(to: predicate)
    var writer = TailWriter(store: store, format: format, console: console)
    // Listen first, then note the edges, then read the page: no message falls between.
    let changes = follows ? StoreChanges(of: store) : nil
    var follower = follows ? try NewestEdges(selection, in: store) : nil
    let newest = try writer.newest(
      count, PageRequest(selection, order: order, anchor: .newest, fetchOffset: offset, wantsCounts: false))
    try writer.write(newest)
    var status = CostlyMessages.tell(of: store, console, else: .done)
    guard let changes else {
      if newest.isEmpty, console.errorsAreTerminal { console.note("there are no messages") }
      return status
    }
    let shown = Set(newest.map(\.message.id))
    try writer.write(follower?.read().filter { !shown.contains($0.message.id) } ?? [])
    while changes.wait() {
      try writer.write(follower?.read() ?? [])
      try store.checkPlace()
      status = CostlyMessages.tell(of: store, console, else: status)
    }
    return status
  }
}

extension TailCommand {
  /// Passes arriving messages to a shell command until the process ends.
  func run(_ store: SynchronousMessageStore, _ command: String, _ console: Console) throws -> ExitStatus {
    let selection = try choice.selection(in: store).narrowed(to: predicate)
    let changes = StoreChanges(of: store)
    var follower = try NewestEdges(selection, in: store)
    var lines = try JSONRecords(store)
    let sink = MessageCommand(
      command, fails: { changes.wake() }, complain: { console.complain("scrollback: \($0)") })
    defer { sink.finish() }
    while changes.wait() {
      if let failure = sink.failure { throw failure }
      sink.give(try lines.bytes(of: follower.read()))
      try store.checkPlace()
    }
    return .done
  }
}

struct JSONRecords {
  private var format: any ExportFormat
  private var names: ConversationNames

  init(_ store: SynchronousMessageStore) throws {
    format = try ExportFormats.named("jsonl")
    names = ConversationNames(store)
  }

  mutating func bytes(of records: [MessageRecord]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for record in records {
      format.write(
        ExportRecord(record, conversation: try names.name(of: record.message.conversation)), to: &bytes)
    }
    return bytes
  }
}

private struct TailWriter {
  let store: SynchronousMessageStore
  var format: any ExportFormat
  let console: Console
  private var names: ConversationNames

  init(store: SynchronousMessageStore, format: any ExportFormat, console: Console) {
    self.store = store
    self.format = format
    self.console = console
    names = ConversationNames(store)
  }

  mutating func write(_ records: [MessageRecord]) throws {
    console.write(try bytes(of: records))
    console.flush()
  }

  func newest(_ count: TailCommand.Count, _ request: PageRequest) throws -> [MessageRecord] {
    var request = request
    switch count {
    case .messages(let count): request.fetchLimit = count
    case .rows(let rows): request.fetchLimit = max(rows, 1)
    }
    let records = try store.records(request).records
    guard case .rows(let rows) = count else { return records }
    return try newest(of: records, request.order, within: rows)
  }

  /// Returns the most records that fit into `rows`, found by bisection.
  private func newest(
    of records: [MessageRecord], _ order: PageRequest.Order, within rows: Int
  ) throws -> [MessageRecord] {
    func newest(_ count: Int) -> [MessageRecord] {
      Array(order == .oldestFirst ? records.suffix(count) : records.prefix(count))
    }
    var fitting = min(1, records.count)
    var most = records.count
    while fitting < most {
      let middle = (fitting + most + 1) / 2
      var trial = self
      let height = try trial.bytes(of: newest(middle)).count { $0 == 0x0A }
      if height <= rows { fitting = middle } else { most = middle - 1 }
    }
    return newest(fitting)
  }

  private mutating func bytes(of records: [MessageRecord]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for record in records {
      format.write(
        ExportRecord(record, conversation: try names.name(of: record.message.conversation)), to: &bytes)
    }
    return bytes
  }
}

protocol TailedHistory {
  func insertedCounts() throws(StoreError) -> [Conversation.ID: Int]
  func conversations() throws(StoreError) -> [Conversation]
  func conversation(_ id: Conversation.ID) throws(StoreError) -> Conversation?
  func found(by request: PageRequest) throws(StoreError) -> (records: [MessageRecord], hasNewer: Bool)
}

extension SynchronousMessageStore: TailedHistory {
  func found(by request: PageRequest) throws(StoreError) -> (records: [MessageRecord], hasNewer: Bool) {
    let page = try records(request)
    return (page.records, page.hasNewer)
  }
}

extension PostgresArchive: TailedHistory {
  func found(by request: PageRequest) throws(StoreError) -> (records: [MessageRecord], hasNewer: Bool) {
    let found = try records(request)
    return (found.records, found.page.hasNewer)
  }
}

/// Follows the newest message of each conversation by id: appended messages get greater ids, whatever the
/// clocks say. Insert counters tell which of up to 100,000 conversations changed; only those are read.
struct NewestEdges {
  private let selection: Selection
  private let history: any TailedHistory
  private var last: [Conversation.ID: Message.ID] = [:]
  private var counts: [Conversation.ID: Int]

  init(_ selection: Selection, in history: any TailedHistory) throws(StoreError) {
    self.selection = selection
    self.history = history
    // Count first: a message that arrives before the edges are noted is read twice rather than missed.
    counts = try history.insertedCounts()
    switch selection.conversations {
    case .all:
      for conversation in try history.conversations() { last[conversation.id] = conversation.newest }
    case .some(let ids):
      for id in ids { last[id] = try history.conversation(id)?.newest }
    }
  }

  /// Returns the messages since the last call, by id. After an error, the next call returns them again.
  mutating func read() throws(StoreError) -> [MessageRecord] {
    let now = try history.insertedCounts()
    var fresh: [MessageRecord] = []
    for (id, count) in now where counts[id] != count && isFollowed(id) { fresh += try read(id) }
    counts = now
    return fresh.sorted { $0.message.id < $1.message.id }
  }

  private func isFollowed(_ id: Conversation.ID) -> Bool {
    guard case .some(let ids) = selection.conversations else { return true }
    return ids.contains(id)
  }

  private mutating func read(_ id: Conversation.ID) throws(StoreError) -> [MessageRecord] {
    var all: [MessageRecord] = []
    let own = Selection(id, where: selection.predicate)
    while true {
      let page = try history.found(
        by: PageRequest(own, anchor: .after(last[id] ?? .lowest), fetchLimit: 1_000, wantsCounts: false))
      all += page.records
      last[id] = page.records.last?.message.id ?? last[id]
      if !page.hasNewer { return all }
    }
  }
}

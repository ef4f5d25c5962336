internal import Foundation
public import MessageInterchange
public import MessageModel
public import MessageStorage

/// `tail`: shows the newest messages and, if asked to, those that come in.
public struct TailCommand: Sendable {
  public var choice: ConversationChoice
  public var predicate: MessagePredicate
  public var count: Count
  /// How many of the newest to pass over.
  public var offset: Int
  public var order: FetchRequest.Order
  public var follows: Bool

  /// How many messages are shown at first.
  public enum Count: Hashable, Sendable {
    case messages(Int)
    /// As many as so many rows of a terminal have room for, but one at least.
    case rows(Int)
  }

  /// Creates the command.
  public init(
    choice: ConversationChoice, predicate: MessagePredicate = .everything, count: Count, offset: Int = 0,
    order: FetchRequest.Order = .oldestFirst, follows: Bool = false
  ) {
    self.choice = choice
    self.predicate = predicate
    self.count = count
    self.offset = offset
    self.order = order
    self.follows = follows
  }

  /// Writes the newest messages; when following, goes on until the process is ended.
  ///
  /// - Returns: ``ExitStatus/incomplete`` if messages were passed over.
  public func run(
    _ store: MessageStore, format: any ExportFormat, _ console: Console
  ) async throws -> ExitStatus {
    var selection = try choice.selection(in: store)
    selection.predicate = predicate
    var writer = TailWriter(store: store, format: format, console: console)
    // Listening begins before reading, and the edges are noted before the page is read: nothing falls between.
    let changes = follows ? store.changes() : nil
    var followers = follows ? try Follower.all(of: selection, in: store) : [:]
    let newest = try writer.newest(
      count, FetchRequest(selection, order: order, anchor: .newest, fetchOffset: offset, wantsCounts: false))
    try writer.write(newest)
    var status = CostlyMessages.tell(of: store, console, else: .done)
    guard let changes else { return status }
    let shown = Set(newest.map(\.message.id))
    try writer.write(Follower.read(&followers, store).filter { !shown.contains($0.message.id) })
    for await _ in changes {
      if case .all = selection.conversations { try Follower.addNew(to: &followers, in: store, predicate) }
      try writer.write(Follower.read(&followers, store))
      try store.checkPlace()
      status = CostlyMessages.tell(of: store, console, else: status)
    }
    return status
  }
}

/// Writes records as they come.
private struct TailWriter {
  let store: MessageStore
  var format: any ExportFormat
  let console: Console
  private var names: [Conversation.ID: String] = [:]

  init(store: MessageStore, format: any ExportFormat, console: Console) {
    self.store = store
    self.format = format
    self.console = console
  }

  mutating func write(_ records: [MessageRecord]) throws {
    console.write(try bytes(of: records))
    console.flush()
  }

  /// Returns the newest messages that a request is for, in its order.
  func newest(_ count: TailCommand.Count, _ request: FetchRequest) throws -> [MessageRecord] {
    var request = request
    switch count {
    case .messages(let count): request.fetchLimit = count
    case .rows(let rows): request.fetchLimit = max(rows, 1)
    }
    let records = try store.records(request).records
    guard case .rows(let rows) = count else { return records }
    return try newest(of: records, request.order, within: rows)
  }

  /// Returns as many of the newest records as there is room for, found by halving.
  private func newest(
    of records: [MessageRecord], _ order: FetchRequest.Order, within rows: Int
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
      format.write(ExportRecord(record, conversation: try name(of: record.message.conversation)), to: &bytes)
    }
    return bytes
  }

  private mutating func name(of id: Conversation.ID) throws -> String {
    if names[id] == nil { for known in try store.conversations() { names[known.id] = known.name } }
    return names[id] ?? ""
  }
}

/// Follows the newest edge of one conversation by id: each append there gets a greater one, whatever the clocks say.
private struct Follower {
  let selection: Selection
  var last: Message.ID

  /// One follower for each conversation of a selection, each at its present newest message.
  static func all(of selection: Selection, in store: MessageStore) throws -> [Conversation.ID: Follower] {
    var all: [Conversation.ID: Follower] = [:]
    for conversation in try store.conversations() {
      if case .some(let ids) = selection.conversations, !ids.contains(conversation.id) { continue }
      let own = Selection(conversation.id, where: selection.predicate)
      all[conversation.id] = Follower(selection: own, last: conversation.newest ?? .lowest)
    }
    return all
  }

  static func addNew(
    to followers: inout [Conversation.ID: Follower], in store: MessageStore, _ predicate: MessagePredicate
  ) throws {
    for conversation in try store.conversations() where followers[conversation.id] == nil {
      let own = Selection(conversation.id, where: predicate)
      followers[conversation.id] = Follower(selection: own, last: .lowest)
    }
  }

  /// Returns what has come in to any of the conversations since the last look, oldest first.
  static func read(
    _ followers: inout [Conversation.ID: Follower], _ store: MessageStore
  ) throws -> [MessageRecord] {
    var fresh: [MessageRecord] = []
    for key in followers.keys { fresh += try followers[key]?.read(store) ?? [] }
    return fresh.sorted { $0.message.id < $1.message.id }
  }

  private mutating func read(_ store: MessageStore) throws -> [MessageRecord] {
    var all: [MessageRecord] = []
    while true {
      let page = try store.records(
        FetchRequest(selection, anchor: .after(last), fetchLimit: 1_000, wantsCounts: false))
      all += page.records
      last = page.records.last?.message.id ?? last
      if !page.hasNewer { return all }
    }
  }
}

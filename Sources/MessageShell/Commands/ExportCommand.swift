internal import Foundation
public import MessageInterchange
public import MessageModel
public import MessageStorage

/// `export`: writes messages in a format, at bounded memory.
public struct ExportCommand: Sendable {
  public var choice: ConversationChoice
  public var predicate: MessagePredicate
  public var order: FetchRequest.Order
  /// The most messages to write; `nil` for all.
  public var limit: Int?
  /// How many to skip first, from the end that comes first.
  public var offset: Int
  /// Whether all conversations are interleaved by time instead of coming one after the other.
  public var merges: Bool
  /// The folder that attachments are written into; `nil` to leave them.
  public var attachments: String?
  /// The file that is written, relative to which attachments are named.
  public var output: String?

  /// Creates the command.
  public init(
    choice: ConversationChoice = .all, predicate: MessagePredicate = .everything,
    order: FetchRequest.Order = .oldestFirst, limit: Int? = nil, offset: Int = 0, merges: Bool = false,
    attachments: String? = nil, output: String? = nil
  ) {
    self.attachments = attachments
    self.output = output
    self.choice = choice
    self.predicate = predicate
    self.order = order
    self.limit = limit
    self.offset = offset
    self.merges = merges
  }

  /// How many messages are read at once.
  private static let pageSize = 500
  /// How many bytes of text end a page before that.
  static let pageByteCount = 4 << 20

  /// What an export came to.
  public struct Outcome: Sendable {
    public var messageCount = 0
    /// How many attached files could not be written because what they hold is missing or damaged.
    public var failedFileCount = 0
    /// Whether it was stopped before its end.
    public var isStopped = false
  }

  /// Writes all messages that are wanted, and says what they came to.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether to stop; what was written are whole messages then.
  ///   - note: Takes what there is to say besides.
  @discardableResult
  public func run(
    _ store: MessageStore, format: any ExportFormat, isCancelled: () -> Bool = { false },
    note: (String) -> Void = { _ in }, write: ([UInt8]) throws -> Void
  ) throws -> Outcome {
    var files = try attachments.map { try ExportedFiles(folder: $0, output: output, sparing: store.files) }
    if format is JSONLinesExport, let warning = files?.warning { note(warning) }
    var format = format
    var bytes: [UInt8] = []
    var outcome = Outcome()
    format.writeHeader(to: &bytes)
    let conversations = try store.conversations()
    let names = Dictionary(uniqueKeysWithValues: conversations.map { ($0.id, $0.name) })
    let selections = try selections(store, conversations)
    let check = try readCheck(of: store)
    if let lines = format as? JSONLinesExport,
      let whole = wholeConversations(selections, among: conversations)
    {
      let plain = try PlainExport(whole, of: store, as: lines)
      outcome.messageCount = try plain.run(limit: limit, isCancelled: isCancelled, write: write)
      outcome.isStopped = isCancelled()
      if !outcome.isStopped { try check?.compare(outcome.messageCount) }
      return outcome
    }
    var offset = offset
    for selection in selections {
      guard limit.map({ outcome.messageCount < $0 }) ?? true else { break }
      let done = outcome.messageCount
      offset = try each(of: selection, store, offset: offset, done: done, isCancelled) { record in
        var record = ExportRecord(record, conversation: names[record.message.conversation] ?? "")
        try files?.write(&record, from: store)
        format.write(record, to: &bytes)
        outcome.messageCount += 1
        if bytes.count >= 65_536 {
          try write(bytes)
          bytes.removeAll(keepingCapacity: true)
        }
      }
    }
    format.writeFooter(to: &bytes)
    try write(bytes)
    if let files { note(files.summary) }
    outcome.failedFileCount = files?.failedCount ?? 0
    outcome.isStopped = isCancelled()
    if !outcome.isStopped { try check?.compare(outcome.messageCount) }
    return outcome
  }

  /// What is to be compared with the number of messages written at the end.
  private func readCheck(of store: MessageStore) throws -> ReadCheck? {
    let wanted = try choice.selection(in: store).conversations
    return try ReadCheck(Selection(wanted, where: predicate), of: store, offset: offset, limit: limit)
  }

  /// One selection for each conversation, or one for all if they are to be merged.
  private func selections(_ store: MessageStore, _ conversations: [Conversation]) throws -> [Selection] {
    var wanted = try choice.selection(in: store)
    wanted.predicate = predicate
    if merges { return [wanted] }
    switch wanted.conversations {
    case .all: return conversations.map { Selection($0.id, where: predicate) }
    case .some(let ids):
      return conversations.filter { ids.contains($0.id) }.map { Selection($0.id, where: predicate) }
    }
  }

  /// The conversations that selections hold all messages of, if they are wanted one after the other, oldest first and
  /// without files.
  private func wholeConversations(
    _ selections: [Selection], among conversations: [Conversation]
  ) -> [Conversation]? {
    guard predicate == .everything, order == .oldestFirst, offset == 0, attachments == nil, !merges else {
      return nil
    }
    let wanted = selections.flatMap { selection -> [Conversation.ID] in
      guard case .some(let ids) = selection.conversations else { return [] }
      return Array(ids)
    }
    let byID = Dictionary(uniqueKeysWithValues: conversations.map { ($0.id, $0) })
    return wanted.compactMap { byID[$0] }
  }

  /// Calls `body` with the messages of one selection; returns what remains to be skipped in the next.
  private func each(
    of selection: Selection, _ store: MessageStore, offset: Int, done: Int, _ isCancelled: () -> Bool,
    _ body: (MessageRecord) throws -> Void
  ) throws -> Int {
    var anchor: Anchor = order == .oldestFirst ? .oldest : .newest
    var rest = offset
    if rest > 0 {
      let total = try store.page(FetchRequest(selection, fetchLimit: 0)).counts?.total ?? 0
      if rest >= total { return rest - total }
    }
    var left = limit.map { $0 - done } ?? .max
    while left > 0, !isCancelled() {
      let page = try store.records(
        FetchRequest(
          selection, order: order, anchor: anchor, fetchLimit: min(Self.pageSize, left), fetchOffset: rest,
          wantsCounts: false), byteLimit: Self.pageByteCount)
      rest = 0
      for record in page.records { try body(record) }
      left -= page.records.count
      guard let last = page.records.last?.message.id else { break }
      guard order == .oldestFirst ? page.hasNewer : page.hasOlder else { break }
      anchor = order == .oldestFirst ? .after(last) : .before(last)
    }
    return 0
  }
}

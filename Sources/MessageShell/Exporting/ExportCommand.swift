internal import Foundation
package import MessageInterchange
package import MessageModel
package import MessageStorage

/// `export`: writes messages in a format, at bounded memory.
package struct ExportCommand: Sendable {
  package var choice: ConversationChoice
  package var predicate: MessagePredicate
  package var order: PageRequest.Order
  /// The most messages to write; `nil` for all.
  package var limit: Int?
  /// The number of messages to skip first, from the end that comes first.
  package var offset: Int
  /// Whether all conversations are interleaved by time instead of coming one after the other.
  package var merges: Bool
  /// The folder that attachments are written into; `nil` to leave them.
  package var attachments: String?
  /// The file that is written, relative to which attachments are named.
  package var output: String?

  /// Creates the command.
  package init(
    choice: ConversationChoice = .all, predicate: MessagePredicate = .everything,
    order: PageRequest.Order = .oldestFirst, limit: Int? = nil, offset: Int = 0, merges: Bool = false,
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

  /// The number of messages read at once.
  private static let pageSize = 500
  /// The number of bytes of text that end a page before that.
  static let pageByteCount = 4 << 20

  /// The outcome of an export.
  package struct Outcome: Sendable {
    package var messageCount = 0
    /// The number of attached files that could not be written because their content is missing or damaged.
    package var failedFileCount = 0
    /// Whether it was stopped before its end.
    package var isStopped = false
  }

  /// Writes all messages that are wanted, and says what they came to.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether to stop; what was written are whole messages then.
  ///   - note: Takes what there is to say besides.
  /// - Throws: ``UsageError`` for conversations that are not there and folders that cannot be made, ``StoreError`` if
  ///   the store cannot be read, and what `write` throws; what was written until then are whole messages.
  @discardableResult
  package func run(
    _ store: SynchronousMessageStore, format: any ExportFormat, isCancelled: () -> Bool = { false },
    note: (String) -> Void = { _ in }, write: ([UInt8]) throws -> Void
  ) throws -> Outcome {
    var files = try attachments.map {
      try ExportedFiles(
        folder: $0, output: output, isForBrowser: format is HTMLExport, sparing: store.files)
    }
    if format is JSONLinesExport, let warning = files?.warning { note(warning) }
    var format = format
    var bytes: [UInt8] = []
    var outcome = Outcome()
    format.writeHeader(to: &bytes)
    let wanted = try choice.selection(in: store).narrowed(to: predicate)
    var conversations = try store.countedConversations()
    if case .some(let ids) = wanted.conversations { conversations.removeAll { !ids.contains($0.id) } }
    let check = try readCheck(wanted.conversations, of: store)
    if let lines = format as? JSONLinesExport, isWhole {
      let plain = try RawExport(conversations, of: store, as: lines)
      outcome.messageCount = try plain.run(limit: limit, isCancelled: isCancelled, write: write)
      outcome.isStopped = isCancelled()
      if !outcome.isStopped { try check?.compare(outcome.messageCount) }
      return outcome
    }
    let names = merges ? Dictionary(uniqueKeysWithValues: conversations.map { ($0.id, $0.name) }) : [:]
    func put(_ record: MessageRecord, of name: String) throws {
      var record = ExportRecord(record, conversation: name)
      try files?.write(&record, from: store)
      format.write(record, to: &bytes)
      outcome.messageCount += 1
      if bytes.count >= 65_536 {
        try write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    if merges {
      let all = Selection(wanted.conversations, where: predicate)
      try each(of: all, store, isCancelled) { try put($0, of: names[$0.message.conversation] ?? "") }
    } else {
      try each(of: conversations, store, isCancelled) { try put($0, of: $1) }
    }
    format.writeFooter(to: &bytes)
    try write(bytes)
    if let files { note(files.summary) }
    outcome.failedFileCount = files?.failedCount ?? 0
    outcome.isStopped = isCancelled()
    if !outcome.isStopped { try check?.compare(outcome.messageCount) }
    return outcome
  }

  /// Returns the check of the number of messages written, to be made at the end.
  private func readCheck(_ wanted: Selection.Conversations, of store: SynchronousMessageStore) throws
    -> ReadCheck?
  {
    try ReadCheck(Selection(wanted, where: predicate), of: store, offset: offset, limit: limit)
  }

  /// Whether all messages of conversations are wanted one after the other, oldest first and without files.
  private var isWhole: Bool {
    predicate == .everything && order == .oldestFirst && offset == 0 && attachments == nil && !merges
  }

  private var start: Message.ID { order == .oldestFirst ? .lowest : .highest }

  /// Calls `body` with the messages of conversations, one after the other, and the name of each.
  private func each(
    of conversations: [Conversation], _ store: SynchronousMessageStore, _ isCancelled: () -> Bool,
    _ body: (MessageRecord, String) throws -> Void
  ) throws {
    let ids = conversations.map(\.id)
    var place = try skipped(conversations, store)
    var left = limit ?? .max
    while let from = place, left > 0, !isCancelled() {
      let page = try store.records(
        of: ids[...], where: predicate, order: order, from: from, limit: min(Self.pageSize, left),
        byteLimit: Self.pageByteCount)
      var index = from.index
      for record in page.records {
        guard let found = store.place(of: record, among: ids[index...]) else { continue }
        index = found
        try body(record, conversations[index].name)
      }
      left -= page.records.count
      place = page.next
    }
  }

  /// Returns where to begin, after as many messages as are to be passed over; `nil` if there are no more.
  private func skipped(_ conversations: [Conversation], _ store: SynchronousMessageStore) throws
    -> ConversationPlace?
  {
    var rest = offset
    guard rest > 0 else { return ConversationPlace(index: 0, id: start) }
    for (index, conversation) in conversations.enumerated() {
      let selection = Selection(conversation.id, where: predicate)
      let total =
        predicate == .everything
        ? conversation.messageCount
        : try store.page(PageRequest(selection, fetchLimit: 0)).counts?.total ?? 0
      guard rest < total else {
        rest -= total
        continue
      }
      let first = try store.page(
        PageRequest(
          selection, order: order, anchor: order == .oldestFirst ? .oldest : .newest, fetchLimit: 1,
          fetchOffset: rest, wantsCounts: false))
      return ConversationPlace(index: index, id: first.messages.first?.id ?? start)
    }
    return nil
  }

  /// Calls `body` with the messages of one selection.
  private func each(
    of selection: Selection, _ store: SynchronousMessageStore, _ isCancelled: () -> Bool,
    _ body: (MessageRecord) throws -> Void
  ) throws {
    var anchor: PageAnchor = order == .oldestFirst ? .oldest : .newest
    var rest = offset
    if rest > 0 {
      let total = try store.page(PageRequest(selection, fetchLimit: 0)).counts?.total ?? 0
      if rest >= total { return }
    }
    var left = limit ?? .max
    while left > 0, !isCancelled() {
      let page = try store.records(
        PageRequest(
          selection, order: order, anchor: anchor, fetchLimit: min(Self.pageSize, left), fetchOffset: rest,
          wantsCounts: false), byteLimit: Self.pageByteCount)
      rest = 0
      for record in page.records { try body(record) }
      left -= page.records.count
      guard let last = page.records.last?.message.id else { break }
      guard order == .oldestFirst ? page.hasNewer : page.hasOlder else { break }
      anchor = order == .oldestFirst ? .after(last) : .before(last)
    }
  }
}

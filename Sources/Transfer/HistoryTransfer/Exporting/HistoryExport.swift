internal import Foundation
internal import HistoryQueries
package import MessageInterchange
public import MessageModel
package import MessageStorage

/// The messages of an export, and their order.
public struct HistoryExport: Hashable, Sendable {
  /// The messages to write.
  public var selection: Selection
  /// The order within each conversation or, when merging, of all messages.
  public var order: PageRequest.Order
  /// The maximum number of messages; `nil` for all.
  public var limit: Int?
  /// The number of messages to skip at the beginning, in the export's order.
  public var offset: Int
  /// Whether to interleave all conversations by time instead of writing one after the other.
  public var merges: Bool
  /// Whether to write all that a store holds, not only messages, as JSON Lines.
  package var isOfStore = false

  /// Creates an export; by default of all conversations, one after the other, oldest message first.
  public init(
    _ selection: Selection = .everything, order: PageRequest.Order = .oldestFirst, limit: Int? = nil,
    offset: Int = 0,
    merges: Bool = false
  ) {
    self.selection = selection
    self.order = order
    self.limit = limit
    self.offset = offset
    self.merges = merges
  }

  /// Everything that a store holds.
  package static var everything: HistoryExport {
    var export = HistoryExport()
    export.isOfStore = true
    return export
  }

  static let pageSize = 500
  static let pageByteCount = 4 << 20

  /// The outcome of an export.
  public struct Outcome: Hashable, Sendable {
    /// The number of messages written.
    public var messageCount = 0
    /// The number of attached files written.
    public var writtenFileCount = 0
    /// The number of attached files not written because their content is missing or damaged.
    public var failedFileCount = 0
    /// Whether the export was stopped early.
    public var isStopped = false
    /// The difference between the store's count and the messages read; `nil` if there is none.
    public var miscount: Miscount?
  }

  /// Writes the export; after an error, only whole messages were written.
  ///
  /// - Parameters:
  ///   - attachments: The folder for attached files; `nil` to leave them out.
  ///   - redaction: Redacts messages before they are written.
  ///   - isCancelled: Whether to stop, after a whole message.
  package func run(
    _ store: SynchronousMessageStore, format: any ExportFormat, attachments: AttachmentFolder? = nil,
    redaction: HistoryRedaction? = nil, isCancelled: () -> Bool = { false },
    write put: ([UInt8]) throws -> Void
  ) throws -> Outcome {
    func write(_ bytes: [UInt8]) throws {
      try redaction?.look(at: bytes)
      try put(bytes)
    }
    var files = attachments
    files?.redaction = redaction
    files?.isForBrowser = format is HTMLExport
    redaction?.expect(format)
    let numbered = (format as? HTMLExport).flatMap { $0.isNumbered ? $0 : nil }
    var format = format
    var bytes: [UInt8] = []
    var outcome = Outcome()
    format.writeHeader(to: &bytes)
    var conversations = try store.countedConversations()
    if case .some(let ids) = selection.conversations { conversations.removeAll { !ids.contains($0.id) } }
    let check = try ReadCheck(selection, of: store, offset: offset, limit: limit)
    if let lines = format as? JSONLinesExport, isWhole, files == nil, redaction == nil, !isOfStore {
      let plain = try RawExport(conversations, of: store, as: lines)
      outcome.messageCount = try plain.run(limit: limit, isCancelled: isCancelled, write: write)
      outcome.isStopped = isCancelled()
      if !outcome.isStopped { outcome.miscount = try check?.compare(outcome.messageCount) }
      return outcome
    }
    let settings = isOfStore ? try SettingsExport(store, of: conversations) : nil
    try settings?.begin(messageCount: conversations.reduce(0) { $0.adding($1.messageCount) }, to: &bytes)
    let names = merges ? Dictionary(uniqueKeysWithValues: conversations.map { ($0.id, $0.name) }) : [:]
    var dialects = ConversationDialects(store)
    let showsMarkup = format is HTMLExport
    var sessions = format is JSONLinesExport ? try SessionNotes(store, isInOrder: !merges) : nil
    var evidence = numbered.map {
      ExportEvidence(
        store, of: conversations, merges: merges, isRedacted: redaction != nil, zone: $0.timeZone)
    }
    func add(_ message: MessageRecord, of name: String) throws {
      var record = ExportRecord(message, conversation: name)
      if showsMarkup { record.dialect = try dialects.dialect(of: message.message.conversation) }
      record.session = try sessions?.next(of: message.message.conversation)
      redaction?.apply(to: &record)
      try files?.write(&record, from: store)
      redaction?.applyAfterFiles(to: &record)
      if let account = try evidence?.add(record, of: message.message.conversation) {
        numbered?.write(account, to: &bytes)
      }
      format.write(record, to: &bytes)
      outcome.messageCount += 1
      try writeIfMany()
    }
    func writeIfMany() throws {
      guard bytes.count >= 65_536 else { return }
      try write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    let wantsImports = isOfStore || numbered != nil
    if merges {
      try each(of: selection, store, wantsImports, isCancelled) {
        try add($0, of: names[$0.message.conversation] ?? "")
      }
    } else {
      try each(of: conversations, store, wantsImports, isCancelled) { try add($0, of: $1) }
    }
    if !isCancelled() {
      try settings?.finish { setting in
        SettingText.write(setting, to: &bytes)
        try writeIfMany()
      }
    }
    if !isCancelled() {
      for account in try evidence?.finish() ?? [] { numbered?.write(account, to: &bytes) }
    }
    format.writeFooter(to: &bytes)
    try write(bytes)
    try redaction?.finish()
    outcome.writtenFileCount = files?.writtenCount ?? 0
    outcome.failedFileCount = files?.failedCount ?? 0
    outcome.isStopped = isCancelled()
    if !outcome.isStopped { outcome.miscount = try check?.compare(outcome.messageCount) }
    return outcome
  }

  private var isWhole: Bool {
    predicate == .everything && order == .oldestFirst && offset == 0 && !merges
  }

  private var predicate: MessagePredicate { selection.predicate }

  private var start: Message.ID { order == .oldestFirst ? .lowest : .highest }

  private func each(
    of conversations: [Conversation], _ store: SynchronousMessageStore, _ wantsImports: Bool,
    _ isCancelled: () -> Bool, _ body: (MessageRecord, String) throws -> Void
  ) throws {
    let ids = conversations.map(\.id)
    var place = try skipped(conversations, store)
    var left = limit ?? .max
    while let from = place, left > 0, !isCancelled() {
      let page = try store.records(
        of: ids[...], where: predicate, order: order, from: from, limit: min(Self.pageSize, left),
        byteLimit: Self.pageByteCount)
      let imports = wantsImports ? try store.importNumbers(of: page.records.map(\.message.id)) : [:]
      var index = from.index
      for var record in page.records {
        guard let found = store.place(of: record, among: ids[index...]) else { continue }
        index = found
        record.importNumber = imports[record.message.id]
        try body(record, conversations[index].name)
      }
      left -= page.records.count
      place = page.next
    }
  }

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

  private func each(
    of selection: Selection, _ store: SynchronousMessageStore, _ wantsImports: Bool,
    _ isCancelled: () -> Bool, _ body: (MessageRecord) throws -> Void
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
      let imports = wantsImports ? try store.importNumbers(of: page.records.map(\.message.id)) : [:]
      for var record in page.records {
        record.importNumber = imports[record.message.id]
        try body(record)
      }
      left -= page.records.count
      guard let last = page.records.last?.message.id else { break }
      guard order == .oldestFirst ? page.hasNewer : page.hasOlder else { break }
      anchor = order == .oldestFirst ? .after(last) : .before(last)
    }
  }
}

struct SessionNotes {
  private let store: SynchronousMessageStore
  /// Whether conversations come one after the other: then no set of those seen is needed.
  private let areInOrder: Bool
  private let areThere: Bool
  private var last: Conversation.ID?
  private var met: Set<Conversation.ID> = []

  init(_ store: SynchronousMessageStore, isInOrder: Bool) throws(StoreError) {
    self.store = store
    areInOrder = isInOrder
    areThere = try store.hasSessions()
  }

  /// Returns the session of a conversation, on the first call for it only.
  mutating func next(of conversation: Conversation.ID) throws(StoreError) -> SessionNote? {
    guard areThere, last != conversation else { return nil }
    last = conversation
    if !areInOrder, !met.insert(conversation).inserted { return nil }
    return try store.sessionNotes(of: [conversation])[conversation]
  }
}

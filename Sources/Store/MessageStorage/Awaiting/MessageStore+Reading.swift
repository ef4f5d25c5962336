public import Foundation
public import MessageModel

extension MessageStore: MessageSource {
  /// Returns the messages that `request` asks for; see ``SynchronousMessageStore/page(_:)``.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a negative limit or offset or a wrong expression, else `damaged` or
  ///   `inputOutput`.
  public nonisolated(nonsending) func page(
    _ request: MessageModel.PageRequest
  ) async throws -> Page {
    try await read { try $0.page(request) }
  }

  public func changes() -> AsyncStream<SourceChange> { synchronous.changes() }

  /// Returns the present state of the store as a source of its own, which nothing written from now on changes; see
  /// ``SynchronousMessageStore/snapshot()``.
  ///
  /// - Throws: ``StoreError`` if the store is closed or cannot be read.
  public nonisolated(nonsending) func snapshot() async throws -> Snapshot {
    let snapshot = try await read { try $0.snapshot() }
    return Snapshot(synchronous: snapshot, readers: readers, path: path)
  }

  /// The size of the log (`-wal`) in bytes, 0 if there is none: what a snapshot keeps grows there.
  public var logByteCount: Int { synchronous.logByteCount }

  /// Returns the version that a page of a selection would have now, reading no message.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func version(of selection: Selection) async throws
    -> SourceVersion
  {
    try await read { try $0.version(of: selection) }
  }

  /// Returns messages by their ids with all that belongs to them, as ``SynchronousMessageStore/records(of:byteLimit:)`` does.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func records(
    of ids: [Message.ID], byteLimit: Int = .max
  ) async throws -> (records: [MessageRecord], rest: [Message.ID]) {
    try await read { store in
      let (records, rest) = try store.records(of: ids[...], byteLimit: byteLimit)
      return (records, Array(rest))
    }
  }

  /// Returns what an app keeps with a message; `nil` if it keeps nothing, or there is no such message.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `inputOutput`.
  public nonisolated(nonsending) func payload(of id: Message.ID) async throws -> [UInt8]? {
    try await read { try $0.payload(of: id) }
  }

  /// Returns the messages of a sending state, oldest first.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `inputOutput`.
  public nonisolated(nonsending) func messages(
    in state: Message.SendingState, limit: Int
  ) async throws -> [Message.ID] {
    try await read { try $0.messages(in: state, limit: limit) }
  }

  /// Returns messages with all that belongs to them, as ``SynchronousMessageStore/records(_:byteLimit:mayPause:)`` does.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a wrong expression, else `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func records(
    _ request: MessageModel.PageRequest, byteLimit: Int = .max
  ) async throws -> RecordPage {
    try await read { try $0.records(request, byteLimit: byteLimit) }
  }

  /// Returns the whole text of a message; `nil` if it is not there.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func text(of id: Message.ID) async throws -> String? {
    try await read { try $0.text(of: id) }
  }

  /// Returns what is attached to a message.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func attachments(of id: Message.ID) async throws -> [Message
    .Attachment]
  {
    try await read { try $0.attachments(of: id) }
  }

  /// Returns the former texts of a message, oldest first.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func edits(of id: Message.ID) async throws -> [Message.Edit] {
    try await read { try $0.edits(of: id) }
  }

  /// Returns the days or months of a conversation, or of all, that hold messages, oldest first.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func sections(
    of conversation: Conversation.ID?, by span: HistorySection.Span, zone: TimeZone
  ) async throws -> [HistorySection] {
    try await read { try $0.sections(of: conversation, by: span, zone: zone) }
  }

  /// Returns the messages of a selection counted by a property.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if an expression is wrong, `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func groups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone
  ) async throws -> [MessageGroup] {
    try await read { try $0.groups(of: selection, by: grouping, zone: zone) }
  }

  /// Returns all marks by name.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func marks() async throws -> [NamedMark] {
    try await read { try $0.marks() }
  }

  /// Returns counts and sizes of what the store holds.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func statistics() async throws -> StoreStatistics {
    try await read { try $0.statistics() }
  }
}

extension MessageStore {
  /// One state of a store.
  public struct Snapshot: MessageSource {
    /// The same state for whoever is to be answered at once, as a `MessageCollection` is.
    public let synchronous: StoreSnapshot
    let readers: WorkLanes
    let path: String

    /// Returns the messages that `request` asks for, as they were when the snapshot was taken.
    ///
    /// - Throws: As ``StoreSnapshot/page(_:)``, and `CancellationError`.
    public nonisolated(nonsending) func page(
      _ request: MessageModel.PageRequest
    ) async throws -> Page {
      try await readers.run {
        [synchronous] in try synchronous.page(request)
      }
    }

    /// Returns a stream that ends after its first element: a snapshot does not change.
    public func changes() -> AsyncStream<SourceChange> { synchronous.changes() }
  }
}

internal import Dispatch
public import MessageModel
internal import Synchronization

/// A store published on a PostgreSQL server, for reading: a ``MessageSource`` over the network.
///
/// ```swift
/// let archive = try PostgresArchive(PostgresAddress("postgres://reader@db.example.org/history"))
/// let page = try await archive.page(PageRequest(.everything, anchor: .ordinal(1_000_000)))
/// ```
///
/// A page takes one statement, with its ordinals and totals; one at an ordinal or percentage, or with an
/// offset, takes two. Counts are exact for conditions on sender, kind, feature or time; for others they are
/// exact up to some ten thousand messages, then estimates. An archive has no read marks: `firstUnread` is the
/// oldest message of a conversation.
///
/// Every read throws ``StoreError``: `invalidRequest` for an invalid request, `busy` if a statement exceeded
/// its timeout, else `inputOutput` or `notPermitted`.
public final class PostgresArchive: MessageSource {
  /// The address given to the initialiser.
  public let address: PostgresAddress
  /// The name of the store in the archive.
  public let name: String
  package let numbers: ArchiveNumbers
  private let pool: ConnectionPool
  private let queue = DispatchQueue(label: "scrollback.archive", attributes: .concurrent)
  private let listener: ArchiveListener
  let limits: ArchivePages.Limits
  let shownNames = ArchiveNames()

  /// The version of the tables that this program knows.
  package static let form: Int64 = 1

  /// Opens an archive.
  ///
  /// - Parameters:
  ///   - address: The address, with the name of a store if the archive has several.
  ///   - options: Connection limit and timeout.
  /// - Throws: ``StoreError`` of kind `noSuchStore`, `notAStore` (a database without an archive, or with a
  ///   newer one), `notPermitted`, `notFound` (no store of that name), or `inputOutput`.
  public convenience init(_ address: PostgresAddress, options: PostgresOptions = PostgresOptions())
    throws(StoreError)
  {
    try self.init(address, options: options, limits: ArchivePages.Limits())
  }

  /// Opens an archive with lower limits for conditions that neither counts nor an index support.
  package convenience init(
    _ address: PostgresAddress, options: PostgresOptions, walk: Int, count: Int
  ) throws(StoreError) {
    try self.init(address, options: options, limits: ArchivePages.Limits(walk: walk, count: count))
  }

  init(_ address: PostgresAddress, options: PostgresOptions, limits: ArchivePages.Limits) throws(StoreError) {
    self.address = address
    self.limits = limits
    pool = ConnectionPool(limit: options.connectionLimit) { () throws(StoreError) in
      try Self.connection(to: address, options)
    }
    let store = try pool.use { connection throws(StoreError) in try Self.store(of: address, connection) }
    (numbers, name) = (ArchiveNumbers(store: store.number), store.name)
    listener = ArchiveListener(channel: Self.channel(of: store.number)) { () throws(StoreError) in
      try Self.connection(to: address, options)
    }
  }

  deinit { close() }

  /// Ends the streams of ``changes()`` and closes idle connections; others close when they are returned.
  public func close() {
    listener.close()
    pool.close()
  }

  /// The channel of a publisher's notifications.
  package static func channel(of store: Int64) -> String { "scrollback_\(store)" }

  // MARK: Reading

  /// Returns the messages that `request` asks for; see ``MessageSource/page(_:)``.
  ///
  /// - Throws: ``StoreError``, or `CancellationError` if the task was cancelled.
  public func page(_ request: PageRequest) async throws -> Page {
    let stop = StopOfReading()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<Page, StoreError>, Never>) in
        queue.async { [self] in
          continuation.resume(returning: Result { () throws(StoreError) in try read(request, stop) })
        }
      }
    } onCancel: {
      stop.stop()
    }
    do { return try result.get() } catch { throw error.awaited }
  }

  package func read(_ request: PageRequest) throws(StoreError) -> Page { try read(request, StopOfReading()) }

  private func read(_ request: PageRequest, _ stop: StopOfReading) throws(StoreError) -> Page {
    try pool.use { connection throws(StoreError) in
      try stop.begin(with: connection.stopper)
      defer { stop.end() }
      return try ArchivePages(request, numbers, connection, limits: limits, names: shownNames).page()
    }
  }

  package func ask<Answer>(
    _ question: (PostgresConnection) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    try pool.use(question)
  }

  public func changes() -> AsyncStream<Void> { listener.changes() }

  // MARK: Connecting

  private static func connection(
    to address: PostgresAddress, _ options: PostgresOptions
  ) throws(StoreError) -> PostgresConnection {
    let connection = try PostgresConnection(address, patience: options.statementTimeout + .seconds(5))
    // 0 would mean no limit.
    let timeout = max(options.statementTimeout.milliseconds, 1)
    // A page looks up few rows by key; a hash join would read all senders.
    try connection.run(
      """
      SELECT set_config('default_transaction_read_only', 'on', false), set_config('jit', 'off', false),
        set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false),
        set_config('random_page_cost', '1.1', false),
        set_config('plan_cache_mode', 'force_generic_plan', false),
        set_config('standard_conforming_strings', 'on', false),
        set_config('statement_timeout', '\(timeout)', false)
      """)
    return connection
  }

  private static func store(
    of address: PostgresAddress, _ connection: PostgresConnection
  ) throws(StoreError) -> (number: Int64, name: String) {
    try checkForm(connection, address)
    let rows = try connection.run("SELECT number, name FROM store ORDER BY name")
    let stores = rows.indices.map { (number: rows.int($0, 0), name: rows.text($0, 1)) }
    if let name = address.store, let found = stores.first(where: { $0.name == name }) { return found }
    if address.store == nil, stores.count == 1 { return stores[0] }
    let names = stores.prefix(5).map { VisibleText.of($0.name, keepsTabs: false) }.joined(separator: ", ")
    let wanted = address.store.map { "no store '\(VisibleText.of($0))' in" } ?? "which store of"
    throw StoreError(
      .notFound, "\(wanted) the archive at '\(address.shown)'",
      cause: stores.isEmpty ? "nothing was published there yet" : "it has \(stores.count): \(names)",
      remedy: stores.isEmpty ? .publish : "?store=NAME at the end of the address")
  }

  /// Throws ``StoreError`` of kind `notAStore` if the tables have another version.
  package static func checkForm(
    _ connection: PostgresConnection, _ address: PostgresAddress
  ) throws(StoreError) {
    let form = try connection.run("SELECT max(form) FROM archive").int(0, 0)
    guard form != Self.form else { return }
    throw StoreError(
      .notAStore, "cannot use the archive at '\(address.shown)'",
      cause: "its tables are of form \(form), and this program knows form \(Self.form)",
      remedy: "a newer scrollback")
  }
}

/// Options for reading an archive.
public struct PostgresOptions: Hashable, Sendable {
  /// The most connections at once; further readers wait.
  public var connectionLimit = 4
  /// The time after which the server stops a statement.
  public var statementTimeout = Duration.seconds(30)

  /// Creates the default options.
  public init() {}
}

private final class StopOfReading: Sendable {
  private struct State {
    var isAskedFor = false
    var stopper: PostgresConnection.Stopper?
  }

  private let state = Mutex(State())

  /// Throws ``StoreError`` of kind `cancelled` if cancelled already.
  func begin(with stopper: PostgresConnection.Stopper) throws(StoreError) {
    let isAskedFor = state.withLock { state in
      state.stopper = stopper
      return state.isAskedFor
    }
    if isAskedFor { throw StoreError(.cancelled, "reading was stopped") }
  }

  func end() { state.withLock { $0.stopper = nil } }

  func stop() {
    state.withLock { state in
      state.isAskedFor = true
      state.stopper?.stop()
    }
  }
}

extension PostgresArchive {
  /// Returns, by place, the messages of a selection that were written at another time than that of their
  /// place.
  package func ownTimes(of selection: Selection) throws(StoreError) -> [OwnTime] {
    try ask { connection throws(StoreError) in
      guard try ArchivePages.haveOwnTimes(numbers, connection) else { return [] }
      let scope = try ArchiveScope(selection, numbers, haveOwnTimes: true)
      let time = ArchivePredicate.time(of: "m")
      let rows = try connection.run(
        """
        SELECT m.id, \(time), m.precision FROM unnest($1::bigint[]) AS c(number) CROSS JOIN LATERAL (
          SELECT * FROM message m WHERE \(scope.rows(of: "c.number"))\(scope.andCondition)
            AND m.id BETWEEN \(scope.ids.lowerBound) AND \(scope.ids.upperBound)
            AND m.features & \(ArchiveFeature.writtenAt) <> 0) m ORDER BY m.id
        """, [PostgresValue(scope.counted)])
      return rows.indices.map { row in
        OwnTime(
          id: Message.ID(rawValue: rows.int(row, 0)),
          time: Timestamp(millisecondsSince1970: rows.int(row, 1)),
          precision: TimePrecision(rawValue: Int(rows.int(row, 2))) ?? .millisecond)
      }
    }
  }
}

/// The conversation names of recent pages: showing messages needs them, and this saves a query each.
final class ArchiveNames: Sendable {
  private let names = Mutex<[Conversation.ID: String]>([:])

  private static let limit = 20_000

  func note(_ rows: PostgresRows, _ row: Int, _ column: Int, _ id: Conversation.ID) {
    guard let name = rows.optionalText(row, column) else { return }
    names.withLock { names in
      if names[id] == name { return }
      if names.count >= Self.limit { names.removeAll(keepingCapacity: true) }
      names[id] = name
    }
  }

  subscript(id: Conversation.ID) -> String? { names.withLock { $0[id] } }
}

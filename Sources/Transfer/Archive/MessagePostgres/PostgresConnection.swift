internal import CPostgresClient
package import MessageModel

/// A connection to a server, used by one thread at a time.
///
/// Statements are prepared once per text if asked for. No wait exceeds its limit. Unchecked `Sendable`: the
/// pool lends a connection to one reader at a time.
///
/// Throws ``StoreError`` for the server's errors, and of kind `inputOutput` if the connection is broken.
package final class PostgresConnection: @unchecked Sendable {
  private let raw: OpaquePointer
  /// Stops the running statement, from any thread.
  package let stopper: Stopper
  let place: String
  private var prepared: [String: String] = [:]
  private let patience: Duration

  /// The most prepared statements: a reader needs a few dozen.
  private static let mostPrepared = 200

  /// Connects like psql: by address, environment, service file and password file. No error contains a
  /// password.
  package init(_ address: PostgresAddress, patience: Duration = .seconds(60)) throws(StoreError) {
    guard cpg_is_there() else {
      throw StoreError(
        .invalidRequest, "cannot open '\(address.shown)'",
        cause: "PostgreSQL's client library is not on this machine",
        remedy: "libpq 9.5 or later (Debian and Ubuntu: the package libpq5)")
    }
    guard let raw = cpg_connect(address.text, "scrollback") else {
      throw StoreError(.inputOutput, "cannot open '\(address.shown)'", cause: "there is no memory left")
    }
    self.raw = raw
    place = address.shown
    self.patience = patience
    guard cpg_is_alive(raw), let handle = cpg_cancel_handle(raw) else {
      let error = PostgresFault.connecting(
        to: address, text: String(cString: cpg_error(raw)), needsPassword: cpg_needs_password(raw))
      cpg_finish(raw)
      throw error
    }
    stopper = Stopper(handle)
  }

  deinit { cpg_finish(raw) }

  var isAlive: Bool { cpg_is_alive(raw) }

  /// Runs a statement.
  ///
  /// - Parameters:
  ///   - values: The values of $1, $2, …
  ///   - prepares: Whether to keep the statement prepared.
  ///   - patience: A limit for this statement, in place of the connection's.
  // Inlining this crashes the optimizer of Swift 6.3 ("Found ownership error").
  @inline(never) @discardableResult
  package func run(
    _ sql: String, _ values: [PostgresValue] = [], prepares: Bool = false, patience: Duration? = nil
  ) throws(StoreError) -> PostgresRows {
    if prepares {
      let name = try name(ofPrepared: sql)
      try send(values) { texts in cpg_send_prepared(raw, name, Int32(values.count), texts) }
    } else {
      try send(values) { texts in cpg_send(raw, sql, Int32(values.count), texts) }
    }
    return try answer(within: patience ?? self.patience)
  }

  /// Sends rows by COPY in text format; after an error, no row is stored.
  package func copy(_ statement: String, _ bytes: [UInt8]) throws(StoreError) {
    try send([]) { texts in cpg_send(raw, statement, 0, texts) }
    guard let first = try next(within: patience) else { throw broken() }
    guard first.outcome == CPG_COPY_IN else {
      _ = try rest(within: patience)
      throw PostgresFault.answered(first, at: place)
    }
    var start = 0
    while start < bytes.count {
      let end = min(start + Self.pieceLength, bytes.count)
      let isTaken = bytes[start..<end].withUnsafeBufferPointer {
        cpg_put(raw, $0.baseAddress, Int32($0.count))
      }
      guard isTaken else { throw broken() }
      start = end
    }
    guard cpg_put_end(raw, nil) else { throw broken() }
    _ = try answer(within: patience)
  }

  private static let pieceLength = 1 << 20

  func waitForNotice(_ time: Duration) throws(StoreError) -> Bool {
    let count = cpg_wait_for_notices(raw, Int32(clamping: time.milliseconds))
    guard count >= 0 else { throw broken() }
    return count > 0
  }

  private func name(ofPrepared sql: String) throws(StoreError) -> String {
    if let name = prepared[sql] { return name }
    if prepared.count >= Self.mostPrepared {
      prepared = [:]
      try run("DEALLOCATE ALL")
    }
    let name = "scrollback_\(prepared.count)"
    guard cpg_send_prepare(raw, name, sql) else { throw broken() }
    _ = try answer(within: patience)
    prepared[sql] = name
    return name
  }

  private func send(
    _ values: [PostgresValue], _ call: (UnsafePointer<UnsafePointer<CChar>?>) -> Bool
  ) throws(StoreError) {
    let texts = values.map { $0.text.map { Array($0.utf8CString) } }
    let isSent = Self.withPointers(to: texts[...], [], call)
    guard isSent else { throw broken() }
  }

  private static func withPointers(
    to texts: ArraySlice<[CChar]?>, _ pointers: [UnsafePointer<CChar>?],
    _ call: (UnsafePointer<UnsafePointer<CChar>?>) -> Bool
  ) -> Bool {
    guard let first = texts.first else {
      // An address is required even for no values.
      return (pointers + [nil]).withUnsafeBufferPointer { all in all.baseAddress.map(call) ?? false }
    }
    guard let first else { return withPointers(to: texts.dropFirst(), pointers + [nil], call) }
    return first.withUnsafeBufferPointer {
      withPointers(to: texts.dropFirst(), pointers + [$0.baseAddress], call)
    }
  }

  private func answer(within time: Duration) throws(StoreError) -> PostgresRows {
    guard let first = try next(within: time) else { throw broken() }
    _ = try rest(within: time)
    guard first.outcome == CPG_ROWS || first.outcome == CPG_DONE else {
      throw PostgresFault.answered(first, at: place)
    }
    return first
  }

  private func rest(within time: Duration) throws(StoreError) -> Bool {
    while try next(within: time) != nil {}
    return true
  }

  private func next(within time: Duration) throws(StoreError) -> PostgresRows? {
    var result: OpaquePointer?
    switch cpg_next(raw, Int32(clamping: time.milliseconds), &result) {
    case CPG_RESULT: return result.map(PostgresRows.init)
    case CPG_END: return nil
    case CPG_TIMED_OUT:
      stopper.stop()
      throw StoreError(
        .inputOutput, "cannot read from '\(place)'",
        cause: "the server has not answered for \(time.components.seconds) seconds", remedy: "again, later")
    default: throw broken()
    }
  }

  private func broken() -> StoreError {
    StoreError(
      .inputOutput, "cannot read from '\(place)'",
      cause: PostgresFault.line(String(cString: cpg_error(raw))) ?? "the connection is broken",
      remedy: "again, when the server is there")
  }

  /// Cancels a connection's running statement.
  ///
  /// Unchecked `Sendable`: libpq allows the immutable handle on any thread.
  package final class Stopper: @unchecked Sendable {
    private let handle: OpaquePointer

    fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { cpg_cancel_free(handle) }

    /// Asks the server to cancel the running statement, if any.
    package func stop() { cpg_cancel_send(handle) }
  }
}

/// A parameter of a statement.
package struct PostgresValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  let text: String?

  package init(_ text: String?) { self.text = text }
  package init(_ number: Int64?) { text = number.map { String($0) } }
  package init(_ number: Int) { text = String(number) }
  // Not inlined for the same reason as ``PostgresConnection/run(_:_:prepares:patience:)``.
  @inline(never) package init(_ numbers: some Sequence<Int64>) {
    text = "{" + numbers.map { String($0) }.joined(separator: ",") + "}"
  }
  package init(integerLiteral value: Int64) { self.init(value) }
  package init(stringLiteral value: String) { self.init(value) }
}

/// The rows of a result, in binary format.
package final class PostgresRows {
  private let raw: OpaquePointer

  init(_ raw: OpaquePointer) { self.raw = raw }

  deinit { cpg_result_free(raw) }

  var outcome: cpg_outcome { cpg_result_outcome(raw) }
  var state: String { String(cString: cpg_result_state(raw)) }
  var message: String { String(cString: cpg_result_message(raw)) }

  package var count: Int { Int(cpg_result_rows(raw)) }
  package var indices: Range<Int> { 0..<count }

  private func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8>? {
    var length: Int32 = 0
    guard let start = cpg_result_value(raw, Int32(row), Int32(column), &length) else { return nil }
    return UnsafeBufferPointer(start: start, count: Int(length))
  }

  /// An integer of any width, or a Boolean; `nil` for NULL.
  package func optionalInt(_ row: Int, _ column: Int) -> Int64? {
    guard let bytes = bytes(row, column) else { return nil }
    let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = 64 - 8 * min(bytes.count, 8)
    return Int64(bitPattern: bits << UInt64(unused)) >> Int64(unused)
  }

  /// An integer, or a Boolean; 0 for NULL.
  package func int(_ row: Int, _ column: Int) -> Int64 { optionalInt(row, column) ?? 0 }

  package func bool(_ row: Int, _ column: Int) -> Bool { int(row, column) != 0 }

  /// `nil` for NULL.
  package func optionalText(_ row: Int, _ column: Int) -> String? {
    bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Empty for NULL.
  package func text(_ row: Int, _ column: Int) -> String { optionalText(row, column) ?? "" }

  /// The text of a jsonb value, without the leading version number; `nil` for NULL.
  package func json(_ row: Int, _ column: Int) -> [UInt8]? {
    bytes(row, column).map { Array($0.dropFirst()) }
  }
}

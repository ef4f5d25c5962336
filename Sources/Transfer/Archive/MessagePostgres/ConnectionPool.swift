internal import Dispatch
internal import MessageModel
internal import Synchronization

/// Some connections to one archive, which readers take turns with. One that is broken is replaced, once for each question.
final class ConnectionPool: Sendable {
  private struct State {
    var idle: [PostgresConnection] = []
    var isClosed = false
  }

  private let open: @Sendable () throws(StoreError) -> PostgresConnection
  private let state = Mutex(State())
  private let turns: DispatchSemaphore

  /// - Parameters:
  ///   - limit: The most connections at once.
  ///   - open: Makes one.
  init(limit: Int, open: @escaping @Sendable () throws(StoreError) -> PostgresConnection) {
    turns = DispatchSemaphore(value: limit)
    self.open = open
  }

  /// Lends a connection, and another one if the first turns out to be broken: what is asked only reads.
  ///
  /// - Throws: What `body` throws, or why there is no connection.
  func use<Result>(_ body: (PostgresConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
    turns.wait()
    defer { turns.signal() }
    let (taken, isFresh) = try take()
    do throws(StoreError) {
      let result = try body(taken)
      giveBack(taken)
      return result
    } catch {
      giveBack(taken)
      guard !isFresh, error.kind == .inputOutput, !taken.isAlive else { throw error }
      // The others have most likely gone with it.
      state.withLock { $0.idle = [] }
    }
    let next = try open()
    defer { giveBack(next) }
    return try body(next)
  }

  /// Closes all that nobody uses, and the others as they are given back.
  func close() {
    state.withLock { state in
      state.idle = []
      state.isClosed = true
    }
  }

  private func take() throws(StoreError) -> (connection: PostgresConnection, isFresh: Bool) {
    if let idle = state.withLock({ $0.idle.popLast() }) { return (idle, false) }
    return (try open(), true)
  }

  private func giveBack(_ connection: PostgresConnection) {
    guard connection.isAlive else { return }
    state.withLock { state in
      if !state.isClosed { state.idle.append(connection) }
    }
  }
}

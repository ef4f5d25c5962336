internal import Dispatch
internal import MessageModel
internal import Synchronization

final class ConnectionPool: Sendable {
  private struct State {
    var idle: [PostgresConnection] = []
    var isClosed = false
  }

  private let open: @Sendable () throws(StoreError) -> PostgresConnection
  private let state = Mutex(State())
  private let turns: DispatchSemaphore

  init(limit: Int, open: @escaping @Sendable () throws(StoreError) -> PostgresConnection) {
    turns = DispatchSemaphore(value: limit)
    self.open = open
  }

  /// Lends a connection, and another one if the first is broken: queries only read, so they can be repeated.
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
      // The other idle connections are most likely broken, too.
      state.withLock { $0.idle = [] }
    }
    let next = try open()
    defer { giveBack(next) }
    return try body(next)
  }

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

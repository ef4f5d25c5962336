internal import Dispatch
internal import MessageModel
internal import Synchronization

/// Threads of a store: work begins in the order in which it was added, one piece on each lane at a time.
/// Tasks that wait for it block no thread: the cooperative pool has one thread for each core, and work that
/// waits for a lock or a disk would block all tasks of a process.
final class WorkLanes: Sendable {
  /// Serial queues get threads beyond those of the pool, and release them when idle.
  private let queues: [DispatchQueue]
  private let state: Mutex<State>

  private struct State {
    var idle: [Int]
    var waiting: [Int: Piece] = [:]
    var first = 0
    var next = 0

    mutating func takeFirst() -> Piece? {
      while first < next {
        defer { first += 1 }
        if let piece = waiting.removeValue(forKey: first) { return piece }
      }
      return nil
    }
  }

  private final class Turn: Sendable {
    let flag = CancellationFlag()
    /// Its number, once it waits; read while the state is locked.
    let number = Atomic<Int>(-1)
  }

  private struct Piece: Sendable {
    let turn: Turn
    let run: @Sendable () -> Void
    let drop: @Sendable () -> Void
  }

  init(_ name: String, count: Int, qos: DispatchQoS = .userInitiated) {
    queues = (0..<max(count, 1)).map { DispatchQueue(label: "scrollback.\(name).\($0)", qos: qos) }
    state = Mutex(State(idle: Array(queues.indices.reversed())))
  }

  /// Runs work and waits for its result. If the task is cancelled, waiting work is not begun
  /// (`CancellationError`), and work in progress learns of it by ``SynchronousMessageStore/isCancelled``.
  nonisolated(nonsending) func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let turn = Turn()
    let result: Result<Value, any Error> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(
          Piece(turn: turn) {
            continuation.resume(
              returning: turn.flag.whileWatched {
                Result { try work() }.mapError { $0.awaited }
              })
          } drop: {
            continuation.resume(returning: .failure(CancellationError()))
          })
      }
    } onCancel: {
      turn.flag.raise()
      withdraw(turn)
    }
    return try result.get()
  }

  /// Adds work that cannot be cancelled.
  func add(_ work: @escaping @Sendable () -> Void) { add(Piece(turn: Turn(), run: work, drop: {})) }

  /// Runs `body` on this thread while all lanes are idle, after all work added before it.
  func whileIdle(_ body: () -> Void) {
    let held = DispatchGroup()
    let released = DispatchSemaphore(value: 0)
    for _ in queues {
      held.enter()
      add {
        held.leave()
        released.wait()
      }
    }
    held.wait()
    body()
    for _ in queues { released.signal() }
  }

  private func add(_ piece: Piece) {
    let (lane, isDropped) = state.withLock { state -> (Int?, Bool) in
      // A flag raised after this finds the piece among the waiting ones.
      if piece.turn.flag.isRaised { return (nil, true) }
      if let lane = state.idle.popLast() { return (lane, false) }
      piece.turn.number.store(state.next, ordering: .relaxed)
      state.waiting[state.next] = piece
      state.next += 1
      return (nil, false)
    }
    if isDropped { piece.drop() }
    if let lane { queues[lane].async { [self] in drive(lane, from: piece) } }
  }

  private func drive(_ lane: Int, from first: Piece) {
    var piece: Piece? = first
    while let present = piece {
      present.run()
      piece = state.withLock { state in
        let next = state.takeFirst()
        if next == nil { state.idle.append(lane) }
        return next
      }
    }
  }

  /// Removes waiting work whose flag was raised.
  private func withdraw(_ turn: Turn) {
    state.withLock { $0.waiting.removeValue(forKey: turn.number.load(ordering: .relaxed)) }?.drop()
  }
}

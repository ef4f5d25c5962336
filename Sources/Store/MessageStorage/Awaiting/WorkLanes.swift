internal import Dispatch
internal import MessageModel
internal import Synchronization

/// Threads of a store's own: work is begun in the order in which it comes, a piece on each lane at a time.
///
/// Tasks that wait for it hold no thread: the cooperative pool has as many as there are cores, and work that waits for a
/// lock or a disk would keep all tasks of a process waiting.
final class WorkLanes: Sendable {
  /// Serial queues get threads beyond those of the pool, and give them back when there is nothing to do.
  private let queues: [DispatchQueue]
  private let state: Mutex<State>

  private struct State {
    /// The lanes on which nothing is done.
    var idle: [Int]
    /// The pieces that wait for a lane, by the order in which it came.
    var waiting: [Int: Piece] = [:]
    var first = 0
    var next = 0

    /// Takes out the first of those that wait.
    mutating func takeFirst() -> Piece? {
      while first < next {
        defer { first += 1 }
        if let piece = waiting.removeValue(forKey: first) { return piece }
      }
      return nil
    }
  }

  /// A task's place among those that wait.
  private final class Turn: Sendable {
    let flag = CancellationFlag()
    /// Its number, once it waits; looked at while the state is locked.
    let number = Atomic<Int>(-1)
  }

  /// Work to be done, and a task that waits for it.
  private struct Piece: Sendable {
    let turn: Turn
    let run: @Sendable () -> Void
    let drop: @Sendable () -> Void
  }

  /// - Parameters:
  ///   - name: What debuggers show.
  ///   - count: How many pieces of work may be done at once.
  init(_ name: String, count: Int, qos: DispatchQoS = .userInitiated) {
    queues = (0..<max(count, 1)).map { DispatchQueue(label: "scrollback.\(name).\($0)", qos: qos) }
    state = Mutex(State(idle: Array(queues.indices.reversed())))
  }

  /// Does some work and waits for what comes of it.
  ///
  /// If the task is cancelled, work that waits for its turn is not begun, and ``SynchronousMessageStore/isCancelled``
  /// tells work that is under way.
  ///
  /// - Throws: What the work throws, as those who await see it (`awaited`); `CancellationError` if it was not begun.
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

  /// Does some work that cannot be called off.
  func add(_ work: @escaping @Sendable () -> Void) { add(Piece(turn: Turn(), run: work, drop: {})) }

  /// Does something on this thread while nothing is done on any lane: after all work that has come before it, and before
  /// all that comes later. The threads of the lanes wait meanwhile.
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
      // Who raises the flag later finds the piece among those that wait.
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

  /// Does one piece after the other on a lane until none waits.
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

  /// Lets work go that waits, once its flag is raised.
  private func withdraw(_ turn: Turn) {
    state.withLock { $0.waiting.removeValue(forKey: turn.number.load(ordering: .relaxed)) }?.drop()
  }
}

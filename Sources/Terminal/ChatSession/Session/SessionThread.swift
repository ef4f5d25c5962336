internal import Dispatch
internal import MessageStorage
internal import Synchronization

/// A session on a thread of its own: keys never wait for a disk or another process.
///
/// The terminal's owner sends events, waits a few milliseconds, and continues; results arrive in the order of
/// the events. Long work can be stopped.
package final class SessionThread<R: Reader>: Sendable {
  package struct Answer: Sendable {
    /// `nil` for anything but an event.
    package let event: ReplEvent?
    package let effects: Effects
  }

  /// The session's state after its last result.
  package struct Status: Sendable {
    package let shown: R.Shown
    package let isTransferring: Bool
    package let arrows: ArrowUse
    /// Whether to keep the next line in the history; replies and text that narrows a list are not kept.
    package let remembersLines: Bool
    package let lineUse: Completion.Line
    package let wakesAt: ContinuousClock.Instant?
    package let keepsHistory: Bool

    fileprivate init(_ session: Session<R>, _ shown: R.Shown) {
      self.shown = shown
      isTransferring = session.isTransferring
      arrows = session.reader.arrows
      remembersLines = session.question == nil && session.reader.cover.arrows == .line
      lineUse = session.lineUse
      wakesAt = session.wakesAt
      keepsHistory = session.context.keepsHistory
    }
  }

  private struct Work: Sendable {
    var event: ReplEvent?
    var body: @Sendable (inout Session<R>) -> Effects
  }

  private struct State {
    var waiting: [Work] = []
    var answers: [Answer] = []
    var status: Status
    /// `nil` if idle.
    var busySince: ContinuousClock.Instant?
    var isStopped = false
  }

  private let session: Mutex<Session<R>>
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "scrollback.session", qos: .userInteractive)
  private let notify: @Sendable () -> Void

  /// - Parameter notify: Called when there are results to take.
  package init(_ session: Session<R>, notify: @escaping @Sendable () -> Void) {
    var session = session
    var first = session.begin()
    let (shown, jobs) = R.show(&session)
    first.jobs += jobs
    var state = State(status: Status(session, shown))
    state.answers = [Answer(event: nil, effects: first)]
    self.state = Mutex(state)
    self.session = Mutex(session)
    self.notify = notify
  }

  /// Queues an event.
  package func send(_ event: ReplEvent) {
    let isSame = state.withLock { state in
      guard let last = state.waiting.last?.event, let both = last.joined(with: event) else { return false }
      state.waiting[state.waiting.count - 1] = Self.work(both)
      return true
    }
    if !isSame { add(Self.work(event)) }
  }

  /// Queues other work on the session.
  package func perform(_ body: @escaping @Sendable (inout Session<R>) -> Void) {
    add(
      Work(event: nil) { session in
        body(&session)
        return Effects()
      })
  }

  private static func work(_ event: ReplEvent) -> Work {
    Work(event: event) { session in session.handle(event) }
  }

  private func add(_ work: Work) {
    let begins = state.withLock { state in
      state.waiting.append(work)
      defer { state.busySince = state.busySince ?? .now }
      return state.busySince == nil
    }
    if begins { queue.async { self.work() } }
  }

  /// When the present work began; `nil` if idle.
  package var busySince: ContinuousClock.Instant? { state.withLock { $0.busySince } }

  package var status: Status { state.withLock { $0.status } }

  package func takeAnswers() -> [Answer] {
    state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  /// Stops long work and drops queued keys. Lines are executed nevertheless.
  package func stop() {
    state.withLock { state in
      state.isStopped = state.busySince != nil
      state.waiting.removeAll { $0.event?.isKey == true }
    }
  }

  /// Ends all work and saves read marks; returns the final context.
  package func finish() -> ReplContext {
    state.withLock { state in
      state.isStopped = true
      state.waiting = []
    }
    queue.sync {}
    return session.withLock { session in
      session.keepPlace()
      session.writeReadPositions()
      return session.context
    }
  }

  private func work() {
    let isStopped: @Sendable () -> Bool = { self.state.withLock { $0.isStopped } }
    while let work = state.withLock({ state -> Work? in
      guard !state.waiting.isEmpty else { return nil }
      state.isStopped = false
      return state.waiting.removeFirst()
    }) {
      let (effects, status) = session.withLock { session in
        var effects = SynchronousMessageStore.whileCancellable(by: isStopped) { work.body(&session) }
        let (shown, jobs) = R.show(&session)
        effects.jobs += jobs
        return (effects, Status(session, shown))
      }
      state.withLock { state in
        state.answers.append(Answer(event: work.event, effects: effects))
        if effects.leaves { state.waiting = [] }
        state.status = status
        state.busySince = state.waiting.isEmpty ? nil : .now
      }
      notify()
    }
  }
}

extension ReplEvent {
  fileprivate var isKey: Bool {
    switch self {
    case .key: true
    case .line, .typed, .search, .click, .resized, .storeChanged, .timePassed, .interrupted, .reported,
      .completions:
      false
    }
  }

  fileprivate func joined(with next: ReplEvent) -> ReplEvent? {
    switch (self, next) {
    case (.typed, .typed), (.resized, .resized), (.storeChanged, .storeChanged), (.timePassed, .timePassed):
      next
    default: nil
    }
  }
}

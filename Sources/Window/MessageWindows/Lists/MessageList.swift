public import MessageModel
import Synchronization

/// A window that reads its messages by itself, off the actors of its views.
///
/// ```swift
/// let list = MessageList(Selection(conversation), in: store)
/// show(await list.perform(.jump(to: .newest)).messages)
/// list.send(.scroll(.older))
/// for await snapshot in list.snapshots(every: .milliseconds(16)) { show(snapshot.messages) }
/// ```
///
/// ``MessageListModel`` wraps one for observing views on the main actor.
///
/// Commands of one task are carried out in order, whether sent or performed.
///
/// From its first command on it observes its source. It never reads a page twice at the same time, and
/// cancels reads that the window no longer waits for.
public actor MessageList {
  var window: MessageWindow
  private let source: any MessageSource
  var snapshot: (any MessageSource)?
  var freezing: Freezing?
  var freezeCount = 0
  /// Why the view thawed by itself since the last ``freeze(reading:limits:clock:pinnedByteCount:)``, or
  /// `nil`.
  public internal(set) var thawed: ThawReason?
  private var loads: [MessageWindow.Ticket: Load] = [:]
  private(set) var isClosed = false
  private var listener: Task<Void, Never>?
  private nonisolated let audience: Mutex<Audience>
  /// The last state shown to viewers, besides messages and headers.
  private var shown: (edges: EdgeStates, inView: Range<Int>, nearView: Range<Int>) = (
    EdgeStates(), 0..<0, 0..<0
  )
  let edgeLoader: EdgeLoader?
  var edgeWork: EdgeWork
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// Those that wait for a load at an edge, until something changes.
  var edgeWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
  var edgeWaiterCount = 0
  private nonisolated let told = Mutex<[GivenCommand]>([])

  /// Creates a list that is empty until its first jump.
  ///
  /// - Parameters:
  ///   - selection: The messages to show.
  ///   - source: Where to read them. A synchronous source is wrapped in an ``AwaitedSource``.
  ///   - limits: The most to hold, and the sizes of pages.
  ///   - edgeLoader: Loads messages beyond the ends of the source from a server.
  ///   - wantsPayloads: Whether messages are read with the app's payloads (``Message/payload``).
  ///   - stopsAtGaps: Whether it ends at the gaps of its conversation (``MessageGap``). A list of search
  ///     results, for example, passes `false` to show all messages in the store.
  public init(
    _ selection: Selection, in source: any MessageSource, limits: WindowLimits = .standard,
    edgeLoader: EdgeLoader? = nil, wantsPayloads: Bool = false, stopsAtGaps: Bool = true
  ) {
    let window = MessageWindow(
      selection, limits: limits, wantsPayloads: wantsPayloads, stopsAtGaps: stopsAtGaps)
    self.init(window, in: source, edgeLoader: edgeLoader)
  }

  /// Creates a list that begins with the messages of a window.
  init(_ window: MessageWindow, in source: any MessageSource, edgeLoader: EdgeLoader?) {
    self.source = source
    self.edgeLoader = edgeLoader
    self.window = window
    edgeWork = EdgeWork(selection: window.selection)
    audience = Mutex(Audience(seeing: State(window, loading: edgeLoader?.edges ?? [])))
  }

  deinit {
    listener?.cancel()
    freezing?.timer.cancel()
    for load in loads.values { load.task?.cancel() }
    for load in edgeWork.loads.values { load.task.cancel() }
    audience.withLock { $0.close() }
  }

  /// Carries out a command and waits until all its reads have finished or failed, joining reads in progress.
  ///
  /// Where a `.scroll` or `.load` finds no more in the source, it also waits for the ``EdgeLoader``, and for
  /// the messages that it brings; ``Snapshot/edges`` then has its failure. It does not wait longer than its
  /// task, which may be cancelled.
  ///
  /// A synchronous source is read by the waiting task, off the caller's actor: waking another thread would
  /// take as long as reading the page.
  ///
  /// - Returns: If there is a stream of ``snapshots(every:clock:)``, the newest stream's next snapshot, or
  ///   the one it has just delivered: a caller that shows that stream can ignore the result. Without a
  ///   stream, the list's state, with the changes since the command. Failures are in the header's activities.
  @concurrent @discardableResult
  public nonisolated func perform(_ command: ListCommand) async -> Snapshot {
    var (before, pendingReads) = await begin(given(command))
    while let pendingRead = pendingReads.popLast() {
      pendingReads += await finish(pendingRead.ticket, pendingRead.result())
    }
    return await settled(command, since: before)
  }

  /// Queues a command and returns at once. Its effects are seen in ``snapshots(every:clock:)``.
  public nonisolated func send(_ command: ListCommand) {
    let command = given(command)
    let isFirst = told.withLock { told in
      told.append(command)
      return told.count == 1
    }
    if isFirst { Task { await carryOutTold() } }
  }

  private func carryOutTold() {
    let commands = told.withLock { told in
      defer { told = [] }
      return told
    }
    for command in commands where isDue(command) { carryOut(command.command) }
  }

  func carryOut(_ command: ListCommand) {
    listen()
    noteEdges(command)
    read(take(window.perform(command)))
  }

  private nonisolated func given(_ command: ListCommand) -> GivenCommand {
    GivenCommand(command: command, seenLandings: audience.withLock { $0.seenLandings })
  }

  /// Whether a command is still meaningful. If a view has not shown the reader's last jump yet, its report of
  /// the messages in view would undo the jump.
  private func isDue(_ command: GivenCommand) -> Bool {
    switch command.command {
    case .readerMoved, .showOrdinals: command.seenLandings.map { $0 >= window.landingCount } ?? true
    case .scroll, .load, .jump, .select, .show, .sourceChanged, .retry, .back, .forward, .cross, .restore,
      .follow, .freeze, .thaw:
      true
    }
  }

  /// Ends all reads, loads, listening and snapshots.
  public func close() {
    isClosed = true
    listener?.cancel()
    freezing?.timer.cancel()
    for (ticket, load) in loads {
      load.task?.cancel()
      read(take(window.loadCancelled(for: ticket)))
    }
    forgetEdges()
    wakeEdgeWaiters()
    audience.withLock { $0.close() }
  }

  /// Returns the states of the window, beginning with the present one. Everything after this call is seen,
  /// however late the loop begins.
  ///
  /// A slow viewer sees the newest state next, with all changes since the last one; no other states are kept.
  /// The loop may run on any actor:
  ///
  /// ```swift
  /// Task { @MainActor in
  ///   for await snapshot in list.snapshots(every: .milliseconds(16)) {
  ///     table.apply(snapshot.changes)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - interval: The minimum time between two snapshots, such as a frame. If it has passed, a snapshot with
  ///     new messages comes at once. A snapshot in which only the header changed is delayed by one interval:
  ///     it often announces a read whose result comes within that time.
  ///   - clock: The clock of the interval.
  public nonisolated func snapshots(
    every interval: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) -> Snapshots {
    Snapshots(viewer: audience.withLock { $0.join(asView: true) }, pace: Pace(interval, by: clock))
  }

  /// As ``snapshots(every:clock:)``, for a viewer that shows no messages.
  nonisolated func observations(every interval: Duration, clock: any Clock<Duration>) -> Snapshots {
    Snapshots(viewer: audience.withLock { $0.join(asView: false) }, pace: Pace(interval, by: clock))
  }

  /// The present state, as a snapshot without changes.
  public var current: Snapshot {
    let state = state
    return Snapshot(state, since: state)
  }

  private var state: State {
    State(
      messages: window.messages, header: window.header, thawed: thawed, edges: edgeStates,
      inView: window.inView, nearView: window.nearView, complete: completeEnds,
      gaps: (window.gap(.older), window.gap(.newer)), landingCount: window.landingCount)
  }

  func show(_ delta: WindowDelta?) {
    wakeEdgeWaiters()
    let present = (edges: edgeStates, inView: window.inView, nearView: window.nearView)
    let state = state
    guard delta != nil || present != shown else { return audience.withLock { $0.note(state) } }
    shown = present
    let hasMessages = delta.map { !$0.isHeaderOnly } ?? false
    audience.withLock { $0.show(state, hasMessages: hasMessages) }
  }

  /// Listening begins before the first read, so that no change is missed.
  private func listen() {
    guard listener == nil else { return }
    let changes = source.changes()
    listener = Task { [weak self] in
      for await _ in changes { await self?.noticeChange() }
    }
  }
}

extension MessageList {
  private struct GivenCommand {
    let command: ListCommand
    /// The number of jumps that the views had shown; `nil` if they had shown nothing.
    let seenLandings: Int?
  }

  private struct Load {
    /// `nil` if the waiting caller reads the page.
    var task: Task<Void, Never>?
  }

  private struct Order {
    let ticket: MessageWindow.Ticket
    let fetch: PageRequest
    let source: any MessageSource

    var immediateSource: (any SynchronousMessageSource)? {
      (source as? AwaitedSource)?.base ?? source as? any SynchronousMessageSource
    }
  }

  private struct PendingRead: Sendable {
    let ticket: MessageWindow.Ticket
    let fetch: PageRequest
    let source: any SynchronousMessageSource

    func result() -> Result<Page, any Error> { Result { try source.page(fetch) } }
  }

  /// Returns the state before the command, and the pages that the caller must read.
  private func begin(_ given: GivenCommand) -> (before: State, reads: [PendingRead]) {
    carryOutTold()
    listen()
    let before = state
    guard isDue(given) else { return (before, []) }
    noteEdges(given.command)
    return (before, pendingReads(take(window.perform(given.command))))
  }

  var isReadingNothing: Bool { loads.isEmpty && !isClosed }

  private func take(_ update: MessageWindow.Update) -> [Order] {
    for (ticket, load) in loads where !window.isWaiting(for: ticket) {
      load.task?.cancel()
      loads[ticket] = nil
    }
    if update.requests.isEmpty { loadEdges() }
    show(update.delta)
    if loads.isEmpty, update.requests.isEmpty {
      for waiter in waiters { waiter.resume() }
      waiters.removeAll()
    }
    return update.requests.map {
      Order(
        ticket: $0.ticket, fetch: $0.fetch, source: $0.ticket.asksForTheLatest ? source : snapshot ?? source)
    }
  }

  private func read(_ orders: [Order]) {
    for order in orders {
      // Detached, since a task of the actor would block it while it reads.
      loads[order.ticket] = Load(
        task: Task.detached { [weak self] in
          let result: Result<Page, any Error>
          do { result = .success(try await order.source.page(order.fetch)) } catch {
            result = .failure(error)
          }
          await self?.arrive(order.ticket, result)
        })
    }
  }

  private func pendingReads(_ orders: [Order]) -> [PendingRead] {
    orders.compactMap { order in
      guard let source = order.immediateSource else {
        read([order])
        return nil
      }
      loads[order.ticket] = Load()
      return PendingRead(ticket: order.ticket, fetch: order.fetch, source: source)
    }
  }

  private func arrive(_ ticket: MessageWindow.Ticket, _ result: Result<Page, any Error>) {
    read(orders(after: ticket, result))
  }

  private func finish(_ ticket: MessageWindow.Ticket, _ result: Result<Page, any Error>) -> [PendingRead] {
    pendingReads(orders(after: ticket, result))
  }

  private func orders(after ticket: MessageWindow.Ticket, _ result: Result<Page, any Error>) -> [Order] {
    guard loads.removeValue(forKey: ticket) != nil else { return [] }
    return switch result {
    case .success(let page): take(window.pageArrived(page, for: ticket))
    case .failure(let error): take(window.loadEnded(by: error, for: ticket))
    }
  }

  private func settled(_ command: ListCommand, since before: State) async -> Snapshot {
    await readsEnded()
    await awaitEdge(for: command, since: before)
    let viewer = audience.withLock { $0.latest }
    return viewer?.newest ?? Snapshot(state, since: before)
  }

  func readsEnded() async {
    if !loads.isEmpty { await withCheckedContinuation { waiters.append($0) } }
  }
}

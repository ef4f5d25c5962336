public import MessageModel
import Synchronization

/// A window that reads by itself, away from those who look at it.
///
/// ```swift
/// let list = MessageList(Selection(conversation), in: store)
/// show(await list.perform(.jump(to: .newest)).messages)
/// list.send(.scroll(.older))
/// for await snapshot in list.snapshots(every: .milliseconds(16)) { show(snapshot.messages) }
/// ```
///
/// ``MessageListModel`` is one for views that observe, on the main actor.
///
/// Commands are carried out in the order in which one task gives them, told and performed ones alike.
///
/// It listens to the changes of its source from its first command on, asks for no page twice at the same time, and
/// calls off what the window no longer waits for.
public actor MessageList {
  var window: MessageWindow
  private let source: any MessageSource
  var snapshot: (any MessageSource)?
  var freezing: Freezing?
  var freezeCount = 0
  /// The reason why the view thawed by itself since the last ``freeze(reading:limits:clock:pinnedByteCount:)``, or
  /// `nil`.
  public internal(set) var thawed: ThawReason?
  private var loads: [MessageWindow.Ticket: Load] = [:]
  private var isClosed = false
  private var listener: Task<Void, Never>?
  /// Those who are shown what happens.
  private nonisolated let audience: Mutex<Audience>
  /// The state that the viewers were shown last, besides messages and headers.
  private var shown: (edges: EdgeStates, inView: Range<Int>, nearView: Range<Int>) = (
    EdgeStates(), 0..<0, 0..<0
  )
  let edgeLoader: EdgeLoader?
  var edgeWork: EdgeWork
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// The commands that are not carried out yet.
  private nonisolated let told = Mutex<[GivenCommand]>([])

  /// Creates a list that holds nothing until it is told to jump somewhere.
  ///
  /// - Parameters:
  ///   - selection: The messages to show.
  ///   - source: Where to read them. One that answers at once is given as an ``AwaitedSource``.
  ///   - limits: The most to hold, and the sizes of pages.
  ///   - edgeLoader: Loads from elsewhere what lies beyond the ends of the source; `nil` if there is nothing.
  ///   - wantsPayloads: Whether messages are read with what an app keeps with them (``Message/payload``).
  ///   - stopsAtGaps: Whether it ends at the gaps of its conversation (``MessageGap``). A list of hits, say, shows what is local.
  public init(
    _ selection: Selection, in source: any MessageSource, limits: WindowLimits = .standard,
    edgeLoader: EdgeLoader? = nil, wantsPayloads: Bool = false, stopsAtGaps: Bool = true
  ) {
    self.source = source
    self.edgeLoader = edgeLoader
    edgeWork = EdgeWork(selection: selection)
    window = MessageWindow(
      selection, limits: limits, wantsPayloads: wantsPayloads, stopsAtGaps: stopsAtGaps)
    audience = Mutex(Audience(seeing: State(window)))
  }

  deinit {
    listener?.cancel()
    freezing?.timer.cancel()
    for load in loads.values { load.task?.cancel() }
    for load in edgeWork.loads.values { load.task.cancel() }
    audience.withLock { $0.close() }
  }

  /// Carries out a command and waits until all that it asks for has been read, or has failed.
  ///
  /// If what it asks for is being read already, it waits for that. A source that answers at once is read by the task
  /// that waits, off the caller's actor: waking another thread for it would take as long as reading the page.
  ///
  /// - Returns: What the newest stream of ``snapshots(every:clock:)`` shows next, with the same changes, or has just shown if it
  ///   was quicker: whoever shows the stream need not show this, too. Without a stream, what the list holds then, and what has
  ///   changed in it since the command was given. What failed is told by the activities in its header.
  @concurrent @discardableResult
  public nonisolated func perform(_ command: MessageWindow.Command) async -> Snapshot {
    var (before, pendingReads) = await begin(given(command))
    while let pendingRead = pendingReads.popLast() {
      pendingReads += await finish(pendingRead.ticket, pendingRead.result())
    }
    return await settled(since: before)
  }

  /// Has a command carried out after all that were told before, and returns at once; what it brings about is seen in
  /// ``snapshots(every:clock:)``.
  public nonisolated func send(_ command: MessageWindow.Command) {
    let command = given(command)
    let isFirst = told.withLock { told in
      told.append(command)
      return told.count == 1
    }
    if isFirst { Task { await carryOutTold() } }
  }

  /// Carries out what was told so far.
  private func carryOutTold() {
    let commands = told.withLock { told in
      defer { told = [] }
      return told
    }
    for command in commands where isDue(command) { carryOut(command.command) }
  }

  func carryOut(_ command: MessageWindow.Command) {
    listen()
    noteEdges(command)
    read(take(window.perform(command)))
  }

  private nonisolated func given(_ command: MessageWindow.Command) -> GivenCommand {
    GivenCommand(command: command, seenLandings: audience.withLock { $0.seenLandings })
  }

  /// Whether a command still means what it did when it was given. A view that says what it shows, and has not seen that
  /// its reader has jumped, would have them go back.
  private func isDue(_ command: GivenCommand) -> Bool {
    switch command.command {
    case .readerMoved, .showOrdinals: command.seenLandings.map { $0 >= window.landingCount } ?? true
    case .scroll, .load, .jump, .select, .show, .sourceChanged, .retry, .back, .forward, .cross, .restore,
      .follow, .freeze, .thaw:
      true
    }
  }

  /// Ends all reading, loading, listening and snapshots.
  public func close() {
    isClosed = true
    listener?.cancel()
    freezing?.timer.cancel()
    for (ticket, load) in loads {
      load.task?.cancel()
      read(take(window.loadCancelled(for: ticket)))
    }
    forgetEdges()
    audience.withLock { $0.close() }
  }

  /// Returns the states of the window from now on, beginning with the present one: what happens after the call is seen, however
  /// late the loop begins.
  ///
  /// A viewer who is slow sees the newest state next, with all that has changed since the one seen last: nothing is kept for
  /// them besides. They are shown on whatever actor the loop runs on:
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
  ///   - interval: The least time between two snapshots: that of a frame. Messages are shown at once if it has passed since
  ///     the last snapshot; a header alone (that something is being read) waits for one interval for what comes of it.
  ///   - clock: By which it is told.
  public nonisolated func snapshots(
    every interval: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) -> Snapshots {
    Snapshots(viewer: audience.withLock { $0.join(asView: true) }, pace: Pace(interval, by: clock))
  }

  /// Returns the states as ``snapshots(every:clock:)`` does, to one who shows no messages by them.
  nonisolated func observations(every interval: Duration, clock: any Clock<Duration>) -> Snapshots {
    Snapshots(viewer: audience.withLock { $0.join(asView: false) }, pace: Pace(interval, by: clock))
  }

  /// The present state of the window, with no change.
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

  /// Shows the present state, if a step has changed anything.
  func show(_ delta: WindowDelta?) {
    let present = (edges: edgeStates, inView: window.inView, nearView: window.nearView)
    let state = state
    guard delta != nil || present != shown else { return audience.withLock { $0.note(state) } }
    shown = present
    let hasMessages = delta.map { !$0.isHeaderOnly } ?? false
    audience.withLock { $0.show(state, hasMessages: hasMessages) }
  }

  /// Listening begins before the first page is asked for, so that no change falls in between.
  private func listen() {
    guard listener == nil else { return }
    let changes = source.changes()
    listener = Task { [weak self] in
      for await _ in changes { await self?.noticeChange() }
    }
  }
}

// MARK: Reading

extension MessageList {
  /// A command, and what its giver had seen.
  private struct GivenCommand {
    let command: MessageWindow.Command
    /// The number of jumps that the views had seen the ends of; `nil` if nothing was shown to any.
    let seenLandings: Int?
  }

  /// A page on its way.
  private struct Load {
    /// The task that reads it; `nil` if the caller that waits for it does.
    var task: Task<Void, Never>?
  }

  /// A page to be read, and where.
  private struct Order {
    let ticket: MessageWindow.Ticket
    let fetch: PageRequest
    let source: any MessageSource

    /// The source, if it answers at once.
    var immediateSource: (any SynchronousMessageSource)? {
      (source as? AwaitedSource)?.base ?? source as? any SynchronousMessageSource
    }
  }

  /// A page that one who waits for it reads.
  private struct PendingRead: Sendable {
    let ticket: MessageWindow.Ticket
    let fetch: PageRequest
    let source: any SynchronousMessageSource

    func result() -> Result<Page, any Error> { Result { try source.page(fetch) } }
  }

  /// Carries out a command, and returns what was held before it and what the caller has to read for it.
  private func begin(_ given: GivenCommand) -> (before: State, reads: [PendingRead]) {
    carryOutTold()
    listen()
    let before = state
    guard isDue(given) else { return (before, []) }
    noteEdges(given.command)
    return (before, pendingReads(take(window.perform(given.command))))
  }

  /// Whether no page is on its way.
  var isReadingNothing: Bool { loads.isEmpty && !isClosed }

  /// Shows what has changed, and returns what is to be read.
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

  /// Has pages read by tasks of their own.
  private func read(_ orders: [Order]) {
    for order in orders {
      // Detached: a task of the actor would read on it and keep everyone else waiting.
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

  /// Returns those of the pages that one who waits can read, and has the others read.
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

  /// Takes in what was read, and returns what is to be read next.
  private func orders(after ticket: MessageWindow.Ticket, _ result: Result<Page, any Error>) -> [Order] {
    guard loads.removeValue(forKey: ticket) != nil else { return [] }
    return switch result {
    case .success(let page): take(window.pageArrived(page, for: ticket))
    case .failure(let error): take(window.loadEnded(by: error, for: ticket))
    }
  }

  /// Waits until nothing is being read, and returns what is shown then.
  private func settled(since before: State) async -> Snapshot {
    if !loads.isEmpty { await withCheckedContinuation { waiters.append($0) } }
    let viewer = audience.withLock { $0.latest }
    return viewer?.newest ?? Snapshot(state, since: before)
  }
}

public import MessageModel
import Synchronization

/// A window that reads by itself, away from those who look at it.
///
/// ```swift
/// let list = MessageList(Selection(conversation), in: store)
/// show(await list.perform(.jump(to: .newest)).messages)
/// list.tell(.older)
/// for await snapshot in await list.snapshots() { show(snapshot.messages) }
/// ```
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
  private var listener: Task<Void, Never>?
  private var viewers: [Int: AsyncStream<State>.Continuation] = [:]
  private var viewerCount = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// What was told and is not carried out yet.
  private nonisolated let told = Mutex<[MessageWindow.Command]>([])

  /// Creates a list that holds nothing until it is told to jump somewhere.
  ///
  /// A source that answers at once is given as an ``AwaitedSource``.
  public init(_ selection: Selection, in source: any MessageSource, limits: WindowLimits = .standard) {
    self.source = source
    window = MessageWindow(selection, limits: limits)
  }

  deinit {
    listener?.cancel()
    freezing?.timer.cancel()
    for load in loads.values { load.task?.cancel() }
    for viewer in viewers.values { viewer.finish() }
  }

  /// Carries out a command and waits until all that it asks for has been read, or has failed.
  ///
  /// If what it asks for is being read already, it waits for that. A source that answers at once is read by the task
  /// that waits, off the caller's actor: waking another thread for it would take as long as reading the page.
  ///
  /// - Returns: What the window shows after that, and what has changed in it since the command was given. What failed is
  ///   told by the activities in its header.
  @concurrent @discardableResult
  public nonisolated func perform(_ command: MessageWindow.Command) async -> Snapshot {
    var (before, pendingReads) = await begin(command)
    while let pendingRead = pendingReads.popLast() {
      pendingReads += await finish(pendingRead.ticket, pendingRead.result())
    }
    return Snapshot(await settled(), since: before)
  }

  /// Has a command carried out after all that were told before, and returns at once; what it brings about is seen in
  /// ``snapshots()``.
  public nonisolated func tell(_ command: MessageWindow.Command) {
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
    for command in commands { carryOut(command) }
  }

  func carryOut(_ command: MessageWindow.Command) {
    listen()
    read(take(window.perform(command)))
  }

  /// Ends all reading, listening and snapshots.
  public func close() {
    listener?.cancel()
    freezing?.timer.cancel()
    for (ticket, load) in loads {
      load.task?.cancel()
      read(take(window.loadCancelled(for: ticket)))
    }
    for viewer in viewers.values { viewer.finish() }
    viewers.removeAll()
  }

  /// Returns the states of the window from now on, beginning with the present one.
  ///
  /// A viewer who is slow sees the newest state next, with all that has changed since the one seen last.
  public func snapshots() -> Snapshots {
    let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
    viewerCount += 1
    viewers[viewerCount] = continuation
    continuation.onTermination = { [weak self, viewerCount] _ in
      Task { await self?.forgetViewer(viewerCount) }
    }
    continuation.yield(state)
    return Snapshots(states: stream)
  }

  private var state: State { State(messages: window.messages, header: window.header, thawed: thawed) }

  private func forgetViewer(_ number: Int) { viewers[number] = nil }

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

    func result() -> Result<Page, StoreError> {
      do throws(StoreError) { return .success(try source.page(fetch)) } catch { return .failure(error) }
    }
  }

  /// Carries out a command, and returns what was held before it and what the caller has to read for it.
  private func begin(_ command: MessageWindow.Command) -> (before: [Message], reads: [PendingRead]) {
    carryOutTold()
    listen()
    let before = window.messages
    return (before, pendingReads(take(window.perform(command))))
  }

  /// Shows what has changed, and returns what is to be read.
  private func take(_ update: MessageWindow.Update) -> [Order] {
    for (ticket, load) in loads where !window.isWaiting(for: ticket) {
      load.task?.cancel()
      loads[ticket] = nil
    }
    if update.delta != nil {
      let state = state
      for viewer in viewers.values { viewer.yield(state) }
    }
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
          do throws(StoreError) {
            await self?.arrive(order.ticket, .success(try await order.source.page(order.fetch)))
          } catch {
            await self?.arrive(order.ticket, .failure(error))
          }
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

  private func arrive(_ ticket: MessageWindow.Ticket, _ result: Result<Page, StoreError>) {
    read(orders(after: ticket, result))
  }

  private func finish(_ ticket: MessageWindow.Ticket, _ result: Result<Page, StoreError>) -> [PendingRead] {
    pendingReads(orders(after: ticket, result))
  }

  /// Takes in what was read, and returns what is to be read next.
  private func orders(after ticket: MessageWindow.Ticket, _ result: Result<Page, StoreError>) -> [Order] {
    guard loads.removeValue(forKey: ticket) != nil else { return [] }
    return switch result {
    case .success(let page): take(window.pageArrived(page, for: ticket))
    case .failure(let error) where error.kind == .cancelled: take(window.loadCancelled(for: ticket))
    case .failure(let error): take(window.loadFailed(error, for: ticket))
    }
  }

  /// Waits until nothing is being read.
  private func settled() async -> State {
    if !loads.isEmpty { await withCheckedContinuation { waiters.append($0) } }
    return state
  }
}

extension MessageList {
  /// The messages held at one moment, and how they lie in the selection.
  struct State: Sendable {
    var messages: [Message]
    var header: WindowHeader
    var thawed: ThawReason?
  }

  /// A state of the window, and what has changed since the one that this viewer saw before.
  public struct Snapshot: Sendable {
    private let state: State
    private let before: [Message]

    init(_ state: State, since before: [Message]) {
      self.state = state
      self.before = before
    }

    /// The messages held, oldest first.
    public var messages: [Message] { state.messages }
    /// The place of the window in its selection.
    public var header: WindowHeader { state.header }
    /// The reason why the view thawed by itself since it was last frozen, or `nil`.
    public var thawed: ThawReason? { state.thawed }
    /// The change since the snapshot before this one; for the first, all messages are inserted.
    ///
    /// - Complexity: O(messages held).
    public var delta: WindowDelta { WindowDelta(from: before, to: messages, header: header) }
  }

  /// The states of a window, one after the other.
  public struct Snapshots: AsyncSequence, Sendable {
    let states: AsyncStream<State>

    public func makeAsyncIterator() -> Iterator { Iterator(states: states.makeAsyncIterator()) }

    /// Compares each state with the one that it gave before.
    public struct Iterator: AsyncIteratorProtocol {
      var states: AsyncStream<State>.Iterator
      private var seen: [Message] = []

      init(states: AsyncStream<State>.Iterator) { self.states = states }

      public mutating func next() async -> Snapshot? {
        guard let state = await states.next() else { return nil }
        defer { seen = state.messages }
        return Snapshot(state, since: seen)
      }
    }
  }
}

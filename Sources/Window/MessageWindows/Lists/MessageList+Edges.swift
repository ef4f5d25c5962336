import MessageModel

extension MessageList {
  struct EdgeWork {
    var selection: Selection
    var states: [EdgePlace: EdgeState] = [:]
    var loads: [EdgePlace: EdgeLoad] = [:]
    var latest: [EdgePlace: (key: Message.ID?, attempt: Int)] = [:]
    var loadCount = 0
    /// The ends beyond which the reader scrolled while pages were being read.
    var passed: Set<ScrollDirection> = []

    mutating func forget(_ place: EdgePlace) {
      guard loads[place] == nil else { return }
      states[place] = nil
      latest[place] = nil
    }

    mutating func end(_ place: EdgePlace, as state: EdgeState?) {
      loads[place] = nil
      states[place] = state
    }
  }

  /// A side of a gap, identified by the far end of the gap, since the near one moves while the gap is filled;
  /// or an end of the source, without a far end.
  struct EdgePlace: Hashable {
    var edge: ScrollDirection
    var farSide: Message.ID?
  }

  struct EdgeLoad {
    var number: Int
    var task: Task<Void, Never>
    /// How the load has ended, until the list has read what it wrote.
    var outcome: EdgeOutcome?
  }

  /// Loads again at these ends of the shown messages, after failures or where the end was reached: for
  /// example after the connection returned. Failures at other gaps are retried when those gaps are shown.
  public func retryEdges(_ edges: Set<ScrollDirection> = [.older, .newer]) {
    for edge in edges { edgeWork.forget(place(at: edge)) }
    forgetFailures { !isShown($0) }
    loadEdges()
    show(nil)
  }

  /// Cancels the loads at these ends, which then fail with an error of kind `cancelled`.
  public func cancelEdgeLoads(at edges: Set<ScrollDirection> = [.older, .newer]) {
    for edge in edges {
      guard let load = edgeWork.loads.removeValue(forKey: place(at: edge)) else { continue }
      load.task.cancel()
      edgeWork.states[place(at: edge)] = .failed(EdgeError(CancellationError(), at: edge))
    }
    show(nil)
  }

  func noteEdges(_ command: ListCommand) {
    if let edge = command.edge { edgeWork.passed.insert(edge) }
    if command == .retry { forgetFailures { _ in true } }
  }

  private func place(at edge: ScrollDirection) -> EdgePlace {
    let gap = window.gap(edge)
    return EdgePlace(edge: edge, farSide: edge == .older ? gap?.after : gap?.before)
  }

  var edgeStates: EdgeStates {
    var states = EdgeStates()
    for edge in ScrollDirection.allCases { states[edge] = shownState(at: edge) }
    return states
  }

  /// Messages replace the row of their load, although the load may go on: a reader who comes near their end
  /// sees it again. A load that only waits for pages from the source is shown like one in progress.
  private func shownState(at edge: ScrollDirection) -> EdgeState {
    let state = state(at: edge)
    switch state {
    case .idle: return window.isReadingOn && isWanted(edge) ? .loading(progress: nil) : .idle
    case .loading:
      let last = edgeWork.latest[place(at: edge)]
      let hasArrived = last.map { $0.key != endMessage(edge)?.id } ?? false
      return hasArrived && !window.isNearEnd(edge) ? .idle : state
    case .failed, .endReached: return state
    }
  }

  private func endMessage(_ edge: ScrollDirection) -> Message? {
    edge == .older ? window.messages.first : window.messages.last
  }

  private func state(at edge: ScrollDirection) -> EdgeState {
    let state = edgeWork.states[place(at: edge)] ?? .idle
    // An existing gap is not complete, whatever was reported before.
    return state == .endReached && window.gap(edge) != nil ? .idle : state
  }

  private func isShown(_ place: EdgePlace) -> Bool {
    ScrollDirection.allCases.contains { self.place(at: $0) == place }
  }

  /// The ends beyond which neither the source nor the server has more.
  var completeEnds: Set<ScrollDirection> {
    var ends: Set<ScrollDirection> = []
    if window.holdsOldestEdge, isComplete(.older) { ends.insert(.older) }
    if window.holdsNewestEdge, isComplete(.newer) { ends.insert(.newer) }
    return ends
  }

  private func isComplete(_ edge: ScrollDirection) -> Bool {
    guard let edgeLoader, edgeLoader.edges.contains(edge) else { return true }
    return state(at: edge) == .endReached
  }

  private func forgetFailures(where isMeant: (EdgePlace) -> Bool) {
    for (place, state) in edgeWork.states where isMeant(place) {
      if case .failed = state { edgeWork.forget(place) }
    }
  }

  /// Waits for the load at an end beyond which a command has found nothing, and for its messages.
  func awaitEdge(for command: ListCommand, since before: State) async {
    guard let edge = command.edge else { return }
    while isUnchanged(edge, since: before), let load = edgeWork.loads[place(at: edge)] {
      while edgeWork.loads.values.contains(where: { $0.number == load.number }) {
        guard !isClosed, !Task.isCancelled else { return }
        await nextChange()
      }
      await readsEnded()
      guard isUnchanged(edge, since: before), window[edge].goesOn else { continue }
      carryOut(command)
      await readsEnded()
    }
  }

  private func isUnchanged(_ edge: ScrollDirection, since before: State) -> Bool {
    endMessage(edge)?.id == (edge == .older ? before.messages.first : before.messages.last)?.id
  }

  private func nextChange() async {
    edgeWaiterCount += 1
    let number = edgeWaiterCount
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if Task.isCancelled { waiter.resume() } else { edgeWaiters[number] = waiter }
      }
    } onCancel: {
      Task { await self.wakeEdgeWaiter(number) }
    }
  }

  private func wakeEdgeWaiter(_ number: Int) { edgeWaiters.removeValue(forKey: number)?.resume() }

  func wakeEdgeWaiters() {
    for waiter in edgeWaiters.values { waiter.resume() }
    edgeWaiters.removeAll()
  }

  /// Starts loads at the ends that the reader has reached, once no page that may have more is being read.
  func loadEdges() {
    guard let edgeLoader, isReadingNothing else { return }
    if edgeWork.selection != window.selection { forgetEdges() }
    endReadLoads()
    for edge in ScrollDirection.allCases where window.holdsEnd(edge) && isWanted(edge) {
      let place = place(at: edge)
      let last = endMessage(edge)
      let attempt = edgeWork.latest[place].map { $0.key == last?.id ? $0.attempt + 1 : 0 } ?? 0
      guard attempt < Self.mostAttempts else {
        edgeWork.states[place] = .failed(Self.fruitless(edge))
        continue
      }
      edgeWork.latest[place] = (last?.id, attempt)
      load(place, beyond: last, attempt: attempt, by: edgeLoader)
    }
    // The reader got the messages that the source still had there.
    edgeWork.passed = []
  }

  /// Ends the loads whose messages have been read.
  private func endReadLoads() {
    for (place, load) in edgeWork.loads {
      guard let outcome = load.outcome else { continue }
      edgeWork.end(place, as: outcome == .endReached ? .endReached : nil)
    }
  }

  func forgetEdges() {
    for load in edgeWork.loads.values { load.task.cancel() }
    edgeWork = EdgeWork(selection: window.selection, loadCount: edgeWork.loadCount)
  }

  /// An empty list has one end, at which the newest messages are loaded.
  private func isWanted(_ edge: ScrollDirection) -> Bool {
    guard let loader = edgeLoader, loader.edges.contains(edge) || window.gap(edge) != nil,
      state(at: edge) == .idle, window.isAtEnd(edge),
      window.isNearEnd(edge) || edgeWork.passed.contains(edge)
    else { return false }
    return edge == .older || !window.isEmpty || !(loader.edges.contains(.older) || window.gap(.older) != nil)
  }

  private func load(_ place: EdgePlace, beyond last: Message?, attempt: Int, by loader: EdgeLoader) {
    makeRoomForLoad()
    edgeWork.loadCount += 1
    let number = edgeWork.loadCount
    let request = EdgeRequest(
      edge: place.edge, selection: window.selection, key: last?.id, time: last?.time,
      gap: window.gap(place.edge), limit: window.pageLimit, attempt: attempt
    ) { [weak self] progress in
      Task { await self?.note(progress: progress, of: number, at: place) }
    }
    edgeWork.states[place] = .loading(progress: nil)
    // Detached, as reads from the source are.
    let task = Task.detached { [weak self] in
      do {
        let outcome = try await loader.load(request)
        await self?.end(.success(outcome), of: number, at: place)
      } catch {
        await self?.end(.failure(EdgeError(error, at: place.edge)), of: number, at: place)
      }
    }
    edgeWork.loads[place] = EdgeLoad(number: number, task: task)
  }

  /// Cancels the oldest load at an end that is no longer shown: each jump may leave one behind.
  private func makeRoomForLoad() {
    // At other ends only failures matter; their number is bounded.
    if edgeWork.states.count > Self.mostStates {
      edgeWork.states = edgeWork.states.filter {
        edgeWork.loads[$0.key] != nil || isShown($0.key) || $0.key.farSide == nil
      }
      edgeWork.latest = edgeWork.latest.filter { edgeWork.states[$0.key] != nil }
    }
    guard edgeWork.loads.count >= Self.mostLoads,
      let first = edgeWork.loads.filter({ !isShown($0.key) }).min(by: { $0.value.number < $1.value.number })
    else { return }
    first.value.task.cancel()
    edgeWork.loads[first.key] = nil
    edgeWork.forget(first.key)
  }

  private func note(progress: Double, of number: Int, at place: EdgePlace) {
    guard edgeWork.loads[place]?.number == number, case .loading(let known) = edgeWork.states[place],
      progress > known ?? -1, progress >= 0
    else { return }
    edgeWork.states[place] = .loading(progress: min(progress, 1))
    show(nil)
  }

  private func end(_ result: Result<EdgeOutcome, EdgeError>, of number: Int, at place: EdgePlace) {
    guard edgeWork.loads[place]?.number == number else { return }
    switch result {
    case .success(let outcome): edgeWork.loads[place]?.outcome = outcome
    case .failure(let error): edgeWork.end(place, as: .failed(error))
    }
    // The load may have written messages before it failed, and the source may notify late.
    carryOut(.sourceChanged)
    show(nil)
  }

  /// Consecutive requests with the same key.
  private static let mostAttempts = 8
  private static let mostLoads = 4
  private static let mostStates = 256

  private static func fruitless(_ edge: ScrollDirection) -> EdgeError {
    EdgeError(
      .fruitless, edge == .older ? "cannot load older messages" : "cannot load newer messages",
      cause: "\(mostAttempts) loads in a row brought none of those that are shown",
      remedy: "again, or say that the end was reached")
  }
}

extension ListCommand {
  /// The end beyond which messages are wanted.
  var edge: ScrollDirection? {
    switch self {
    case .scroll(let direction), .load(let direction): direction
    case .jump, .select, .show, .readerMoved, .sourceChanged, .retry, .back, .forward, .cross, .showOrdinals,
      .restore, .follow, .freeze, .thaw:
      nil
    }
  }
}

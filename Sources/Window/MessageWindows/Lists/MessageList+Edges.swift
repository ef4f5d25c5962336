import MessageModel

extension MessageList {
  /// The work at the ends of what is local, and at its gaps.
  struct EdgeWork {
    /// The selection that it is done for.
    var selection: Selection
    /// The states at those places where something was done.
    var states: [EdgePlace: EdgeState] = [:]
    var loads: [EdgePlace: EdgeLoad] = [:]
    /// The latest load at each place.
    var latest: [EdgePlace: (key: Message.ID?, attempt: Int)] = [:]
    var loadCount = 0
    /// The ends that the reader has scrolled beyond since nothing was being read last.
    var passed: Set<MessageWindow.Direction> = []

    /// Forgets a failure, and that there was no more.
    mutating func forget(_ place: EdgePlace) {
      guard loads[place] == nil else { return }
      states[place] = nil
      latest[place] = nil
    }
  }

  /// A place where more may be loaded: the side of a gap, which the far side names, since the near one moves as the gap is filled. An
  /// end is one without a far side.
  struct EdgePlace: Hashable {
    var edge: MessageWindow.Direction
    var farSide: Message.ID?
  }

  /// A load that is under way.
  struct EdgeLoad {
    var number: Int
    var task: Task<Void, Never>
  }

  /// Has the loader asked again at these ends of what is shown, whether loading has failed there or there was no more: after a
  /// connection has come back, for example. What has failed at other gaps is tried again when they are shown.
  public func retryEdges(_ edges: Set<MessageWindow.Direction> = [.older, .newer]) {
    for edge in edges { edgeWork.forget(place(at: edge)) }
    forgetFailures { !isShown($0) }
    loadEdges()
    show(nil)
  }

  /// Calls off what is being loaded at these ends. They have failed then, with an error of kind `cancelled`.
  public func cancelEdgeLoads(at edges: Set<MessageWindow.Direction> = [.older, .newer]) {
    for edge in edges {
      guard let load = edgeWork.loads.removeValue(forKey: place(at: edge)) else { continue }
      load.task.cancel()
      edgeWork.states[place(at: edge)] = .failed(EdgeError(CancellationError(), at: edge))
    }
    show(nil)
  }

  /// Takes note of a command that concerns what lies beyond the ends.
  func noteEdges(_ command: MessageWindow.Command) {
    switch command {
    case .scroll(.older), .load(.older): edgeWork.passed.insert(.older)
    case .scroll(.newer), .load(.newer): edgeWork.passed.insert(.newer)
    case .retry: forgetFailures { _ in true }
    case .jump, .select, .show, .readerMoved, .sourceChanged, .showOrdinals, .back, .forward, .cross,
      .restore,
      .follow,
      .freeze, .thaw:
      break
    }
  }

  // MARK: States

  /// The place where more is loaded at an end of what is held.
  private func place(at edge: MessageWindow.Direction) -> EdgePlace {
    let gap = window.gap(edge)
    return EdgePlace(edge: edge, farSide: edge == .older ? gap?.after : gap?.before)
  }

  /// The states at both ends of what is held.
  var edgeStates: EdgeStates {
    var states = EdgeStates()
    for edge in MessageWindow.Direction.allCases { states[edge] = state(at: edge) }
    return states
  }

  private func state(at edge: MessageWindow.Direction) -> EdgeState {
    let state = edgeWork.states[place(at: edge)] ?? .idle
    // A gap that is there is not at its end, whatever was said of it before.
    return state == .endReached && window.gap(edge) != nil ? .idle : state
  }

  private func isShown(_ place: EdgePlace) -> Bool {
    MessageWindow.Direction.allCases.contains { self.place(at: $0) == place }
  }

  /// The ends beyond which there is nothing, neither in the source nor elsewhere.
  var completeEnds: Set<MessageWindow.Direction> {
    var ends: Set<MessageWindow.Direction> = []
    if window.holdsOldestEdge, isComplete(.older) { ends.insert(.older) }
    if window.holdsNewestEdge, isComplete(.newer) { ends.insert(.newer) }
    return ends
  }

  /// Whether nothing is to be loaded beyond an end.
  private func isComplete(_ edge: MessageWindow.Direction) -> Bool {
    guard let edgeLoader, edgeLoader.edges.contains(edge) else { return true }
    return state(at: edge) == .endReached
  }

  /// Has failed loads tried again, as the window does with its pages.
  private func forgetFailures(where isMeant: (EdgePlace) -> Bool) {
    for (place, state) in edgeWork.states where isMeant(place) {
      if case .failed = state { edgeWork.forget(place) }
    }
  }

  // MARK: Loading

  /// Begins to load at the ends that the reader has met, once nothing is being read from the source that may have more.
  func loadEdges() {
    guard let edgeLoader, isReadingNothing else { return }
    if edgeWork.selection != window.selection { forgetEdges() }
    for edge in MessageWindow.Direction.allCases where isWanted(edge, of: edgeLoader) {
      let place = place(at: edge)
      let last = edge == .older ? window.messages.first : window.messages.last
      let attempt = edgeWork.latest[place].map { $0.key == last?.id ? $0.attempt + 1 : 0 } ?? 0
      guard attempt < Self.mostAttempts else {
        edgeWork.states[place] = .failed(Self.fruitless(edge))
        continue
      }
      edgeWork.latest[place] = (last?.id, attempt)
      load(place, beyond: last, attempt: attempt, by: edgeLoader)
    }
    // Where there is more in the source, the reader was given that.
    edgeWork.passed = []
  }

  /// Ends all loading beyond the ends, and begins anew for the selection that is shown.
  func forgetEdges() {
    for load in edgeWork.loads.values { load.task.cancel() }
    edgeWork = EdgeWork(selection: window.selection, loadCount: edgeWork.loadCount)
  }

  /// Whether to load beyond an end. Where nothing is held there is one end: the newest messages are wanted.
  private func isWanted(_ edge: MessageWindow.Direction, of loader: EdgeLoader) -> Bool {
    guard loader.edges.contains(edge) || window.gap(edge) != nil, state(at: edge) == .idle,
      window.holdsEnd(edge),
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
    // Detached, as what is read from the source.
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

  /// Calls off the load that was begun first at a place that is not shown any more, if there are too many: whoever jumps along
  /// leaves one at each place.
  private func makeRoomForLoad() {
    // Of other places only what has failed is worth knowing, and not of all that there ever were.
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
    edgeWork.loads[place] = nil
    switch result {
    case .success(.loaded): edgeWork.states[place] = nil
    case .success(.endReached): edgeWork.states[place] = .endReached
    case .failure(let error): edgeWork.states[place] = .failed(error)
    }
    // What was written before it failed is there, too; and a source may be slow to tell.
    carryOut(.sourceChanged)
    show(nil)
  }

  /// The most times in a row that a loader is asked for the same.
  private static let mostAttempts = 8
  /// The most loads under way at once.
  private static let mostLoads = 4
  private static let mostStates = 256

  private static func fruitless(_ edge: MessageWindow.Direction) -> EdgeError {
    EdgeError(
      .fruitless, edge == .older ? "cannot load older messages" : "cannot load newer messages",
      cause: "\(mostAttempts) loads in a row brought none of those that are shown",
      remedy: "again, or say that the end was reached")
  }
}

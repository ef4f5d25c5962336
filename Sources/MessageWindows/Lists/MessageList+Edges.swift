import MessageModel

extension MessageList {
  /// The work at the ends of what is local.
  struct EdgeWork {
    /// The selection that it is done for.
    var selection: Selection
    var states = EdgeStates()
    var loads: [MessageWindow.Direction: EdgeLoad] = [:]
    /// The latest load at each end.
    var latest: [MessageWindow.Direction: (key: Message.ID?, attempt: Int)] = [:]
    var loadCount = 0
    /// The ends that the reader has scrolled beyond since nothing was being read last.
    var passed: Set<MessageWindow.Direction> = []
  }

  /// A load beyond an end that is under way.
  struct EdgeLoad {
    var number: Int
    var task: Task<Void, Never>
  }

  /// Has the loader asked again at these ends, whether loading has failed there or there was no more: after a connection
  /// has come back, for example.
  public func retryEdges(_ edges: Set<MessageWindow.Direction> = [.older, .newer]) {
    for edge in edges where edgeWork.loads[edge] == nil {
      edgeWork.states[edge] = .idle
      edgeWork.latest[edge] = nil
    }
    loadEdges()
    show(nil)
  }

  /// Calls off what is being loaded at these ends. They have failed then, with an error of kind `cancelled`.
  public func cancelEdgeLoads(at edges: Set<MessageWindow.Direction> = [.older, .newer]) {
    for edge in edges {
      guard let load = edgeWork.loads.removeValue(forKey: edge) else { continue }
      load.task.cancel()
      edgeWork.states[edge] = .failed(EdgeError(CancellationError(), at: edge))
    }
    show(nil)
  }

  /// Takes note of a command that concerns what lies beyond the ends.
  func noteEdges(_ command: MessageWindow.Command) {
    switch command {
    case .older, .readOn(.older): edgeWork.passed.insert(.older)
    case .newer, .readOn(.newer): edgeWork.passed.insert(.newer)
    case .retry: retryFailedEdges()
    case .jump, .select, .show, .readerMoved, .sourceChanged, .look, .back, .forward, .restore, .follow,
      .freeze, .thaw:
      break
    }
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
    return edgeWork.states[edge] == .endReached
  }

  /// Has failed loads tried again, as the window does with its pages.
  private func retryFailedEdges() {
    for edge in MessageWindow.Direction.allCases {
      guard case .failed = edgeWork.states[edge] else { continue }
      edgeWork.states[edge] = .idle
      edgeWork.latest[edge] = nil
    }
  }

  /// Begins to load at the ends that the reader has met, once nothing is being read from the source that may have more.
  func loadEdges() {
    guard let edgeLoader, isReadingNothing else { return }
    if edgeWork.selection != window.selection { forgetEdges() }
    for edge in MessageWindow.Direction.allCases where isWanted(edge, of: edgeLoader) {
      let key = edge == .older ? window.messages.first?.id : window.messages.last?.id
      let attempt = edgeWork.latest[edge].map { $0.key == key ? $0.attempt + 1 : 0 } ?? 0
      guard attempt < Self.mostAttempts else {
        edgeWork.states[edge] = .failed(Self.fruitless(edge))
        continue
      }
      edgeWork.latest[edge] = (key, attempt)
      load(edge, key: key, attempt: attempt, by: edgeLoader)
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
    guard loader.edges.contains(edge), edgeWork.states[edge] == .idle, window.holdsEnd(edge),
      window.isNearEnd(edge) || edgeWork.passed.contains(edge)
    else { return false }
    return edge == .older || !window.isEmpty || !loader.edges.contains(.older)
  }

  private func load(
    _ edge: MessageWindow.Direction, key: Message.ID?, attempt: Int, by loader: EdgeLoader
  ) {
    edgeWork.loadCount += 1
    let number = edgeWork.loadCount
    let request = EdgeRequest(
      edge: edge, selection: window.selection, key: key, limit: window.pageLimit, attempt: attempt
    ) { [weak self] progress in
      Task { await self?.note(progress: progress, of: number, at: edge) }
    }
    edgeWork.states[edge] = .loading(progress: nil)
    // Detached, as what is read from the source.
    let task = Task.detached { [weak self] in
      do {
        let outcome = try await loader.load(request)
        await self?.end(.success(outcome), of: number, at: edge)
      } catch {
        await self?.end(.failure(EdgeError(error, at: edge)), of: number, at: edge)
      }
    }
    edgeWork.loads[edge] = EdgeLoad(number: number, task: task)
  }

  private func note(progress: Double, of number: Int, at edge: MessageWindow.Direction) {
    guard edgeWork.loads[edge]?.number == number, case .loading(let known) = edgeWork.states[edge],
      progress > known ?? -1, progress >= 0
    else { return }
    edgeWork.states[edge] = .loading(progress: min(progress, 1))
    show(nil)
  }

  private func end(
    _ result: Result<EdgeOutcome, EdgeError>, of number: Int, at edge: MessageWindow.Direction
  ) {
    guard edgeWork.loads[edge]?.number == number else { return }
    edgeWork.loads[edge] = nil
    switch result {
    case .success(.loaded): edgeWork.states[edge] = .idle
    case .success(.endReached): edgeWork.states[edge] = .endReached
    case .failure(let error): edgeWork.states[edge] = .failed(error)
    }
    // What was written before it failed is there, too; and a source may be slow to tell.
    carryOut(.sourceChanged)
    show(nil)
  }

  /// The most times in a row that a loader is asked for the same.
  private static let mostAttempts = 8

  private static func fruitless(_ edge: MessageWindow.Direction) -> EdgeError {
    EdgeError(
      .fruitless, edge == .older ? "cannot load older messages" : "cannot load newer messages",
      cause: "\(mostAttempts) loads in a row brought none of those that are shown",
      remedy: "again, or say that the end was reached")
  }
}

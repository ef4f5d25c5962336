extension MessageList {
  /// The viewers of a list. A viewer can join on any thread, and sees the present state at once.
  struct Audience: Sendable {
    private struct Seat {
      weak var viewer: Viewer?
      let isView: Bool
    }

    private var seats: [Seat] = []
    private var state: State
    private var isClosed = false

    init(seeing state: State) { self.state = state }

    var latest: Viewer? { seats.last { $0.isView && $0.viewer != nil }?.viewer }

    /// The number of jumps that a view has shown; `nil` if no view has shown any state.
    var seenLandings: Int? { seats.compactMap { $0.isView ? $0.viewer?.seenLandings : nil }.max() }

    mutating func join(asView isView: Bool) -> Viewer {
      let viewer = Viewer()
      if isClosed { viewer.close() } else { seats.append(Seat(viewer: viewer, isView: isView)) }
      viewer.show(state, hasMessages: true)
      return viewer
    }

    mutating func show(_ state: State, hasMessages: Bool) {
      note(state)
      seats.removeAll { $0.viewer == nil }
      for seat in seats { seat.viewer?.show(state, hasMessages: hasMessages) }
    }

    /// Changes the state for viewers who join later; present viewers have nothing new to show.
    mutating func note(_ state: State) { self.state = state }

    mutating func close() {
      isClosed = true
      for seat in seats { seat.viewer?.close() }
      seats.removeAll()
    }
  }
}

extension MessageList.State {
  /// - Parameter edges: The ends at which a server may have more.
  init(_ window: MessageWindow, loading edges: Set<ScrollDirection>) {
    var complete: Set<ScrollDirection> = []
    if window.holdsOldestEdge { complete.insert(.older) }
    if window.holdsNewestEdge { complete.insert(.newer) }
    self.init(
      messages: window.messages, header: window.header, thawed: nil, edges: EdgeStates(),
      inView: window.inView, nearView: window.nearView, complete: complete.subtracting(edges),
      gaps: (window.gap(.older), window.gap(.newer)), landingCount: window.landingCount)
  }
}

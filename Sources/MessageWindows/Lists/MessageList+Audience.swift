extension MessageList {
  /// Those who are shown the states of a list. They join from any thread, and see the present state at once.
  struct Audience: Sendable {
    /// A viewer, for as long as somebody looks.
    private struct Seat {
      weak var viewer: Viewer?
    }

    private var seats: [Seat] = []
    /// The present state of the list.
    private var state: State
    private var isClosed = false

    init(seeing state: State) { self.state = state }

    /// The viewer who joined last of those who still look.
    var latest: Viewer? { seats.last { $0.viewer != nil }?.viewer }

    /// Returns a viewer who is shown the present state, and all that follow.
    mutating func join() -> Viewer {
      let viewer = Viewer()
      if isClosed { viewer.close() } else { seats.append(Seat(viewer: viewer)) }
      viewer.show(state, hasMessages: true)
      return viewer
    }

    /// Shows a state to all.
    mutating func show(_ state: State, hasMessages: Bool) {
      note(state)
      seats.removeAll { $0.viewer == nil }
      for seat in seats { seat.viewer?.show(state, hasMessages: hasMessages) }
    }

    /// Keeps a state for those who join: nothing in it is worth showing to the others.
    mutating func note(_ state: State) { self.state = state }

    /// Ends it for all, also for those who join later.
    mutating func close() {
      isClosed = true
      for seat in seats { seat.viewer?.close() }
      seats.removeAll()
    }
  }
}

extension MessageList.State {
  /// The state of a window that has read nothing yet.
  init(_ window: MessageWindow) {
    self.init(
      messages: window.messages, header: window.header, thawed: nil, edges: EdgeStates(),
      inView: window.inView,
      nearView: window.nearView, complete: [], gaps: (nil, nil), landingCount: window.landingCount)
  }
}

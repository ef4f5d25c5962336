extension MessageList {
  /// Those who are shown the states of a list. They join from any thread, and see the present state at once.
  struct Audience: Sendable {
    /// A viewer, for as long as somebody looks.
    private struct Seat {
      weak var viewer: Viewer?
      /// Whether messages are shown by what it sees.
      let isView: Bool
    }

    private var seats: [Seat] = []
    /// The present state of the list.
    private var state: State
    private var isClosed = false

    init(seeing state: State) { self.state = state }

    /// The view that joined last of those that still look.
    var latest: Viewer? { seats.last { $0.isView && $0.viewer != nil }?.viewer }

    /// The number of jumps that a view has seen the end of; `nil` if nothing was shown to any.
    var seenLandings: Int? { seats.compactMap { $0.isView ? $0.viewer?.seenLandings : nil }.max() }

    /// Returns a viewer who is shown the present state, and all that follow.
    mutating func join(asView isView: Bool) -> Viewer {
      let viewer = Viewer()
      if isClosed { viewer.close() } else { seats.append(Seat(viewer: viewer, isView: isView)) }
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

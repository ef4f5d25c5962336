import MessageModel

extension MessageWindow {
  struct Side: Sendable {
    var hasMore = false
    var gap: MessageGap?
    /// At a gap it does not continue, whatever is beyond the gap.
    var goesOn: Bool { hasMore && gap == nil }
    var activity = Activity.idle
    /// The anchor to continue from, if the source stopped searching at its limit.
    var nextAnchor: PageAnchor?
    /// Whether the last page was released for lack of space: reading is useless before the reader moves.
    var isFull = false
    /// Whether the read is for scrolling, so that the reader moves to its beginning.
    var scrolls = false
    /// Whether the reader scrolled this way during another read.
    var isWanted = false

    struct End {
      var hasMore: Bool
      var gap: MessageGap?
      var nextAnchor: PageAnchor?
    }

    var end: End {
      get { End(hasMore: hasMore, gap: gap, nextAnchor: nextAnchor) }
      set { (hasMore, gap, nextAnchor) = (newValue.hasMore, newValue.gap, newValue.nextAnchor) }
    }

    enum Activity: Hashable, Sendable {
      case idle
      case reading(Ticket)
      /// The reload or jump in progress replaces the read at this end.
      case joined
      case failed(StoreError)
    }

    /// Keeps failures.
    mutating func stopReading() {
      if isReading { activity = .idle }
    }

    /// Leaves the read to a reload or jump.
    mutating func join() {
      if isReading { activity = .joined }
    }

    var isReading: Bool {
      switch activity {
      case .reading, .joined: true
      case .idle, .failed: false
      }
    }

    var publicActivity: WindowActivity {
      switch activity {
      case .idle: .idle
      case .reading, .joined: .reading
      case .failed(let error): .failed(error)
      }
    }
  }

  struct Reader: Sendable {
    var place: Message.ID?
    /// `nil` if the view has not reported it.
    var lastInView: Message.ID?
    var rowOffset = 0
    /// Whether the end of `lastInView` is in view, not only its beginning.
    var seesEnd = true
    var heightInMessages = 0
    var stride = 0
    var isFollowing = false

    /// Forgets which other messages are in view.
    mutating func go(to id: Message.ID?, rowOffset: Int = 0, follows: Bool = false) {
      place = id
      (lastInView, seesEnd) = (nil, true)
      self.rowOffset = rowOffset
      stride = 0
      isFollowing = follows
    }
  }

  struct MainLoad: Sendable {
    var ticket: Ticket
    /// `nil` for a reload.
    var jump: Jump?
    var place: Message.ID?
    var needsReload = false
  }

  struct Jump: Sendable {
    var anchor: PageAnchor
    var selection: Selection
    var rowOffset = 0
    var follows = false
    var effect = JumpHistory.Effect.push
    /// The ordinals to show, for a list with placeholders.
    var look: Range<Int>?

    func around(_ id: Message.ID) -> Jump {
      var jump = self
      jump.anchor = .around(id)
      return jump
    }
  }

  /// Counts messages by others that arrived since the reader was at the newest edge.
  struct Arrivals: Sendable {
    /// The newest message when the reader was last there.
    var edge: Message.ID?
    var count: Int?
    /// The version at the last count or request.
    var version: SourceVersion?
    var ticket: Ticket?
  }
}

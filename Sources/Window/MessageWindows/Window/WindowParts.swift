import MessageModel

extension MessageWindow {
  /// One end of the window.
  struct Side: Sendable {
    /// Whether the source has more of the selection beyond this end.
    var hasMore = false
    /// The gap directly beyond this end.
    var gap: MessageGap?
    /// Whether more can be read beyond this end. What lies on the other side of a gap is no neighbour.
    var goesOn: Bool { hasMore && gap == nil }
    var activity = Activity.idle
    /// The place where the source stopped looking for more, to be asked to go on there.
    var nextAnchor: PageAnchor?
    /// Whether what was loaded last had to be let go of at once for want of room: asking again is no use before the
    /// reader has moved.
    var isFull = false
    /// Whether what is being read was asked for by scrolling, so that the reader goes where it begins.
    var scrolls = false
    /// Whether the reader asked to scroll this way while something else was being read.
    var isWanted = false

    /// The way in which the selection goes on beyond an end.
    struct End {
      var hasMore: Bool
      var gap: MessageGap?
      /// The place where the source stopped looking for more.
      var nextAnchor: PageAnchor?
    }

    var end: End {
      get { End(hasMore: hasMore, gap: gap, nextAnchor: nextAnchor) }
      set { (hasMore, gap, nextAnchor) = (newValue.hasMore, newValue.gap, newValue.nextAnchor) }
    }

    enum Activity: Hashable, Sendable {
      case idle
      case reading(Ticket)
      /// The reload that is under way reads this side as well.
      case joined
      case failed(StoreError)
    }

    /// Forgets what is being read; what failed stays failed.
    mutating func stopReading() {
      if isReading { activity = .idle }
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

  /// The reader's place, and how far they see and move.
  struct Reader: Sendable {
    /// The first message in view.
    var place: Message.ID?
    /// The last message in view, if the reader said what they see.
    var lastInView: Message.ID?
    var rowOffset = 0
    /// Whether the end of that message is in view, and not only where it begins.
    var seesEnd = true
    /// The number of messages in view, as last told.
    var heightInMessages = 0
    /// The number of messages that the reader went in their last step.
    var stride = 0
    var isFollowing = false

    /// Puts the reader at a message, without knowing what else they see.
    mutating func go(to id: Message.ID?, rowOffset: Int = 0, follows: Bool = false) {
      place = id
      (lastInView, seesEnd) = (nil, true)
      self.rowOffset = rowOffset
      stride = 0
      isFollowing = follows
    }
  }

  /// The reading of a whole window.
  struct MainLoad: Sendable {
    var ticket: Ticket
    /// The jump that the reader asked for; `nil` if the window is only read again.
    var jump: Jump?
    /// The reader's place when it was asked for.
    var place: Message.ID?
    /// Whether the window needs a reload still if this page does not come.
    var needsReload = false
  }

  /// A move of the reader to another place or selection.
  struct Jump: Sendable {
    var anchor: PageAnchor
    var selection: Selection
    var rowOffset = 0
    var follows = false
    var effect = JumpHistory.Effect.push
    /// The ordinals to be in view, if the reader looks at a list of the whole count.
    var look: Range<Int>?

    /// The same jump to a message, or the neighbour that stands in for it.
    func around(_ id: Message.ID) -> Jump {
      var jump = self
      jump.anchor = .around(id)
      return jump
    }
  }

  /// The messages that came in since the reader was at the newest edge, as a count.
  struct Arrivals: Sendable {
    /// The newest message when the reader was last there.
    var edge: Message.ID?
    /// The number of messages newer than that.
    var count: Int?
    /// The state that was held when they were counted, or asked for, last.
    var version: SourceVersion?
    var ticket: Ticket?
  }
}

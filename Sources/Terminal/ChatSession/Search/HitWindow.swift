internal import MessageModel
internal import MessageStorage
internal import MessageWindows

/// A window of what a search finds, whose pages are read by jobs.
///
/// Hits are the messages of a selection like any other, and few of them are held, however many there are. They are looked for
/// in one text after the other, so the window spans states of the store, and its pages are not counted: a count takes as
/// long as looking through all, and is a job of its own.
struct HitWindow: Sendable {
  /// The number that tells it from those before: pages for them are of no use any more.
  let number: Int
  private(set) var window: MessageWindow
  private var ordered: [MessageWindow.Request] = []
  private var beingRead: [MessageWindow.Request] = []

  /// A page of 128 makes half as many reads, which look at as many texts (1,816 against 1,779 for a thousand hits down and up
  /// again), and looks at twice as many before the first hit is shown.
  private static let limits =
    (try? WindowLimits(messages: 512, pageSize: 64, prefetchDistance: 64)) ?? .standard

  /// Creates a window of the messages that a selection narrowed to a search holds, around a place.
  init(_ number: Int, of selection: Selection, at anchor: PageAnchor) {
    self.number = number
    window = MessageWindow(selection, limits: Self.limits, spansStates: true, stopsAtGaps: false)
    perform(.follow(false))
    perform(.jump(to: anchor))
  }

  /// Carries out a command, and what could not be read before it.
  mutating func perform(_ command: MessageWindow.Command) {
    if window.wantsRetry { ordered += window.perform(.retry).requests }
    ordered += window.perform(command).requests
  }

  /// Puts the reader at a hit that is held.
  mutating func go(to id: Message.ID) { perform(.readerMoved(first: id, last: id)) }

  /// Returns the next hit in a direction from a place; `nil` if it is not held.
  func next(_ direction: HistoryView.Direction, of place: Message.ID) -> Message.ID? {
    guard let first = window.messages.first?.id, let last = window.messages.last?.id, first <= place,
      place <= last
    else { return nil }
    return switch direction {
    case .older: window.messages.last { $0.id < place }?.id
    case .newer: window.messages.first { $0.id > place }?.id
    }
  }

  /// Whether it holds a hit, or is on the way to where it is.
  func covers(_ id: Message.ID) -> Bool { window.header.jumping == .reading || window.index(of: id) != nil }

  /// Whether hits are being looked for.
  var isReading: Bool {
    let header = window.header
    return [header.jumping, header.readingOlder, header.readingNewer].contains(.reading)
  }

  /// The time back to which the texts that are being looked through have been read; `nil` if none are, or nothing is
  /// known of it.
  var reachedTime: Timestamp? {
    guard window.header.readingOlder == .reading, let place = window.reached(.older)?.placeTime else {
      return nil
    }
    return min(place, window.messages.first?.moment ?? place)
  }

  /// Returns the jobs that read what the window needs, which counts as being read from now on.
  mutating func takeJobs(_ lane: Job.Lane, in store: SynchronousMessageStore) -> [Job] {
    let wanted = ordered.filter { window.isWaiting(for: $0.ticket) }
    ordered = []
    beingRead += wanted
    return wanted.map { request in
      var fetch = request.fetch
      fetch.wantsCounts = false
      return Job(lane) { [number, fetch] report, isCancelled in
        let page = SynchronousMessageStore.whileCancellable(by: isCancelled) {
          Result { () throws(StoreError) in try store.page(fetch) }
        }
        report(.hits(page, for: request, window: number))
      }
    }
  }

  /// Takes in what was read, and returns what changed.
  ///
  /// - Throws: The ``StoreError`` with which reading failed, unless it was called off. It is tried again with the next command.
  mutating func take(
    _ page: Result<Page, StoreError>, for request: MessageWindow.Request
  ) throws(StoreError) -> WindowDelta? {
    beingRead.removeAll { $0 == request }
    let update =
      switch page {
      case .success(let page): window.pageArrived(page, for: request.ticket)
      case .failure(let error): window.loadFailed(error, for: request.ticket)
      }
    ordered += update.requests
    if let error = update.failure, error.kind != .cancelled { throw error }
    return update.delta
  }

  /// Takes note that what is being read will not come, as far as it is not asked for again.
  mutating func stopReading() {
    for request in ordered + beingRead {
      _ = window.loadFailed(StoreError(.cancelled, "the search was put away"), for: request.ticket)
    }
    (ordered, beingRead) = ([], [])
  }
}

internal import MessageModel
internal import MessageStorage
internal import MessageWindows

/// A window of a search's hits, read by jobs. Hits are messages of a selection, and few of them are held.
/// Texts are searched one by one, so the window spans several states of the store, and its pages are not
/// counted: a count is a job that reads everything.
struct HitWindow: Sendable {
  /// Distinguishes it from earlier windows, whose pages are dropped.
  let number: Int
  private(set) var window: MessageWindow
  private var ordered: [MessageWindow.Request] = []
  private var beingRead: [MessageWindow.Request] = []

  /// A page of 128 would search twice as many texts before the first hit appears.
  private static let limits =
    (try? WindowLimits(messages: 512, pageSize: 64, prefetchDistance: 64)) ?? .standard

  init(_ number: Int, of selection: Selection, at anchor: PageAnchor) {
    self.number = number
    window = MessageWindow(selection, limits: Self.limits, spansStates: true, stopsAtGaps: false)
    perform(.follow(false))
    perform(.jump(to: anchor))
  }

  /// Retries what failed before, then executes a command.
  mutating func perform(_ command: ListCommand) {
    if window.wantsRetry { ordered += window.perform(.retry).requests }
    ordered += window.perform(command).requests
  }

  mutating func go(to id: Message.ID) { perform(.readerMoved(first: id, last: id)) }

  /// `nil` if it is not held.
  func next(_ direction: HistoryView.Direction, of place: Message.ID) -> Message.ID? {
    guard let first = window.messages.first?.id, let last = window.messages.last?.id, first <= place,
      place <= last
    else { return nil }
    return switch direction {
    case .older: window.messages.last { $0.id < place }?.id
    case .newer: window.messages.first { $0.id > place }?.id
    }
  }

  /// Whether the hit is held, or a jump is being read.
  func covers(_ id: Message.ID) -> Bool { window.header.jumping == .reading || window.index(of: id) != nil }

  var isReading: Bool {
    let header = window.header
    return [header.jumping, header.readingOlder, header.readingNewer].contains(.reading)
  }

  /// How far back texts were searched; `nil` if no search is in progress.
  var reachedTime: Timestamp? {
    guard window.header.readingOlder == .reading, let place = window.reached(.older)?.placeTime else {
      return nil
    }
    return min(place, window.messages.first?.moment ?? place)
  }

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

  /// Throws the ``StoreError`` of reading unless it was cancelled. The next command retries.
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

  mutating func stopReading() {
    for request in ordered + beingRead {
      _ = window.loadFailed(StoreError(.cancelled, "the search was put away"), for: request.ticket)
    }
    (ordered, beingRead) = ([], [])
  }
}

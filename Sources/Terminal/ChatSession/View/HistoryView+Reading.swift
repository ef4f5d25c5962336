internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import Synchronization
internal import TerminalText

/// Reading for a view. The next page in the reader's direction is read at once. Everything else is read in
/// the background: pages ahead, changes, and the rest of a filtered search that has stopped at its limit.
extension HistoryView {
  struct Order {
    let request: MessageWindow.Request
    let source: any SynchronousMessageSource
    let callOff: CallOff
  }

  final class CallOff: Sendable {
    let isAskedFor = Atomic(false)
  }

  /// Reads at once what the command needs; cancels background reads. On an error the window is unchanged.
  mutating func perform(_ command: ListCommand) throws(StoreError) {
    callOffReading()
    // The count of new messages can wait, except after a change, and in a frozen view.
    let counts = snapshot != nil || command == .sourceChanged
    var awaited = try order(window.perform(command)) { counts || !$0.asksForTheLatest }
    while let request = awaited.first {
      awaited.removeFirst()
      guard window.isWaiting(for: request.ticket) else { continue }
      do throws(StoreError) {
        let page = try source(for: request).page(request.fetch)
        // A page of another state makes the window read everything again, at once. Pages ahead can wait.
        awaited += try order(window.pageArrived(page, for: request.ticket)) {
          $0.asksForTheWhole || counts && $0.asksForTheLatest
        }
      } catch {
        note(error, for: request)
        for request in awaited { _ = window.loadCancelled(for: request.ticket) }
        throw error
      }
    }
  }

  mutating func noticeChange() { ordered += window.perform(.sourceChanged).requests }

  /// Whether the store has changed since the last read. Changes by this session were read at once.
  func isBehind(_ store: SynchronousMessageStore) throws(StoreError) -> Bool {
    if snapshot != nil || !window.header.isExact { return true }
    return try store.version(of: window.selection) != window.version
  }

  mutating func takeOrders() -> [Order] {
    defer { ordered = [] }
    let wanted = ordered.filter { window.isWaiting(for: $0.ticket) }
    beingRead += wanted
    return wanted.map { Order(request: $0, source: source(for: $0), callOff: callOff) }
  }

  /// Applies a background page, and continues an interrupted scroll.
  mutating func take(
    _ result: Result<Page, StoreError>, for request: MessageWindow.Request
  ) throws(StoreError) {
    beingRead.removeAll { $0 == request }
    guard window.isWaiting(for: request.ticket) else { return }
    let update: MessageWindow.Update
    switch result {
    case .success(let page): update = window.pageArrived(page, for: request.ticket)
    case .failure(let error) where error.kind == .cancelled:
      update = window.loadCancelled(for: request.ticket)
    case .failure(let error): update = window.loadFailed(error, for: request.ticket)
    }
    ordered += update.requests
    let mayCountAnew = request.ticket.asksForTheWhole && answerCounts.hasAny
    if request.ticket.asksForTheWhole { forgetOthers() }
    let rest = unfinishedRows
    if update.delta != nil || mayCountAnew { try settle() }
    if rest != 0, result.isSuccess { try scroll(rows: rest) }
    if let error = update.failure { throw error }
  }

  /// Cancels background reads; the window requests them again if needed.
  mutating func callOffReading() {
    unfinishedRows = 0
    guard !(ordered.isEmpty && beingRead.isEmpty) else { return }
    callOff.isAskedFor.store(true, ordering: .relaxed)
    callOff = CallOff()
    for request in ordered + beingRead { _ = window.loadCancelled(for: request.ticket) }
    (ordered, beingRead) = ([], [])
  }

  var isLookingOn: Bool {
    let directions: [Direction] = [.older, .newer]
    return directions.contains { direction in
      let end = direction == .older ? shown.first : shown.last
      return isLookingOn(direction) && (window.isEmpty || unfinishedRows != 0 || end?.row == Row())
    }
  }

  /// Whether a search that has stopped at its limit continues in a direction.
  func isLookingOn(_ direction: Direction) -> Bool {
    let activity = direction == .older ? window.header.readingOlder : window.header.readingNewer
    return window.hasGivenUp(direction) && activity == .reading
  }

  private func source(for request: MessageWindow.Request) -> any SynchronousMessageSource {
    request.ticket.asksForTheLatest ? source : snapshot ?? source
  }

  /// Queues the requests of a step for the background, except those to await, which it returns.
  private mutating func order(
    _ update: MessageWindow.Update, butFor isAwaited: (MessageWindow.Ticket) -> Bool
  ) throws(StoreError) -> [MessageWindow.Request] {
    ordered += update.requests.filter { !isAwaited($0.ticket) }
    let awaited = update.requests.filter { isAwaited($0.ticket) }
    guard let error = update.failure else { return awaited }
    for request in awaited { _ = window.loadCancelled(for: request.ticket) }
    throw error
  }

  private mutating func note(_ error: StoreError, for request: MessageWindow.Request) {
    _ =
      error.kind == .cancelled
      ? window.loadCancelled(for: request.ticket) : window.loadFailed(error, for: request.ticket)
  }
}

extension Result {
  fileprivate var isSuccess: Bool {
    switch self {
    case .success: true
    case .failure: false
    }
  }
}

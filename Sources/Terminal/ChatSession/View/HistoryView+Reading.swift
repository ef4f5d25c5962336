internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import Synchronization
internal import TerminalText

/// The reading of a view. What the reader waits for, the next page of where they go, is read at once; all else is ordered, to
/// be read elsewhere: pages ahead of them, what has changed, and what lies beyond a place where the source gave up
/// looking for the next message that a filter lets through.
extension HistoryView {
  /// A page that is to be read elsewhere.
  struct Order {
    let request: MessageWindow.Request
    let source: any SynchronousMessageSource
    let callOff: CallOff
  }

  /// Says whether a page that was ordered is of no use any more.
  final class CallOff: Sendable {
    let isAskedFor = Atomic(false)
  }

  /// Has the window carry out a command, and reads at once what that needs; what is being read elsewhere is called off.
  ///
  /// - Throws: ``StoreError`` of the source, `cancelled` among them: the window holds what it held then.
  mutating func perform(_ command: MessageWindow.Command) throws(StoreError) {
    callOffReading()
    // What has come in is told with what has changed, and in a frozen view it is all that is told.
    let counts = snapshot != nil || command == .sourceChanged
    var awaited = try order(window.perform(command)) { counts || !$0.asksForTheLatest }
    while let request = awaited.first {
      awaited.removeFirst()
      guard window.isWaiting(for: request.ticket) else { continue }
      do throws(StoreError) {
        let page = try source(for: request).page(request.fetch)
        // Pages of another state are read again with all that is held. The next ones can wait.
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

  /// Takes note of a change of the source, for which nobody waits.
  mutating func noticeChange() { ordered += window.perform(.sourceChanged).requests }

  /// Whether a store has something else to show by now than what is held. What was changed here was read at once, and is
  /// not read again when notice of it comes.
  func isBehind(_ store: SynchronousMessageStore) throws(StoreError) -> Bool {
    if snapshot != nil || !window.header.isExact { return true }
    return try store.version(of: window.selection) != window.version
  }

  /// Returns what is to be read elsewhere, for ``take(_:for:)``.
  mutating func takeOrders() -> [Order] {
    defer { ordered = [] }
    let wanted = ordered.filter { window.isWaiting(for: $0.ticket) }
    beingRead += wanted
    return wanted.map { Order(request: $0, source: source(for: $0), callOff: callOff) }
  }

  /// Takes in what was read for an order, and goes on where the reader has been waiting for it.
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

  /// Calls off all that is being read elsewhere; the window asks for it anew where it needs it.
  mutating func callOffReading() {
    unfinishedRows = 0
    guard !(ordered.isEmpty && beingRead.isEmpty) else { return }
    callOff.isAskedFor.store(true, ordering: .relaxed)
    callOff = CallOff()
    for request in ordered + beingRead { _ = window.loadCancelled(for: request.ticket) }
    (ordered, beingRead) = ([], [])
  }

  /// Whether something is missing in view that is being looked for elsewhere.
  var isLookingOn: Bool {
    let directions: [Direction] = [.older, .newer]
    return directions.contains { direction in
      let end = direction == .older ? shown.first : shown.last
      return isLookingOn(direction) && (window.isEmpty || unfinishedRows != 0 || end?.row == Row())
    }
  }

  /// Whether more is being looked for elsewhere beyond an end, nobody knows for how long.
  func isLookingOn(_ direction: Direction) -> Bool {
    let activity = direction == .older ? window.header.readingOlder : window.header.readingNewer
    return window.hasGivenUp(direction) && activity == .reading
  }

  /// Returns the source from which a page is read.
  private func source(for request: MessageWindow.Request) -> any SynchronousMessageSource {
    request.ticket.asksForTheLatest ? source : snapshot ?? source
  }

  /// Orders what a step of the window asks for, but for what is awaited, which it returns.
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

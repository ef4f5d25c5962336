package import MessageModel

extension MessageWindow {
  /// Carries out a command and all its reads synchronously.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - source: Where to read.
  ///   - latest: The source to ask for the latest state, if `source` is a snapshot.
  ///   - mostReads: The most pages to read. A rare filter over a long history may need many; the next command
  ///     that needs the rest requests it again.
  /// - Returns: The changes, step by step.
  /// - Throws: The source's first ``StoreError``. The window keeps its messages, and ``ListCommand/retry`` reads
  ///   again.
  @discardableResult
  package mutating func perform(
    _ command: ListCommand, in source: some SynchronousMessageSource,
    latest: (any SynchronousMessageSource)? = nil, mostReads: Int = 64
  ) throws(StoreError) -> [WindowDelta] {
    try finish(perform(command), in: source, latest: latest, mostReads: mostReads)
  }

  /// Carries out the reads that a step has requested; see ``perform(_:in:latest:mostReads:)``.
  @discardableResult
  package mutating func finish(
    _ update: Update, in source: some SynchronousMessageSource,
    latest: (any SynchronousMessageSource)? = nil, mostReads: Int = 64
  ) throws(StoreError) -> [WindowDelta] {
    var reading = Reading(update, mostReads: mostReads)
    while let request = reading.next(for: &self) {
      do throws(StoreError) {
        let page =
          if request.ticket.asksForTheLatest, let latest {
            try latest.page(request.fetch)
          } else {
            try source.page(request.fetch)
          }
        reading.take(pageArrived(page, for: request.ticket))
      } catch {
        reading.take(loadFailed(error, for: request.ticket))
      }
    }
    if let error = reading.error { throw error }
    return reading.deltas
  }

  /// Carries out a command and all its reads, awaiting one page after the other.
  ///
  /// Like ``perform(_:in:latest:mostReads:)``, for asynchronous sources.
  ///
  /// - Throws: The same errors, and `CancellationError` if the task was cancelled. The next command reads
  ///   again what it needs.
  @discardableResult
  package mutating func perform(
    _ command: ListCommand, awaiting source: some MessageSource, mostReads: Int = 64
  ) async throws -> [WindowDelta] {
    var reading = Reading(perform(command), mostReads: mostReads)
    var isCancelled = false
    while let request = reading.next(for: &self) {
      do {
        reading.take(pageArrived(try await source.page(request.fetch), for: request.ticket))
      } catch {
        isCancelled = isCancelled || error.awaited is CancellationError
        reading.take(loadEnded(by: error, for: request.ticket))
      }
    }
    if isCancelled { throw CancellationError() }
    if let error = reading.error { throw error }
    return reading.deltas
  }
}

extension MessageWindow {
  /// A cancelled read has not failed.
  mutating func loadEnded(by error: any Error, for ticket: Ticket) -> Update {
    let error = StoreError(ofSource: error)
    return error.isCancellation ? loadCancelled(for: ticket) : loadFailed(error, for: ticket)
  }
}

private struct Reading {
  private var requests: [MessageWindow.Request] = []
  private var readsLeft: Int
  private(set) var deltas: [WindowDelta] = []
  private(set) var error: StoreError?

  init(_ update: MessageWindow.Update, mostReads: Int) {
    readsLeft = mostReads
    take(update)
  }

  mutating func take(_ update: MessageWindow.Update) {
    requests += update.requests
    if let delta = update.delta { deltas.append(delta) }
    error = error ?? update.failure
  }

  /// Skips requests that the window no longer waits for, and cancels those beyond the limit.
  mutating func next(for window: inout MessageWindow) -> MessageWindow.Request? {
    while !requests.isEmpty {
      let request = requests.removeFirst()
      guard window.isWaiting(for: request.ticket) else { continue }
      readsLeft -= 1
      if readsLeft >= 0 { return request }
      take(window.loadCancelled(for: request.ticket))
    }
    return nil
  }
}

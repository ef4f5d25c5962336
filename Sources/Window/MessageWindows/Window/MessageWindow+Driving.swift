public import MessageModel

extension MessageWindow {
  /// Carries out a command and all the reading it asks for, at once.
  ///
  /// - Parameters:
  ///   - command: What the reader or the source said.
  ///   - source: Where to read.
  ///   - latest: Where to ask how far things have come, if `source` is a snapshot that cannot tell.
  ///   - mostReads: The most pages to read. A rare filter over a long history may take many; what remains is asked
  ///     for again by the next command that needs it.
  /// - Returns: What changed, step by step.
  /// - Throws: The first ``StoreError`` of the source. The window has taken it in: it holds what it held, and
  ///   ``Command/retry`` asks again.
  @discardableResult
  public mutating func perform(
    _ command: Command, in source: some SynchronousMessageSource,
    latest: (any SynchronousMessageSource)? = nil, mostReads: Int = 64
  ) throws(StoreError) -> [WindowDelta] {
    try finish(perform(command), in: source, latest: latest, mostReads: mostReads)
  }

  /// Does the reading that a step has asked for, and what comes of it, at once; see ``perform(_:in:latest:mostReads:)``.
  ///
  /// - Throws: As ``perform(_:in:latest:mostReads:)``.
  @discardableResult
  public mutating func finish(
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

  /// Carries out a command and all the reading it asks for, waiting for one page after the other.
  ///
  /// As ``perform(_:in:latest:mostReads:)``, for sources that cannot answer at once.
  ///
  /// - Throws: As ``perform(_:in:latest:mostReads:)``; `CancellationError` if the task was cancelled. The next command asks again for
  ///   what it needs of that.
  @discardableResult
  public mutating func perform(
    _ command: Command, awaiting source: some MessageSource, mostReads: Int = 64
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
  /// Takes in that a page will not come, for whatever a source threw: a load that was cancelled has not failed.
  mutating func loadEnded(by error: any Error, for ticket: Ticket) -> Update {
    let error = StoreError(ofSource: error)
    return error.isCancellation ? loadCancelled(for: ticket) : loadFailed(error, for: ticket)
  }
}

/// The reading that a step asks for, as it proceeds: what remains, and what came of the rest.
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

  /// Returns the next request that `window` still waits for; calls it off if there were too many.
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

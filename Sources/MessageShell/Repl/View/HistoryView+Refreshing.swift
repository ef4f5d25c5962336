internal import MessageModel
internal import MessageWindows

/// Reading again after changes, off the reader's path: a window takes a few times as long to read as a screen to draw,
/// under a rare filter many times.
///
/// Until the page comes, what is in view is scrolled as before. Whatever needs another page calls it off and has all of
/// it read at once.
extension HistoryView {
  /// Whether a store has something else to show by now than what is held. What was changed here was read at once, and is
  /// not read again when notice of it comes.
  func isBehind(_ store: any ReplStore) throws(StoreError) -> Bool {
    if snapshot != nil || !window.header.isExact { return true }
    return try store.version(of: window.selection) != window.version
  }

  /// Takes note of a change of the source.
  ///
  /// - Returns: What to read elsewhere, for ``take(_:for:)``; `nil` if nothing is to be read or all was read at once.
  mutating func noticeChange() throws(StoreError) -> MessageWindow.Request? {
    guard snapshot == nil else {
      try sourceChanged()
      return nil
    }
    return try take(window.perform(.sourceChanged))
  }

  /// Takes in what was read for a request; `nil` if that failed: then it is read here, for the reason to be told.
  ///
  /// - Returns: What to read next, if there were more changes meanwhile.
  mutating func take(
    _ page: Page?, for request: MessageWindow.Request
  ) throws(StoreError) -> MessageWindow.Request? {
    guard request == refresh else { return nil }
    guard let page else {
      try sourceChanged()
      return nil
    }
    refresh = nil
    let next = try take(window.pageArrived(page, for: request.ticket))
    try settleAfterChange()
    return next
  }

  /// Reads what a step of the window asks for, but for whole windows.
  private mutating func take(_ update: MessageWindow.Update) throws(StoreError) -> MessageWindow.Request? {
    var rest = update
    rest.requests.removeAll { $0.ticket.asksForTheWhole }
    let whole = update.requests.first { $0.ticket.asksForTheWhole }
    refresh = whole ?? refresh
    do throws(StoreError) {
      try window.finish(rest, in: source)
    } catch {
      callOffRefresh()
      throw error
    }
    return whole
  }

  /// Has the window ask anew for what is being read elsewhere.
  mutating func callOffRefresh() {
    guard let refresh else { return }
    self.refresh = nil
    _ = window.loadCancelled(for: refresh.ticket)
  }
}

import MessageModel

extension MessageWindow {
  func checkInvariants() {
    assert(MessageRun.isAscending(run.messages), "The window is out of order.")
    assert(run.count <= limits.messages, "\(run.count) messages in a window of \(limits.messages).")
    assert(
      run.byteCount <= limits.bytes || run.count == 1,
      "\(run.byteCount) bytes in a window of \(limits.bytes).")
    assert(
      run.byteCount == run.messages.reduce(0) { $0 + $1.byteCost }, "The window has lost count of its bytes.")
    assert(
      run.isEmpty || reader.place.map { run.index(of: $0) != nil } == true, "The reader's place is not held.")
  }

  func error(in page: Page, for ticket: Ticket) -> StoreError? {
    guard MessageRun.isAscending(page.messages) else { return Self.damage("messages are out of order") }
    switch ticket.purpose {
    case .older:
      if let last = page.messages.last, let first = run.first, last.id >= first.id {
        return Self.damage("a page of older messages reaches into what is held")
      }
      return isStuck(page, older) ? Self.damage("the source resumes where it stopped before") : nil
    case .newer:
      if let first = page.messages.first, let last = run.last, first.id <= last.id {
        return Self.damage("a page of newer messages reaches into what is held")
      }
      return isStuck(page, newer) ? Self.damage("the source resumes where it stopped before") : nil
    case .main, .arrivals: return nil
    }
  }

  private func isStuck(_ page: Page, _ side: Side) -> Bool {
    page.messages.isEmpty && page.nextAnchor != nil && page.nextAnchor == side.nextAnchor
  }

  private static func damage(_ cause: String) -> StoreError {
    StoreError(.damaged, "cannot use what was read", cause: cause)
  }
}

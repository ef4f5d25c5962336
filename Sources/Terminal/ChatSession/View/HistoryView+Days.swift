internal import MessageModel

extension HistoryView {
  /// Goes to the first message of a day: for -1 of the day in view or the one before, for 1 of the next with
  /// messages; else to the end of the history. No jump is recorded.
  ///
  /// - Complexity: O(days), two pages of one message each.
  mutating func scroll(days count: Int) throws(StoreError) {
    for _ in 0..<abs(count) {
      let target = try count < 0 ? dayBefore() : dayAfter()
      guard let target else {
        guard let end = try message(count < 0 ? .oldest : .newest) else { return }
        try jump(to: .around(end.id), isRemembered: false)
        return
      }
      try jump(to: .around(target), isRemembered: false)
    }
  }

  /// The first message of the day in view or, if that is at the top, of the day before.
  private mutating func dayBefore() throws(StoreError) -> Message.ID? {
    guard let top, let message = window.message(top.id) else { return nil }
    let first = try self.first(ofDay: layout.day(of: message))
    if let first, first < top.id || (first == top.id && top.row > 0) { return first }
    guard let before = try self.message(.before(top.id)) else { return nil }
    return try self.first(ofDay: layout.day(of: before)) ?? before.id
  }

  private mutating func dayAfter() throws(StoreError) -> Message.ID? {
    guard let top, let message = window.message(top.id) else { return nil }
    return try first(ofDay: layout.day(of: message) + 1).flatMap { $0 > top.id ? $0 : nil }
  }

  private mutating func first(ofDay day: Int) throws(StoreError) -> Message.ID? {
    let start = layout.start(ofDay: day)
    guard let found = try message(.time(start)), found.time >= start else { return nil }
    return found.id
  }

  private func message(_ anchor: PageAnchor) throws(StoreError) -> Message? {
    let page = try (snapshot ?? source).page(
      PageRequest(window.selection, anchor: anchor, fetchLimit: 1, wantsCounts: false))
    return page.messages.first
  }
}

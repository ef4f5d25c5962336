internal import MessageModel

/// Lines in place of the messages: keys choose one, and what is typed narrows them.
extension Session where R == ScreenReader {
  /// Answers an event while lines are shown in place of the messages; `nil` if it means the same as over them.
  mutating func answer(_ event: ReplEvent, in listing: Listing) throws -> Effects? {
    // What is typed answers the question then.
    if question != nil { return nil }
    switch event {
    // It closes that at once, as in a pager.
    case .typed("q"): return try escape()
    case .typed(let line):
      reader.narrowListing(by: line)
      return nil
    case .key(.choose, _):
      guard listing.chosenName != nil else { return nil }
      reader.putAway()
      return try tell(
        listing.command(choosing: "").map { try perform(TypedCommand($0, .reads)) } ?? Effects())
    case .line, .key, .search, .resized, .storeChanged, .timePassed, .interrupted, .reported, .completions:
      return nil
    }
  }
}

extension ScreenReader {
  /// Shows only those lines that have what is typed in their names.
  fileprivate mutating func narrowListing(by line: String) {
    guard case .listing(var lines) = cover else { return }
    lines.change(columns: columns, height: view.height) { $0.narrow(by: line) }
    cover = .listing(lines)
  }
}

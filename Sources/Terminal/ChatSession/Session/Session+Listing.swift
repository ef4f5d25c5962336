internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension Session {
  /// Has what covers the messages made again elsewhere, by the command that made it, if something has changed and that is due.
  mutating func followingCover() -> [Job] {
    guard let command = reader.cover.command else {
      coverLook.callOff()
      return []
    }
    guard coverLook.begin() else { return [] }
    return [
      Job(.cover) { [session = self] report, isCancelled in
        var session = session
        // What cannot be read now stays as it was: reading the messages tells why.
        let (listing, map): (Listing?, TimeMap?) = SynchronousMessageStore.whileCancellable(by: isCancelled) {
          command == .map
            ? (nil, try? session.renewedMap())
            : (try? session.perform(TypedCommand(command, .reads)).listing, nil)
        }
        report(.cover(listing, map, of: command))
      }
    ]
  }
}

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
    case .line(let line):
      guard let words = listing.wordsToFind(in: line) else { return nil }
      try reader.findInListing(words)
      return Effects()
    case .key, .search, .resized, .storeChanged, .timePassed, .interrupted, .reported, .completions:
      return nil
    }
  }
}

extension ScreenReader {
  /// Takes in the lines or the picture of time that a command makes by now, unless something else is shown.
  mutating func take(_ listing: Listing?, _ map: TimeMap?, of command: ReplCommand) {
    guard cover.command == command else { return }
    if case .listing(var lines) = cover, var listing {
      listing.command = command
      lines.change(columns: columns, height: view.height) { $0.renew(with: listing) }
      cover = .listing(lines)
    } else if let map {
      cover.map = map
    }
  }

  /// Scrolls to the next line that has these words, from the top of what is shown on and around.
  fileprivate mutating func findInListing(_ words: String) throws(UsageError) {
    guard case .listing(var lines) = cover else { return }
    guard lines.scroll(to: words, height: view.height) else {
      throw UsageError(
        "'\(SafeText.oneLine(words).cut(columns: 24))' is not in this text (not sent)",
        remedy: "q, then the message")
    }
    cover = .listing(lines)
  }

  /// Shows only those lines that have what is typed in their names.
  fileprivate mutating func narrowListing(by line: String) {
    guard case .listing(var lines) = cover else { return }
    lines.change(columns: columns, height: view.height) { $0.narrow(by: line) }
    cover = .listing(lines)
  }
}

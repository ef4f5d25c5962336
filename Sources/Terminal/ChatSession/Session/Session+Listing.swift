internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension Session {
  /// Runs the cover's command again in the background, if a change makes that due.
  mutating func followingCover() -> [Job] {
    guard let command = reader.cover.command else {
      lookUps.cover.callOff()
      return []
    }
    guard lookUps.cover.begin() else { return [] }
    return [
      Job(.cover) { [session = self] report, isCancelled in
        var session = session
        // On an error the cover stays; reading the messages reports it.
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

extension Session where R == ScreenReader {
  /// `nil` if the event has its usual meaning.
  mutating func answer(_ event: ReplEvent, in listing: Listing) throws -> Effects? {
    // Typing replies to the question.
    if question != nil { return nil }
    switch event {
    // Closes the list at once, as in a pager.
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
  /// Replaces the cover by a command's present result, unless something else is shown.
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

  /// Scrolls to the next line with these words, continuing at the first line after the last.
  fileprivate mutating func findInListing(_ words: String) throws(UsageError) {
    guard case .listing(var lines) = cover else { return }
    guard lines.scroll(to: words, height: view.height) else {
      throw UsageError(
        "'\(SafeText.oneLine(words).cut(columns: 24))' is not in this text (not sent)",
        remedy: "q, then the message")
    }
    cover = .listing(lines)
  }

  fileprivate mutating func narrowListing(by line: String) {
    guard case .listing(var lines) = cover else { return }
    lines.change(columns: columns, height: view.height) { $0.narrow(by: line) }
    cover = .listing(lines)
  }
}

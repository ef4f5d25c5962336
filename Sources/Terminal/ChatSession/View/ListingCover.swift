internal import TerminalText

/// Lines shown in place of messages until the next line is finished, and the part in view.
struct ListingCover: ListCover {
  private(set) var listing: Listing
  /// The rows as drawn, with pictures below.
  private(set) var lines: [Row] = []
  private var places: [Range<Int>] = []
  private var columns: Int
  private let pictures: [Row]
  private var top = 0

  struct Place: Hashable {
    var name: String?
    var top: Int
  }

  /// - Parameter place: The place in the last list of its kind.
  init(_ listing: Listing, pictures: [Row], columns: Int, height: Int, at place: Place? = nil) {
    self.listing = listing
    self.pictures = pictures
    self.columns = columns
    layOut()
    top = listing.showsEnd ? max(0, lines.count - height) : 0
    if let place { goBack(to: place, height: height) }
  }

  var place: Place { Place(name: listing.chosenName, top: listing.typed.isEmpty ? top : 0) }

  private mutating func goBack(to place: Place, height: Int) {
    if place.name != nil {
      change(columns: columns, height: height) { $0.choose(named: place.name) }
      guard let chosenRows else { return }
      top = max(min(place.top, chosenRows.lowerBound), chosenRows.upperBound - height)
    } else if listing.choice == .command {
      top = place.top
    }
    top = min(max(0, top), max(0, lines.count - height))
  }

  private var chosenRows: Range<Int>? {
    listing.chosen.flatMap { places.indices.contains($0) ? places[$0] : nil }
  }

  /// Changes the choice or the lines, and keeps the chosen line in view. Lays out only new lines: a key that
  /// moves the choice among a hundred thousand must not.
  mutating func change(columns: Int, height: Int, _ body: (inout Listing) -> Void) {
    let before = listing
    body(&listing)
    guard listing != before else { return }
    if listing.typed != before.typed || listing.lines != before.lines || columns != self.columns {
      self.columns = columns
      layOut()
    }
    if listing.typed != before.typed { top = listing.showsEnd ? lines.count : 0 }
    if let chosenRows { top = max(min(top, chosenRows.lowerBound), chosenRows.upperBound - height) }
    top = min(max(0, top), max(0, lines.count - height))
  }

  /// Scrolls by rows; returns whether there are more than fit.
  mutating func scroll(_ rows: Int, height: Int) -> Bool {
    guard lines.count > height else { return false }
    top = min(max(0, top + rows), lines.count - height)
    return true
  }

  /// Scrolls to the next row with these words, else to a line with them in several rows; returns whether there
  /// is one. Case is ignored.
  ///
  /// - Complexity: O(bytes of all lines).
  mutating func scroll(to words: String, height: Int) -> Bool {
    let wanted = words.lowercased()
    let rows = Array(lines.indices.dropFirst(top + 1)) + lines.indices.prefix(top + 1)
    let found =
      rows.first { lines[$0].plainText.lowercased().contains(wanted) }
      ?? zip(listing.shown, places).first { listing.lines[$0.0].lowercased().contains(wanted) }?.1.lowerBound
    guard let found else { return false }
    // A word in the last rows is visible without scrolling further.
    top = min(found, max(0, lines.count - height))
    return true
  }

  private mutating func layOut() {
    (lines, places) = ([], [])
    for index in listing.shown {
      // A tab would skip over existing text.
      let line = MessageRenderer.expandingTabs(listing.lines[index])
      let rows = LineWrapper.rows(of: line, columns: columns).map {
        Row(String(line[$0]), listing.styles[index] ?? .plain)
      }
      places.append(lines.count..<lines.count + rows.count)
      lines += rows
    }
    if lines.isEmpty, !listing.typed.isEmpty {
      lines = [
        Row(" nothing here has '\(SafeText.oneLine(listing.typed).cut(columns: 24))' in its name", .dim)
      ]
    }
    lines += pictures
  }
}

// MARK: Covering the messages

extension ListingCover {
  var isModal: Bool { false }
  var command: ReplCommand? { listing.command }

  var lineUse: Completion.Line {
    switch listing.choice {
    case .conversation: .name(.conversations)
    case .mark: .name(.marks)
    case .session: .query
    case .nothing, .place, .thread, .exchange, .command: .other
    }
  }

  mutating func move(_ motion: Motion, on screen: ScreenReader, in context: ReplContext) -> Bool {
    let height = screen.view.height
    // Hits and messages are elsewhere.
    if case .messages = motion { return false }
    guard let count = motion.rows(page: height) else { return false }
    guard listing.isChoosing else { return motion.end == nil && scroll(count, height: height) }
    change(columns: screen.columns, height: height) { $0.choose(count) }
    return true
  }

  func rows(on screen: ScreenReader) -> [Row] {
    let seen = lines.indices.dropFirst(top).prefix(screen.view.height)
    return seen.map { index in
      chosenRows?.contains(index) == true ? lines[index].chosen(columns: screen.columns) : lines[index]
    }.filled(to: screen.view.height)
  }

  func status(on screen: ScreenReader) -> Row? { nil }

  func narrow(by line: String, in session: inout Session<ScreenReader>) throws -> Effects? {
    // Closes the list at once, as in a pager.
    if line == "q" { return try session.escape() }
    var narrowed = self
    narrowed.change(columns: session.reader.columns, height: session.reader.view.height) {
      $0.narrow(by: line)
    }
    session.reader.cover.list = narrowed
    return nil
  }

  /// Scrolls to the next line with these words, continuing at the first line after the last.
  func enter(_ line: String, in session: inout Session<ScreenReader>) throws -> Effects? {
    guard let words = listing.wordsToFind(in: line) else { return nil }
    var scrolled = self
    guard scrolled.scroll(to: words, height: session.reader.view.height) else {
      throw UsageError(
        "'\(SafeText.oneLine(words).cut(columns: 24))' is not in this text (not sent)",
        remedy: "q, then the message")
    }
    session.reader.cover.list = scrolled
    return Effects()
  }

  func command(choosing line: String) throws -> ReplCommand? { try listing.command(choosing: line) }

  func choose(in session: inout Session<ScreenReader>) throws -> Effects? {
    guard listing.chosenName != nil else { return nil }
    return try session.leaveCover(by: try command(choosing: ""))
  }
}

internal import Foundation
internal import MessageModel
internal import MessageWindows
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
  private var showsNumbers = false
  private var found: Found?

  /// What was found last in a text.
  private struct Found {
    var words: [String]
    var direction: ScrollDirection
    /// The row; `nil` if the words are not in the text.
    var row: Int?
  }

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
    if !listing.finds.isEmpty { _ = scroll(to: listing.finds, .newer, height: height) }
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

  /// Scrolls to the next row with one of these words, after the last one into the first, else to a line with them in
  /// several rows; returns whether there is one. Case is ignored.
  ///
  /// - Complexity: O(bytes of all lines).
  private mutating func scroll(to words: [String], _ direction: ScrollDirection, height: Int) -> Bool {
    let wanted = words.map { $0.lowercased() }.filter { !$0.isEmpty }
    let isSame = found?.words == words
    let last = isSame ? found?.row.flatMap { (top..<top + height).contains($0) ? $0 : nil } : nil
    // A word in the first row counts where nothing was found yet.
    let start = last ?? (isSame || direction == .older ? top : top - 1)
    let rows =
      direction == .newer
      ? Array(lines.indices.dropFirst(start + 1)) + lines.indices.prefix(start + 1)
      : Array(lines.indices.prefix(start).reversed()) + lines.indices.dropFirst(start).reversed()
    func has(_ text: String) -> Bool {
      let text = text.lowercased()
      return wanted.contains { text.contains($0) }
    }
    let row =
      rows.first { has(lines[$0].plainText) }
      ?? zip(listing.shown, places).first { has(listing.lines[$0.0]) }?.1.lowerBound
    guard let row else { return false }
    found = Found(words: words, direction: isSame ? found?.direction ?? direction : direction, row: row)
    show(row: row, height: height)
    return true
  }

  /// Scrolls to a row. One among the last is visible without scrolling further.
  private mutating func show(row: Int, height: Int) { top = min(max(0, row), max(0, lines.count - height)) }

  private mutating func layOut() {
    (lines, places) = ([], [])
    let shown = listing.shown
    let margin = showsNumbers ? String(listing.lines.count).count + 1 : 0
    for index in shown {
      // A tab would skip over existing text.
      let line = MessageRenderer.expandingTabs(listing.lines[index])
      let rows = LineWrapper.rows(of: line, columns: columns - margin).enumerated().map { place, range in
        let number = place == 0 && showsNumbers ? String(index + 1) : ""
        var row = Row(String(repeating: " ", count: max(0, margin - 1 - number.count)) + number, .dim)
        row.pad(to: margin)
        row.append(line[range], listing.styles[index] ?? .plain)
        return row
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
    if listing.choice == .nothing, let end = motion.end {
      show(row: end == .older ? 0 : lines.count, height: height)
      return true
    }
    guard listing.isChoosing else { return motion.end == nil && scroll(count, height: height) }
    change(columns: screen.columns, height: height) { $0.choose(count) }
    return true
  }

  mutating func point(to row: Int, on screen: ScreenReader) -> Bool {
    guard let place = places.firstIndex(where: { $0.contains(top + row) }) else { return false }
    change(columns: screen.columns, height: screen.view.height) { $0.choose(place: place) }
    return listing.chosen == place
  }

  func rows(on screen: ScreenReader) -> [Row] {
    let seen = lines.indices.dropFirst(top).prefix(screen.view.height)
    return seen.map { index -> Row in
      if chosenRows?.contains(index) == true { return lines[index].chosen(columns: screen.columns) }
      guard let found else { return lines[index] }
      let row = lines[index].marking(found.words)
      return index == found.row ? row.asCurrentHit(margin: 0) : row
    }.filled(to: screen.view.height)
  }

  func status(on screen: ScreenReader) -> Row? { nil }

  func narrow(by line: String, in session: inout Session<ScreenReader>) throws -> Effects? {
    // Closes the list at once, as in a pager.
    if line == "q" { return try session.escape() }
    if let moved = pressing(line, height: session.reader.view.height) {
      session.reader.cover.list = moved
      session.reader.clearNotice()
      return Effects(emptiesLine: true)
    }
    var narrowed = self
    narrowed.change(columns: session.reader.columns, height: session.reader.view.height) {
      $0.narrow(by: line)
    }
    session.reader.cover.list = narrowed
    // Words for a text in a view: the preview of a search would cover it.
    let isForText =
      session.reader.isView && listing.choice == .nothing && line.first.map("/?".contains) == true
    return isForText ? Effects() : nil
  }

  /// Finds words in a text, as less does. In a view, `12g` and `50%` come as commands.
  func enter(_ line: String, in session: inout Session<ScreenReader>) throws -> Effects? {
    guard listing.choice == .nothing else { return nil }
    let height = session.reader.view.height
    if session.reader.isView, line.hasPrefix("/goto ") {
      var moved = self
      if moved.goTo(line.dropFirst("/goto ".count), height: height) {
        session.reader.cover.list = moved
        return Effects()
      }
    }
    if let file = Self.fileToSave(line, isView: session.reader.isView) {
      return try session.saveText(of: listing, to: file)
    }
    // A view has a key of its own for words.
    guard !session.reader.isView, let wanted = listing.wordsToFind(in: line) else { return nil }
    return try find(wanted.words, wanted.direction, in: &session)
  }

  /// The file of `s FILE`, as in less; in a view it comes as a command.
  private static func fileToSave(_ line: String, isView: Bool) -> String? {
    let start = isView ? "/s " : "s "
    guard line.hasPrefix(start) else { return nil }
    let name = line.dropFirst(start.count).trimming(while: \.isWhitespace)
    return name.isEmpty ? nil : PathText.expanded(String(name))
  }

  /// Scrolls to the next row with these words, or with those found last; `nil` in a list of choices.
  func find(
    _ words: String, _ direction: ScrollDirection, in session: inout Session<ScreenReader>
  ) throws -> Effects? {
    guard listing.choice == .nothing else { return nil }
    var scrolled = self
    let wanted = words.isEmpty ? found?.words ?? [] : [words]
    guard scrolled.scroll(to: wanted, direction, height: session.reader.view.height) else {
      throw UsageError(
        "'\(SafeText.oneLine(words).cut(columns: 24))' is not in this text (not sent)",
        remedy: "q, then the message")
    }
    scrolled.found?.direction = direction
    session.reader.cover.list = scrolled
    return Effects()
  }

  func press(_ key: ReplKey, in session: inout Session<ScreenReader>) throws -> Effects? {
    guard listing.choice == .nothing, let found else { return nil }
    let directions: [ReplKey: ScrollDirection] = [
      .repeatHit: found.direction, .reverseHit: found.direction == .newer ? .older : .newer, .nextHit: .newer,
      .previousHit: .older,
    ]
    guard let direction = directions[key] else { return nil }
    var scrolled = self
    _ = scrolled.scroll(to: found.words, direction, height: session.reader.view.height)
    session.reader.cover.list = scrolled
    return Effects()
  }

  /// The text after a key of less that was typed alone; `nil` if it is none: `g` `G` `12g` `50%` `n` `N` `-N` space.
  private func pressing(_ typed: String, height: Int) -> ListingCover? {
    guard listing.choice == .nothing, let key = typed.last else { return nil }
    var moved = self
    switch typed {
    case "g": moved.show(row: 0, height: height)
    case "G": moved.show(row: lines.count, height: height)
    case " ": moved.show(row: top + height, height: height)
    case "-N":
      let line = places.firstIndex { $0.upperBound > top } ?? 0
      moved.showsNumbers.toggle()
      moved.layOut()
      moved.show(row: moved.places.indices.contains(line) ? moved.places[line].lowerBound : 0, height: height)
    case "n", "N":
      guard let found else { return nil }
      let direction = typed == "n" ? found.direction : found.direction == .newer ? .older : .newer
      _ = moved.scroll(to: found.words, direction, height: height)
    case _:
      let number = typed.dropLast()
      guard "gG%".contains(key), !number.isEmpty else { return nil }
      return moved.goTo(key == "%" ? typed[...] : number, height: height) ? moved : nil
    }
    return moved
  }

  /// Goes to a line by its number or a percentage; returns whether the text is one of these.
  private mutating func goTo(_ place: Substring, height: Int) -> Bool {
    switch CommandArguments.destination(place) {
    case .number(let number):
      let line = min(number, places.count) - 1
      show(row: places.indices.contains(line) ? places[line].lowerBound : 0, height: height)
    case .percent(let percent):
      show(row: Int(Double(max(0, lines.count - height)) * percent / 100), height: height)
    case .time, .message, .mark, .unread, .oldest, .newest, nil: return false
    }
    return true
  }

  /// Which lines of a long text are in view; `nil` if all are.
  func position(height: Int) -> String? {
    guard listing.choice == .nothing, lines.count > height else { return nil }
    let line = (places.firstIndex { $0.upperBound > top } ?? max(0, places.count - 1)) + 1
    return "line \(NumberText.grouped(line)) of \(NumberText.grouped(places.count)) · /WORD n N g G 50%"
  }

  func command(choosing line: String) throws -> ReplCommand? { try listing.command(choosing: line) }

  func choose(in session: inout Session<ScreenReader>) throws -> Effects? {
    guard listing.chosenName != nil else { return nil }
    return try session.leaveCover(by: try command(choosing: ""))
  }
}

extension Row {
  /// Marks words, in any case.
  fileprivate func marking(_ words: [String]) -> Row {
    var row = self
    for word in words where !word.isEmpty { row = row.marking(word) }
    return row
  }

  private func marking(_ word: String) -> Row {
    var row = self
    row.spans = []
    for span in spans {
      var rest = span.text[...]
      while let range = rest.range(of: word, options: .caseInsensitive), !range.isEmpty {
        row.append(rest[..<range.lowerBound], span.style, link: span.link)
        row.append(rest[range], .hit)
        rest = rest[range.upperBound...]
      }
      row.append(rest, span.style, link: span.link)
    }
    return row
  }
}

internal import MessageModel
internal import TerminalText

/// The one thing that covers the messages of a screen; arrows and typed text are for it.
package enum Cover: Sendable {
  case none
  /// Lines: help, a list, a whole message.
  case listing(ListingCover)
  /// The hits of a search.
  case hits(HitCover)
  /// The messages over time.
  case map(TimeMap)
  /// Conversations to open.
  case switcher(Switcher)
  /// Pictures.
  case gallery(Gallery)

  /// Whether the messages are covered.
  package var isShown: Bool {
    switch self {
    case .none: false
    case .listing, .hits, .map, .switcher, .gallery: true
    }
  }

  package var listing: Listing? {
    if case .listing(let lines) = self { lines.listing } else { nil }
  }

  /// The command that makes it again after changes of the store; `nil` if it follows the store by itself.
  var command: ReplCommand? {
    switch self {
    case .listing(let lines): lines.listing.command
    case .map: .map
    case .none, .hits, .switcher, .gallery: nil
    }
  }

  package var hits: HitList? {
    get { if case .hits(let shown) = self { shown.list } else { nil } }
    set {
      let preview = if case .hits(let shown) = self { shown.preview } else { HitCover.Preview?.none }
      self = newValue.map { .hits(HitCover(list: $0, preview: preview)) } ?? .none
    }
  }

  package var map: TimeMap? {
    get { if case .map(let map) = self { map } else { nil } }
    set { self = newValue.map { .map($0) } ?? .none }
  }

  package var switcher: Switcher? {
    get { if case .switcher(let switcher) = self { switcher } else { nil } }
    set { self = newValue.map { .switcher($0) } ?? .none }
  }

  var gallery: Gallery? {
    get { if case .gallery(let gallery) = self { gallery } else { nil } }
    set { self = newValue.map { .gallery($0) } ?? .none }
  }

  /// Whether a line other than a command chooses an entry.
  var takesLines: Bool {
    switch self {
    case .none, .hits, .map, .gallery: false
    case .listing, .switcher: true
    }
  }

  /// `nil` if the line closes it. Throws ``UsageError`` for an unknown name: the line must not be sent as a
  /// message.
  func command(choosing line: String) throws -> ReplCommand? {
    switch self {
    case .none, .hits, .map, .gallery: nil
    case .listing(let lines): try lines.listing.command(choosing: line)
    case .switcher(let switcher): switcher.command(choosing: line)
    }
  }

  package var arrows: ArrowUse {
    switch self {
    case .none: .line
    case .listing, .hits, .switcher: .list
    case .map, .gallery: .map
    }
  }
}

/// A list of hits and, below it, the messages around the chosen one.
package struct HitCover: Sendable {
  /// The chosen hit, and a view of the messages around it.
  typealias Preview = (id: Message.ID, view: HistoryView)

  var list: HitList
  /// `nil` without a chosen hit, or without room.
  var preview: Preview?
}

/// Lines shown in place of messages until the next line is finished, and the part in view.
package struct ListingCover: Hashable, Sendable {
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

  func rowsDrawn(columns: Int, height: Int) -> [Row] {
    let seen = lines.indices.dropFirst(top).prefix(height)
    let rows = seen.map { index in
      guard chosenRows?.contains(index) == true else { return lines[index] }
      var row = lines[index].asChosen
      row.pad(to: columns, .selection)
      return row
    }
    return rows + Array(repeating: Row(), count: height - rows.count)
  }
}

internal import MessageModel

/// The one thing that covers the messages of a screen: the arrows choose in it, and what is typed goes with it.
package enum Cover: Sendable {
  case none
  /// Lines: help, a list, a message whole.
  case listing(ListingCover)
  /// The hits of a search.
  case hits(HitCover)
  /// The messages over time.
  case map(TimeMap)
  /// Conversations to go to.
  case switcher(Switcher)
  /// Pictures.
  case gallery(Gallery)

  /// Whether no messages are seen.
  package var isShown: Bool {
    switch self {
    case .none: false
    case .listing, .hits, .map, .switcher, .gallery: true
    }
  }

  /// The lines that it shows; `nil` if it is something else.
  package var listing: Listing? {
    if case .listing(let lines) = self { lines.listing } else { nil }
  }

  /// The command by which it is made again when the store has changed; `nil` for what follows the store by itself.
  var command: ReplCommand? {
    switch self {
    case .listing(let lines): lines.listing.command
    case .map: .map
    case .none, .hits, .switcher, .gallery: nil
    }
  }

  /// The list of hits; `nil` if it is something else.
  package var hits: HitList? {
    get { if case .hits(let shown) = self { shown.list } else { nil } }
    set {
      let preview = if case .hits(let shown) = self { shown.preview } else { HitCover.Preview?.none }
      self = newValue.map { .hits(HitCover(list: $0, preview: preview)) } ?? .none
    }
  }

  /// The messages over time; `nil` if it is something else.
  package var map: TimeMap? {
    get { if case .map(let map) = self { map } else { nil } }
    set { self = newValue.map { .map($0) } ?? .none }
  }

  /// The conversations to go to; `nil` if it is something else.
  package var switcher: Switcher? {
    get { if case .switcher(let switcher) = self { switcher } else { nil } }
    set { self = newValue.map { .switcher($0) } ?? .none }
  }

  /// The pictures; `nil` if it is something else.
  var gallery: Gallery? {
    get { if case .gallery(let gallery) = self { gallery } else { nil } }
    set { self = newValue.map { .gallery($0) } ?? .none }
  }

  /// Whether a line that is no command chooses in it.
  var takesLines: Bool {
    switch self {
    case .none, .hits, .map, .gallery: false
    case .listing, .switcher: true
    }
  }

  /// Returns what a line chooses in it; `nil` if it puts it away.
  ///
  /// - Throws: ``UsageError`` if it names nothing: it is not written, either.
  func command(choosing line: String) throws -> ReplCommand? {
    switch self {
    case .none, .hits, .map, .gallery: nil
    case .listing(let lines): try lines.listing.command(choosing: line)
    case .switcher(let switcher): switcher.command(choosing: line)
    }
  }

  /// The use of the arrows.
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
  /// The chosen hit, and a view of what surrounds it.
  typealias Preview = (id: Message.ID, view: HistoryView)

  var list: HitList
  /// `nil` where no hit is chosen, or there is no room.
  var preview: Preview?
}

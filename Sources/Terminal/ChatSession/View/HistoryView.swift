package import MessageModel
package import MessageWindows
package import TerminalText

/// The visible part of a history: rows of a window of messages, at a place or at the newest edge.
///
/// A place is a message and its number of rows hidden above the screen, so that scrolling by rows works for
/// messages of any height. At the newest edge the view follows new messages; elsewhere no row moves.
package struct HistoryView: Sendable {
  package typealias Direction = ScrollDirection

  struct Place: Hashable {
    var id: Message.ID
    /// The number of its rows (with separators) above the view.
    var row = 0
  }

  enum Start: Hashable {
    case row(Place)
    case bottom
  }

  package struct ShownRow: Hashable, Sendable {
    package var row: Row
    /// The message that begins in this row; `nil` for all other rows.
    package var begins: Message.ID?
    /// The message whose text is folded in this row.
    package var folds: Message.ID?
    var isDate = false
  }

  package var window: MessageWindow
  /// The visible rows, ``height`` of them; a short history has empty ones above.
  package internal(set) var shown: [ShownRow] = []
  package private(set) var height: Int
  /// The message before the unread ones; `nil` marks none.
  package var unreadAfter: Message.ID?

  let source: any SynchronousMessageSource
  var snapshot: (any SynchronousMessageSource)?
  var layout: LayoutCache
  /// `nil` to show names as they are.
  let naming: MessageNaming?
  var quotes: [Message.ID: Message?] = [:]
  var unfolded: Unfolded?
  var answerCounts = CountedAnswers()
  var ordered: [MessageWindow.Request] = []
  var beingRead: [MessageWindow.Request] = []
  var callOff = CallOff()
  /// The rows left to scroll once a background search finds more.
  var unfinishedRows = 0

  /// The view is empty until ``jump(to:rowsAbove:isRemembered:)``.
  package init(
    of selection: Selection, in source: any SynchronousMessageSource, settings: LayoutSettings, height: Int,
    limits: WindowLimits = .standard
  ) {
    self.init(of: selection, in: source, settings: settings, height: height, limits: limits, naming: nil)
  }

  init(
    of selection: Selection, in source: any SynchronousMessageSource, settings: LayoutSettings, height: Int,
    limits: WindowLimits = .standard, naming: MessageNaming?
  ) {
    // A terminal has no server to fill gaps from, so they must not stop the reader.
    window = MessageWindow(selection, limits: limits, stopsAtGaps: false)
    self.source = source
    self.height = max(1, height)
    layout = LayoutCache(settings)
    self.naming = naming
  }

  package var settings: LayoutSettings { layout.settings }

  /// The first visible message stays in place, or the newest at the bottom.
  package mutating func resize(_ settings: LayoutSettings, height: Int) throws(StoreError) {
    var start = start
    if settings != layout.settings, case .row(let place) = start { start = .row(Place(id: place.id)) }
    layout.settings = settings
    self.height = max(1, height)
    try settle(from: start)
  }

  /// Goes to another place; see ``/MessageModel/PageAnchor``. If a page cannot be read, the reader stays.
  ///
  /// - Parameters:
  ///   - rowsAbove: The number of rows to show above the found message, as far as they exist and leave it
  ///     visible.
  ///   - isRemembered: Whether ``retrace(_:)`` returns to where this jump began.
  /// - Returns: How the anchor was resolved.
  @discardableResult
  package mutating func jump(
    to anchor: PageAnchor, rowsAbove: Int = 0, isRemembered: Bool = true
  ) throws(StoreError) -> Page.Resolution {
    let before = self
    do throws(StoreError) {
      return try land(at: anchor, rowsAbove: rowsAbove, isRemembered: isRemembered)
    } catch {
      self = before
      throw error
    }
  }

  private mutating func land(
    at anchor: PageAnchor, rowsAbove: Int, isRemembered: Bool
  ) throws(StoreError) -> Page.Resolution {
    if !isRemembered, case .around(let id) = anchor {
      try perform(.restore(WindowPosition(id: id)))
    } else {
      try perform(.jump(to: anchor))
    }
    let resolution = window.header.resolution
    let target = anchor == .oldest ? window.messages.first?.id : resolution.message ?? window.position?.id
    try settle(from: anchor == .newest ? .bottom : target.map { .row(Place(id: $0)) } ?? .bottom)
    if rowsAbove > 0, !isAtBottom { try scroll(rows: -min(rowsAbove, rowsLeft(beside: target))) }
    return resolution
  }

  private mutating func rowsLeft(beside id: Message.ID?) -> Int {
    guard let index = id.flatMap({ window.index(of: $0) }) else { return 0 }
    return max(0, height - block(index).count)
  }

  mutating func restore(_ place: WindowPosition) throws(StoreError) {
    guard place != window.position else { return }
    try perform(.restore(place))
    try settle(from: windowStart)
  }

  /// Shows another selection, as near as possible to the present place.
  package mutating func select(_ selection: Selection) throws(StoreError) {
    guard selection != window.selection else { return }
    let hadNone = window.isEmpty
    try perform(.select(selection))
    forgetOthers()
    try settle(from: hadNone ? .bottom : windowStart)
  }

  /// The row where a message begins; if it is not visible, that of the newest or first visible one.
  func row(of id: Message.ID?) -> (id: Message.ID, row: Int)? {
    let own = id.flatMap { id in shown.firstIndex { $0.begins == id } }
    let row =
      own ?? (isAtBottom ? shown.lastIndex { $0.begins != nil } : shown.firstIndex { $0.begins != nil })
    return row.flatMap { row in shown[row].begins.map { ($0, row) } }
  }

  /// Shows a message in a row of the view, if there are enough messages; no jump is recorded.
  mutating func show(_ id: Message.ID, inRow row: Int) throws(StoreError) {
    try jump(to: .around(id), isRemembered: false)
    guard let present = shown.firstIndex(where: { $0.begins == id }) else { return }
    try scroll(rows: present - row)
  }

  private var windowStart: Start {
    guard let top, window.position?.isFollowing == false else { return .bottom }
    return .row(top)
  }

  /// Returns to where the reader jumped from, or undoes that; returns whether there was such a place.
  package mutating func retrace(_ direction: Direction) throws(StoreError) -> Bool {
    let before = window.position
    try perform(direction == .older ? .back : .forward)
    guard let position = window.position,
      position.id != before?.id || position.rowOffset != before?.rowOffset
    else {
      try settle()
      return false
    }
    try settle(from: windowStart)
    return true
  }

  /// Reads changes of the source.
  package mutating func sourceChanged() throws(StoreError) {
    try perform(.sourceChanged)
    forgetOthers()
    try settle()
  }

  /// Sets whether to stay at the newest edge when messages arrive.
  package mutating func follow(_ follows: Bool) { ordered += window.perform(.follow(follows)).requests }

  /// See ``LayoutSettings/hits``.
  package mutating func highlight(_ hits: [String], wholeWords: Bool) throws(StoreError) {
    guard hits != settings.hits || wholeWords != settings.hitsAreWords else { return }
    layout.settings.hits = hits
    layout.settings.hitsAreWords = wholeWords
    try settle()
  }

  mutating func showUnread(behind mark: Message.ID) throws(StoreError) {
    unreadAfter = mark
    try settle()
  }

  /// Stops updating, and only counts changes, until ``thaw()``.
  ///
  /// - Parameter snapshot: A source that keeps returning one state.
  package mutating func freeze(reading snapshot: any SynchronousMessageSource) throws(StoreError) {
    self.snapshot = snapshot
    try perform(.sourceChanged)
    try perform(.freeze)
    // Changes since the snapshot count, too.
    try perform(.sourceChanged)
    forgetOthers()
    try settle()
  }

  package mutating func thaw() throws(StoreError) {
    snapshot = nil
    try perform(.thaw)
    try sourceChanged()
  }

  /// Whether the newest message is at the bottom of the view.
  package var isAtBottom: Bool { window.isEmpty || window.isAtNewestEdge }

  var top: Place? {
    window.isEmpty ? nil : window.position.map { Place(id: $0.id, row: $0.rowOffset) }
  }

  package var visible: [Message.ID] { shown.compactMap(\.begins) }

  /// The message that stands for the position: the newest at the bottom, else the first visible one.
  package var current: Message? {
    isAtBottom ? window.messages.last : top.flatMap { window.message($0.id) }
  }

  /// The number of ``current`` within the selection, from 1; `nil` if unknown.
  package var number: Int? {
    guard let current, let index = window.index(of: current.id) else { return nil }
    return window.header.firstOrdinal.map { $0 + index + 1 }
  }

  /// `nil` if everything is visible, or counts are estimates.
  var scrollBar: ScrollBar? {
    let header = window.header
    guard header.isExact, let total = header.total, let start = header.firstOrdinal,
      let first = visible.first,
      let index = window.index(of: first)
    else { return nil }
    let count = min(visible.count, total)
    let before = isAtBottom ? total - count : min(start + index, total - count)
    return ScrollBar(first: before, count: count, total: total, rows: height)
  }

  /// `nil` if the first row shows a date itself, or is empty.
  mutating func dateAbove() -> Row? {
    guard let first = shown.first, !first.isDate, first.row != Row(), let top,
      let message = window.message(top.id)
    else { return nil }
    return layout.daySeparator(layout.day(of: message))
  }

  package mutating func day(of message: Message) -> Int { layout.day(of: message) }
}

package import MessageModel
package import MessageWindows
package import TerminalText

/// The part of a history that a reader sees: so many rows of a window of messages, at a place or at the newest edge.
///
/// A place is a message and how many rows of it are hidden above the screen, so scrolling goes by rows however high
/// messages are. At the newest edge the view follows what comes in, elsewhere no row of it moves.
package struct HistoryView: Sendable {
  /// A way to go.
  package typealias Direction = MessageWindow.Direction

  /// The first row of the view, as a row of a message.
  struct Place: Hashable {
    var id: Message.ID
    /// The number of rows of its block (its separators and its text) that are above the view.
    var row = 0
  }

  /// The place from which rows are laid out: down from a row, or up from the newest message.
  enum Start: Hashable {
    case row(Place)
    case bottom
  }

  /// A row of the view.
  package struct ShownRow: Hashable, Sendable {
    package var row: Row
    /// The message that begins in this row; `nil` for rows between, and for all but the first of a message.
    package var begins: Message.ID?
    /// The message whose text is folded in this row.
    package var folds: Message.ID?
    /// Whether it is the line with the date of a day that begins.
    var isDate = false
  }

  /// The window of messages that is held.
  package var window: MessageWindow
  /// The rows in view, from the top: ``height`` of them, empty ones above a short history.
  package internal(set) var shown: [ShownRow] = []
  /// The number of rows.
  package private(set) var height: Int
  /// The message after which the unread ones begin; `nil` marks none.
  package var unreadAfter: Message.ID?

  let source: any SynchronousMessageSource
  /// The source that is read while the view is frozen.
  var snapshot: (any SynchronousMessageSource)?
  var layout: LayoutCache
  /// The manner in which messages are named; `nil` for as they are.
  let naming: MessageNaming?
  var quotes: [Message.ID: Message?] = [:]
  /// The answers to messages, as far as they were counted.
  var answerCounts = CountedAnswers()
  /// The pages that are to be read elsewhere, and those that are being read there.
  var ordered: [MessageWindow.Request] = []
  var beingRead: [MessageWindow.Request] = []
  var callOff = CallOff()
  /// The number of rows that the reader has still to go when what is being looked for has been found.
  var unfinishedRows = 0

  /// Creates a view of nothing, until it is told to jump.
  package init(
    of selection: Selection, in source: any SynchronousMessageSource, settings: LayoutSettings, height: Int,
    limits: WindowLimits = .standard
  ) {
    self.init(of: selection, in: source, settings: settings, height: height, limits: limits, naming: nil)
  }

  /// Creates a view of nothing that names messages in a manner of its own, until it is told to jump.
  init(
    of selection: Selection, in source: any SynchronousMessageSource, settings: LayoutSettings, height: Int,
    limits: WindowLimits = .standard, naming: MessageNaming?
  ) {
    // A terminal has no server to load from: a reader who was stopped at a gap could not go on.
    window = MessageWindow(selection, limits: limits, stopsAtGaps: false)
    self.source = source
    self.height = max(1, height)
    layout = LayoutCache(settings)
    self.naming = naming
  }

  /// The settings by which messages are laid out.
  package var settings: LayoutSettings { layout.settings }

  /// Takes another size or layout. The first message in view stays there, or the newest at the bottom.
  package mutating func resize(_ settings: LayoutSettings, height: Int) throws(StoreError) {
    var start = start
    if settings != layout.settings, case .row(let place) = start { start = .row(Place(id: place.id)) }
    layout.settings = settings
    self.height = max(1, height)
    try settle(from: start)
  }

  /// Goes to another place; see ``/MessageModel/PageAnchor``.
  ///
  /// - Parameters:
  ///   - rowsAbove: How many rows to show above the message that was found, if there are that many and it leaves
  ///     them.
  ///   - isRemembered: Whether ``retrace(_:)`` returns to where this jump began.
  /// - Returns: What became of the anchor.
  /// - Throws: ``StoreError`` if a page cannot be read; the reader is where they were.
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

  /// Returns the number of rows of the view that are not needed to show all of a message.
  private mutating func rowsLeft(beside id: Message.ID?) -> Int {
    guard let index = id.flatMap({ window.index(of: $0) }) else { return 0 }
    return max(0, height - block(index).count)
  }

  /// Returns to a place, without a trace for ``retrace(_:)``.
  mutating func restore(_ place: WindowPosition) throws(StoreError) {
    guard place != window.position else { return }
    try perform(.restore(place))
    try settle(from: windowStart)
  }

  /// Shows another selection, as near as possible to the place in view.
  package mutating func select(_ selection: Selection) throws(StoreError) {
    guard selection != window.selection else { return }
    let hadNone = window.isEmpty
    try perform(.select(selection))
    forgetOthers()
    try settle(from: hadNone ? .bottom : windowStart)
  }

  /// Returns the row of the view in which a message begins; of the newest or the first one in view, if it does not.
  func row(of id: Message.ID?) -> (id: Message.ID, row: Int)? {
    let own = id.flatMap { id in shown.firstIndex { $0.begins == id } }
    let row =
      own ?? (isAtBottom ? shown.lastIndex { $0.begins != nil } : shown.firstIndex { $0.begins != nil })
    return row.flatMap { row in shown[row].begins.map { ($0, row) } }
  }

  /// Shows a message in a row of the view, as far as there are messages on both sides, without a trace.
  mutating func show(_ id: Message.ID, inRow row: Int) throws(StoreError) {
    try jump(to: .around(id), isRemembered: false)
    guard let present = shown.firstIndex(where: { $0.begins == id }) else { return }
    try scroll(rows: present - row)
  }

  /// The place at which the rows begin if the reader is to see what the window has put them at.
  private var windowStart: Start {
    guard let top, window.position?.isFollowing == false else { return .bottom }
    return .row(top)
  }

  /// Returns to where the reader jumped away from, or undoes that; whether there was such a place.
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

  /// Reads again after a change of the source.
  package mutating func sourceChanged() throws(StoreError) {
    try perform(.sourceChanged)
    forgetOthers()
    try settle()
  }

  /// Says whether to stay at the newest edge when messages come in.
  package mutating func follow(_ follows: Bool) { ordered += window.perform(.follow(follows)).requests }

  /// Says what to show as hits; see ``LayoutSettings/hits``.
  package mutating func highlight(_ hits: [String], wholeWords: Bool) throws(StoreError) {
    guard hits != settings.hits || wholeWords != settings.hitsAreWords else { return }
    layout.settings.hits = hits
    layout.settings.hitsAreWords = wholeWords
    try settle()
  }

  /// Says behind which message the unread ones begin.
  mutating func showUnread(behind mark: Message.ID) throws(StoreError) {
    unreadAfter = mark
    try settle()
  }

  /// Holds still and only counts what happens, until ``thaw()``.
  ///
  /// - Parameter snapshot: Answers from one state of the source as long as it lives: what is read meanwhile.
  package mutating func freeze(reading snapshot: any SynchronousMessageSource) throws(StoreError) {
    self.snapshot = snapshot
    try perform(.sourceChanged)
    try perform(.freeze)
    // What has happened since the snapshot was taken counts too.
    try perform(.sourceChanged)
    forgetOthers()
    try settle()
  }

  /// Shows the present state again, and what happens from now on.
  package mutating func thaw() throws(StoreError) {
    snapshot = nil
    try perform(.thaw)
    try sourceChanged()
  }

  // MARK: What is in view

  /// Whether the newest message is in view, at the bottom.
  package var isAtBottom: Bool { window.isEmpty || window.isAtNewestEdge }

  /// The first row of the view: where the window has the reader.
  var top: Place? {
    window.isEmpty ? nil : window.position.map { Place(id: $0.id, row: $0.rowOffset) }
  }

  /// The messages that begin in view, from the top.
  package var visible: [Message.ID] { shown.compactMap(\.begins) }

  /// The message that a position is told by: the newest at the bottom, else the first in view.
  package var current: Message? {
    isAtBottom ? window.messages.last : top.flatMap { window.message($0.id) }
  }

  /// The number of ``current`` among all of the selection, from 1; `nil` if it is unknown.
  package var number: Int? {
    guard let current, let index = window.index(of: current.id) else { return nil }
    return window.header.firstOrdinal.map { $0 + index + 1 }
  }

  /// The part of the history that is in view; `nil` if that is all of it, or not known exactly.
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

  /// A line with the date of what is in the first row; `nil` if that row is such a line, or empty.
  mutating func dateAbove() -> Row? {
    guard let first = shown.first, !first.isDate, first.row != Row(), let top,
      let message = window.message(top.id)
    else { return nil }
    return layout.daySeparator(layout.day(of: message))
  }

  /// The civil day of a message.
  package mutating func day(of message: Message) -> Int { layout.day(of: message) }
}

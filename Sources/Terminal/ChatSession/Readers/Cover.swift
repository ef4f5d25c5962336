internal import MessageModel
internal import TerminalText

/// The one thing that covers the messages of a screen; arrows and typed text are for it.
package struct Cover: Sendable {
  /// `nil` if the messages are in view.
  var list: (any ListCover)?

  package var isShown: Bool { list != nil }

  package var arrows: ArrowUse { list?.arrows ?? .line }

  var command: ReplCommand? { list?.command }

  /// The list, if it is of this type. `nil` removes no other.
  subscript<List: ListCover>(_: List.Type) -> List? {
    get { list as? List }
    set { if newValue != nil || list is List { list = newValue } }
  }

  package var listing: Listing? { self[ListingCover.self]?.listing }

  package var hits: HitList? {
    get { self[HitCover.self]?.list }
    set {
      let preview = self[HitCover.self]?.preview
      self[HitCover.self] = newValue.map { HitCover(list: $0, preview: preview) }
    }
  }

  package var map: TimeMap? { self[TimeMap.self] }

  package var switcher: Switcher? {
    get { self[Switcher.self] }
    set { self[Switcher.self] = newValue }
  }

  var gallery: Gallery? { self[Gallery.self] }
}

/// A list or a picture that covers the messages: keys choose in it, typing narrows it, Enter goes to the choice.
///
/// `Session.answerInCover` passes events to it. A function that handles a key or a line returns `nil` if that
/// keeps its usual meaning.
protocol ListCover: Sendable {
  /// The key that shows it also closes it.
  var key: ReplKey? { get }
  var arrows: ArrowUse { get }
  /// Whether keys and lines have no other meaning.
  var isModal: Bool { get }
  var lineUse: Completion.Line { get }
  /// The command that makes it again after changes of the store; `nil` if it follows the store by itself.
  var command: ReplCommand? { get }

  /// Moves the choice, or the lines; returns whether it can move so.
  mutating func move(
    _ motion: Motion, on screen: ScreenReader, in context: ReplContext
  ) throws(StoreError) -> Bool
  /// Chooses what is in a row of the view; returns whether there is a choice.
  mutating func point(to row: Int, on screen: ScreenReader) -> Bool
  /// Chooses what is at a cell of the view, where rows have several choices.
  mutating func point(
    to row: Int, column: Int, on screen: ScreenReader, in context: ReplContext
  ) throws(StoreError) -> Bool
  /// Reads what is in view again after a change of the store.
  mutating func noticeChange()
  /// Reads what is in view, unless it is held. On an error, what was in view stays.
  mutating func settle(on screen: ScreenReader, in context: ReplContext) throws(StoreError)
  func rows(on screen: ScreenReader) -> [Row]
  /// `nil` for the messages' status line.
  func status(on screen: ScreenReader) -> Row?

  func narrow(by line: String, in session: inout Session<ScreenReader>) throws -> Effects?
  func enter(_ line: String, in session: inout Session<ScreenReader>) throws -> Effects?
  /// Returns what a line that it does not handle chooses; `nil` if the line closes it. Throws ``UsageError``
  /// for an unknown name: the line must not be sent as a message.
  func command(choosing line: String) throws -> ReplCommand?
  func choose(in session: inout Session<ScreenReader>) throws -> Effects?
  /// Handles a key that neither moves nor chooses nor closes.
  func press(_ key: ReplKey, in session: inout Session<ScreenReader>) throws -> Effects?
  func close(in session: inout Session<ScreenReader>) -> Effects
}

extension ListCover {
  var key: ReplKey? { nil }
  var arrows: ArrowUse { .list }
  var isModal: Bool { true }
  var lineUse: Completion.Line { .other }
  var command: ReplCommand? { nil }

  mutating func point(to row: Int, on screen: ScreenReader) -> Bool { false }

  mutating func point(
    to row: Int, column: Int, on screen: ScreenReader, in context: ReplContext
  ) throws(StoreError) -> Bool {
    point(to: row, on: screen)
  }

  mutating func noticeChange() {}

  mutating func settle(on screen: ScreenReader, in context: ReplContext) throws(StoreError) {}

  func narrow(by line: String, in session: inout Session<ScreenReader>) throws -> Effects? { Effects() }

  func enter(_ line: String, in session: inout Session<ScreenReader>) throws -> Effects? {
    isModal && line.allSatisfy(\.isWhitespace) ? try choose(in: &session) : nil
  }

  func command(choosing line: String) throws -> ReplCommand? { nil }

  func press(_ key: ReplKey, in session: inout Session<ScreenReader>) throws -> Effects? {
    isModal ? Effects() : nil
  }

  func close(in session: inout Session<ScreenReader>) -> Effects {
    session.reader.putAway()
    return Effects()
  }
}

extension ScreenReader {
  mutating func settleCover(_ context: ReplContext) throws(StoreError) {
    guard var list = cover.list else { return }
    defer { cover.list = list }
    try list.settle(on: self, in: context)
  }

  mutating func moveInCover(_ motion: Motion, _ context: ReplContext) throws(StoreError) -> Bool {
    guard var list = cover.list else { return false }
    let isMoved = try list.move(motion, on: self, in: context)
    cover.list = list
    return isMoved
  }

  /// The row of messages, or of what covers them, that was clicked; `nil` for a row around them.
  func messageRow(of click: MouseClick) -> Int? {
    let row = click.row - frame.rowsAbove
    return (0..<view.height).contains(row) ? row : nil
  }

  /// `nil` for a date, or an empty row.
  func message(inRow row: Int) -> Message.ID? {
    guard view.shown.indices.contains(row), !view.shown[row].isDate, view.shown[row].row != Row() else {
      return nil
    }
    return view.shown.prefix(row + 1).last { $0.begins != nil }?.begins ?? view.top?.id
  }

  /// A cover's status line: a text and, as far as there is room, what keys do.
  func status(_ text: String, _ keys: String, _ enter: String = "Enter goes there") -> Row {
    let back = isView ? "q back" : "Esc back"
    var row = Row(text, .status)
    row.close(
      with: ["\(keys) · \(enter) · \(back)", "\(enter) · \(back)", back], columns: columns, .status)
    return row
  }
}

extension Row {
  /// A chosen row: matches are bold.
  func chosen(columns: Int) -> Row {
    var row = Row()
    for span in spans {
      var style = Style.selection
      style.isBold = span.style == .hit
      row.append(span.text, style)
    }
    row.pad(to: columns, .selection)
    return row
  }
}

extension [Row] {
  func filled(to height: Int) -> [Row] { self + Array(repeating: Row(), count: Swift.max(0, height - count)) }
}

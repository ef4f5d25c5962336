public import MessageModel
public import MessageWindows
public import TerminalText

/// The REPL on a screen: what is shown, and what keys and lines do to it.
///
/// It knows no terminal: it takes events and draws ``Screen`` values. Whoever owns the terminal paints them, reads
/// keys and lines, and tells of changes of the store.
public struct ReplSession {
  /// What happens to a session.
  public enum Event: Hashable, Sendable {
    /// A line was finished.
    case line(String)
    /// The line being typed is another one.
    case typed(String)
    /// A search was typed, toward newer or older messages.
    case search(String, HistoryView.Direction)
    /// A key that moves the view was pressed; a count from the keyboard, 1 without.
    case key(Key, count: Int = 1)
    /// The terminal has another size.
    case resized(rows: Int, columns: Int)
    /// The store may have changed.
    case storeChanged
    /// The moment of ``ReplSession/wakesAt`` has come.
    case timePassed
    /// Ctrl-C was pressed.
    case interrupted
    /// Work that an outcome had asked for tells something.
    case reported(BackgroundWork.Report)
    /// Several completions are possible.
    case completions([String])
  }

  /// What a key does.
  public enum Key: Hashable, Sendable, CaseIterable {
    case pageOlder, pageNewer, rowOlder, rowNewer, rowsOlder, rowsNewer, oldest, newest, unread, redraw
    case halfOlder, halfNewer
    /// Puts away what covers the messages, or leaves.
    case close
    case nextHit, previousHit
    /// The next hit in the direction of the search, or in the other one.
    case repeatHit, reverseHit
  }

  /// What the owner of the terminal is to do after an event, besides painting.
  public struct Outcome: Sendable {
    /// Whether to leave.
    public var leaves = false
    /// What to put back into the line: nothing typed is lost when it cannot be carried out.
    public var line: String?
    /// What to put into the clipboard.
    public var clipboard: String?
    /// What to remember for the next run.
    public var settings: [String: String]?
    /// What to do on another thread.
    public var works: [BackgroundWork] = []
    /// The lanes in which to stop what is under way, before the works begin.
    public var stops: Set<BackgroundWork.Lane> = []

    /// Returns this outcome and then another one, of the same event.
    func adding(_ other: Outcome) -> Outcome {
      var both = other
      both.works = works + other.works
      both.stops = stops.union(other.stops)
      return both
    }
  }

  /// Lines shown in place of messages until the next line is finished: help, lists, a message whole.
  struct Overlay: Hashable {
    var lines: [Row]
    var top = 0
    /// What a line without a slash chooses here.
    var choice = Choice.nothing
  }

  public internal(set) var context: ReplContext
  /// What is seen of the history.
  public internal(set) var view: HistoryView
  /// How many views there were: what was read for an earlier one is of no use for this.
  var viewNumber = 0
  public internal(set) var handles = HandleTable()
  var overlay: Overlay?
  /// Lines over the first messages, until the next key.
  var hint: [String]
  /// What a word may become, over the last messages, until the next key.
  var choices: Choices?
  /// Whether nothing is written.
  let isReadOnly: Bool
  /// A sentence in place of the status line until the next event from the keyboard.
  var notice: Row?
  /// The messages that were named because an expression took too long on them.
  var costly: Set<Message.ID> = []
  /// What is searched for.
  var search: HitSearch?
  var searchNumber = 0
  /// How often hits are counted anew at most while others write.
  public var recountInterval = Duration.seconds(2)
  /// The line that was put back last: it was not typed again.
  var lineGivenBack: String?
  /// The lines whose work is under way on other threads: they come back if it fails.
  var workLines: [BackgroundWork.Lane: String] = [:]
  /// The search that is being typed.
  var typing: TypedSearch?
  /// Since when and how long the view is frozen; `nil` if it is not.
  var freezing: Freezing?
  /// When a frozen view thaws by itself.
  public var freezeLimits = MessageList.FreezeLimits.standard
  /// How far a transfer has come; `nil` if there is none.
  var transfer: String?
  /// The pictures in view.
  var gallery = PictureGallery()
  var rows: Int
  var columns: Int

  /// Opens the newest edge of the context's conversation on a terminal of this size.
  ///
  /// - Parameters:
  ///   - isReadOnly: Whether nothing is written.
  ///   - hint: Lines to show over the first messages until the next key.
  public init(
    _ context: ReplContext, rows: Int, columns: Int, isReadOnly: Bool = false, hint: [String] = []
  ) throws(StoreError) {
    self.context = context
    self.isReadOnly = isReadOnly
    self.hint = hint
    self.rows = rows
    self.columns = columns
    view = Self.view(of: context, rows: rows, columns: columns)
    try enter()
  }

  private static func view(of context: ReplContext, rows: Int, columns: Int) -> HistoryView {
    let settings = LayoutSettings(columns: columns, zone: context.zone, foldRows: Self.foldRows(rows))
    return HistoryView(
      of: context.selection, in: context.store, settings: settings, height: Self.height(rows))
  }

  /// The last row is for the line being typed, the one above it for the status.
  private static func height(_ rows: Int) -> Int { max(1, rows - 2) }

  /// A folded message fills at most three quarters of the screen.
  private static func foldRows(_ rows: Int) -> Int { max(3, min(16, height(rows) * 3 / 4)) }

  /// Shows the conversation of the context from its newest edge.
  mutating func enter() throws(StoreError) {
    view = Self.view(of: context, rows: rows, columns: columns)
    viewNumber += 1
    search = nil
    typing = nil
    freezing = nil
    let newest = context.conversation.newest
    if let mark = context.conversation.readUpTo, let newest, mark < newest { view.unreadAfter = mark }
    try view.jump(to: .newest)
    if context.showsPictures { try layOut() }
    noteVisible()
  }

  /// Takes a size or a zone over.
  mutating func layOut() throws(StoreError) {
    var settings = view.settings
    settings.columns = max(10, columns)
    settings.zone = context.zone
    settings.foldRows = Self.foldRows(rows)
    settings.pictures = thumbnailRoom
    try view.resize(settings, height: Self.height(rows))
    noteVisible()
  }

  /// Gives letters to what is on the screen, and says that it has been read.
  mutating func noteVisible() {
    handles.update(visible: view.visible.filter { view.window.message($0)?.kind.isEvent == false })
    guard overlay == nil, let first = view.visible.first, let last = view.visible.last else { return }
    context.noteSeen(from: first, through: last)
  }

  /// Shows lines in place of the messages.
  mutating func show(_ lines: [String], choosing choice: Overlay.Choice = .nothing) {
    let wrapped = lines.flatMap { line in
      LineWrapper.rows(of: line, columns: columns).map { Row(String(line[$0])) }
    }
    overlay = Overlay(lines: wrapped, choice: choice)
  }

  /// Shows lines in place of the messages, the last of them at the bottom.
  mutating func showEnd(_ lines: [String], choosing choice: Overlay.Choice) {
    show(lines, choosing: choice)
    let last = max(0, (overlay?.lines.count ?? 0) - view.height)
    overlay?.top = last
  }

  // MARK: Drawing

  /// Draws all rows but the last, which is the line being typed.
  public mutating func screen() -> Screen {
    let height = view.height
    var drawn: [Row]
    if let overlay {
      drawn = Array(overlay.lines.dropFirst(overlay.top).prefix(height))
      drawn += Array(repeating: Row(), count: height - drawn.count)
    } else {
      drawn = view.shown.map(withHandle)
      // There is always a message to be seen.
      for (index, line) in hint.prefix(height - 1).enumerated() {
        drawn[index] = filled(Row(" " + line, .status))
      }
    }
    let choices = choicesDrawn
    drawn.replaceSubrange((height - choices.rows.count)..., with: choices.rows.map(filled))
    gallery.fill(&drawn)
    let status = notice ?? choices.status
    if rows > 2 || status != nil { drawn.append(status.map(filled) ?? StatusLine.row(for: &self)) }
    return Screen(rows: Array(drawn.suffix(max(1, rows - 1))), columns: columns)
  }

  private func withHandle(_ shown: HistoryView.ShownRow) -> Row {
    if let id = shown.folds {
      let target = handles.handle(of: id) ?? "#\(id)"
      let command = (isReadOnly ? ":view " : "/view ") + target
      return shown.row.naming(command, columns: columns, textColumn: view.settings.textColumn)
    }
    guard let id = shown.begins, let handle = handles.handle(of: id) else { return shown.row }
    return shown.row.withHandle(handle, margin: view.settings.marginColumns)
  }

  private func filled(_ notice: Row) -> Row {
    var row = notice.cut(to: columns)
    row.pad(to: columns, notice.spans.first?.style ?? .plain)
    return row
  }
}

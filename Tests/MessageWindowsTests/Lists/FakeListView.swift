import MessageModel
import MessageWindows

/// A list view as apps have them: rows of different heights, some of which are on the screen. It knows rows by the changes
/// that it is told of, by index, and nothing else.
struct FakeListView {
  /// The rows, as they were inserted, removed and updated.
  private(set) var rows: [Message] = []
  /// The header that was shown last.
  private(set) var header: WindowHeader?
  /// The index of the row at the top of the screen, and how many of its lines are hidden above it.
  private(set) var top = 0
  private(set) var hidden = 0
  /// The height of the screen in lines.
  let height: Int
  /// Whether what is on the screen had to be moved because there was nothing more beyond an end, and it was empty there.
  var hasMovedAtEnd = false
  /// What is wrong with what it was told.
  private(set) var complaints: [String] = []

  init(height: Int) { self.height = height }

  /// The lines that a message takes: others after an edit.
  static func height(of message: Message) -> Int {
    1 + Int((UInt64(bitPattern: message.id.rawValue) &* 31 &+ UInt64(message.revision) &* 7) % 5)
  }

  /// The messages on the screen, and the lines from its top to each.
  var screen: [(message: Message, line: Int)] {
    var line = -hidden
    var screen: [(Message, Int)] = []
    for message in rows[min(top, rows.count)...] {
      guard line < height else { break }
      screen.append((message, line))
      line += Self.height(of: message)
    }
    return screen
  }

  /// What the view tells its list.
  var readerMoved: ListCommand? {
    let screen = screen
    guard let first = screen.first, let last = screen.last else { return nil }
    return .readerMoved(
      first: first.message.id, last: last.message.id, rowOffset: hidden,
      seesEnd: last.line + Self.height(of: last.message) <= height)
  }

  /// Takes in a snapshot, and keeps the first row that stays on the screen where it is.
  mutating func take(_ snapshot: MessageList.Snapshot) {
    let changes = snapshot.changes
    let kept = screen.enumerated().lazy.compactMap { [top] place, row in
      changes.indexAfter(top + place).map { (index: $0, line: row.line) }
    }.first
    let shown = min(top, rows.count)..<min(top + screen.count, rows.count)
    rows = changes.applied(to: rows, takingFrom: snapshot.messages)
    header = snapshot.header
    if rows != snapshot.messages { complaints.append("the changes by index do not lead to what is held") }
    switch snapshot.scroll(showing: shown) {
    case .keep:
      if let kept {
        place(kept.index, atLine: kept.line)
      } else {
        if !rows.isEmpty { complaints.append("told to stay where nothing is left") }
        place(0, atLine: 0)
      }
    case .end: goToEnd()
    case .row(let id, let offset):
      let index = rows.firstIndex { $0.id == id }
      if index == nil, !rows.isEmpty { complaints.append("told to go to a row that is not there") }
      place(index ?? 0, atLine: -offset)
    }
  }

  /// Scrolls by lines, downwards if there are more than 0, as far as there are rows.
  mutating func scroll(by lines: Int) {
    place(top, atLine: -hidden - lines)
  }

  /// Puts the last row at the bottom of the screen.
  mutating func goToEnd() {
    guard !rows.isEmpty else { return }
    place(rows.count - 1, atLine: height - Self.height(of: rows[rows.count - 1]))
  }

  /// The line of the screen at which a message begins, though it may lie above or below; `nil` if there is no such row.
  func line(of id: Message.ID) -> Int? {
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return nil }
    if index < top { return -hidden - rows[index..<top].reduce(0) { $0 + Self.height(of: $1) } }
    return -hidden + rows[top..<index].reduce(0) { $0 + Self.height(of: $1) }
  }

  /// Puts a row at a line of the screen, and no emptiness on it that need not be.
  private mutating func place(_ index: Int, atLine line: Int) {
    (top, hidden) = (0, 0)
    guard !rows.isEmpty else { return }
    (top, hidden) = (index, 0)
    fill(upTo: line)
    let isMissingAbove = top == 0 && hidden == 0 && lines(from: 0, to: index) < line
    let blank = height - lines(from: top, to: rows.count) + hidden
    if blank > 0 { fill(upTo: blank) }
    // Where there is more, the list should have had it ready.
    if isMissingAbove, header?.hasOlder == false { hasMovedAtEnd = true }
    if blank > 0, header?.hasNewer == false { hasMovedAtEnd = true }
  }

  /// Moves the top so that `line` lines more are above the present one, or fewer if there are not so many.
  private mutating func fill(upTo line: Int) {
    var offset = line - hidden
    while offset > 0, top > 0 {
      top -= 1
      offset -= Self.height(of: rows[top])
    }
    hidden = max(-offset, 0)
    while top < rows.count - 1, hidden >= Self.height(of: rows[top]) {
      hidden -= Self.height(of: rows[top])
      top += 1
    }
  }

  private func lines(from start: Int, to end: Int) -> Int {
    rows[min(start, end)..<end].reduce(0) { $0 + Self.height(of: $1) }
  }
}

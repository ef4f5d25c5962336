import ChatViews
import MessageSourceTesting
import ScrollbackKit
import Testing

/// The logic of Examples/ChatViews, with a table that needs no screen.
@MainActor @Suite struct TableFeedTests {
  @Test(arguments: [false, true], 0..<UInt64(20))
  func `a table has the rows of its model, and the reader keeps their place`(
    byBatches: Bool, seed: UInt64
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    let source = ReferenceSource(count: 200)
    let model = MessageListModel(
      Selection(room), in: source, startingWith: source, limits: try WindowLimits(messages: 60, pageSize: 20),
      every: .zero)
    let feed = TableFeed(model)
    let table = Table(feed, byBatches: byBatches)
    feed.connect(table)
    #expect(table.visibleRows.upperBound == table.rows.count)
    for _ in 0..<60 {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: source.append("new")
      case 1: source.delete([source.messages[Int.random(in: 0..<100, using: &generator)].id])
      case 2: source.edit(source.messages[Int.random(in: 0..<100, using: &generator)].id, text: "edited")
      default:
        table.scroll(by: Int.random(in: -12...9, using: &generator))
        feed.report()
      }
      for _ in 0..<20 { await Task.yield() }
      #expect(table.rows == Array(feed.items) && table.hasKeptPlace, "seed \(seed)")
    }
    await model.list.close()
  }

  @Test func `each kind of row says what it is`() {
    let message = Message(
      id: Message.ID(rawValue: 1), conversation: room,
      sender: Sender(id: Sender.ID(rawValue: 1), name: "ann"),
      text: "hello")
    #expect(RowText(.message(message, group: .first)).title == "ann")
    #expect(RowText(.message(message, group: .last)).title == nil)
    #expect(RowText(.day(MessageRows.Day(20_786))).text == "2026-11-29")
    let lines = [MessageRows.Row.unread, .beginning, .gap(.older), .loading(.older), .failed(.newer)]
    #expect(Set(lines.map { RowText($0).text }).count == lines.count)
  }

  private let room = Conversation.ID(rawValue: 1)
}

/// A table of rows that are one high, on a screen of ten.
@MainActor private final class Table: ChatTable {
  private(set) var rows: [MessageRows.Row]
  private(set) var hasKeptPlace = true
  private let feed: TableFeed
  private let byBatches: Bool
  private var top = 0

  init(_ feed: TableFeed, byBatches: Bool) {
    self.feed = feed
    self.byBatches = byBatches
    rows = Array(feed.items)
  }

  var visibleRows: Range<Int> { top..<min(top + 10, rows.count) }

  func scroll(by lines: Int) { top = max(0, min(top + lines, rows.count - 10)) }

  func update(_ changes: IndexChanges, setRows: @escaping @MainActor () -> Void) {
    setRows()
    let new = Array(feed.items)
    rows = byBatches ? batched(changes.batch, new) : stepped(changes.steps, new)
  }

  private func stepped(_ steps: [IndexChanges.Step], _ new: [MessageRows.Row]) -> [MessageRows.Row] {
    var rows = rows
    for step in steps {
      switch step {
      case .remove(let range): rows.removeSubrange(range)
      case .move(let row, let place): rows.insert(rows.remove(at: row), at: place)
      case .insert(let range): rows.insert(contentsOf: new[range], at: range.lowerBound)
      case .reload(let range): rows.replaceSubrange(range, with: new[range])
      }
    }
    return rows
  }

  private func batched(_ batch: IndexChanges.Batch, _ new: [MessageRows.Row]) -> [MessageRows.Row] {
    let gone = Set(batch.deletes + batch.moves.map(\.source))
    var stay = rows.indices.filter { !gone.contains($0) }.map { rows[$0] }.makeIterator()
    let come = Set(batch.inserts + batch.moves.map(\.destination) + batch.reloads)
    let moved = Set(batch.inserts + batch.moves.map(\.destination))
    return new.indices.compactMap { index in
      let old = moved.contains(index) ? nil : stay.next()
      return come.contains(index) ? new[index] : old
    }
  }

  func distance(to row: Int) -> Double { Double(row - top) }

  func place(_ row: Int, at distance: Double) {
    let wanted = row - Int(distance)
    top = max(0, min(wanted, rows.count - 10))
    // At an end there is nothing more to fill the screen with.
    hasKeptPlace = hasKeptPlace && (top == wanted || top == 0 || top == rows.count - 10)
  }

  func placeEnd() { top = max(0, rows.count - 10) }
}

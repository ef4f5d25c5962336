import MessageModel
import MessageSourceTesting
import MessageWindows
import RowGeometry
import TestSupport
import Testing

@Suite struct ListGeometryTests {
  @Test func `a list begins at its end, and stays there while rows come and turn out higher`() {
    var geometry = ListGeometry(rowCount: 10, estimatedHeight: 50, viewportHeight: 200)
    #expect(geometry.offset == 300 && geometry.visible == 6..<10)
    #expect(geometry.measure(9, height: 80)?.offset == 330)
    #expect(geometry.apply(inserting(10..<12))?.change == 100 && geometry.offset == 430)
    #expect(geometry.visible == 8..<12 && geometry.anchor == .end)
    #expect(geometry.resize(viewportHeight: 120)?.offset == 510)
  }

  @Test func `what is read stays where it is while rows above it come, go and are measured`() {
    var geometry = ListGeometry(rowCount: 100, estimatedHeight: 50, viewportHeight: 200)
    geometry.scroll(to: 2_010)
    #expect(geometry.anchor == .row(41, distance: 40))
    geometry.measure(3, height: 20)
    geometry.measure(40, height: 90.5)
    #expect(geometry.offset == 2_020.5)
    geometry.apply(inserting(0..<50))
    #expect(geometry.anchor == .row(91, distance: 40) && geometry.offset == 4_520.5)
    var removal = IndexChanges()
    removal.removals = [0..<50, 60..<70]
    geometry.apply(removal)
    #expect(geometry.anchor == .row(31, distance: 40))
    #expect(geometry.top(of: 31) - geometry.offset == 40)
  }

  @Test func `if the row that is held goes, the next one takes its place on the screen`() {
    var geometry = ListGeometry(rowCount: 100, estimatedHeight: 50, viewportHeight: 200)
    geometry.scroll(to: 2_000)
    var removal = IndexChanges()
    removal.removals = [40..<42, 42..<43]
    geometry.apply(removal)
    #expect(geometry.anchor == .row(40, distance: 150) && geometry.offset == 1_850)
  }

  @Test func `a message that moves keeps the height that it was measured to have`() {
    var geometry = ListGeometry(rowCount: 10, estimatedHeight: 50, viewportHeight: 200)
    geometry.measure(2, height: 80)
    var changes = IndexChanges()
    changes.removals = [2..<4]
    changes.insertions = [7..<9]
    changes.moves = [.init(from: 2, to: 8), .init(from: 3, to: 7), .init(from: -1, to: 99)]
    geometry.apply(changes)
    #expect(geometry.height(of: 8) == 80 && geometry.height(of: 2) == 50 && geometry.measuredCount == 1)
    #expect(geometry.contentHeight == 530)
  }

  @Test func `who is at the end of a list that is not the end of the history is left behind by rows to come`()
  {
    var geometry = ListGeometry(rowCount: 10, estimatedHeight: 50, viewportHeight: 200)
    geometry.followsEnd = false
    #expect(geometry.apply(inserting(10..<60)) == nil)
    #expect(geometry.offset == 300)
    geometry.scroll(to: .end)
    #expect(geometry.offset == 2_800)
  }

  @Test func `a list that is shorter than its viewport begins at its top`() {
    var geometry = ListGeometry(rowCount: 2, estimatedHeight: 50, viewportHeight: 200)
    #expect(geometry.offset == 0 && geometry.visible == 0..<2)
    #expect(geometry.scroll(by: -10) == nil)
    #expect(geometry.scroll(by: 10) == nil)
    #expect(geometry.row(at: 100) == nil && geometry.row(at: -1) == nil && geometry.row(at: 99) == 1)
    var removal = IndexChanges()
    removal.removals = [0..<2]
    geometry.apply(removal)
    #expect(geometry.visible.isEmpty && geometry.contentHeight == 0 && geometry.row(at: 0) == nil)
  }

  @Test func `heights and places that cannot be do no harm`() {
    var geometry = ListGeometry(rowCount: .max, estimatedHeight: .infinity, viewportHeight: -.nan)
    geometry.measure(-1, height: 10)
    geometry.measure(.max, height: 10)
    geometry.measure(5, height: .nan)
    geometry.scroll(to: .infinity)
    geometry.scroll(to: .row(.min, distance: .infinity))
    geometry.scroll(by: -.infinity)
    geometry.apply(inserting(3..<Int.max))
    var changes = IndexChanges()
    changes.removals = [0..<Int.max]
    geometry.apply(changes)
    #expect(geometry.rowCount == 0 && geometry.height(of: 3) == 0)
  }

  /// Beside sums over an array; what is held is compared by the row's identity, in exact units.
  @Test(arguments: 0..<(isLong ? UInt64(40) : 4)) func `nothing drifts on long walks`(seed: UInt64) {
    var walk = GeometryWalk(seed: seed)
    for step in 0..<(isLong ? 25_000 : 2_000) {
      if let difference = walk.step() {
        Issue.record("seed \(seed), step \(step): \(difference)")
        return
      }
    }
  }

  @Test func `tens of thousands of rows, all measured, are no other than few`() {
    var walk = GeometryWalk(seed: 1, count: 30_000)
    walk.measureAll()
    for step in 0..<60 {
      if let difference = walk.step() {
        Issue.record("step \(step): \(difference)")
        return
      }
    }
  }

  @Test func `the thumb shows a place among all messages, and dragging it leads there`() {
    var geometry = ListGeometry(rowCount: 1_000, estimatedHeight: 50, viewportHeight: 500)
    let end = ScrollThumb(of: geometry, from: 999_000, total: 1_000_000, track: 400)
    #expect(end.length == 24 && end.start == 376)
    geometry.scroll(to: .row(0, distance: 0))
    let middle = ScrollThumb(of: geometry, from: 499_995, total: 1_000_000, track: 400)
    #expect(middle.start == 188)
    #expect(middle.ordinal(draggedTo: 188, track: 400, total: 1_000_000, visibleCount: 10) == 499_995)
    #expect(middle.ordinal(draggedTo: -5, track: 400, total: 1_000_000, visibleCount: 10) == 0)
    #expect(middle.ordinal(draggedTo: 999, track: 400, total: 1_000_000, visibleCount: 10) == 999_990)
    let whole = ScrollThumb(of: ListGeometry(estimatedHeight: 50, viewportHeight: 500), total: 0, track: 400)
    #expect(whole.start == 0 && whole.length == 24)
  }

  @Test func `lines between messages do not move the thumb`() async throws {
    let list = MessageList(Selection(conversation), in: ReferenceSource(count: 40))
    let snapshot = await list.perform(.jump(to: .oldest))
    // Each message has a line of its day above it.
    var items = MessageRows(zone: .gmt)
    let days = snapshot.messages.map { message in
      var message = message
      message.id = Message.ID(time: Timestamp(millisecondsSince1970: message.id.rawValue * 86_400_000))
      return message
    }
    items.update(to: days)
    var geometry = ListGeometry(rowCount: items.count, estimatedHeight: 50, viewportHeight: 400)
    geometry.scroll(to: .row(try #require(items.index(of: days[20].id)), distance: 0))
    let thumb = ScrollThumb(
      of: geometry, showing: items, header: snapshot.header, track: 400, minimumLength: 0)
    #expect(thumb.length == 40 && thumb.start == 200)
    geometry.scroll(to: .end)
    let end = ScrollThumb(of: geometry, showing: items, header: snapshot.header, track: 400)
    #expect(end.start + end.length == 400)
    await list.close()
  }

  private func inserting(_ range: Range<Int>) -> IndexChanges {
    var changes = IndexChanges()
    changes.insertions = [range]
    return changes
  }
}

/// A walk of a list's geometry beside an array of heights, in sixths of a point.
private struct GeometryWalk {
  private var generator: SeededGenerator
  private var geometry: ListGeometry
  private var rows: [(id: Int, height: Int)]
  private var nextID: Int
  private var viewport: Int
  private static let estimate = 61 * 6 + 2

  init(seed: UInt64, count: Int? = nil) {
    generator = SeededGenerator(seed: seed)
    let count = count ?? Int.random(in: 0...400, using: &generator)
    viewport = 600 * 6
    rows = (0..<count).map { ($0, Self.estimate) }
    nextID = count
    geometry = ListGeometry(
      rowCount: count, estimatedHeight: Double(Self.estimate) / 6, viewportHeight: Double(viewport) / 6)
  }

  /// Measures each row, in an order of chance.
  mutating func measureAll() {
    for row in rows.indices.shuffled(using: &generator) {
      rows[row].height = Int.random(in: 0...2_000, using: &generator)
      geometry.measure(row, height: Double(rows[row].height) / 6)
    }
  }

  /// Takes a step, and returns what differs then.
  mutating func step() -> String? {
    let held = heldPlace()
    let isOfReader = change()
    if let difference = check() { return difference }
    // What is held may only move where the list ends, or because the reader moved it.
    guard !isOfReader, let held, let row = rows.firstIndex(where: { $0.id == held.id }) else { return nil }
    let place = sixths(geometry.top(of: row)) - sixths(geometry.offset)
    let offset = sixths(geometry.offset)
    let isAtAnEdge = offset == 0 || offset == max(0, rows.reduce(0) { $0 + $1.height } - viewport)
    return place == held.place || isAtAnEdge ? nil : "a row moved from \(held.place) to \(place) sixths"
  }

  /// The row that is held, if it is where the anchor has it.
  private func heldPlace() -> (id: Int, place: Int)? {
    guard case .row(let row, let distance) = geometry.anchor, rows.indices.contains(row) else { return nil }
    let place = sixths(geometry.top(of: row)) - sixths(geometry.offset)
    return place == sixths(distance) ? (rows[row].id, place) : nil
  }

  /// Changes something, and returns whether the reader did.
  private mutating func change() -> Bool {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...3:
      guard let row = rows.indices.randomElement(using: &generator) else { return false }
      rows[row].height = Int.random(in: 0...2_000, using: &generator)
      geometry.measure(row, height: Double(rows[row].height) / 6)
      return false
    case 4:
      geometry.apply(randomChanges())
      return false
    case 5:
      viewport = Int.random(in: 1...6_000, using: &generator)
      geometry.resize(viewportHeight: Double(viewport) / 6)
      return false
    case 6 where Int.random(in: 0..<100, using: &generator) == 0:
      geometry.forgetHeights()
      for row in rows.indices { rows[row].height = Self.estimate }
      return false
    case 7:
      geometry.scroll(to: Bool.random(using: &generator) ? .end : .row(rows.count / 2, distance: 10))
      return true
    default:
      geometry.scroll(by: Double(Int.random(in: -9_000...9_000, using: &generator)) / 6)
      return true
    }
  }

  private mutating func randomChanges() -> IndexChanges {
    var changes = IndexChanges()
    let most = rows.count > 600 ? 90 : 40
    var index = 0
    while index < rows.count {
      let start = index + Int.random(in: 0...200, using: &generator)
      let end = min(rows.count, start + Int.random(in: 1...most, using: &generator))
      guard start < end else { break }
      changes.removals.append(start..<end)
      index = end + 1
    }
    var leaving = changes.removals.flatMap { range in range.map { ($0, rows[$0].height) } }
    for range in changes.removals.reversed() { rows.removeSubrange(range) }
    index = 0
    while index <= rows.count {
      let start = index + Int.random(in: 0...200, using: &generator)
      guard start <= rows.count else { break }
      let count = Int.random(in: 1...40, using: &generator)
      rows.insert(contentsOf: (0..<count).map { (nextID + $0, Self.estimate) }, at: start)
      nextID += count
      changes.insertions.append(start..<(start + count))
      if let (source, height) = leaving.popLast() {
        changes.moves.append(.init(from: source, to: start))
        rows[start].height = height
      }
      index = start + count + 1
    }
    return changes
  }

  private mutating func check() -> String? {
    var tops = [0]
    for row in rows { tops.append(tops[tops.count - 1] + row.height) }
    let total = tops[rows.count]
    let offset = sixths(geometry.offset)
    guard geometry.rowCount == rows.count else { return "\(geometry.rowCount) rows of \(rows.count)" }
    guard sixths(geometry.contentHeight) == total else { return "a height of \(geometry.contentHeight)" }
    guard offset >= 0, offset <= max(0, total - viewport) else { return "an offset of \(offset) of \(total)" }
    if geometry.anchor == .end, offset != max(0, total - viewport) { return "not at the end" }
    for _ in 0..<4 {
      let row = Int.random(in: 0...rows.count, using: &generator)
      guard sixths(geometry.top(of: row)) == tops[row] else {
        return "row \(row) at \(geometry.top(of: row))"
      }
      if row < rows.count, sixths(geometry.height(of: row)) != rows[row].height { return "height of \(row)" }
    }
    guard total > 0 else { return geometry.visible.isEmpty ? nil : "rows in view of none" }
    let first = tops.lastIndex { $0 <= offset } ?? 0
    let last = (tops.firstIndex { $0 >= min(total, offset + viewport) } ?? rows.count) - 1
    guard geometry.visible.first == first else { return "first in view \(geometry.visible), not \(first)" }
    guard let shown = geometry.visible.last, tops[shown] <= tops[last] else {
      return "last in view \(geometry.visible), not \(last)"
    }
    return nil
  }

  private func sixths(_ points: Double) -> Int { Int((points * 6).rounded()) }
}

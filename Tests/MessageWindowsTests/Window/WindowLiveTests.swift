import MessageModel
import MessageSourceTesting
import MessageWindows
import Testing

/// What happens to the source while somebody reads: scenarios 26 to 37 of the comparison of window engines.
@Suite struct WindowLiveTests {
  /// A window whose reader has gone a little up, and has not seen the one message that came in since.
  private func oneNewBelow(in source: ReferenceSource) throws -> MessageWindow {
    var window = try openWindow(limits: try .small(6, page: 2), in: source)
    try window.perform(.scroll(.older), in: source)
    source.append("new")
    try window.perform(.sourceChanged, in: source)
    return window
  }

  @Test func `a message comes in where the reader is at the newest edge`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(limits: try .small(6, page: 2), in: source)
    source.append("21")
    let deltas = try window.perform(.sourceChanged, in: source)
    #expect(window.picture == "…18 19 20 21" && window.header.isFollowing)
    #expect(deltas.map(\.inserted.count) == [1] && deltas.map(\.trimmedOlder) == [1])
  }

  @Test func `a message that comes in elsewhere is counted and nothing moves`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(limits: try .small(6, page: 2), in: source)
    try window.perform(.jump(to: .around(id(10))), in: source)
    let before = window
    for _ in 1...3 { source.append("new") }
    let deltas = try window.perform(.sourceChanged, in: source)
    #expect(window.messages == before.messages && window.position == before.position)
    #expect(window.header.arrived == 3 && window.header.newerBelow == 13 && window.header.hasNewer)
    #expect(deltas.filter { !$0.isHeaderOnly }.isEmpty)
  }

  @Test func `a reader a little above the newest edge is not moved by what comes in`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(limits: try .small(12, page: 4), in: source)
    try window.show(14, 17, in: source)
    #expect(window.holdsNewestEdge && !window.header.isFollowing)
    for _ in 1...30 { source.append("new") }
    try window.perform(.sourceChanged, in: source)
    #expect((14...17).allSatisfy { window.index(of: id($0)) != nil } && window.position?.id == id(14))
    #expect(window.header.arrived == 30 && window.header.newerBelow == 33)
  }

  @Test func `coming back to the newest edge follows it again`() throws {
    let source = ReferenceSource(count: 20)
    var window = try oneNewBelow(in: source)
    #expect(window.header.arrived == 1 && !window.header.isFollowing)
    for _ in 1...5 { try window.perform(.scroll(.newer), in: source) }
    #expect(window.header.isFollowing && window.header.arrived == 0)
  }

  @Test func `who reads on has not arrived where that leads`() throws {
    let source = ReferenceSource(count: 20)
    var window = try oneNewBelow(in: source)
    for _ in 1...5 { try window.perform(.load(.newer), in: source) }
    #expect(window.holdsNewestEdge && window.header.arrived == 1 && !window.header.isFollowing)
    try window.show(21, 21, in: source)
    #expect(window.header.isFollowing && window.header.arrived == 0)
  }

  @Test func `a message between a page and its landing makes no false neighbour`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(at: .around(id(14)), limits: try .small(12, page: 4), in: source)
    let request = try #require(window.perform(.scroll(.newer)).requests.first)
    let late = try source.page(request.fetch)
    source.append("21")
    let update = window.pageArrived(late, for: request.ticket)
    #expect(update.requests.isEmpty && window.picture == "…10 11 12 13 14 15 16 17 18 19 20")
    try window.perform(.sourceChanged, in: source)
    #expect(window.holdsNewestEdge == (window.messages.last?.id == id(21)))
    source.delete([id(21)])
    try window.perform(.sourceChanged, in: source)
    for _ in 1...3 { try window.perform(.scroll(.newer), in: source) }
    #expect(window.messages.last?.id == id(20) && window.holdsNewestEdge)
  }

  @Test func `a page of a later state is not joined but all is read again`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(at: .around(id(14)), limits: try .small(12, page: 4), in: source)
    source.delete([id(12)])
    try window.perform(.scroll(.older), in: source)
    #expect(window.picture == "…6 7 8 9 10 11 13 14 15 16 17 18…")
  }

  @Test func `an edit of a message held is one change and of others none`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(limits: try .small(6, page: 2), in: source)
    source.edit(id(19), text: "edited")
    let deltas = try window.perform(.sourceChanged, in: source)
    #expect(deltas.map { $0.changed.map(\.text) } == [["edited"]] && deltas.map(\.inserted.isEmpty) == [true])
    source.edit(id(3), text: "edited")
    #expect(try window.perform(.sourceChanged, in: source).isEmpty)
  }

  @Test func `word of a change that was none changes nothing`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(in: source)
    #expect(try window.perform(.sourceChanged, in: source).isEmpty)
  }

  @Test(arguments: [1...60, 41...100, 11...70, 50...50, 1...49, 51...100])
  func `after a deletion the reader is where they were or at the nearest that survives`(
    gone: ClosedRange<Int64>
  ) throws {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .around(id(50)), limits: try .small(20, page: 5), in: source)
    source.delete(gone.map { id($0) })
    try window.perform(.sourceChanged, in: source)
    let nearest = gone.contains(50) ? (gone.lowerBound > 1 ? gone.lowerBound - 1 : gone.upperBound + 1) : 50
    #expect(window.position?.id == id(nearest))
    #expect((window.header.resolution.match == .exact) == !gone.contains(50))
    #expect(window.count >= 10)
  }

  @Test func `the reader keeps the first surviving message of their screen`() throws {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .around(id(50)), limits: try .small(40, page: 10), in: source)
    try window.show(48, 53, in: source)
    source.delete([id(48), id(49)])
    try window.perform(.sourceChanged, in: source)
    #expect(window.position?.id == id(50))
    #expect(window.header.resolution == Page.Resolution(.nearestNewer, message: id(50)))
  }

  @Test func `when all is deleted the window is empty and shows what comes next`() throws {
    let source = ReferenceSource(count: 50)
    var window = try openWindow(at: .around(id(25)), limits: try .small(8, page: 4), in: source)
    source.delete(source.messages.map(\.id))
    let deltas = try window.perform(.sourceChanged, in: source)
    #expect(window.isEmpty && window.header.total == 0 && deltas.map(\.removed.count) == [8])
    source.append("first")
    try window.perform(.sourceChanged, in: source)
    #expect(window.picture == "51")
  }

  @Test func `a message that leaves the filter is removed and one that enters it is inserted`() throws {
    let source = ReferenceSource(count: 20)
    for number in [5, 6, 7] { source.edit(id(Int64(number)), text: "x") }
    var window = MessageWindow(Selection(conversation, where: .has(.edit)))
    try window.perform(.jump(to: .oldest), in: source)
    source.edit(id(6)) { $0.isEdited = false }
    #expect(try window.perform(.sourceChanged, in: source).flatMap(\.removed) == [id(6)])
    source.edit(id(2), text: "x")
    source.edit(id(9), text: "x")
    #expect(try window.perform(.sourceChanged, in: source).flatMap(\.inserted).map(\.id) == [id(2), id(9)])
    #expect(window.picture == "2 5 7 9" && window.header.total == 4)
  }

  @Test func `a backdated message lands in its place, inside, at an edge or outside`() throws {
    let source = ReferenceSource(count: 10, step: 10)
    var window = try openWindow(at: .around(id(50)), limits: try .small(8, page: 4), in: source)
    #expect(window.picture == "…10 20 30 40 50 60 70 80…" || window.header.firstOrdinal == 0)
    for (number, ordinal) in [(55, 0), (1, 1), (99, 1)] {
      source.insert([Message(id: id(Int64(number)), conversation: conversation, text: "")])
      try window.perform(.sourceChanged, in: source)
      #expect(window.header.firstOrdinal == ordinal && window.position?.id == id(50), "\(window.picture)")
    }
    #expect(window.index(of: id(55)) != nil && window.header.total == 13)
  }

  @Test func `an import of many older messages moves ordinals and nothing else`() throws {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .around(id(50)), limits: try .small(8, page: 4), in: source)
    let before = window.messages
    source.insert((-20_000..<0).map { Message(id: id($0), conversation: conversation, text: "") })
    let deltas = try window.perform(.sourceChanged, in: source)
    #expect(window.messages == before && deltas.count == 1 && deltas.filter { !$0.isHeaderOnly }.isEmpty)
    #expect(window.header.firstOrdinal == 20_045 && window.header.total == 20_100)
  }

  @Test func `changes by others never make the window larger`() throws {
    let source = ReferenceSource(count: 100, step: 1_000)
    var window = try openWindow(at: .around(id(50_000)), limits: try .small(40, page: 4), in: source)
    let held = window.count
    for round in 1...20 {
      source.insert(
        (1...30).map {
          Message(id: id(Int64(46_000 + round * 40) + $0), conversation: conversation, text: "")
        })
      try window.perform(.sourceChanged, in: source)
      #expect(window.count == held && window.position?.id == id(50_000))
    }
  }

  @Test(arguments: [1, 120, 250, 390])
  func `a change lets go of what is far from the reader, and only of that`(first: Int64) throws {
    let source = ReferenceSource(count: 400)
    var window = try openWindow(limits: .small(400, page: 20, prefetch: 10), in: source)
    while window.header.hasOlder { try window.perform(.scroll(.older), in: source) }
    // Whoever stands still needs less ready than whoever has just come from far.
    for _ in 1...2 { try window.show(first, first + 9, in: source) }
    #expect(window.count == 400)
    source.append("401")
    try window.perform(.sourceChanged, in: source)
    let ready = max(first - 10, 1)...min(first + 19, 400)
    #expect(ready.allSatisfy { window.index(of: id($0)) != nil })
    #expect(window.position?.id == id(first) && window.count <= 10 + 2 * (10 + 20))
  }

  // MARK: Frozen

  @Test func `a frozen window shows nothing of what happens and counts all of it`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(limits: try .small(6, page: 2), in: source)
    let before = window.messages
    try window.perform(.freeze, in: source)
    for _ in 1...3 { source.append("new") }
    source.delete([id(20)])
    source.edit(id(18), text: "edited")
    try window.perform(.sourceChanged, in: source)
    #expect(window.messages == before)
    #expect(window.header.sinceFrozen == SourceVersion(inserted: 3, deleted: 1, changed: 1))
    let error = #expect(throws: StoreError.self) { try window.perform(.scroll(.older), in: source) }
    #expect(error?.summary == "cannot read on in a frozen view" && window.messages == before)
    try window.perform(.thaw, in: source)
    #expect(window.header.sinceFrozen == nil && window.message(id(18))?.text == "edited")
  }
}

import MessageModel
import MessageSourceTesting
import MessageWindows
import Testing

/// Rules of the comparison of window engines that no other test shows alone.
@Suite struct WindowRuleTests {
  @Test func `whole pages are let go of`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(limits: try .small(7, page: 3), in: source)
    #expect(window.picture == "…15 16 17 18 19 20")
    try window.perform(.scroll(.older), in: source)
    #expect(window.picture == "…12 13 14 15 16 17…")
    try window.perform(.scroll(.newer), in: source)
    #expect(window.picture == "…15 16 17 18 19 20")
  }

  @Test
  func `a view that folds all it is given into one row gets no more than the budget and keeps the newest`()
    throws
  {
    let source = ReferenceSource(count: 2_000)
    var window = try openWindow(limits: try .small(200, page: 25), in: source)
    for _ in 1...50 {
      try window.perform(
        .readerMoved(first: window[0].id, last: window[window.count - 1].id), in: source)
      try window.perform(.scroll(.older), in: source)
      try window.perform(.scroll(.newer), in: source)
      #expect(window.count <= 200)
    }
    try window.perform(.jump(to: .newest), in: source)
    #expect(window.messages.last?.id == id(2_000) && window.holdsNewestEdge)
  }

  @Test func `a view that folds three messages into a row scrolls to the oldest and back`() throws {
    let source = ReferenceSource(count: 2_700)
    var window = try openWindow(limits: try .small(200, page: 30), in: source)
    while !window.holdsOldestEdge {
      try window.perform(.scroll(.older), in: source)
      try window.perform(.readerMoved(first: window[0].id, last: window[29].id), in: source)
      #expect(window.count <= 200)
    }
    #expect(window[0].id == id(1) && window.header.hasNewer)
    while !window.holdsNewestEdge {
      try window.perform(.scroll(.newer), in: source)
      let last = window.count - 1
      try window.perform(.readerMoved(first: window[last - 29].id, last: window[last].id), in: source)
      #expect(window.count <= 200)
    }
    #expect(window.messages.last?.id == id(2_700) && window.header.hasOlder && window.message(id(1)) == nil)
  }

  @Test func `a reader at the end of what is held, but not of what there is, does not follow`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(at: .around(id(8)), limits: try .small(8, page: 4), in: source)
    let last = try #require(window.messages.last?.id)
    let update = window.perform(.readerMoved(first: last.predecessor, last: last))
    #expect(update.requests.count == 1 && !window.header.isFollowing)
    source.append("21")
    try window.perform(.sourceChanged, in: source)
    #expect(window.position?.id == last.predecessor && window.header.arrived == 1)
  }

  @Test func `an edit of a message that others answer tells which rows quote it`() throws {
    let source = ReferenceSource(count: 20)
    for (reply, answered) in [(3, 2), (11, 9), (13, 9), (14, 10)] {
      source.edit(id(Int64(reply))) { $0.replyTo = id(Int64(answered)) }
    }
    var window = try openWindow(at: .around(id(12)), limits: try .small(8, page: 4), in: source)
    #expect(window.picture == "…8 9 10 11 12 13 14 15…")
    source.edit(id(9), text: "edited")
    let changed = try window.perform(.sourceChanged, in: source).flatMap(\.changed).map(\.id)
    #expect(changed == [id(9)] && window.replies(to: id(9)).map(\.id) == [id(11), id(13)])
    #expect(window.replies(to: id(2)).isEmpty)
  }

  @Test(arguments: [ListCommand.scroll(.older), .scroll(.newer)])
  func `after deletions at both ends and in the middle a window grows on`(command: ListCommand)
    throws
  {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .around(id(50)), limits: try .small(20, page: 5), in: source)
    for _ in 1...2 {
      let held = window.messages.map(\.id)
      source.delete([held[0], held[held.count / 2], held[held.count - 1]])
      let before = window.header.firstOrdinal ?? 0
      try window.perform(command, in: source)
      let all = source.messages
      let start = try #require(all.firstIndex { $0.id == window.messages.first?.id })
      #expect(window.messages == Array(all[start..<(start + window.count)]) && window.count <= 20)
      #expect(command == .scroll(.older) ? start < before : start + window.count > before + held.count)
    }
  }

  @Test func `a message that comes and goes between two looks leaves no trace`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(limits: try .small(6, page: 2), in: source)
    let before = window.messages
    source.delete([source.append("short-lived")])
    #expect(try window.perform(.sourceChanged, in: source).filter { !$0.isHeaderOnly }.isEmpty)
    #expect(window.messages == before && window.header.total == 20)
  }

  @Test func `a large history that is deleted at once leaves an empty window`() throws {
    let source = ReferenceSource(count: 400)
    var window = try openWindow(at: .around(id(200)), limits: try .small(100, page: 25), in: source)
    source.delete((1...400).map { id($0) })
    try window.perform(.sourceChanged, in: source)
    #expect(window.isEmpty && window.holdsOldestEdge && window.holdsNewestEdge)
    for command in [ListCommand.scroll(.older), .scroll(.newer), .jump(to: .percent(50))] {
      try window.perform(command, in: source)
    }
    #expect(window.isEmpty && window.header.resolution.match == .nothing)
  }

  @Test func `a message that is in a page and in a change is held once`() throws {
    let source = ReferenceSource(count: 20)
    var window = try openWindow(at: .around(id(14)), limits: try .small(12, page: 4), in: source)
    let page = try #require(window.perform(.scroll(.newer)).requests.first)
    source.append("21")
    let answer = try source.page(page.fetch)
    let requests =
      window.perform(.sourceChanged).requests + window.pageArrived(answer, for: page.ticket).requests
    for request in requests where window.isWaiting(for: request.ticket) {
      _ = window.pageArrived(try source.page(request.fetch), for: request.ticket)
    }
    for _ in 1...3 { try window.perform(.scroll(.newer), in: source) }
    #expect(window.messages.map(\.id).suffix(3) == [id(19), id(20), id(21)])
    #expect(Set(window.messages.map(\.id)).count == window.count)
  }
}

import MessageModel
import MessageSourceTesting
import MessageWindows
import Testing

/// What a reader does: scenarios 1 to 25 of the comparison of window engines, as far as they are a window's.
@Suite struct MessageWindowTests {
  // MARK: The first page

  @Test func `an empty history has both ends known and is read once`() throws {
    let source = FailingSource(ReferenceSource())
    var window = try openWindow(in: source)
    try window.perform(.scroll(.older), in: source)
    try window.perform(.scroll(.newer), in: source)
    #expect(window.isEmpty && window.holdsOldestEdge && window.holdsNewestEdge)
    #expect(source.requests.count == 1)
  }

  @Test(arguments: [1, 3, 8]) func `fewer rows than a page or just as many are all there is`(count: Int)
    throws
  {
    let source = FailingSource(ReferenceSource(count: count))
    var window = try openWindow(limits: try .small(8, page: 4), in: source)
    try window.perform(.scroll(.older), in: source)
    #expect(window.count == count && window.holdsOldestEdge && window.holdsNewestEdge)
    #expect(source.requests.count == 1)
  }

  @Test func `a message of another conversation is not there`() throws {
    let source = ReferenceSource(count: 9)
    let other = source.append("elsewhere", to: Conversation.ID(rawValue: 2))
    let window = try openWindow(at: .around(other), in: source)
    #expect(window.picture == "1 2 3 4 5 6 7 8 9")
    #expect(window.header.resolution == Page.Resolution(.nearestOlder, message: id(9)))
  }

  @Test func `every anchor puts the reader where it says`() throws {
    let source = ReferenceSource(count: 40)
    let places = try [
      PageAnchor.newest, .oldest, .before(id(7)), .after(id(7)), .around(id(7)), .ordinal(7), .percent(50),
    ]
    .map { try openWindow(at: $0, limits: .small(4, page: 2), in: source).position?.id.rawValue }
    #expect(places == [40, 1, 6, 8, 7, 8, 21])
  }

  @Test func `limits that no window can keep are refused with a sentence`() {
    let refusals: [() throws -> WindowLimits] = [
      { try WindowLimits(messages: 99, pageSize: 50) }, { try WindowLimits(messages: 100, pageSize: 0) },
      { try WindowLimits(messages: 100, pageSize: 10, prefetchDistance: 46) },
      { try WindowLimits(bytes: 1_000) },
      { try WindowLimits(messages: .max, pageSize: .max) }, { try WindowLimits(prefetchDistance: -1) },
    ]
    for refusal in refusals { #expect(throws: StoreError.self) { try refusal() } }
    let error = #expect(throws: StoreError.self) { try WindowLimits(messages: 99, pageSize: 50) }
    #expect(
      error?.description == """
        a window of 99 messages cannot hold a page of 50 and 25 on either side
          try: a window of at least 101 messages
        """)
  }

  // MARK: Growing and letting go

  @Test func `scrolling older lets go of the newest messages`() throws {
    let source = ReferenceSource(count: 12)
    var window = try openWindow(limits: try .small(6, page: 2), in: source)
    #expect(window.picture == "…9 10 11 12")
    for _ in 1...3 { try window.perform(.scroll(.older), in: source) }
    #expect(window.picture == "…3 4 5 6 7 8…")
  }

  @Test func `scrolling newer lets go of the oldest messages`() throws {
    let source = ReferenceSource(count: 12)
    var window = try openWindow(at: .oldest, limits: try .small(6, page: 2), in: source)
    for _ in 1...3 { try window.perform(.scroll(.newer), in: source) }
    #expect(window.picture == "…5 6 7 8 9 10…")
  }

  @Test func `what was let go of comes back as it was`() throws {
    let source = ReferenceSource(count: 12)
    var window = try openWindow(limits: try .small(4, page: 2), in: source)
    let before = window
    for _ in 1...4 { try window.perform(.scroll(.older), in: source) }
    #expect(window.picture == "1 2 3 4…")
    for _ in 1...4 { try window.perform(.scroll(.newer), in: source) }
    #expect(window.messages == before.messages)
    #expect(window.header.firstOrdinal == before.header.firstOrdinal)
  }

  @Test(arguments: [1, 2, 7, 50]) func `there and back again visits every message once`(page: Int) throws {
    let source = ReferenceSource(count: 333)
    var window = try openWindow(limits: try .small(max(2 * page, 10), page: page), in: source)
    for (command, edge) in [
      (ListCommand.scroll(.older), PageAnchor.oldest), (.scroll(.newer), .newest),
    ] {
      var seen = window.messages.map(\.id)
      for _ in 0..<400 {
        let inserted = try window.perform(command, in: source).flatMap(\.inserted).map(\.id)
        seen = command == .scroll(.older) ? inserted + seen : seen + inserted
      }
      #expect(edge == .oldest ? window.holdsOldestEdge : window.holdsNewestEdge)
      #expect(
        seen.suffix(333) == source.messages.map(\.id) || seen.prefix(333) == source.messages.map(\.id)[...]
          || seen == source.messages.map(\.id).suffix(seen.count))
    }
  }

  @Test func `nothing is dropped of what the reader sees or will see next`() throws {
    let source = ReferenceSource(count: 1_000)
    var window = try openWindow(at: .ordinal(500), limits: try .small(40, page: 10, prefetch: 5), in: source)
    var generator = SeededGenerator(seed: 1)
    var top: Int64 = 500
    for _ in 0..<500 {
      top = min(max(top + .random(in: -6...6, using: &generator), 1), 994)
      try window.show(top, top + 6, in: source)
      let ready = max(top - 5, 1)...min(top + 11, 1_000)
      #expect(ready.allSatisfy { window.index(of: id($0)) != nil }, "\(window.picture) at \(top)")
    }
  }

  @Test func `going to and fro over the edge of a page reads it once`() throws {
    let source = FailingSource(ReferenceSource(count: 1_000))
    var window = try openWindow(at: .ordinal(500), limits: try .small(60, page: 10, prefetch: 5), in: source)
    try window.show(490, 495, in: source)
    source.restart()
    for step in 0..<50 { try window.show(489 + Int64(step % 2), 494 + Int64(step % 2), in: source) }
    #expect(source.requests.count <= 1)
  }

  @Test func `a higher screen has more made ready`() throws {
    let source = ReferenceSource(count: 1_000)
    var window = try openWindow(at: .ordinal(500), limits: try .small(400, page: 10, prefetch: 5), in: source)
    for height: Int64 in [10, 20, 40, 80] {
      let (top, bottom) = (500 - height / 2, 499 + height / 2)
      try window.show(top, bottom, in: source)
      #expect(window.index(of: id(top - height)) != nil && window.index(of: id(bottom + height)) != nil)
    }
  }

  @Test func `a message larger than the budget is held alone`() throws {
    let source = ReferenceSource(count: 20)
    source.edit(id(10), text: String(repeating: "x", count: 50_000))
    let limits = try WindowLimits(messages: 20, bytes: 8_000, pageSize: 4)
    var window = try openWindow(at: .around(id(10)), limits: limits, in: source)
    #expect(window.picture == "…10…")
    try window.perform(.scroll(.older), in: source)
    #expect(window.header.byteCount <= 8_000 && window.position?.id == id(9))
    try window.perform(.scroll(.newer), in: source)
    #expect(window.index(of: id(10)) != nil && window.count == 1)
  }

  @Test func `messages too large to make any ready are not read over and over`() throws {
    let source = FailingSource(ReferenceSource(count: 100))
    for number in 1...100 { source.base.edit(id(Int64(number)), text: String(repeating: "x", count: 1_500)) }
    let limits = try WindowLimits(messages: 40, bytes: 8_000, pageSize: 8, prefetchDistance: 4)
    var window = try openWindow(at: .around(id(50)), limits: limits, in: source)
    for row in stride(from: Int64(50), to: 20, by: -1) {
      source.restart()
      try window.show(row, row, in: source)
      #expect(source.requests.count <= 4 && window.index(of: id(row - 1)) != nil, "\(window.picture)")
    }
  }

  // MARK: Jumping

  @Test func `a jump repeated changes nothing more`() throws {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .around(id(50)), limits: try .small(8, page: 4), in: source)
    #expect(try window.perform(.jump(to: .around(id(50))), in: source).filter { !$0.isHeaderOnly }.isEmpty)
  }

  @Test func `from the newest edge to the newest edge is no jump to come back from`() throws {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .around(id(50)), limits: try .small(8, page: 4), in: source)
    for _ in 1...3 {
      source.append("new")
      try window.perform(.jump(to: .newest), in: source)
    }
    try window.perform(.back, in: source)
    #expect(window.position?.id == id(50))
  }

  @Test func `a jump to what overlaps the window keeps both`() throws {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .around(id(50)), limits: try .small(40, page: 5), in: source)
    #expect(window.picture.hasPrefix("…45 ") && window.picture.hasSuffix(" 54…"))
    try window.perform(.jump(to: .around(id(58))), in: source)
    #expect(window.picture.hasPrefix("…45 ") && window.picture.hasSuffix(" 62…"))
    #expect(window.position?.id == id(58) && window.header.firstOrdinal == 44)
  }

  @Test func `a jump into the middle of the window moves only the reader`() throws {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .around(id(50)), limits: try .small(80, page: 20), in: source)
    let before = window.messages
    var other = MessageWindow(Selection(conversation), limits: try .small(80, page: 2))
    try other.perform(.jump(to: .around(id(50))), in: source)
    let deltas = try window.perform(.jump(to: .around(id(50))), in: source)
    #expect(window.messages == before && deltas.filter { !$0.isHeaderOnly }.isEmpty)
  }

  @Test func `a jump beyond the window lets go of all of it`() throws {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .newest, limits: try .small(6, page: 3), in: source)
    let delta = try window.perform(.jump(to: .oldest), in: source).last
    #expect(window.picture == "1 2 3 4 5 6…")
    #expect(delta?.trimmedNewer == 6 && delta?.inserted.count == 6 && delta?.removed == [])
  }

  @Test func `what was known of an end is still known after a jump that overlaps`() throws {
    let source = ReferenceSource(count: 12)
    var window = try openWindow(limits: try .small(12, page: 3), in: source)
    try window.perform(.jump(to: .around(id(6))), in: source)
    #expect(window.picture == "…3 4 5 6 7 8 9 10 11 12")
  }

  @Test(arguments: [0, 1, 49, 98, 99]) func `a jump to an ordinal lands on it`(ordinal: Int) throws {
    let source = ReferenceSource(count: 130)
    source.delete((1...30).map { id($0 * 4) })
    let window = try openWindow(at: .ordinal(ordinal), limits: try .small(8, page: 4), in: source)
    let index = try #require(window.position.flatMap { window.index(of: $0.id) })
    #expect((window.header.firstOrdinal ?? 0) + index == ordinal)
  }

  @Test func `a jump to the newest lands on the newest of all, not of those held`() throws {
    let source = ReferenceSource(count: 9)
    var window = try openWindow(in: source)
    let newest = source.append("unannounced")
    try window.perform(.jump(to: .newest), in: source)
    #expect(window.position?.id == newest)
  }

  @Test func `back and forward walk the places jumped from`() throws {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .around(id(10)), limits: try .small(8, page: 4), in: source)
    try window.perform(.jump(to: .around(id(90))), in: source)
    try window.perform(.jump(to: .around(id(50))), in: source)
    let places = try [ListCommand.back, .back, .back, .forward, .forward, .forward].map { command in
      try window.perform(command, in: source)
      return window.position?.id.rawValue
    }
    #expect(places == [90, 10, 10, 90, 50, 50])
  }

  // MARK: Selections

  @Test func `another selection is shown at the nearest of its messages`() throws {
    let source = ReferenceSource(count: 50)
    source.edit(id(20), text: "x")
    source.edit(id(40), text: "x")
    var window = try openWindow(at: .around(id(30)), in: source)
    try window.perform(.select(Selection(conversation, where: .has(.edit))), in: source)
    #expect(window.picture == "20 40")
    #expect(window.header.resolution == Page.Resolution(.nearestOlder, message: id(20)))
    try window.perform(.select(Selection(conversation)), in: source)
    #expect(window.position?.id == id(20) && window.count == 50)
  }

  @Test func `a saved position is found again after its message and those around it are gone`() throws {
    let source = ReferenceSource(count: 50)
    let saved = WindowPosition(id: id(30), rowOffset: 2)
    let restored = try #require(WindowPosition(saved.description))
    #expect(restored == saved)
    var window = MessageWindow(Selection(conversation), limits: try .small(8, page: 4))
    try window.perform(.restore(restored), in: source)
    #expect(window.position == saved)
    source.insert((-100..<0).map { Message(id: id($0), conversation: conversation, text: "imported") })
    source.delete((25...35).map { id($0) })
    window = MessageWindow(Selection(conversation), limits: try .small(8, page: 4))
    try window.perform(.restore(restored), in: source)
    #expect(window.position == WindowPosition(id: id(24)))
    #expect(window.header.resolution.match == .nearestOlder)
  }

  @Test(arguments: ["", "5", "5+", "+1", "5+1 ", "5+1 oldest", "x+1", "5+1 newest x"])
  func `a position that was never saved so is refused`(text: String) {
    #expect(WindowPosition(text) == nil)
  }
}

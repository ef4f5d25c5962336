import MessageModel
import MessageStorage
import TestSupport
import Testing

@testable import ChatSession

struct SearchTests {
  /// Types a line and does on this thread what it asks for on another.
  private func run(_ line: String, on screen: inout StoreFixture.Screen) {
    screen.finish(screen.type(line))
  }

  @Test func `a search shows the newest hit among its neighbours, and how many there are`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    run("/search \"message 48\" OR \"of plums\"", on: &screen)
    #expect(screen.lines[2].hasSuffix("message 48 of pears"), "\(screen.terminal.picture)")
    #expect(screen.status.hasPrefix(" general  46 of 100") && screen.status.hasSuffix("1 of 1"))
  }

  @Test func `next and previous hits are a key away, and back returns to before the search`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    run("/goto 50", on: &screen)
    run("/search apples", on: &screen)
    #expect(screen.lines[2].hasSuffix("message 55 of apples"), "\(screen.terminal.picture)")
    #expect(screen.status.hasSuffix("'apples*' 23 of 50"))
    screen.handle(.key(.previousHit))
    #expect(screen.lines[2].hasSuffix("message 53 of apples"))
    run("/next", on: &screen)
    screen.handle(.key(.nextHit))
    #expect(screen.lines[2].hasSuffix("message 57 of apples"))
    run("/back", on: &screen)
    #expect(screen.status.contains(" 50 of 100"), "\(screen.status)")
  }

  @Test func `hits are highlighted as whole words wherever they are seen`() throws {
    let fixture = try StoreFixture()
    let general = try fixture.context().conversation.id
    _ = try fixture.store.append("the others Thé", from: "dave", replyTo: nil, to: general)
    var screen = try fixture.screen(rows: 8, columns: 80)
    run("/search \"the\"", on: &screen)
    let row = try #require(screen.terminal.lines.firstIndex { $0.contains("the others") })
    let shown = screen.terminal.cells[row].filter(\.rendition.standsOut).map { String($0.text) }.joined()
    #expect(shown == "the▸Thé" || shown == "▸theThé", "\(shown)")
    run("/search", on: &screen)
    let isShown = screen.terminal.cells[row].contains { $0.rendition.standsOut }
    #expect(!isShown)
  }

  @Test func `the count is that of now`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 8, columns: 80)
    screen.session.searches.recountInterval = .zero
    run("/search apples", on: &screen)
    let general = try fixture.context().conversation.id
    _ = try fixture.store.append("more apples", from: "dave", replyTo: nil, to: general)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.contains("2 of 51"))
    run("/filter from:bob", on: &screen)
    #expect(screen.status.contains("0 hits"))
  }

  @Test func `counting that is under way is not begun twice, and done again if it is out of date`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    screen.session.searches.recountInterval = .zero
    let first = screen.type("/search apples")
    #expect(first.jobs.map(\.lane) == [.count, .ahead] && screen.status.contains("… hits"))
    #expect(screen.handle(.storeChanged).jobs.isEmpty)
    #expect(screen.handle(.reported(.hitCount(50, search: 1))).jobs.isEmpty)
    #expect(screen.status.contains("50 hits"))
    #expect(screen.handle(.reported(.olderHits(49, search: 1))).jobs.count == 1)
    #expect(screen.status.contains("1 of 50"))
    #expect(screen.handle(.reported(.hitCount(51, search: 1))).jobs.isEmpty)
    #expect(screen.handle(.reported(.olderHits(49, search: 1))).jobs.isEmpty)
    screen.handle(.reported(.hitCount(7, search: 0)))
    screen.handle(.reported(.olderHits(7, search: 0)))
    #expect(screen.status.contains("2 of 51"))
  }

  @Test func `while others write, hits are counted now and then, under another filter at once`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    screen.session.searches.recountInterval = .seconds(86_400)
    run("/search apples", on: &screen)
    #expect(screen.session.recountsAt == nil)
    for _ in 0..<3 { #expect(!screen.handle(.storeChanged).jobs.contains { $0.lane == .count }) }
    let time = try #require(screen.session.recountsAt)
    #expect(time > .now && time <= .now + screen.session.searches.recountInterval)
    #expect(screen.handle(.timePassed).jobs.isEmpty)
    let filtered = screen.type("/filter from:bob")
    #expect(filtered.jobs.map(\.lane) == [.count])
    #expect(screen.session.recountsAt == nil)
    screen.handle(.storeChanged)
    screen.finish(filtered)
    #expect(screen.session.recountsAt != nil)
  }

  @Test func `a count is of the filter that is shown, whichever is counted when`() throws {
    var screen = try StoreFixture().screen(rows: 12, columns: 100)
    let unfiltered = screen.type("/search message")
    let filtered = screen.type("/filter from:bob")
    #expect(filtered.stops.contains(.count) && filtered.jobs.map(\.lane) == [.count])
    // What was counted for all messages comes late.
    screen.finish(unfiltered)
    #expect(screen.status.contains("… hits"), "\(screen.status)")
    screen.finish(filtered)
    #expect(screen.status.hasSuffix("of 50"), "\(screen.status)")
    screen.finish(screen.handle(.key(.hits)))
    #expect(screen.status.contains("1 of 50 hits"), "\(screen.status)")
  }

  @Test func `the list of hits waits for the count that is under way, and shows it`() throws {
    var screen = try StoreFixture().screen(rows: 12, columns: 100)
    let search = screen.type("/search apples")
    let list = screen.handle(.key(.hits))
    #expect(!list.jobs.contains { $0.lane == .listCount || $0.lane == .count })
    screen.finish(list)
    #expect(screen.status.contains("… hits"))
    screen.finish(search)
    #expect(screen.status.contains("1 of 50 hits"), "\(screen.status)")
  }

  @Test func `who ends a search ends its count, and a count that fails takes none away`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    let search = screen.type("/search apples")
    #expect(screen.type("/search").stops.isSuperset(of: [.search, .count, .ahead]))
    screen.finish(search, isCancelled: true)
    #expect(screen.type("/search pears").stops.contains(.count))
    run("/search pears", on: &screen)
    #expect(screen.status.hasSuffix("1 of 50"), "\(screen.status)")
    let number = screen.session.search?.number ?? 0
    screen.handle(.reported(.hitCount(nil, search: number)))
    screen.handle(.reported(.hitEstimate(100, search: number)))
    #expect(screen.status.hasSuffix("1 of 50"), "\(screen.status)")
  }

  @Test func `a search that was covered by one being typed is counted again`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    let covered = screen.type("/search apples")
    screen.finish(screen.handle(.typed("/search pear")))
    let back = screen.handle(.key(.escape))
    #expect(back.jobs.contains { $0.lane == .count })
    screen.finish(covered, isCancelled: true)
    screen.finish(back)
    #expect(screen.status.hasSuffix("1 of 50"), "\(screen.status)")
  }

  @Test func `counting calls off the count before it`() {
    let threads = JobThreads(notify: {})
    for lane in [Job.Lane.count, .listCount, .search, .typing] {
      // The first ends only when it is called off.
      threads.start(Job(lane) { _, isCancelled in while !isCancelled() {} })
      threads.start(Job(lane) { report, _ in report(.stopped(lane)) })
    }
    threads.finish()
    #expect(
      Set(threads.takeReports()) == [
        .stopped(.count), .stopped(.listCount), .stopped(.search), .stopped(.typing),
      ])
  }

  @Test func `hits are read ahead, and stepping through them finds each one, whatever was read when`() throws
  {
    let fixture = try StoreFixture(count: 300)
    // Read ahead at once; never; and only after each third step.
    for rhythm in [1, .max, 3] {
      var screen = try fixture.screen(rows: 8, columns: 80)
      var waiting: [Effects] = [screen.type("/search apples")]
      var places: [String] = []
      for index in 0..<300 {
        waiting.append(screen.handle(.key(index < 149 ? .previousHit : .nextHit)))
        if (index + 1).isMultiple(of: rhythm) {
          for outcome in waiting { screen.finish(outcome) }
          waiting = []
        }
        places.append(screen.lines.first { $0.contains("apples") } ?? "")
      }
      // All the way to the oldest and back, no hit twice and none left out.
      #expect(Set(places).count >= 145, "\(rhythm)")
      #expect(screen.status == " no other hit in this direction", "\(rhythm): \(screen.status)")
      #expect(screen.lines.contains { $0.hasSuffix("message 299 of apples") }, "\(rhythm)")
      waiting = [screen.handle(.key(.previousHit))]
      #expect(screen.lines[2].hasSuffix("message 297 of apples"), "\(rhythm)")
    }
  }

  @Test func `a first hit in the other direction is said to be there`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    screen.handle(.key(.oldest))
    screen.finish(screen.handle(.search("48", .older)))
    #expect(screen.lines[2].hasSuffix("message 48 of pears"), "\(screen.terminal.picture)")
    #expect(screen.status == " no older hit; went to the next newer one")
    screen.handle(.key(.newest))
    screen.finish(screen.handle(.search("48", .older)))
    #expect(screen.status.contains("1 of 1"))
  }

  @Test func `what is read ahead is forgotten when the store changes`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 8, columns: 80)
    run("/goto 50", on: &screen)
    run("/search apples", on: &screen)
    let general = try fixture.context().conversation.id
    let page = try fixture.store.page(PageRequest(Selection(general), anchor: .ordinal(52), fetchLimit: 1))
    let late = screen.handle(.key(.previousHit))
    _ = try fixture.store.delete([try #require(page.messages.first).id])
    screen.finish(screen.handle(.storeChanged))
    screen.finish(late)
    screen.handle(.key(.nextHit))
    #expect(screen.lines[2].hasSuffix("message 55 of apples"), "\(screen.terminal.picture)")
    screen.handle(.key(.previousHit))
    #expect(screen.lines[2].hasSuffix("message 51 of apples"), "\(screen.terminal.picture)")
  }

  @Test func `a search goes on from what is in view`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    run("/search apples", on: &screen)
    run("/goto 21", on: &screen)
    screen.handle(.key(.nextHit))
    #expect(screen.lines[2].hasSuffix("message 27 of apples"), "\(screen.terminal.picture)")
    run("/goto 60", on: &screen)
    screen.handle(.key(.previousHit))
    #expect(screen.lines[2].hasSuffix("message 59 of apples"), "\(screen.terminal.picture)")
  }

  @Test(arguments: [(24, 80), (50, 132)])
  func `the hit one has come to stands out, has a mark in the margin and a number`(rows: Int, columns: Int)
    throws
  {
    var screen = try StoreFixture().screen(rows: rows, columns: columns)
    run("/search \"message 9*\" OR \"message 8*\"", on: &screen)
    for number in 1...5 {
      let marked = screen.terminal.lines.filter { $0.contains("▸") }
      #expect(
        marked.count == 1
          && marked[0].contains("message \(100 - number) of \(number.isMultiple(of: 2) ? "pears" : "apples")")
      )
      #expect(screen.status.hasSuffix(" \(number) of 22"), "\(screen.status)")
      screen.finish(screen.handle(.key(.previousHit)))
    }
    screen.finish(screen.handle(.key(.nextHit)))
    #expect(screen.status.hasSuffix(" 5 of 22"), "\(screen.status)")
    run("/goto 1", on: &screen)
    screen.finish(screen.handle(.key(.nextHit)))
    #expect(screen.status.hasSuffix(" of 22") && !screen.status.contains(" 5 of 22"), "\(screen.status)")
    run("/search", on: &screen)
    #expect(!screen.terminal.lines.contains { $0.contains("▸") })
  }

  @Test func `Enter keeps what was shown while a search was typed`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 100)
    for (line, shown) in [
      ("/search appl", "appl* · hit 1 of 50"), ("/search apples ", "'apples' 1 of 50"),
      ("/search \"apples\"", "'\"apples\"' 1 of 50"), ("/search from:alice", "'from:alice' 1 of 50"),
      ("/search -from:bob", "'-from:bob' 1 of 50"),
    ] {
      screen.finish(screen.handle(.typed(line)))
      screen.finish(screen.type(line))
      #expect(screen.status.hasSuffix(shown), "\(screen.status)")
    }
    screen.finish(screen.type("/search appl "))
    #expect(
      screen.status.hasPrefix(" nothing found for 'appl'; did you mean apples, appl*?"), "\(screen.status)")
  }

  @Test(arguments: [false, true])
  func `who types without a window finds the beginnings that a window shows, a script does not`(
    isPlain: Bool
  ) throws {
    var printer = try StoreFixture().printer(isPlain: isPlain)
    _ = printer.printed()
    printer.type("/search appl")
    #expect(printer.printed().contains("of apples"))
    for job in printer.type("/search appl ").jobs {
      job.run(report: { report in #expect("\(report)".contains("nothing found")) }, isCancelled: { false })
    }
    #expect(try StoreFixture().transcript("/search appl").contains("nothing found for 'appl'"))
  }

  @Test func `nothing found says what may have been meant, and where else it is`() throws {
    let fixture = try StoreFixture()
    let random = try #require(try fixture.store.conversation(named: "random")?.id)
    _ = try fixture.store.append([NewMessage("wobbly plums c++", from: "dave")], to: random)
    #expect(
      try fixture.transcript("/search aplpes")
        == "! line 1: nothing found for 'aplpes' — did you mean apples?\n")
    #expect(
      try fixture.transcript("/search wobbly")
        == "! line 1: nothing found for 'wobbly'\n  cause: 'random' has some\n")
    #expect(
      try fixture.transcript("/search c++")
        == "! line 1: nothing found for 'c++'\n  cause: 'random' has some\n")
    #expect(
      try fixture.transcript("/search apples pears")
        == "! line 1: nothing found for 'apples pears'\n  cause: each of the words is there, but not together\n"
    )
    #expect(try fixture.transcript("/search qqqqq") == "! line 1: nothing found for 'qqqqq'\n")
    #expect(try fixture.transcript("/search ^qqqqq").contains("/search regex:^qqqqq"))
    #expect(
      try fixture.transcript("/filter from:bob\n/search apple").hasSuffix(
        "! line 2: nothing found for 'apple'\n  cause: only [from:bob] was searched\n"))
  }

  @Test func `about as many hits are told as the words are in, until all are counted`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    let outcome = screen.type("/search message from:alice ")
    let reports = Reports()
    outcome.jobs.first?.run(report: { reports.add($0) }, isCancelled: { false })
    for report in reports.all { screen.handle(.reported(report)) }
    screen.handle(.reported(.hitEstimate(100, search: 1)))
    #expect(screen.status.hasSuffix("~100 hits"), "\(screen.status)")
  }

  @Test func `a regular expression is looked for in the background`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    let outcome = screen.type("/search regex:sage 2\\d\\b")
    #expect(outcome.jobs.map(\.lane) == [.search] && screen.status.contains("Ctrl-C stops"))
    screen.finish(outcome)
    #expect(screen.lines[2].hasSuffix("message 29 of apples") && screen.status.hasSuffix("1 of 10"))
    #expect(screen.handle(.interrupted).stops.contains(.search))
    run("/search regex:nothing like it", on: &screen)
    #expect(screen.status.hasPrefix(" nothing found for"))
    run("/search regex:(", on: &screen)
    #expect(screen.status.contains("("))
    #expect(screen.lines[2].hasSuffix("message 29 of apples"))
  }

  @Test(arguments: ["\"", "(", "a OR", "NOT", "*", "-", "a AND (b", "'; DROP TABLE message --", "\u{1B}[2J"])
  func `whatever is searched for is an answer or an explanation`(query: String) throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    run("/search \(query)", on: &screen)
    run("/next", on: &screen)
    #expect(screen.terminal.unknownSequences.isEmpty && !screen.status.isEmpty)
    #expect(try screen.fixture.store.statistics().messageCount == 100)
  }

  @Test(arguments: [(5, 20), (5, 39), (10, 40), (40, 160)])
  func `a search fits any size`(rows: Int, columns: Int) throws {
    var screen = try StoreFixture().screen(rows: rows, columns: columns)
    run("/search message 31 of apples", on: &screen)
    let text = screen.lines.joined(separator: " ")
    #expect(text.contains("31") && screen.status.contains("1 of 1"), "\(screen.terminal.picture)")
  }

  @Test func `a script prints hits one by one`() throws {
    let answer = try StoreFixture().transcript(
      "/search apples\n/prev\n/prev\n/next\n/goto 2\n/next\n/filter from:bob\n/search apples")
    #expect(
      answer == """
        2024-05-05 14:00:00  alice  message 99 of apples
        2024-05-05 12:00:00  alice  message 97 of apples
        2024-05-05 10:00:00  alice  message 95 of apples
        2024-05-05 12:00:00  alice  message 97 of apples
        2024-05-01 13:00:00  bob  message 2 of pears
        2024-05-01 14:00:00  alice  message 3 of apples
        50 messages
        ! line 8: nothing found for 'apples'
          cause: only [from:bob] was searched

        """)
    #expect(try StoreFixture().transcript("/next").contains("no search yet"))
  }
}

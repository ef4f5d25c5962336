import Foundation
import MessageStorage
import Testing

/// The page of `scrollback serve` in a real browser: what somebody does who reads a history, and sees.
///
/// The files beside this one have the rest of the suite.
@Suite(.serialized, .inBrowser, .enabled(if: BrowserScope.isWanted, BrowserScope.reason))
struct PageInBrowserTests {
  let browser: Browser

  init() throws { browser = try #require(BrowserScope.browser) }

  // MARK: Scrolling

  /// Scrolls in steps of less than a screen until it is at an end, and tells what it saw on the way: `arguments` are the
  /// direction (-1: to the oldest), how many steps there may be, and their part of a screen.
  static let walk = """
    const [direction, most, part = 0.85] = arguments
    const room = document.getElementById('list'), rows = () => [...document.querySelectorAll('#rows > .message')]
    const numberOf = row => Number(row.ariaPosInSet), total = Number(rows()[0].ariaSetSize)
    const seen = new Uint8Array(total + 1), faults = []
    let mostRows = 0, steps = 0, isThere = false

    // Where rows are in what is drawn: as they are at the frame's beginning, or where the page has put them because something grew.
    let drawn = new Map()
    const note = () => {
      const { top } = room.getBoundingClientRect()
      drawn = new Map(rows().map(row => [row, row.getBoundingClientRect()]).map(([row, place]) => [row, [place.top - top, place.bottom - top]]))
    }
    const observer = new ResizeObserver(note)
    observer.observe(room)
    observer.observe(document.getElementById('rows'))
    const frame = () => new Promise(done => requestAnimationFrame(() => { note(); setTimeout(done) }))

    const look = () => {
      const all = [...drawn.keys()]
      mostRows = Math.max(mostRows, all.length)
      all.forEach((row, index) => {
        if (!row.isConnected) return
        if (index && all[index - 1].isConnected && numberOf(row) !== numberOf(all[index - 1]) + 1) faults.push(`${numberOf(row)} follows ${numberOf(all[index - 1])}`)
        if (!row.querySelector('.text').textContent.match(`^message ${numberOf(row)}(?!\\d)`)) faults.push(`${numberOf(row)} is '${row.textContent}'`)
        const [top, bottom] = drawn.get(row)
        if (bottom > 0 && top < room.clientHeight) seen[numberOf(row)] = 1
      })
      const last = all.at(direction < 0 ? 0 : -1)
      isThere = numberOf(last) === (direction < 0 ? 1 : total) && seen[numberOf(last)] === 1
    }
    await frame()
    for (look(); !isThere && steps < most && faults.length < 5; steps++) {
      const before = room.scrollTop, places = drawn, edge = rows().at(direction < 0 ? 0 : -1)
      const [top, bottom] = places.get(edge) ?? [0, 0], left = direction < 0 ? -top : bottom - room.clientHeight
      // Waits for what is asked for, as people do, unless there is nothing beyond.
      const isLast = numberOf(edge) === (direction < 0 ? 1 : total), isReady = isLast || left > 1.2 * room.clientHeight
      room.scrollBy(0, isReady ? direction * Math.floor(part * room.clientHeight) : 0)
      const step = room.scrollTop - before, row = [...places.keys()].find(row => places.get(row)[0] >= step)
      await frame()
      const jump = drawn.has(row) ? drawn.get(row)[0] - (places.get(row)[0] - step) : NaN
      // At the end of all a step may be taken in part.
      const isPart = isLast && jump * step > 0 && Math.abs(jump) <= Math.abs(step) + 1
      if (!(Math.abs(jump) <= 1 || isPart)) faults.push(`step ${steps}: ${numberOf(row)} jumped by ${jump}`)
      look()
    }
    observer.disconnect()
    return { faults, mostRows, steps, isThere, missed: seen.indexOf(0, 1) }
    """

  @Test(.enabled(if: BrowserScope.isWhole, BrowserScope.reasonOfLong))
  func `a hundred thousand messages scroll by to the oldest and back, each at its place`() throws {
    let history = try ServedHistory(lines: Lines.conversation(100_000))
    try browser.show(history.url, width: 1000, height: 2400)
    try browser.settle()
    for direction in [-1, 1] {
      let found = try browser.driver.run(Self.walk, [direction, 20_000]) as? WebDriver.Object ?? [:]
      #expect(found["faults"] as? [String] == [])
      #expect(found["isThere"] as? Bool == true, "after \(found["steps"] ?? "no") steps")
      #expect(found["missed"] as? Int == -1, "a message that was not seen")
      #expect(try #require(found["mostRows"] as? Int) <= 450)
    }
  }

  @Test func `the scroll bar leads to the message whose number is that part of the way`() throws {
    let total = 5_000
    let history = try ServedHistory(count: total)
    for percent in [37, 0, 100, 61] { try expectScrollBar(percent, of: total, in: history) }
  }

  private func expectScrollBar(_ percent: Int, of total: Int, in history: ServedHistory) throws {
    try browser.show(history.url)
    try browser.settle()
    let bar = try ScrollBar(browser)
    let y = bar.y(percent: percent)
    try browser.drag(along: [(bar.x, bar.thumbY), (bar.x, (bar.thumbY + y) / 2), (bar.x, y)], isHeld: true)
    let expected = 1 + Int((bar.part(y: y) * Double(total - 1)).rounded())
    let written = expected.formatted(.number.locale(Locale(identifier: "en_GB")))
    try browser.wait(
      for: "document.querySelector('#bubble').textContent.includes(' \(written) of ')")
    try #expect(browser.value("!document.querySelector('#bubble').hidden"))
    try browser.letGo()
    try browser.settle()
    try browser.wait(for: "document.querySelector('#bubble').hidden")
    try #expect(browser.value("Number(document.querySelector('#scrollbar').ariaValueNow)") == expected)
    try #expect(browser.value("Number(document.querySelector('#scrollbar').ariaValueMax)") == total)
    let row = try #require(try browser.rows().first { $0.number == expected })
    #expect(row.text == "message \(expected)")
    let height: Int = try browser.value("document.querySelector('#list').clientHeight")
    #expect(abs(row.top - Double(height) * bar.part(y: y)) < 80)
    // And from one end of the way to the other the thumb is where the pointer has left it.
    let after = try ScrollBar(browser)
    #expect(abs(after.thumbY - y) <= 1)
  }

  /// Where the scroll bar is on the screen.
  private struct ScrollBar {
    let x: Int
    let thumbY: Int
    private let top: Double
    private let room: Double
    private let grip: Double

    init(_ browser: Browser) throws {
      let found: [Double] = try browser.value(
        """
        (() => {
          const bar = document.querySelector('#scrollbar').getBoundingClientRect(), thumb = document.querySelector('#thumb').getBoundingClientRect()
          return [bar.left + bar.width / 2, thumb.top, thumb.height, bar.top, bar.height].map(each => each + 0.00001)
        })()
        """)
      x = Int(found[0])
      thumbY = Int(found[1] + found[2] / 2)
      grip = Double(thumbY) - found[1]
      top = found[3]
      room = found[4] - found[2]
    }

    /// The place of the pointer that is nearest to a part of the way.
    func y(percent: Int) -> Int { Int((top + grip + room * Double(percent) / 100).rounded()) }

    func part(y: Int) -> Double { min(1, max(0, (Double(y) - top - grip) / room)) }
  }

  @Test func `a day that is chosen begins at the top of the screen`() throws {
    let older = Lines.conversation(100).replacing("2024-05", with: "2024-03")
    let history = try ServedHistory(lines: older + Lines.conversation(9_000))
    try browser.show(history.url)
    try browser.click("#days")
    try browser.wait(for: "document.querySelector('.cell[aria-label^=\"May 2024:\"]')")
    try browser.click(".cell[aria-label^='May 2024:']")
    try browser.wait(for: "document.querySelector('.cell[aria-label^=\"5 May:\"]')")
    try #expect(
      browser.value("document.querySelector('.cell[aria-label^=\"5 May\"]').title")
        == "5 May: 1,440 messages")
    try browser.click(".cell[aria-label^='5 May:']")
    // Since the first of May: 4 days of a message a minute.
    let number = 4 * 1_440 + 1
    try browser.wait(for: "document.querySelector('#scrollbar').ariaValueText.includes('5 May 2024 · ')")
    try browser.settle()
    let row = try #require(try browser.rows().first)
    #expect(row.number == 100 + number && row.text.hasPrefix("message \(number)"))
    #expect(row.top > -1 && row.top < 60)
    #expect(try browser.text("#m\(row.id) .day").hasSuffix("5 May 2024"))
  }

  // MARK: What comes in

  @Test func `what arrives while somebody reads above moves nothing, and is counted below`() throws {
    let history = try ServedHistory(lines: Lines.conversation(500))
    try browser.show(history.url)
    try browser.settle()
    try browser.wheel(-2_000)
    try browser.settle()
    let before = try browser.rows()
    try #require(before.first?.number ?? 500 < 490)
    try history.append(["first arrival"])
    try browser.wait(for: "document.querySelector('#below').textContent === '1 new below ↓'")
    try history.append((2...12).map { "arrival \($0)" })
    try browser.wait(for: "document.querySelector('#below').textContent === '12 new below ↓'")
    try browser.settle()
    #expect(try browser.rows() == before)
    try browser.click("#below")
    try browser.wait(for: "document.querySelector('#below').hidden")
    #expect(try browser.rows().last?.text == "arrival 12")
    // Who is at the end stays there.
    try history.append(["the very last"])
    try browser.wait(
      for: "[...document.querySelectorAll('#rows .text')].at(-1).textContent === 'the very last'")
    try browser.settle()
    #expect(try browser.rows().last?.text == "the very last")
    #expect(try browser.value("document.querySelector('#below').hidden"))
  }

  @Test func `an edit and a deletion by another program reach the page`() throws {
    let history = try ServedHistory(count: 40)
    try browser.show(history.url)
    let ids = try history.ids()
    let edited = try history.writing { try $0.edit(ids[35], text: "written anew") }
    #expect(edited)
    try browser.wait(
      for: "document.querySelector('#m\(ids[35]) .text').textContent.startsWith('written anew')")
    #expect(try browser.text("#m\(ids[35]) .mark") == "edited")
    try browser.click("#m\(ids[35]) .mark")
    try browser.wait(for: "document.querySelectorAll('#panel .before').length === 2")
    #expect(try browser.text("#panel .before .text") == "message 36")
    try history.writing { _ = try $0.delete([ids[36], ids[37]]) }
    try browser.wait(
      for: "!document.querySelector('#m\(ids[36])') && !document.querySelector('#m\(ids[37])')")
    let rows = try browser.rows()
    #expect(rows.last?.number == 38 && rows.last?.text == "message 40")
    try #expect(browser.place().hasSuffix("of 38"))
  }

  @Test func `the page says that the server has gone, and continues when it is back`() throws {
    let history = try ServedHistory(count: 300)
    try browser.show(history.url)
    try browser.driver.run("window.loaded = 'once'")
    history.stop()
    try browser.wait(
      for: "document.querySelector('#trouble').textContent.startsWith('The server does not answer')")
    try #expect(browser.value("!document.querySelector('#trouble').hidden"))
    try history.append(["written meanwhile"])
    try history.start()
    try browser.wait(
      for: "[...document.querySelectorAll('#rows .text')].at(-1).textContent === 'written meanwhile'")
    try browser.wait(for: "document.querySelector('#trouble').hidden")
    // It is live again, and was not loaded anew.
    try history.append(["and after"])
    try browser.wait(for: "[...document.querySelectorAll('#rows .text')].at(-1).textContent === 'and after'")
    try #expect(browser.value("window.loaded") == "once")
  }

  @Test func `with another key the page says that it must be opened anew`() throws {
    let history = try ServedHistory(count: 30)
    try browser.show(history.url)
    history.stop()
    try history.startWithAnotherKey()
    try browser.wait(
      for: "document.querySelector('#trouble').textContent.startsWith('The server was restarted')")
  }

  @Test func `a wrong key gets nothing but a refusal`() throws {
    let history = try ServedHistory(count: 30)
    let address = String(history.url.dropLast()) + "x/"
    try browser.open(address)
    try #expect(browser.value("performance.getEntriesByType('navigation')[0].responseStatus") == 403)
    let text = try browser.text("body")
    #expect(text.contains("cannot answer without the key") && !text.contains("message"))
    #expect(try browser.count("script, #rows") == 0)
  }

  @Test func `two tabs show the same, each at its own place`() throws {
    let history = try ServedHistory(lines: Lines.conversation(500))
    try browser.show(history.url)
    try browser.settle()
    try browser.wheel(-3_000)
    try browser.settle()
    let above = try browser.rows()
    let first = try browser.window()
    try browser.inNewWindow {
      try browser.show(history.url)
      try history.append(["to both"])
      try browser.wait(for: "[...document.querySelectorAll('#rows .text')].at(-1).textContent === 'to both'")
      try browser.look(at: first)
      try browser.wait(for: "document.querySelector('#below').textContent === '1 new below ↓'")
      #expect(try browser.rows() == above)
    }
  }
}

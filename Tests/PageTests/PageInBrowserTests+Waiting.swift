import Foundation
import MessageModel
import MessageStorage
import ShellTesting
import Testing

extension PageInBrowserTests {
  // MARK: What takes its time

  @Test func `what takes longer than 300 ms says so, and then that a server hangs`() throws {
    let history = try ServedHistory(lines: Lines.conversation(2_000))
    try browser.show(history.url)
    try browser.settle()
    try browser.driver.run(
      """
      const note = (name, id) => {
        const timer = setInterval(() => {
          if (!window.whenPressed || document.getElementById(id).hidden) return
          clearInterval(timer)
          window[name] = performance.now() - window.whenPressed
        }, 10)
      }
      note('saidBusy', 'busy')
      note('saidGone', 'trouble')
      document.addEventListener('keydown', () => window.whenPressed ||= performance.now(), true)
      """)
    history.hang(true)
    try browser.type("g")
    try browser.wait(for: "window.saidGone")
    let busy: Double = try browser.value("window.saidBusy + 0.001")
    let gone: Double = try browser.value("window.saidGone + 0.001")
    #expect(busy >= 290 && busy < gone)
    history.hang(false)
    try browser.wait(
      for: "document.querySelector('#busy').hidden && document.querySelector('#trouble').hidden")
  }

  @Test func `the newest conversations are asked for once, before the script has come`() throws {
    let history = try ServedHistory(lines: Lines.conversation(100))
    try browser.show(history.url)
    try browser.settle()
    let times: [Double] = try browser.value(
      """
      (named => [...named('order=newest').map(each => each.startTime), named('page.js')[0].responseEnd])(
        part => performance.getEntriesByType('resource').filter(({ name }) => name.includes(part)))
      """)
    #expect(times.count == 2 && times[0] < times[1])
  }

  // MARK: What was read

  @Test func `with --mark-read what one reads without a gap counts as read`() throws {
    let history = try ServedHistory(count: 20)
    let ids = try history.append((1...80).map { "arrival \($0)" })
    func mark() throws -> Message.ID? {
      let store = try SynchronousMessageStore(path: history.shell.store, options: .readOnly)
      defer { store.close() }
      return try store.conversations().first { $0.name == "general" }?.readUpTo
    }
    // Without it nothing is.
    try browser.show(history.url)
    try browser.type("G")
    try browser.settle()
    try browser.driver.run("await new Promise(done => setTimeout(done, 1500))")
    let before = try mark()
    #expect(before.map { $0 < ids[0] } ?? true)
    try history.restart(permitting: "read")
    // The end, with a gap before it: nothing yet.
    try browser.show(history.url)
    try browser.driver.run("localStorage.clear(); location.reload()")
    try browser.wait(for: "document.querySelector('#rows .message')")
    try browser.settle()
    try browser.driver.run("await new Promise(done => setTimeout(done, 1500))")
    #expect(try mark() == before)
    // All of it, from the first unread one on.
    try browser.click("#unread")
    try browser.settle()
    for _ in 0..<12 {
      try browser.wheel(400)
      try browser.settle()
    }
    try browser.wait(for: "document.querySelector('#unread').hidden")
    try browser.driver.run("await new Promise(done => setTimeout(done, 1800))")
    #expect(try mark() == ids.last)
    #expect(try history.ids().count == 100)
  }

  @Test func `with --mark-read a message and what follows is marked as unread, and stays so on the screen`()
    throws
  {
    let history = try ServedHistory(count: 20)
    let ids = try history.append((1...80).map { "arrival \($0)" })
    func mark() throws -> Message.ID? {
      let store = try SynchronousMessageStore(path: history.shell.store, options: .readOnly)
      defer { store.close() }
      return try store.conversations().first { $0.name == "general" }?.readUpTo
    }
    try history.writing { store in
      try store.markRead(store.makeConversationIfNeeded(named: "general").id, upTo: ids[79])
    }
    try history.restart(permitting: "read")
    try browser.show(history.url)
    try browser.settle()
    try browser.driver.run("choose(list.row('\(ids[70])'))")
    try browser.type("u")
    try browser.wait(for: "document.querySelector('#unread').textContent === '10 unread'")
    try browser.driver.run("await new Promise(done => setTimeout(done, 1500))")
    try #expect(browser.value("document.querySelector('#unread').textContent") == "10 unread")
    let found = try #require(try mark())
    #expect(found < ids[70] && found >= ids[69])
  }

  @Test func `what is touched is 40 pixels high and wide, and times stand beside long names`() throws {
    let name = "Konstantinos Papadopoulos-Featherstonehaugh"
    let line = #"{"conversation":"general","time":"2024-05-01T09:00:00Z","sender":"\#(name)","text":"hello"}"#
    let history = try ServedHistory(lines: line + "\n" + Lines.rooms(2))
    func touch(_ isOn: Bool) throws {
      try browser.driver.chromium("Emulation.setTouchEmulationEnabled", ["enabled": isOn])
    }
    try touch(true)
    defer { try? touch(false) }
    try browser.show("\(history.url)#in:general", width: 390, height: 844)
    try browser.settle()
    try browser.click("#filter")
    try browser.wait(for: "document.querySelector('#chips .choose')")
    try browser.click("#days")
    try browser.wait(for: "document.querySelector('#panel .tabs > *')")
    // Months and days have a year and a month in a row.
    let small: [String] = try browser.value(
      """
      [...document.querySelectorAll('button, input')].filter(each => each.checkVisibility() && !each.matches('.cell')).filter(each => {
        const { width, height } = each.getBoundingClientRect()
        return width < 40 || height < 40
      }).map(each => each.outerHTML)
      """)
    #expect(small.isEmpty)
    let gap = "document.querySelector('.name').getBoundingClientRect().right"
    try #expect(browser.value("document.querySelector('.time').getBoundingClientRect().left > \(gap)"))
  }

  @Test func `on a telephone going back closes what covers the messages`() throws {
    let history = try ServedHistory(lines: Lines.conversation(50) + Lines.rooms(2))
    try browser.show("\(history.url)#in:general", width: 390, height: 844)
    try browser.settle()
    let opened = [
      ("#days", "!document.querySelector('#panel').hidden"), ("#menu", "mode.contains('choosing')"),
    ]
    for (button, isOpen) in opened {
      try browser.click(button)
      try browser.wait(for: isOpen)
      try browser.driver.command("POST", "/back")
      try browser.wait(for: "!(\(isOpen))")
      try #expect(browser.text("#title") == "general" && browser.count("#rows .message") == 50)
    }
    // So does Esc, and the focus returns to what it was on.
    try browser.driver.run(
      "document.querySelector('#rows .time').focus(); steps = 0; onpopstate = () => steps++")
    try browser.type("d")
    try browser.wait(for: "document.activeElement.id === 'panel'")
    try browser.press(.escape)
    try browser.wait(for: "steps === 1")
    try browser.settle()
    try #expect(browser.value("document.activeElement.matches('.time')"))
    // What is chosen takes the step that the list had.
    try browser.click("#menu")
    try browser.driver.run(
      "[...document.querySelectorAll('.conversation')].find(each => each.textContent.includes('room 00001')).click()"
    )
    try browser.wait(for: "document.querySelector('#title').textContent === 'room 00001'")
    try #expect(browser.value("mode.contains('choosing')") == false)
    try browser.driver.command("POST", "/back")
    try browser.wait(for: "document.querySelector('#title').textContent === 'general'")
  }
}

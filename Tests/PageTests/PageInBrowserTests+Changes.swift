import Foundation
import ShellTesting
import Testing

extension PageInBrowserTests {
  private func go(to conversation: String) throws {
    try browser.driver.run(
      "await go({ conversation: state.side.all.find(each => each.name === '\(conversation)') })")
    try browser.settle()
  }

  private static let open = "state.list.conversation?.name"

  // MARK: Many conversations

  @Test func `the newest of many conversations stands above, whatever its name`() throws {
    let history = try ServedHistory(lines: Lines.rooms(2_600))
    try browser.show(history.url)
    #expect(try browser.text(".conversation:not(.whole) b") == "room 02599")
    try browser.wait(for: "state.side.all.length === 2_600")
    #expect(try browser.text(".conversation.whole .last") == "2,600 messages")
    try history.append(["now"], to: "room 00007")
    try browser.wait(
      for: "document.querySelector('.conversation:not(.whole) b').textContent === 'room 00007'")
  }

  @Test func `arrows and Enter choose a conversation that is looked for by name`() throws {
    let history = try ServedHistory(lines: Lines.rooms(30))
    try browser.show(history.url)
    try browser.click("#find")
    try browser.type("room 0001")
    try browser.type("\u{E015}\u{E015}")
    #expect(try browser.text(".conversation.chosen b") == "room 00018")
    try browser.press(.enter)
    try browser.wait(for: "\(Self.open) === 'room 00018'")
    try #expect(browser.value("document.activeElement.id") == "list")
  }

  @Test func `a site's search finds what is in any of 1,650 conversations, and of ten thousand`() throws {
    let count = BrowserScope.isWhole ? 10_000 : 1_650
    let history = try ServedHistory(lines: Lines.rooms(count))
    let folder = try history.writeSite()
    history.stop()
    try browser.show(folder + "index.html")
    #expect(try browser.text(".conversation:not(.whole) b") == String(format: "room %05d", count - 1))
    for name in [count - 1, 0, count / 2].map({ String(format: "room %05d", $0) }) {
      try go(to: name)
      try browser.type("/hello")
      try browser.press(.enter)
      try browser.wait(for: "document.querySelector('#panel .quiet').textContent === '1 message'")
      #expect(try browser.text("#panel-body .entry .text") == "hello from \(name)")
      try browser.press(.escape)
    }
    try browser.type("/hello")
    try browser.press(.enter)
    try browser.click("#panel .segments button:nth-child(2)")
    let found = "\(count / 1_000),\(String(format: "%03d", count % 1_000)) messages"
    try browser.wait(for: "document.querySelector('#panel .quiet').textContent === '\(found)'")
    try browser.click("#panel-body .entry:nth-child(40)")
    try browser.wait(for: "document.querySelector('.message.selected mark')")
    // What a site cannot answer is not looked for as a text.
    for (words, told) in [
      ("regex:h.llo", "cannot answer 'regex:'"), ("form:ann", "cannot answer 'form:'"),
      ("+++", "Type a word"),
    ] {
      try browser.type("/\(words)")
      try browser.press(.enter)
      try browser.wait(for: "document.querySelector('#panel .quiet').textContent.includes(\"\(told)\")")
    }
  }

  // MARK: What the server says

  @Test func `a refused search says why`() throws {
    let history = try ServedHistory(count: 30)
    try browser.show(history.url)
    try browser.driver.run(
      """
      const ask = server.ask
      server.ask = (question, keys) => question === 'hits' ? Promise.reject(new Trouble('no term: form:')) : ask(question, keys)
      """)
    try browser.type("/form:alice")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#panel .quiet').textContent === 'no term: form:'")
  }

  @Test func `a server that hangs is said to, and what was asked is answered when it goes on`() throws {
    let history = try ServedHistory(lines: Lines.conversation(2_000))
    try browser.show(history.url)
    try browser.settle()
    history.hang(true)
    try browser.type("g")
    try browser.wait(
      for: "document.querySelector('#trouble').textContent.startsWith('The server has not answered yet')")
    history.hang(false)
    try browser.wait(for: "document.querySelector('#rows .message').ariaPosInSet === '1'")
    try browser.wait(for: "document.querySelector('#trouble').hidden")
  }

  @Test func `a store that takes the place of another is never shown under its titles`() throws {
    let history = try ServedHistory(lines: Lines.conversation(800, named: "alpha"))
    let other = try ShellFixture(holding: Lines.conversation(300, named: "beta"))
    try browser.show(history.url)
    try browser.settle()
    try FileManager.default.removeItem(atPath: history.shell.store)
    try FileManager.default.moveItem(atPath: other.store, toPath: history.shell.store)
    try browser.wheel(-20_000)
    try browser.wait(for: "document.querySelector('#title').textContent === 'beta'")
    try browser.settle()
    #expect(try browser.rows().last?.number == 300)
    try #expect(browser.place().hasSuffix("of 300"))
    #expect(try browser.value("state.side.all.map(each => each.name).join()") == "beta")
  }

  @Test func `a conversation that is deleted leaves the list and the screen`() throws {
    let history = try ServedHistory(count: 100)
    try history.append(["in another"], to: "other")
    try browser.show(history.url)
    try go(to: "general")
    try history.shell.run(["conversations", "delete", "general", "--yes"])
    try browser.wait(for: "document.querySelector('#place').textContent === 'general was deleted.'")
    #expect(try browser.count("#rows .message") == 0)
    #expect(try browser.text("#rows .empty") == "general was deleted.Open other")
    try browser.wait(for: "document.querySelectorAll('.conversation').length === 1")
    try browser.wait(for: "!document.querySelector('#trouble').textContent.includes('no conversation')")
    try go(to: "other")
    #expect(try browser.rows().last?.text == "in another")
  }

  @Test func `what was read here is unread no more, in any tab`() throws {
    let history = try ServedHistory(lines: Lines.rooms(3) + Lines.conversation(200))
    let unread = "seen.unread(state.side.all.find(each => each.name === 'general'))"
    try browser.show(history.url)
    try go(to: "room 00001")
    try history.append((1...60).map { "arrival \($0)" })
    let first = try browser.window()
    try browser.wait(for: "\(unread) > 0")
    let before: Int = try browser.value(unread)
    try browser.inNewWindow {
      try browser.show(history.url)
      try go(to: "general")
      // The last screen was seen, what is above was not.
      try browser.wait(for: "\(unread) < \(before)")
      let after: Int = try browser.value(unread)
      #expect(after > 0)
      try #expect(browser.text("#unread").hasPrefix("\(after) "))
      try browser.look(at: first)
      try browser.wait(for: "\(unread) === \(after)")
    }
    try go(to: "general")
    for _ in 0..<12 {
      try browser.wheel(-500)
      try browser.settle()
    }
    try browser.wait(for: "\(unread) === 0 && document.querySelector('#unread').hidden")
    try browser.show(history.url)
    try browser.wait(for: "\(unread) === 0")
  }

  @Test func `eight windows hear of what comes by one stream`() throws {
    let history = try ServedHistory(count: 50)
    try browser.show(history.url)
    let first = try browser.window()
    func open(_ left: Int) throws {
      if left > 0 {
        try browser.inNewWindow {
          try browser.show(history.url)
          try open(left - 1)
        }
        return
      }
      try history.append(["to all"])
      let all = try browser.driver.command("GET", "/window/handles") as? [String] ?? []
      #expect(all.count >= 8)
      for window in all {
        try browser.look(at: window)
        try browser.wait(
          for: "[...document.querySelectorAll('#rows .text')].at(-1)?.textContent === 'to all'")
      }
      try browser.look(at: first)
    }
    try open(7)
  }

  // MARK: Hits

  @Test func `a hit deep in a long message is brought up in its line`() throws {
    let text = (1...3_000).map { "line \($0)" }.joined(separator: "\\n")
    let history = try ServedHistory(
      lines: Lines.conversation(100) + """
        {"conversation":"general","time":"2024-05-03T00:00:00Z","sender":"eve","text":"\(text)"}

        """)
    try browser.show(history.url)
    try browser.type("/\"line 2999\"")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#panel .quiet').textContent === '1 message'")
    try browser.type("n")
    try browser.wait(for: "document.querySelector('#rows mark')?.textContent === 'line 2999'")
    try browser.settle()
    let top: Double = try browser.value(
      "document.querySelector('#rows mark').getBoundingClientRect().top + 0.0001")
    let height: Double = try browser.value("innerHeight + 0.0001")
    #expect(top > 60 && top < height - 40, "at \(top) of \(height)")
    #expect(try browser.count("#rows .selected .more") == 1)
  }

  @Test func `the number of hits stays what it is, and newer ones come back`() throws {
    let history = try ServedHistory(lines: Lines.conversation(2_500))
    try browser.show(history.url)
    try browser.type("/message")
    try browser.press(.enter)
    let count = "document.querySelector('#panel .quiet').textContent"
    try browser.wait(for: "\(count) === '2,500 messages'")
    let told =
      try browser.driver.run(
        """
        const told = new Set(), [way, done] = arguments
        const wait = () => new Promise(next => setTimeout(next, 20))
        for (const end of [() => state.search.hits.at(-1).text.startsWith('message 1501'), () => !state.search.cutCount]) {
          const isDown = !state.search.cutCount
          for (let steps = 0; steps < 500 && !end(); steps++) {
            panel.scrollTop = isDown ? panel.scrollHeight : 0
            await wait()
            told.add(\(count))
            if (state.search.hits.length > 700) return ['too many']
          }
        }
        return [...told, state.search.hits[0].text.split(/\\s/)[1],
          document.querySelector('#panel .entry .text').textContent.split(/\\s/)[1]]
        """) as? [String]
    #expect(told == ["2,500 messages", "2500", "2500"])
  }

  // MARK: Paper

  @Test func `what is printed is whole, and what is not is said`() throws {
    let history = try ServedHistory(lines: Lines.conversation(1_104))
    try browser.show(history.url)
    try browser.settle()
    try browser.print()
    #expect(try browser.count("#printed article") == 1_104)
    #expect(try browser.text("#printed h1") == "general")
    #expect(try browser.text("#printed p") == "1,104 messages, 1 May 2024")
    // On each page stands who wrote, and when.
    #expect(try browser.count("#printed article.head .body > header .name") == 1_104)
    #expect(try browser.text("#printed article .text").hasPrefix("message 1"))
    try browser.driver.run("dispatchEvent(new Event('afterprint'))")
    #expect(try browser.count("#printed article") == 0)
    // The browser's own printing has what is held.
    try browser.driver.run("dispatchEvent(new Event('beforeprint'))")
    try #expect(browser.text("#place").contains("“Print or save…” has more"))
  }

  // MARK: For all

  @Test func `who cannot see hears who wrote each message, and what is where`() throws {
    let history = try ServedHistory(count: 60)
    try browser.show(history.url, width: 400, height: 800)
    try browser.settle()
    let names: [String] = try browser.value(
      "[...document.querySelectorAll('#rows article')].map(each => each.ariaLabel)")
    #expect(names.count > 20 && names.allSatisfy { $0.contains(", ") })
    #expect(try browser.count("h1") == 1)
    try #expect(browser.value("getComputedStyle(document.querySelector('h1')).display !== 'none'"))
    try #expect(
      browser.value("document.querySelector('#conversations').getAttribute('aria-label')") == "Conversations")
    // On a phone going back closes a panel, and moves nothing.
    let before = try browser.rows()
    try browser.type("?")
    try browser.wait(for: "document.activeElement.id === 'panel'")
    try browser.driver.command("POST", "/back")
    try browser.wait(for: "document.querySelector('#panel').hidden")
    try browser.settle()
    #expect(try browser.rows() == before)
  }
}

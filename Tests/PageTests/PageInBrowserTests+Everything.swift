import Foundation
import MessageModel
import MessageStorage
import ShellTesting
import TestSupport
import Testing

extension PageInBrowserTests {
  /// Messages of three conversations by turns, a minute apart, with their numbers in all of them.
  private static func turns(_ count: Int) -> String {
    let format = ISO8601DateFormatter()
    return (1...count).map { number in
      let (name, sender) = (["north", "south", "west"][number % 3], ["ann", "bob"][number % 2])
      let time = format.string(from: Date(timeIntervalSince1970: 1_714_521_600 + Double(number - 1) * 60))
      let link = number.isMultiple(of: 50) ? " https://example.org/\(number)" : ""
      return
        #"{"conversation":"\#(name)","time":"\#(time)","sender":"\#(sender)","text":"message \#(number)\#(link)"}"#
        + "\n"
    }.joined()
  }

  private func openEverything() throws {
    try browser.click(".conversation.whole")
    try browser.wait(for: "document.title === 'Everything · Scrollback'")
    try browser.settle()
  }

  private func number(of text: String) -> Int? {
    text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  // MARK: Everything

  @Test(.enabled(if: BrowserScope.isWhole, BrowserScope.reasonOfLong))
  func `everything is one timeline, from its newest message to its oldest, each under its number`()
    throws
  {
    let history = try ServedHistory(lines: Self.turns(6_000))
    try browser.show(history.url)
    try openEverything()
    try #expect(browser.place().hasSuffix("6,000 of 6,000"))
    for direction in [-1, 1] {
      let found = try browser.driver.run(Self.walk, [direction, 2_000]) as? WebDriver.Object ?? [:]
      #expect(found["faults"] as? [String] == [])
      #expect(found["isThere"] as? Bool == true && found["missed"] as? Int == -1)
    }
    try browser.driver.run("await bar.go(0.37)")
    try browser.settle()
    let rows = try browser.rows()
    #expect(rows.count > 8 && rows.allSatisfy { number(of: $0.text) == $0.number })
    // Beside each name stands the conversation, in the colour of its own.
    let names: [String] = try browser.value(
      "state.list.rows.map(({ element }) => element.querySelector('.where')?.textContent)")
    #expect(Set(names) == ["north", "south", "west"])
    let hues: [String] = try browser.value(
      "[...new Set(state.list.rows.map(({ element }) => element.querySelector('.where').style.getPropertyValue('--hue')))]"
    )
    #expect(hues.count == 3)
  }

  @Test func `the name of its conversation leads to a message there, and back leads to everything`() throws {
    let history = try ServedHistory(lines: Self.turns(3_000))
    try browser.show(history.url)
    try openEverything()
    try browser.driver.run("await go({ at: 'number:1000' })")
    try browser.settle()
    let before = try browser.rows()
    try browser.driver.run(
      "state.list.rows.find(({ message }) => message.text === 'message 1003').element.querySelector('.where').click()"
    )
    try browser.wait(for: "document.title === 'south · Scrollback'")
    try browser.settle()
    #expect(try browser.selected()?.text == "message 1003")
    #expect(try browser.selected()?.number == 335)
    try browser.driver.run("history.back()")
    try browser.wait(for: "document.title === 'Everything · Scrollback'")
    try browser.settle()
    #expect(try browser.rows().map(\.number) == before.map(\.number))
  }

  @Test func `a message in everything has an address that opens there, and as one of its conversation`()
    throws
  {
    let history = try ServedHistory(lines: Self.turns(1_500))
    let id = try history.ids()[699]
    try browser.show(history.url + "#everything@\(id)")
    try browser.wait(for: "document.querySelector('.message.selected')")
    try browser.settle()
    #expect(try browser.text("#title") == "Everything")
    #expect(try browser.selected()?.number == 700)
    #expect(
      try browser.value("document.querySelector('.selected .time').getAttribute('href')")
        == "#everything@\(id)")
    try browser.show(history.url + "#\(id)")
    try browser.wait(for: "document.querySelector('.message.selected')")
    #expect(try browser.text("#title") == "south")
    #expect(try browser.selected()?.text == "message 700 https://example.org/700")
  }

  @Test func `what comes into any conversation comes into everything, and is found there`() throws {
    let history = try ServedHistory(lines: Self.turns(600))
    try browser.show(history.url)
    try openEverything()
    try history.append(["just now"], to: "west")
    try browser.wait(for: "[...document.querySelectorAll('#rows .text')].at(-1).textContent === 'just now'")
    try browser.wheel(-3_000)
    try browser.settle()
    try history.append(["in a new one"], to: "east")
    try browser.wait(for: "document.querySelector('#below').textContent === '1 new below ↓'")
    try browser.type("/message")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#panel .quiet').textContent === '600 messages'")
    let scopes = "[...document.querySelectorAll('.segments')].map(each => each.ariaLabel).join()"
    #expect(try browser.value(scopes) == "Order", "there is nowhere else to search")
    #expect(try browser.text("#panel-body .entry small") == "north")
    try browser.click("#panel-body .entry:nth-child(7)")
    try browser.wait(for: "document.querySelector('.message.selected mark')")
    #expect(try browser.text("#title") == "Everything")
    #expect(try browser.selected()?.number == 594)
  }

  // MARK: People

  @Test func `a person opens what there is with them, and what they wrote elsewhere`() throws {
    let history = try ServedHistory(count: 0, lines: Self.turns(300))
    try history.writing { store in
      let id = try store.makeConversation(named: "with ann", isDirect: true).id
      _ = try store.append([NewMessage("hello ann", from: "me"), NewMessage("hello", from: "ann")], to: id)
    }
    try history.shell.run(["people", "link", "Ann B.", "ann"])
    try browser.show(history.url)
    try browser.wait(for: "!document.querySelector('#sorts').hidden")
    try browser.click("#people")
    #expect(try browser.text(".conversation:nth-child(2) b") == "Ann B.")
    try browser.click(".conversation:nth-child(2)")
    try browser.wait(for: "document.title === 'Ann B. · Scrollback'")
    try browser.settle()
    try #expect(browser.place().hasSuffix("152 of 152"))
    #expect(try browser.rows().suffix(2).map(\.text) == ["hello ann", "hello"])
    let senders: [String] = try browser.value(
      "[...new Set(state.list.rows.map(({ message }) => message.sender))].sort()")
    #expect(senders == ["ann", "me"])
    try browser.driver.run("await go({ at: 'oldest' })")
    try browser.settle()
    #expect(try browser.rows().first?.text == "message 2")
    // The address is enough, and a name is found by its letters.
    try browser.show(history.url + "#with:Ann%20B.")
    try browser.wait(for: "document.title === 'Ann B. · Scrollback'")
    try browser.click("#find")
    try browser.type("ann b")
    #expect(try browser.count(".conversation") == 1)
    // Whom nobody is linked to any more is gone.
    try history.shell.run(["people", "unlink", "Ann B."])
    try history.append(["something"], to: "north")
    try browser.wait(for: "document.querySelector('#place').textContent === 'Ann B. was unlinked.'")
  }

  // MARK: Statistics

  @Test func `statistics say how much was written when and by whom, as bars that lead there`() throws {
    // Over three days and a bit: 1,440 messages a day.
    let history = try ServedHistory(lines: Self.turns(5_000))
    try browser.show(history.url)
    try openEverything()
    try browser.type("s")
    try browser.wait(
      for:
        "[...document.querySelectorAll('h3')].at(-1)?.textContent === 'Kinds' && !document.querySelector('#panel-body > div > [role=status]')"
    )
    #expect(
      try browser.text(".facts")
        == "Messages5,000 on 4 daysFirst1 May 2024Last4 May 2024Busiest day1,440 on 1 May 2024")
    func rows(_ title: String) throws -> [String] {
      try browser.value(
        "[...document.querySelectorAll('[aria-label=\"\(title): messages\"] [role=row]')].map(each => each.title)"
      )
    }
    #expect(try rows("Months of 2024")[4] == "May: 5,000 messages")
    #expect(try rows("Who wrote").sorted() == ["ann: 2,500 messages", "bob: 2,500 messages"])
    #expect(
      try rows("Days of the week").prefix(3) == ["Mon: 0 messages", "Tue: 0 messages", "Wed: 1,440 messages"])
    #expect(try rows("Hours").count == 24 && rows("Hours")[23] == "23:00: 180 messages")
    #expect(try rows("Conversations").count == 3 && rows("Kinds") == ["text: 5,000 messages"])
    #expect(
      try browser.value(
        "document.querySelectorAll('[role=table] [role=rowheader]').length === document.querySelectorAll('[role=table] [role=cell]').length"
      ))
    // The days are one stop of the Tab key, and arrows move among them.
    #expect(try browser.count(".months .cell[tabindex=\"0\"]") == 1)
    try browser.driver.run("document.querySelector('.months .cell[tabindex=\"0\"]').focus()")
    try browser.type("\u{E014}\u{E014}")
    #expect(try browser.value("document.activeElement.title") == "3 May: 1,440 messages")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#scrollbar').ariaValueText.startsWith('3 May 2024')")
    try browser.settle()
    #expect(try browser.rows().first?.number == 2 * 1_440 + 1)
    // A sender narrows what is shown to what they wrote.
    try browser.click("[aria-label='Who wrote: messages'] button")
    try browser.wait(for: "state.list.conversation.query && state.list.total === 2500")
    #expect(try ["from:\"ann\"", "from:\"bob\""].contains(browser.value("state.list.conversation.query")))
  }

  // MARK: Links, files, pictures

  @Test func `links are listed to the oldest as somebody scrolls, and lead to their messages`() throws {
    let history = try ServedHistory(lines: Self.turns(6_000))
    try browser.show(history.url)
    try openEverything()
    try browser.type("f")
    try browser.wait(for: "document.querySelectorAll('.thing').length >= 50")
    #expect(try browser.text(".thing a") == "https://example.org/6000")
    #expect(try browser.text(".thing .entry small") == "north")
    try browser.driver.run(
      """
      for (let step = 0; step < 200 && document.querySelectorAll('.thing').length < 120; step++) {
        panel.scrollTop = panel.scrollHeight
        await new Promise(done => setTimeout(done, 50))
      }
      """)
    #expect(try browser.count(".thing") == 120)
    #expect(
      try browser.value("[...document.querySelectorAll('.thing a')].at(-1).href") == "https://example.org/50")
    try browser.driver.run("[...document.querySelectorAll('.thing .entry')].at(-1).click()")
    try browser.wait(for: "document.querySelector('.message.selected')?.ariaPosInSet === '50'")
    #expect(try browser.text("#title") == "Everything")
    try browser.click(".tab:nth-child(4)")
    try browser.wait(
      for: "document.querySelector('#panel .quiet').textContent .startsWith('There are no files here.')")
  }

  /// A millisecond of sound: eight samples of eight bits, as WAVE has them.
  private static let silence: [UInt8] =
    Array("RIFF".utf8) + [44, 0, 0, 0] + Array("WAVEfmt ".utf8)
    + [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
    + Array("data".utf8) + [8, 0, 0, 0] + Array(repeating: 0x80, count: 8)

  @Test(.enabled(if: hasPictures, "needs the trait Pictures"))
  func `pictures are a grid of small ones, each opens among the others and leads to its message`() throws {
    let history = try ServedHistory(count: 60)
    let ids = try history.ids()
    for index in 0..<5 {
      let bytes = PictureGenerator.png(PixelSize(width: 400, height: 300), seed: UInt64(index))
      try history.attach(bytes, named: "picture \(index).png", to: ids[index * 10])
    }
    try history.attach(Self.silence, named: "voice.wav", to: ids[58])
    try history.attach(Array("no picture".utf8), named: "<img src=x onerror=window.pwned=1>.png", to: ids[55])
    try browser.show(history.url)
    try browser.type("f")
    try browser.wait(for: "document.querySelector('.tab')")
    try browser.click(".tab:nth-child(5)")
    try browser.wait(for: "document.querySelectorAll('.tile').length === 5")
    try browser.wait(
      for: "[...document.querySelectorAll('.tile img')].filter(each => each.naturalWidth > 0).length === 5")
    #expect(try browser.value("window.pwned === undefined"))
    try browser.click(".tile:last-child")
    try browser.wait(for: "document.querySelector('#viewer .text')?.textContent === 'message 1'")
    try #expect(browser.value("state.viewer.older.disabled && !state.viewer.newer.disabled"))
    try browser.type("\u{E014}")
    try browser.wait(for: "document.querySelector('#viewer .text').textContent === 'message 11'")
    try browser.type("\u{E012}")
    try browser.wait(for: "document.querySelector('#viewer .text').textContent === 'message 1'")
    try browser.click("#viewer .show")
    try browser.wait(for: "document.querySelector('.message.selected')?.ariaPosInSet === '1'")
    try #expect(
      browser.value("!document.querySelector('#viewer') && !document.querySelector('#panel').hidden"))
    try browser.click(".tab:nth-child(4)")
    try browser.wait(for: "document.querySelectorAll('.thing').length === 7")
    try #expect(browser.value("document.querySelector('.thing audio').clientWidth > 200"))
  }

  @Test func `a conversation has a mark of the program that it is from`() throws {
    let history = try ServedHistory(
      lines: """
        {"conversation":"tea","conversationSource":{"platform":"slack","id":"C1"},"time":"2024-05-01T12:00:00Z","sender":"ann","text":"one"}
        {"conversation":"letters","time":"2024-05-01T11:00:00Z","sender":"bob","text":"two","source":{"platform":"a <b>","id":"1"}}
        {"conversation":"notes","time":"2024-05-01T10:00:00Z","sender":"bob","text":"three"}

        """)
    try browser.show(history.url)
    let marks = """
      [...document.querySelectorAll('.conversation:not(.whole)')]
        .map(each => each.querySelector('.platform')?.getAttribute('aria-label') || 'none').join()
      """
    try browser.wait(for: "\(marks) === 'Slack,a <b>,none'")
  }
}

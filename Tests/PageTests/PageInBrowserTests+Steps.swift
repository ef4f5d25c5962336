import Foundation
import MessageModel
import ShellTesting
import TestSupport
import Testing

/// Going back, the focus, and questions that take each other's place.
extension PageInBrowserTests {
  private static let controlK = """
    const options = { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }
    document.dispatchEvent(new KeyboardEvent('keydown', options))
    """

  private func openPalette(_ text: String = "") throws {
    try browser.driver.run(Self.controlK)
    try browser.wait(for: "document.activeElement.closest('#palette')")
    try browser.type(text)
  }

  private func goBack() throws {
    try browser.driver.command("POST", "/back")
    try browser.settle()
  }

  // MARK: Going back

  @Test(.enabled(if: hasPictures, "needs the trait Pictures"), arguments: [1200, 390])
  func `going back closes the last that covers the messages, and nothing else`(width: Int) throws {
    let history = try ServedHistory(lines: Lines.conversation(60) + Lines.rooms(3))
    let id = try #require(try history.append(["a picture"]).first)
    try history.attach(
      PictureGenerator.png(PixelSize(width: 400, height: 300), seed: 1), named: "a.png", to: id)
    try browser.show("\(history.url)#in:room%2000001", width: width)
    try browser.settle()
    // By keys: of fifty steps that a browser keeps, it drops those first in which nobody has pressed anything.
    try openPalette("general")
    try browser.wait(
      for: "document.querySelector('#palette [aria-selected=true] bdi')?.textContent === 'general'")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#title').textContent === 'general'")
    try browser.wait(for: "document.querySelector('#rows .picture img')?.complete")
    try browser.settle()
    let rows = try browser.rows()
    func expectBack(closes condition: String) throws {
      try browser.wait(for: condition)
      try browser.settle()
      try goBack()
      try #expect(browser.value("!(\(condition))"), "\(condition)")
      try #expect(browser.text("#title") == "general")
    }
    try browser.driver.run("document.querySelector('#rows .picture').click()")
    try expectBack(closes: "document.querySelector('#viewer')")
    try openPalette()
    try expectBack(closes: "document.querySelector('#palette')")
    // One over the other: the upper one first.
    try browser.type("f")
    try browser.wait(for: "document.querySelector('.tab')")
    try browser.click(".tab:nth-child(5)")
    try browser.wait(for: "document.querySelector('.tile')")
    try browser.click(".tile")
    try expectBack(closes: "document.querySelector('#viewer')")
    try expectBack(closes: "!document.querySelector('#panel').hidden")
    #expect(try browser.rows().map(\.id) == rows.map(\.id))
    // What is closed otherwise leaves no step behind.
    try browser.driver.run("document.querySelector('#rows .picture').click()")
    try browser.wait(for: "document.querySelector('#viewer')")
    try browser.press(.escape)
    try browser.settle()
    try goBack()
    try browser.wait(for: "document.querySelector('#title').textContent === 'room 00001'")
  }

  @Test func `what is chosen in the one field takes its step, and the focus goes to the messages`() throws {
    let history = try ServedHistory(lines: Lines.conversation(200) + Lines.rooms(3))
    try browser.show("\(history.url)#in:general")
    try browser.settle()
    try browser.click("#find")
    try openPalette("room 00002")
    try browser.wait(
      for: "document.querySelector('#palette [aria-selected=true] bdi')?.textContent === 'room 00002'")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#title').textContent === 'room 00002'")
    try browser.settle()
    try #expect(browser.value("document.activeElement.id") == "list")
    try goBack()
    try browser.wait(for: "document.querySelector('#title').textContent === 'general'")
    try #expect(browser.value("!document.querySelector('#palette')"))
  }

  @Test func `after the first unread message is gone to the keys are those of the messages`() throws {
    let history = try ServedHistory(count: 20)
    let newest = try #require(try history.ids().last)
    try history.writing { store in
      let conversation = try #require(try store.conversations().first)
      try store.markRead(conversation.id, upTo: newest)
    }
    try history.append((1...90).map { "arrival \($0)" })
    try browser.show(history.url)
    try browser.wait(for: "!document.querySelector('#unread').hidden")
    try browser.click("#unread")
    try browser.wait(for: "document.querySelector('#rows .fresh')")
    try browser.settle()
    try #expect(browser.value("document.activeElement.id") == "list")
    let before: Double = try browser.value("room.scrollTop + 0.001")
    try browser.type(" ")
    try browser.settle()
    try #expect(browser.value("room.scrollTop + 0.001", as: Double.self) > before + 300)
  }

  // MARK: Questions

  @Test func `a search that takes the place of another stops it, and no bar of that one stays`() throws {
    let history = try ServedHistory(count: 60)
    try browser.show(history.url)
    try browser.driver.run(
      """
      const ask = window.fetch
      window.stopped = []
      window.fetch = (address, options) => !/slow/.test(address) ? ask(address, options)
        : new Promise((_, fail) => options.signal.addEventListener('abort', () => { window.stopped.push(address); fail(options.signal.reason) }))
      """)
    try browser.type("/slow")
    try browser.press(.enter)
    try browser.wait(for: "!document.querySelector('#trouble').hidden")
    try browser.type("/message")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#panel .quiet').textContent === '60 messages'")
    try #expect(browser.value("window.stopped.length") == 1)
    try #expect(
      browser.value("document.querySelector('#trouble').hidden && document.querySelector('#busy').hidden"))
    // So does closing the panel.
    try browser.type("/slow")
    try browser.press(.enter)
    try browser.wait(for: "!document.querySelector('#trouble').hidden")
    try browser.press(.escape)
    try browser.wait(for: "window.stopped.length === 2 && document.querySelector('#trouble').hidden")
  }

  // MARK: Where nothing is

  @Test func `a page without messages says how they come, and shows them as they do`() throws {
    let history = try ServedHistory(count: 3)
    try history.shell.run(["conversations", "delete", "general", "--yes"])
    try browser.open(history.url)
    try browser.wait(
      for: "document.querySelector('#rows .welcome .command code')")
    #expect(try browser.text("#room .empty") == "There are no conversations yet.")
    try history.append(["the first"])
    try browser.wait(for: "document.querySelector('#rows .message')?.textContent.endsWith('the first')")
    #expect(try browser.count(".empty") == 0)
  }

  @Test func `a name that no conversation has is said, and looked for in all messages`() throws {
    let history = try ServedHistory(lines: Lines.rooms(3) + Lines.conversation(900))
    try browser.show("\(history.url)#in:room%2000001")
    try browser.click("#find")
    try browser.type("needle")
    #expect(try browser.text("#room .empty p") == "There is no conversation “needle”.")
    try browser.click("#room .way")
    try browser.wait(for: "document.querySelector('#panel .quiet')?.textContent === '1 message'")
    #expect(try browser.count(".conversation") == 5)
  }

  @Test func `lists without entries say so, and lead to where there may be some`() throws {
    let link = #"{"conversation":"tea","time":"2024-05-01T09:00:00Z","sender":"ann","text":"https://a.org"}"#
    let history = try ServedHistory(lines: Lines.rooms(1) + link + "\n")
    try browser.show("\(history.url)#in:room%2000000")
    try browser.settle()
    try browser.type("f")
    try browser.wait(for: "document.querySelector('#panel .quiet .scope')")
    #expect(try browser.text("#panel .quiet") == "There are no links here. Look in all conversations")
    try browser.click("#panel .quiet .scope")
    try browser.wait(for: "document.querySelectorAll('.thing').length === 1")
    try #expect(browser.text("#title") == "Everything")
  }

  // MARK: Names, days and directions

  @Test func `whoever and whatever has no visible name is said to have none`() throws {
    let lines = ["\u{200B}", "\u{2060}"].map {
      #"{"conversation":"\#($0)","time":"2024-05-01T09:00:00Z","sender":"\#($0)","text":"hello"}"# + "\n"
    }
    let history = try ServedHistory(lines: lines.joined())
    try browser.show(history.url)
    for selector in ["#title", ".conversation:not(.whole) b", "#rows .name"] {
      #expect(try browser.text(selector) == "(no name)", "\(selector)")
    }
  }

  @Test func `weeks begin as they do where the reader is`() throws {
    let history = try ServedHistory(count: 30)
    for (locale, first) in [("en-US", "Su"), ("en-GB", "Mo")] {
      try browser.show(history.url, locale: locale)
      try browser.type("s")
      try browser.wait(for: "document.querySelector('.months .days > span')")
      #expect(try browser.text(".months .days > span") == first)
      let days: [String] = try browser.value(
        "[...document.querySelectorAll('[aria-label=\"Days of the week: messages\"] [role=row]')].map(each => each.title.slice(0, 2))"
      )
      #expect(days.first == first && days.count == 7)
      // The first of May 2024 was a Wednesday.
      try #expect(
        browser.value("document.querySelector('.months [title^=\"1 May\"]').style.gridColumnStart")
          == (first == "Su" ? "4" : "3"))
    }
  }

  @Test func `a day without a time is the same day in every zone`() throws {
    let lines = (1...5).map { day in
      #"{"conversation":"general","time":"2024-05-0\#(day)T00:00:00Z","precision":"day","sender":"ann","text":"day \#(day)"}"#
        + "\n"
    }
    let history = try ServedHistory(lines: lines.joined())
    for zone in ["America/Los_Angeles", "Asia/Tokyo"] {
      try browser.show(history.url, zone: zone)
      try #expect(browser.place().hasPrefix("5 May 2024"))
      try #expect(
        browser.value("[...document.querySelectorAll('.day')].at(-1).textContent") == "Sunday, 5 May 2024")
      try openPalette("2024-05-03")
      try browser.wait(
        for: "document.querySelector('#palette .suggestion bdi')?.textContent.startsWith('Friday')")
      #expect(try browser.text("#palette .suggestion bdi") == "Friday, 3 May 2024")
      // The step of what is closed is undone before another page is shown.
      try browser.press(.escape)
      try browser.wait(for: "!history.state?.isCover")
    }
  }

  @Test func `a last text from right to left begins where it is read from`() throws {
    let text = "שלום עולם, זה טקסט ארוך מאוד שלא נכנס לשורה אחת בצד הרשימה"
    let history = try ServedHistory(
      lines: #"{"conversation":"c","time":"2024-05-01T09:00:00Z","sender":"ann","text":"\#(text)"}"# + "\n")
    try browser.show(history.url)
    // The place of its first letter is within the line.
    try #expect(
      browser.value(
        """
        (() => {
          const line = [...document.querySelectorAll('.conversation:not(.whole) .last bdi')].at(-1), range = new Range()
          range.setStart(line.firstChild, 0)
          range.setEnd(line.firstChild, 1)
          const first = range.getBoundingClientRect(), box = line.getBoundingClientRect()
          return line.scrollWidth > line.clientWidth && first.left >= box.left && first.right <= box.right + 1
        })()
        """))
  }

  @Test func `times of twelve hours have room beside the messages of a telephone`() throws {
    let lines = (0..<5).map { second in
      #"{"conversation":"c","time":"2024-05-01T00:12:0\#(second)Z","sender":"ann","text":"message"}"# + "\n"
    }
    let history = try ServedHistory(lines: lines.joined())
    try browser.show(history.url, width: 390, height: 844, locale: "en-US")
    try browser.type("k")
    try browser.settle()
    try #expect(
      browser.value(
        """
        (() => {
          const row = document.querySelector('#rows .message:not(.head)')
          const time = row.querySelector('time').getBoundingClientRect(), text = row.querySelector('.text').getBoundingClientRect()
          return time.left >= 0 && time.right < text.left && time.height < 20
        })()
        """))
  }

  // MARK: Chips

  @Test func `chips narrow all that was typed, alternatives too`() throws {
    let links = (1...6).map { number in
      #"{"conversation":"general","time":"2024-06-01T10:00:0\#(number)Z","sender":"bob","text":"needle https://a.org/\#(number)"}"#
        + "\n"
    }
    let history = try ServedHistory(lines: Lines.conversation(3_000) + links.joined())
    func expectSix(of address: String) throws {
      try browser.show("\(address)#in:general?lamp%20OR%20needle")
      try browser.wait(
        for: "document.querySelector('#chips .chip')?.textContent.startsWith('(lamp OR needle)')")
      try choose("Links")
      try browser.wait(for: "\(Self.sum) === '6 of 3,006 messages'")
      try #expect(browser.value(Self.hash) == "#c1:general?(lamp OR needle) has:link")
    }
    try expectSix(of: history.url)
    let folder = try history.writeSite()
    history.stop()
    try expectSix(of: folder + "index.html")
  }

  @Test func `a bar without chips goes when another conversation is opened`() throws {
    let history = try ServedHistory(lines: Lines.conversation(60) + Lines.rooms(2))
    try browser.show("\(history.url)#in:general")
    try browser.settle()
    for query in ["", "from:bob"] {
      try browser.type("F")
      try browser.wait(for: "!document.querySelector('#chips').hidden")
      if !query.isEmpty {
        try browser.driver.run("await go({ conversation: filtered(state.list.conversation, '\(query)') })")
      }
      try browser.driver.run("await go({ conversation: await side.find('room 00001') })")
      try browser.wait(for: "document.querySelector('#chips').hidden")
      try browser.driver.run("await go({ conversation: await side.find('general') })")
      try #expect(browser.value("document.querySelector('#chips').hidden"))
    }
  }
}

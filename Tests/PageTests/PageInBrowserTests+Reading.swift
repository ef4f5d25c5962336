import Foundation
import MessageModel
import TestSupport
import Testing

extension PageInBrowserTests {
  // MARK: Searching

  @Test func `a search lists its hits, marks them, and n and N lead from one to the next`() throws {
    let history = try ServedHistory(lines: Lines.conversation(3_000))
    try browser.show(history.url)
    try browser.settle()
    try browser.type("/needle")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#panel .quiet').textContent === '4 messages'")
    #expect(try browser.count("#panel-body .entry") == 4)
    #expect(try browser.text("#panel-body .entry mark") == "needle")
    // The newest comes first: 2,800.
    try browser.click("#panel-body .entry:nth-child(2)")
    try browser.wait(for: "document.querySelector('.message.selected mark')")
    try browser.settle()
    #expect(try browser.selected()?.number == 2_100)
    #expect(try browser.text(".message.selected mark") == "needle")
    try #expect(
      browser.value("document.querySelectorAll('#panel-body .entry')[1].classList.contains('open')"))
    for (key, number) in [("n", 1_400), ("n", 700), ("N", 1_400), ("N", 2_100), ("N", 2_800)] {
      try browser.type(key)
      try browser.wait(for: "document.querySelector('.message.selected')?.ariaPosInSet === '\(number)'")
      try browser.settle()
      try #expect(browser.rows().contains { $0.number == number })
    }
    try browser.press(.escape)
    try #expect(browser.value("document.querySelector('#panel').hidden"))
    #expect(try browser.count("#rows mark") == 0)
  }

  @Test func `what was found in a quiet row has the colour of texts`() throws {
    let history = try ServedHistory(
      lines:
        #"{"conversation":"c","time":"2024-05-01T09:00:00Z","sender":"ann","kind":"topic","text":"lamp week"}"#
    )
    try browser.show(history.url)
    try browser.type("/lamp")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('.event mark')")
    let color = "getComputedStyle(document.querySelector('.event mark')).color"
    try #expect(browser.value("\(color) === getComputedStyle(document.body).color"))
  }

  @Test func `the origin of a forwarded message reads as in windows and exports`() throws {
    let (authors, chats): ([String?], [String?]) = ([nil, "", "Mia Miller"], [nil, "", "Press"])
    var forwards = [Message.Forward(author: "Mia Miller", isQuoted: true)]
    for author in authors {
      for chat in chats {
        for isFrequent in [false, true] {
          forwards.append(Message.Forward(author: author, chat: chat, isFrequent: isFrequent))
        }
      }
    }
    let lines: [String] = try forwards.enumerated().map { number, forward in
      var origin: WebDriver.Object = ["often": forward.isFrequent, "quoted": forward.isQuoted]
      origin["from"] = forward.author
      origin["chat"] = forward.chat
      let message: WebDriver.Object = [
        "conversation": "c", "time": "2024-05-01T09:\(10 + number):00Z", "sender": "ann", "text": "tea",
        "forwarded": origin,
      ]
      return String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self) + "\n"
    }
    let history = try ServedHistory(lines: lines.joined())
    try browser.show(history.url)
    try browser.settle()
    let shown: [String] = try browser.value(
      "[...document.querySelectorAll('#rows > .message')].map(row => row.querySelector('.origin')?.textContent ?? '')"
    )
    #expect(shown == forwards.map { $0.heading ?? "" })
  }

  @Test func `what is not there is told`() throws {
    let history = try ServedHistory(count: 50)
    try browser.show(history.url)
    try browser.type("/xylophone")
    try browser.press(.enter)
    try browser.wait(
      for: "document.querySelector('#panel .quiet').textContent.startsWith('No message here has that.')")
  }

  @Test func `what consists of emoji alone is large`() throws {
    let texts = ["🎉", "👍🏽 🇩🇪", "done 🎉", "12", "**"]
    let lines = texts.map {
      #"{"conversation":"c","time":"2024-05-01","sender":"ann","text":"\#($0)"}"# + "\n"
    }
    let history = try ServedHistory(lines: lines.joined())
    try browser.show(history.url)
    try browser.settle()
    let isLarge: [Bool] = try browser.value(
      "[...document.querySelectorAll('#rows div.text')].map(each => parseFloat(getComputedStyle(each).fontSize) > 20)"
    )
    #expect(isLarge == [true, true, false, false, false])
  }

  // MARK: Panels

  @Test func `who is at the newest end stays there as panels and filters open and close`() throws {
    let history = try ServedHistory(lines: Lines.conversation(400))
    try browser.show(history.url)
    try browser.settle()
    let isAtEnd = "room.scrollHeight - room.scrollTop - room.clientHeight < 4"
    for (open, selector) in [
      ("d", "#panel:not([hidden])"), ("s", "#panel:not([hidden])"), ("F", "#chips:not([hidden])"),
    ] {
      try browser.type(open)
      try browser.wait(for: "document.querySelector('\(selector)')")
      try browser.settle()
      try #expect(browser.value(isAtEnd), "\(open) opened")
      try open == "F" ? browser.type(open) : browser.press(.escape)
      try browser.wait(for: "!document.querySelector('\(selector)')")
      try browser.settle()
      try #expect(browser.value(isAtEnd), "\(open) closed")
    }
  }

  @Test func `Esc leaves the field of the search for the messages`() throws {
    let history = try ServedHistory(count: 30)
    try browser.show(history.url)
    try browser.type("/tea")
    try browser.press(.escape)
    try browser.type("k")
    try browser.wait(for: "document.querySelector('.message.selected')")
    #expect(try browser.value("field.value", as: String.self).isEmpty)
  }

  // MARK: Keys

  @Test func `keys lead through a conversation`() throws {
    let history = try ServedHistory(lines: Lines.conversation(2_000))
    try browser.show(history.url)
    try browser.settle()
    try browser.type("k")
    let last = try #require(try browser.selected())
    #expect(last.number == 2_000)
    try browser.type("kkk")
    #expect(try browser.selected()?.number == 1_997)
    try browser.type("j")
    #expect(try browser.selected()?.number == 1_998)
    try browser.type("g")
    try browser.wait(for: "document.querySelector('#rows .message').ariaPosInSet === '1'")
    try browser.settle()
    #expect(try browser.rows().first?.number == 1)
    try browser.type("jj")
    #expect(try browser.selected()?.number == 2)
    try browser.type("G")
    try browser.wait(for: "document.querySelector('#rows .message:last-child').ariaPosInSet === '2000'")
    try browser.settle()
    #expect(try browser.rows().last?.number == 2_000)
    try browser.press(.pageUp)
    try browser.settle()
    let above = try browser.rows()
    #expect(try #require(above.last?.number) < 2_000)
    // The screen's end meets what was its beginning.
    try browser.press(.home)
    try browser.wait(for: "document.querySelector('#rows .message').ariaPosInSet === '1'")
    try browser.press(.end)
    try browser.wait(for: "document.querySelector('#rows .message:last-child').ariaPosInSet === '2000'")
    try browser.type("?")
    try browser.wait(for: "document.querySelector('#panel-title').textContent === 'Keys'")
    try browser.press(.escape)
    try #expect(browser.value("document.querySelector('#panel').hidden"))
  }

  @Test func `the address of a message leads to it, and back and forward to where somebody was`() throws {
    let history = try ServedHistory(count: 5_000)
    let id = try history.ids()[776]
    try browser.show("\(history.url)#\(id)")
    try browser.settle()
    #expect(try browser.selected()?.text == "message 777")
    try browser.type("g")
    try browser.wait(for: "document.querySelector('#rows .message').ariaPosInSet === '1'")
    try browser.settle()
    try browser.driver.command("POST", "/back")
    try browser.wait(for: "document.querySelector('#m\(id)')")
    try browser.settle()
    #expect(try browser.rows().contains { $0.number == 777 })
    try browser.driver.command("POST", "/forward")
    try browser.wait(for: "document.querySelector('#rows .message').ariaPosInSet === '1'")
  }

  // MARK: What is large

  @Test func `a message of five megabytes is begun, and unfolds piece by piece`() throws {
    let huge = (0..<500_000).map { "word\($0)x" }.joined(separator: " ").prefix(5 << 20)
    let lines =
      Lines.conversation(200) + """
        {"conversation":"general","time":"2024-05-02T00:00:00Z","sender":"eve","text":"\(huge)"}
        {"conversation":"general","time":"2024-05-02T00:01:00Z","sender":"bob","text":"after it"}

        """
    let history = try ServedHistory(lines: lines)
    try browser.show(history.url)
    try browser.settle()
    let read =
      "performance.getEntriesByType('resource').filter(each => each.name.includes('/api/')).reduce((sum, each) => sum + each.decodedBodySize, 0)"
    try #expect(browser.value(read, as: Int.self) < 1 << 20)
    let size =
      "document.querySelectorAll('#rows .message .text')[document.querySelectorAll('#rows .message .text').length - 2].textContent.length"
    #expect(try browser.value(size, as: Int.self) < 5_000)
    try #expect(browser.text("#rows .message:nth-last-child(2) .more").contains("5.2"))
    for least in [30_000, 60_000, 120_000] {
      try browser.click("#rows .message:nth-last-child(2) .more")
      try browser.wait(for: "\(size) > \(least)")
    }
    // It does not keep anybody from what lies before and after it.
    try browser.type("G")
    try browser.settle()
    #expect(try browser.rows().last?.text == "after it")
    try browser.type("g")
    try browser.wait(for: "document.querySelector('#rows .message').ariaPosInSet === '1'")
    try browser.settle()
    #expect(try browser.rows().first?.number == 1)
  }

  @Test(
    .enabled(if: hasPictures, "needs the trait Pictures"),
    .enabled(if: BrowserScope.isWhole, BrowserScope.reasonOfLong))
  func `pictures whose size is not known move nothing as they come`() throws {
    let history = try ServedHistory(count: 60)
    let sizes = [(640, 480), (120, 900), (900, 200), (300, 300)]
    let pictures = sizes.enumerated().map { index, size in
      PictureGenerator.png(PixelSize(width: size.0, height: size.1), seed: UInt64(index))
    }
    try history.append((61...1_000).map { "message \($0)" })
    for (index, id) in try history.ids()[60..<540].enumerated() where index.isMultiple(of: 3) {
      try history.attach(pictures[index % 4], named: "\(index).png", to: id)
    }
    try history.forgetPictureSizes()
    try browser.slowly(milliseconds: 120) {
      try browser.show(history.url)
      try browser.settle()
      for direction in [-1, 1] {
        let found = try browser.driver.run(Self.walk, [direction, 5_000, 0.5]) as? WebDriver.Object ?? [:]
        #expect(found["faults"] as? [String] == [])
        #expect(found["isThere"] as? Bool == true)
      }
    }
    // They come, and none was given room before.
    try browser.show("\(history.url)#\(try history.ids()[300])")
    try browser.wait(for: "[...document.querySelectorAll('#rows img')].some(each => each.naturalWidth > 0)")
    #expect(try browser.count("#rows img[style]") == 0)
  }
}

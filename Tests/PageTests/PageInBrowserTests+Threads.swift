import Foundation
import MessageModel
import MessageStorage
import ShellTesting
import Testing

extension PageInBrowserTests {
  /// A conversation of Slack's kind: every tenth message begins a thread, which gets two replies among what comes next.
  private static func threads(_ count: Int) -> String {
    let format = ISO8601DateFormatter()
    var lines = ""
    for number in 1...count {
      let time = format.string(from: Date(timeIntervalSince1970: 1_714_521_600 + Double(number) * 60))
      let start = number % 10 == 3 || number % 10 == 5 ? number / 10 * 10 : 0
      let thread = start > 0 ? #","thread":"\#(id(start))""# : ""
      lines +=
        #"{"id":"\#(id(number))","conversation":"general","time":"\#(time)","sender":"\#(["ann", "bob"][number % 2])""#
      lines += #","text":"message \#(number)"\#(thread)}"# + "\n"
    }
    return lines
  }

  private static func id(_ number: Int) -> Message.ID {
    Message.ID(time: Timestamp(millisecondsSince1970: (1_714_521_600 + Int64(number) * 60) * 1000))
  }

  @Test func `a site counts the replies of a thread, as the server does`() throws {
    let history = try ServedHistory(lines: Self.threads(400))
    try browser.show(history.writeSite() + "index.html")
    let label = "document.querySelector('#m\(Self.id(380)) .replies')?.textContent"
    try browser.wait(for: "\(label) === '2 replies · last on 1 May 2024'")
    try browser.click("#m\(Self.id(380)) .replies")
    try browser.wait(for: "document.querySelectorAll('.answer').length === 3")
  }

  @Test func `statistics have the threads with the most replies, and show one of them`() throws {
    let history = try ServedHistory(lines: Self.threads(60))
    try browser.show(history.url)
    try browser.type("s")
    let bars = "[...document.querySelectorAll('[aria-label=\"Most replied: replies\"] button')]"
    try browser.wait(for: "\(bars).length === 5")
    try browser.driver.run("\(bars).find(each => each.ariaLabel.startsWith('ann: message 40')).click()")
    try browser.wait(
      for: "state.list.conversation.query === 'thread:\(Self.id(40))' && state.list.total === 3")
  }

  @Test func `replies are folded to a line below what began the thread, and open beside it`() throws {
    let history = try ServedHistory(lines: Self.threads(400))
    try browser.show(history.url)
    try browser.settle()
    try browser.wait(for: "document.querySelector('.replies')")
    let visible =
      "[...document.querySelectorAll('#rows .message:not(.folded, .stub) .text')].map(each => each.textContent)"
    let texts: [String] = try browser.value(visible)
    #expect(texts.contains("message 380") && !texts.contains("message 383") && !texts.contains("message 385"))
    let label = "document.querySelector('#m\(Self.id(380)) .replies').textContent"
    #expect(try browser.value(label) == "2 replies · last on 1 May 2024")
    try browser.click("#m\(Self.id(380)) .replies")
    try browser.wait(for: "document.querySelectorAll('.answer').length === 3")
    let answers: [String] = try browser.value(
      "[...document.querySelectorAll('.answer .text')].map(each => each.textContent)")
    #expect(answers == ["message 380", "message 383", "message 385"])
    // From there to where it stands.
    try browser.driver.run("document.querySelector('.answer:nth-of-type(3) .context').click()")
    try browser.wait(for: "document.querySelector('.message.selected')?.ariaPosInSet === '385'")
    try browser.settle()
    try #expect(browser.value("document.querySelector('.message.selected').offsetHeight > 10"))
    // What somebody writes into it is counted.
    try browser.press(.escape)
    try history.writing { store in
      let id = try store.makeConversationIfNeeded(named: "general").id
      var reply = NewMessage("one more", from: "ann")
      reply.thread = .message(Self.id(390))
      _ = try store.append([reply], to: id)
    }
    try browser.wait(
      for: "document.querySelector('#m\(Self.id(390)) .replies')?.textContent.startsWith('3 replies')")
  }

  @Test func `a day begins with what can be read of it, not with replies that are folded`() throws {
    let format = ISO8601DateFormatter()
    let lines = (0..<120).map { number in
      // A thread of 110 replies over eleven days, and then ten messages.
      let time = format.string(from: Date(timeIntervalSince1970: 1_714_521_600 + Double(number) * 8_640))
      let thread = (1...110).contains(number) ? #","thread":"\#(Message.ID(time: Self.start))""# : ""
      let id = number == 0 ? #""id":"\#(Message.ID(time: Self.start))","# : ""
      return
        #"{\#(id)"conversation":"c","time":"\#(time)","sender":"ann","text":"message \#(number)"\#(thread)}"#
    }
    let history = try ServedHistory(lines: lines.joined(separator: "\n") + "\n")
    try browser.show(history.url)
    try browser.settle()
    let days: [String] = try browser.value(
      "[...document.querySelectorAll('.day')].map(day => day.parentElement.querySelector('.text').textContent)"
    )
    #expect(
      days.first == "message 0"
        && days.dropFirst().allSatisfy { ($0.split(separator: " ").last.flatMap { Int($0) } ?? 0) > 110 })
    let folds: [String] = try browser.value(
      "[...document.querySelectorAll('.fold')].map(fold => fold.textContent)")
    // One line under what began the thread says how many they are.
    try browser.wait(for: "document.querySelector('#rows .replies')")
    #expect(folds.isEmpty)
    try #expect(browser.text("#rows .replies").hasPrefix("110 replies"))
  }

  @Test func `a thread of many replies says once that there are more`() throws {
    let format = ISO8601DateFormatter()
    let lines = (0..<960).map { number in
      let time = format.string(from: Date(timeIntervalSince1970: 1_714_521_600 + Double(number) * 60))
      let thread = (1...950).contains(number) ? #","thread":"\#(Message.ID(time: Self.start))""# : ""
      let id = number == 0 ? #""id":"\#(Message.ID(time: Self.start))","# : ""
      return
        #"{\#(id)"conversation":"c","time":"\#(time)","sender":"ann","text":"message \#(number)"\#(thread)}"#
    }
    let history = try ServedHistory(lines: lines.joined(separator: "\n") + "\n")
    try browser.show(history.url)
    try browser.settle()
    let count =
      "[...document.querySelectorAll('.fold')].filter(fold => /more replies/.test(fold.textContent)).length"
    for _ in 0..<12 {
      try browser.driver.run("document.getElementById('list').scrollBy(0, -600)")
      try browser.settle()
      #expect((try browser.value(count) as Int) <= 1)
    }
    // All of them are held by now.
    try #expect(browser.value("document.querySelectorAll('#rows .message').length") == 960)
  }

  private static let start = Timestamp(millisecondsSince1970: 1_714_521_600_000)

  @Test func `with folded threads each number is still where it was, and j and k pass by what is folded`()
    throws
  {
    let history = try ServedHistory(lines: Self.threads(700))
    try browser.show(history.url)
    try browser.settle()
    let found = try browser.driver.run(Self.walkFolded, []) as? WebDriver.Object ?? [:]
    #expect(found["faults"] as? [String] == [])
    #expect(found["first"] as? Int == 1)
    try browser.show("\(history.url)#\(Self.id(403))")
    try browser.settle()
    #expect(try browser.selected()?.text == "message 403 thread")
    try browser.show("\(history.url)#\(Self.id(502))")
    try browser.settle()
    for number in [504, 506, 507] {
      try browser.type("j")
      #expect(try browser.selected()?.number == number)
    }
  }

  /// Scrolls to the oldest message: rows are neighbours, each with its number, and those on the screen do not jump.
  private static let walkFolded = """
    const room = document.getElementById('list'), rows = () => [...document.querySelectorAll('#rows > .message')], faults = []
    const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)))
    for (let steps = 0; steps < 400 && faults.length < 3 && (state.list.hasOlder || room.scrollTop > 0); steps++) {
      const row = rows().find(each => each.offsetHeight > 8 && each.offsetTop >= room.scrollTop + 5), before = row.getBoundingClientRect().top
      const from = room.scrollTop
      room.scrollBy(0, -500)
      const moved = from - room.scrollTop
      await frame()
      await frame()
      const jump = row.isConnected ? row.getBoundingClientRect().top - before - moved : 0
      if (Math.abs(jump) > 1) faults.push(`step ${steps}: ${row.ariaPosInSet} jumped by ${jump}`)
      rows().forEach((each, index, all) => {
        if (index && Number(each.ariaPosInSet) !== Number(all[index - 1].ariaPosInSet) + 1) faults.push(`${each.ariaPosInSet} is not next`)
        if (each.querySelector('.text').textContent.replace(' thread', '') !== `message ${each.ariaPosInSet}`) faults.push(`${each.ariaPosInSet} is '${each.textContent}'`)
      })
      for (let frames = 0; state.list.loading[true] && frames < 300; frames++) await frame()
    }
    return { faults, first: Number(rows()[0].ariaPosInSet) }
    """

  @Test func `a quote is not repeated below its neighbour`() throws {
    let ids = (1...4).map { Self.id($0) }
    let texts = [(1, nil), (2, 1), (3, 1), (4, 2)] as [(Int, Int?)]
    let format = ISO8601DateFormatter()
    let lines = texts.map { number, answered in
      let time = format.string(from: Date(timeIntervalSince1970: 1_714_521_600 + Double(number) * 60))
      let reply = answered.map { #","replyTo":"\#(ids[$0 - 1])""# } ?? ""
      return
        #"{"id":"\#(ids[number - 1])","conversation":"general","time":"\#(time)","sender":"ann","text":"message \#(number)"\#(reply)}"#
    }
    let history = try ServedHistory(lines: lines.joined(separator: "\n") + "\n")
    try browser.show(history.url)
    try browser.settle()
    let shown: [Bool] = try browser.value(
      "[...document.querySelectorAll('#rows .quote')].map(each => each.offsetHeight > 0)")
    #expect(shown == [false, false, true])
  }
}

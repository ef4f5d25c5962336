import Foundation
import MessageModel
import MessageStorage
import ShellTesting
import Testing

extension PageInBrowserTests {
  /// How many messages each of some conditions finds, by the command line's own count.
  func count(_ query: String, in history: ServedHistory, everywhere: Bool = false) throws -> Int {
    let arguments =
      ["search", "--json", "--limit", "100000"] + (everywhere ? [] : ["-c", "general"]) + ["--", query]
    return try history.shell.run(arguments).output.split(separator: "\n").count
  }

  static let sum = "document.querySelector('#sum')?.textContent"
  static let hash = "decodeURIComponent(location.hash)"

  func choose(_ label: String) throws {
    let buttons = "[...document.querySelectorAll('#chips button')]"
    try browser.driver.run("\(buttons).find(each => each.textContent.trim() === '\(label)').click()")
  }

  // MARK: Filters

  @Test func `who wrote, when and with what stand as chips and in the address, with exact totals`() throws {
    let links = (1...30).map { number in
      let time = "2024-05-0\(1 + number % 3)T20:00:\(String(format: "%02d", number))Z"
      return
        #"{"conversation":"general","time":"\#(time)","sender":"bob","text":"see https://example.org/\#(number)"}"#
    }
    let elsewhere =
      #"{"conversation":"tea","time":"2024-05-02T10:00:00Z","sender":"bob","text":"https://example.org/tea"}"#
    let history = try ServedHistory(
      lines: Lines.conversation(5_000) + links.joined(separator: "\n") + "\n\(elsewhere)\n")
    try browser.show("\(history.url)#in:general")
    try browser.settle()
    try browser.type("F")
    try browser.wait(for: "document.querySelector('#chips .choose')")
    // Who: a part of the name, and Enter.
    try choose("Who")
    try browser.wait(for: "document.querySelectorAll('.suggestion').length === 3")
    try browser.type("bo")
    try browser.wait(for: "document.querySelector('.suggestion bdi').textContent === 'bob'")
    try browser.press(.enter)
    let ofBob = try count("from:bob", in: history)
    let written = ofBob.formatted(.number.locale(Locale(identifier: "en_GB")))
    try browser.wait(for: "\(Self.sum) === '\(written) of 5,030 messages'")
    let isOfBob = "[...document.querySelectorAll('#rows .name')].every(each => each.textContent === 'bob')"
    try #expect(browser.value(isOfBob))
    // With a link.
    try choose("Links")
    try browser.wait(for: "\(Self.sum) === '30 of 5,030 messages'")
    // When: what is typed, and what is no time is said to be none.
    try choose("When")
    try browser.wait(for: "document.activeElement.closest('.when')")
    try browser.type("gibberish")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('.pop [role=alert]').textContent.includes('is not a time')")
    try browser.driver.run("document.querySelector('.when input').value = '2024-05-02'")
    try browser.press(.enter)
    try browser.wait(for: "\(Self.sum) === '20 of 5,030 messages'")
    try #expect(
      browser.value(Self.hash) == #"#c1:general?from:"bob" has:link since:"2024-05-02""#)
    // Everywhere, and the same after a reload.
    try choose("Everywhere")
    try browser.wait(for: "\(Self.sum) === '21 messages'")
    #expect(try count("from:bob has:link since:2024-05-02", in: history, everywhere: true) == 21)
    try browser.driver.run("location.reload()")
    try browser.wait(for: "\(Self.sum) === '21 messages'")
    #expect(try browser.count(".chip") == 2)
    // Searching finds what the filter shows.
    try browser.type("/tea")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#panel .quiet')?.textContent === '1 message'")
    try browser.press(.escape)
    // Days are those of the filter.
    try browser.type("d")
    try browser.wait(for: "document.querySelector('.cell[aria-label=\"May 2024: 21 messages\"]')")
    try browser.press(.escape)
    try browser.wait(for: "!history.state.isCover")
    // Leaving out chip by chip leads to everything; going back to what was before.
    try browser.driver.command("POST", "/back")
    try browser.wait(for: "\(Self.sum) === '20 of 5,030 messages'")
    try choose("Clear")
    try browser.wait(for: "state.list.total === 5030 && !state.list.conversation.query")
  }

  @Test func `a filter scrolls, jumps and follows what comes like a conversation`() throws {
    let history = try ServedHistory(lines: Lines.conversation(30_000))
    let of = #"#in:general?from%3A%22carol%22"#
    try browser.show(history.url + of)
    try browser.settle()
    let total: Int = try browser.value("state.list.total")
    #expect(try count("from:carol", in: history) == total)
    try browser.type("g")
    try browser.wait(for: "document.querySelector('#rows .message').ariaPosInSet === '1'")
    try browser.settle()
    #expect(try browser.rows().first?.text.hasPrefix("message 14") == true)
    try browser.type("G")
    try browser.wait(for: "state.list.atEnd")
    try history.writing { store in
      let id = try store.makeConversationIfNeeded(named: "general").id
      let messages = [NewMessage("not of carol", from: "bob"), NewMessage("of carol", from: "carol")]
      _ = try store.append(messages, to: id)
    }
    try browser.wait(for: "state.list.total === \(total + 1)")
    #expect(try browser.rows().last?.text == "of carol")
    // From there to where it stands in its conversation.
    try browser.driver.run("[...document.querySelectorAll('#rows .context')].at(-1).click()")
    try browser.wait(for: "!state.list.conversation.query && state.list.total === 30002")
    try browser.settle()
    #expect(try browser.selected()?.number == 30_002)
    // What is estimated at first is counted while it is read.
    try browser.driver.run(
      "go({ conversation: filtered(state.list.conversation, '-has:link -from:bob message*') })")
    let counted = try count("-has:link -from:bob message*", in: history)
    let written = counted.formatted(.number.locale(Locale(identifier: "en_GB")))
    try browser.wait(
      for: "\(Self.sum) === '\(written) of 30,002 messages' && state.list.total === \(counted)")
  }

  @Test func `a filter that finds nothing says so, and a name with quotes breaks no query`() throws {
    let odd = #"{"conversation":"general","time":"2024-06-01T10:00:00Z","sender":"o\"dd","text":"hello"}"#
    let history = try ServedHistory(lines: Lines.conversation(50) + odd + "\n")
    try browser.open(history.url + "#in:general?from%3A%22bob%22%20until%3A%221999%22")
    try browser.wait(for: "\(Self.sum) === 'No message matches.'")
    #expect(try browser.count("#rows .message") == 0)
    try choose("Who")
    try browser.wait(for: "document.querySelector('.suggestion')")
    // Whatever their letters, names begin at one edge.
    try #expect(
      browser.value("getComputedStyle(document.querySelector('.suggestion bdi')).textAlign") == "left")
    let names = "[...document.querySelectorAll('.suggestion')].map(each => each.textContent).join()"
    try #expect(browser.value("!\(names).includes('dd')"))
  }

  // MARK: One field for all

  private static let controlK = """
    const options = { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }
    document.dispatchEvent(new KeyboardEvent('keydown', options))
    """
  private static let chosen = "document.querySelector('#palette [aria-selected=true] bdi')?.textContent"

  @Test func `Ctrl-K leads to conversations, people, days, numbers and commands`() throws {
    let history = try ServedHistory(lines: Lines.rooms(300) + Lines.conversation(3_000))
    try browser.show("\(history.url)#in:general")
    try browser.settle()
    func open(_ text: String, first: String) throws {
      try browser.driver.run(Self.controlK)
      try browser.wait(for: "document.activeElement.closest('#palette')")
      try browser.type(text)
      try browser.wait(for: "\(Self.chosen) === '\(first)'")
      try #expect(browser.value("document.querySelector('#palette input').value") == text)
    }
    try open("room 00042", first: "room 00042")
    try browser.press(.enter)
    try browser.wait(
      for: "state.list.conversation.name === 'room 00042' && !document.querySelector('#palette')")
    try browser.driver.command("POST", "/back")
    try browser.wait(for: "state.list.conversation.name === 'general'")
    try open("1234", first: "Message 1,234")
    try browser.press(.enter)
    try browser.settle()
    try browser.wait(for: "document.querySelector('.message.selected')?.ariaPosInSet === '1234'")
    try open("2 may 2024", first: "Thursday, 2 May 2024")
    try browser.press(.enter)
    try browser.wait(for: "list.indexAt(40) + state.list.first === 1441")
    try open("carol", first: "carol")
    try browser.press(.enter)
    try browser.wait(for: "state.list.conversation.query === 'from:\"carol\"'")
    try open("keys", first: "Keys")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#panel-title').textContent === 'Keys'")
    // Escape closes it, and what was written is not a key of the page.
    try open("jjj", first: "Search for “jjj”")
    try browser.press(.escape)
    try browser.wait(for: "!document.querySelector('#palette')")
  }

  @Test func `in a site the one field leads to numbers and days`() throws {
    let history = try ServedHistory(lines: Lines.conversation(5_000))
    let folder = try history.writeSite()
    history.stop()
    try browser.show(folder + "index.html")
    for (text, first, number) in [
      ("4321", "Message 4,321", 4_321), ("2024-05-03", "Friday, 3 May 2024", 2 * 1_440 + 1),
    ] {
      try browser.driver.run(Self.controlK)
      try browser.wait(for: "document.activeElement.closest('#palette')")
      try browser.type(text)
      try browser.wait(for: "\(Self.chosen) === '\(first)'")
      try browser.press(.enter)
      try browser.wait(for: "list.indexAt(40) + state.list.first === \(number)")
    }
  }

  @Test func `a filter narrows the search beside it, too`() throws {
    let lines = [("ann", "tea"), ("bob", "tea, please"), ("ann", "coffee")].enumerated().map { index, said in
      #"{"conversation":"general","time":"2024-05-01T12:0\#(index):00Z","sender":"\#(said.0)","text":"\#(said.1)"}"#
        + "\n"
    }
    let history = try ServedHistory(lines: lines.joined())
    try browser.show(history.url)
    try browser.driver.run("field.value = 'tea'; document.querySelector('#search').requestSubmit()")
    try browser.wait(for: "state.search.count === '2 messages'")
    try browser.driver.run("filter('add', 'from:ann')()")
    try browser.wait(for: "state.search.count === '1 message' && state.list.total === 2")
  }
}

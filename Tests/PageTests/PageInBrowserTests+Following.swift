import Foundation
import MessageModel
import MessageStorage
import ShellTesting
import Testing

/// What other programs change is followed: names, merges, stars, edits and deletions, in lists, titles and addresses.
extension PageInBrowserTests {
  private static let place =
    "JSON.stringify([document.title, $('title').textContent, decodeURIComponent(location.hash)])"

  private func expectPlace(_ name: String, _ hash: String) throws {
    try browser.wait(for: "document.title === '\(name) · Scrollback'")
    try browser.settle()
    #expect(try browser.value(Self.place) == "[\"\(name) · Scrollback\",\"\(name)\",\"#\(hash)\"]")
  }

  @Test func `a conversation that is renamed is shown under its new name, and its old addresses lead there`()
    throws
  {
    let history = try ServedHistory(lines: Lines.conversation(80) + Lines.rooms(2))
    try browser.show("\(history.url)#in:general")
    try expectPlace("general", "c1:general")
    try history.shell.run(["conversations", "rename", "general", "harbour"])
    try expectPlace("harbour", "c1:harbour")
    #expect(try browser.text(".conversation.open b") == "harbour")
    // So is a filter of it.
    try browser.driver.run("await go({ conversation: filtered(state.list.conversation, 'from:bob') })")
    try history.shell.run(["conversations", "rename", "harbour", "pier"])
    try expectPlace("pier", "c1:pier?from:bob")
    for old in ["in:general", "c1:general", "in:harbour"] {
      try browser.show("\(history.url)#\(old)")
      try expectPlace("pier", "c1:pier")
      #expect(try browser.text("#trouble").hasSuffix("is called pier now."))
    }
  }

  @Test func `a conversation that is merged is followed to the same messages, and the page says so`() throws {
    let other = Lines.conversation(300, named: "lighthouse").replacing("2024-05", with: "2023-05")
    let history = try ServedHistory(lines: Lines.conversation(300) + other)
    try browser.show("\(history.url)#in:general")
    try browser.settle()
    try browser.wheel(-2_000)
    try browser.settle()
    // Rows that come as one scrolls are like those that were there.
    try #expect(browser.count("#rows > .message:not([id^=m])") == 0)
    let before = try #require(try browser.rows().first)
    try history.shell.run(["conversations", "merge", "general", "lighthouse", "--yes"])
    try expectPlace("lighthouse", "c2:lighthouse")
    #expect(try browser.text("#trouble") == "general is part of lighthouse now.")
    let after = try #require(try browser.rows().first)
    #expect(after.id == before.id && after.number == before.number + 300)
    #expect(abs(after.top - before.top) <= 1)
    try #expect(browser.value("state.list.total") == 600)
    #expect(try browser.count(".conversation:not(.whole)") == 1)
    // What was kept of it leads there, too, by its name and by its id.
    for old in ["in:general", "c1:general"] {
      try browser.show("\(history.url)#\(old)")
      try expectPlace("lighthouse", "c2:lighthouse")
    }
  }

  @Test func `a star is on the message, in the list and under the filter, as others give and take it`() throws
  {
    let history = try ServedHistory(count: 50)
    try browser.show(history.url)
    let id = try history.ids()[45]
    try history.shell.run(["star", "\(id)"])
    try browser.wait(for: "document.querySelector('#m\(id) .star')?.ariaLabel === 'Starred'")
    #expect(try browser.count("#rows .star") == 1)
    // The list.
    try browser.type("d")
    try browser.wait(for: "document.querySelector('.tab')")
    try browser.driver.run(
      "[...document.querySelectorAll('.tab')].find(each => each.textContent === 'Starred').click()")
    try browser.wait(for: "document.querySelector('#panel .entry .text')?.textContent === 'message 46'")
    try history.shell.run(["unstar", "\(id)"])
    try browser.wait(for: "!document.querySelector('#panel .entry')")
    #expect(try browser.text("#panel-body > div > p").hasPrefix("There are no starred messages here."))
    try history.shell.run(["star", "\(id)"])
    try browser.wait(for: "document.querySelector('#panel .entry .text')?.textContent === 'message 46'")
    try browser.press(.escape)
    // The filter.
    try browser.type("F")
    try browser.wait(for: "document.querySelector('#chips .choose')")
    try choose("Starred")
    try browser.wait(for: "\(Self.sum) === '1 of 50 messages'")
    try #expect(browser.value(Self.hash) == "#c1:general?is:starred")
    try history.shell.run(["star", "\(try history.ids()[10])"])
    try browser.wait(for: "\(Self.sum) === '2 of 50 messages'")
    try history.shell.run(["unstar", "\(id)"])
    try browser.wait(for: "\(Self.sum) === '1 of 50 messages'")
    #expect(try browser.rows().map(\.text) == ["message 11 ★"])
  }

  @Test func `hits that are edited or deleted elsewhere follow, with their number`() throws {
    let history = try ServedHistory(count: 60)
    let ids = try history.ids()
    try browser.show(history.url)
    try browser.type("/message")
    try browser.press(.enter)
    let count = "document.querySelector('#panel .quiet').textContent"
    try browser.wait(for: "\(count) === '60 messages'")
    try history.writing { store in
      _ = try store.edit(ids[59], text: "another text")
      _ = try store.edit(ids[58], text: "a message written anew")
      _ = try store.delete([ids[57]])
    }
    try browser.wait(for: "\(count) === '58 messages'")
    let texts: [String] = try browser.value(
      "[...document.querySelectorAll('#panel .entry .text')].slice(0, 2).map(each => each.textContent)")
    #expect(texts == ["a message written anew", "message 57"])
  }

  @Test func `a quote says what its message says now, and that it was deleted`() throws {
    let history = try ServedHistory(count: 40)
    let id = try history.ids()[10]
    let reply = try history.writing { store in
      let room = try store.makeConversationIfNeeded(named: "general").id
      var reply = NewMessage("a reply", from: "eve")
      reply.replyTo = .message(id)
      return try store.append([reply], to: room)[0]
    }
    try browser.show(history.url)
    let quote = "document.querySelector('#m\(reply) .quote').textContent"
    try browser.wait(for: "\(quote).endsWith('message 11')")
    try history.writing { _ = try $0.edit(id, text: "written anew") }
    try browser.wait(for: "\(quote).endsWith('written anew')")
    try history.writing { _ = try $0.delete([id]) }
    try browser.wait(for: "\(quote) === 'a message that is not here'")
  }
}

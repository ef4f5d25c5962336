import Foundation
import MessageSourceTesting
import ShellTesting
import Testing

/// What a site answers beyond a conversation as it stands.
extension PageInBrowserTests {
  /// How many messages a query finds in a site, or why it is refused.
  private func countInSite(_ query: String, everywhere: Bool) throws -> String {
    let script = """
      const base = arguments[1] ? everything : state.side.all.find(({ name }) => name === 'general')
      const found = page(filtered(base, arguments[0]), { at: 'newest', limit: 1 })
      return found.then(({ total }) => `${total}`, error => error.message)
      """
    return try browser.driver.run(script, [query, everywhere]) as? String ?? ""
  }

  private static let odd = [
    #""tea","time":"2024-05-02T10:00:00Z","sender":"bob b","text":"https://example.org/tea **now**""#,
    #""tea","time":"2024-05-03T10:00:00Z","sender":"Alice","text":"naïve café, C++ at 12:30""#,
    #""tea","time":"2024-04-01T10:00:00Z","sender":"alice","text":"joined a tide","kind":"join""#,
    #""tea","time":"2023-12-31T23:59:59Z","sender":"carol","text":"a leaf","attachments":[{"name":"tea.JPG"}]"#,
  ].map { "{\"conversation\":\($0)}\n" }.joined()

  private static let queries = [
    "from:alice", "from:ali*", "from:bob from:carol", "-from:bob", "from:\"bob b\"", "since:2024-05-02",
    "on:\"may 2024\"", "on:2023", "after:2023", "until:\"2024-05-01 12:00\"", "-after:\"1 may 2024\"",
    "since:2 may 2024 tide", "tide until:may 2", "tide on:2 may 2024", "tide since:2024-05-01 14:30+02:00",
    "tide on:2024-05-02 12", "has:link", "has:attachment", "has:picture", "kind:join", "kind:said -has:link",
    "tide", "tide lamp", "tide OR lamp -fog", "\"message 12\"", "mess* from:bob -tide", "NOT tide", "café",
    "c++", "in:tea", "from:bob on:2024-05-01 OR needle", "(tide OR lamp) from:bob",
    "(from:bob OR (tide -lamp)) (rope OR has:link)",
  ]

  @Test func `a site's filters find what the program finds, in a conversation and everywhere`() throws {
    let history = try ServedHistory(lines: Lines.conversation(2_900) + Self.odd)
    try browser.show(try history.writeSite() + "index.html")
    var dice = SeededGenerator(seed: 38)
    let parts = [
      "from:alice", "from:carol", "-from:bob", "tide", "-gale", "rope*", "since:2024-05-02",
      "before:2024-05-03", "\"message 4\"", "on:2024-05-02",
    ]
    let chosen = (0..<12).map { _ in
      (0..<Int.random(in: 1...4, using: &dice)).map { _ in
        parts[Int.random(in: 0..<parts.count, using: &dice)]
      }
      .joined(separator: Bool.random(using: &dice) ? " " : " OR ")
    }
    for query in Self.queries + chosen {
      for everywhere in [false, true] {
        let expected = try count(query, in: history, everywhere: everywhere)
        let found = try countInSite(query, everywhere: everywhere)
        #expect(found == "\(expected)", "\(query)")
      }
    }
    history.stop()
    for (query, told) in [
      ("person:ann", "A site cannot answer 'person:'"), ("since:soon", "“soon” is not a time."),
      ("from:nobody", "Nobody here is called “nobody”."), ("has:wings", "A site cannot answer 'has:wings'."),
      ("-(tide)", "A site cannot leave out what stands in parentheses."), ("(tide", "A “)” is missing"),
      ("+++", "Type a word"),
    ] {
      #expect(try countInSite(query, everywhere: true).hasPrefix(told), "\(query)")
    }
    try browser.driver.run("site.mostPieces = 2")
    #expect(
      try countInSite("from:carol rope", everywhere: true)
        == "There is too much here for a site to look through: 6 files of messages, 2 at most. "
        + "Choose a shorter time (When), or use the program (scrollback serve).")
  }

  @Test func `chips, everything, statistics and lists are in a site, too`() throws {
    let links = (1...120).map { number in
      let minute = String(format: "%02d:%02d", number / 60, number % 60)
      return #"{"conversation":"tea","time":"2024-06-01T10:\#(minute)Z","sender":"dora","#
        + "\"text\":\"see https://example.org/\(number).\"}\n"
    }
    let history = try ServedHistory(lines: Lines.conversation(3_000) + links.joined())
    try browser.show(try history.writeSite() + "index.html#in:general")
    history.stop()
    try browser.type("F")
    try browser.wait(for: "document.querySelector('#chips .choose')")
    try choose("Who")
    try browser.wait(for: "document.querySelectorAll('.suggestion').length === 3")
    try browser.type("car")
    try browser.wait(for: "document.querySelector('.suggestion bdi').textContent === 'carol'")
    try browser.press(.enter)
    try browser.wait(for: "\(Self.sum)?.endsWith(' of 3,000 messages')")
    let names = "[...document.querySelectorAll('#rows .name')]"
    try #expect(browser.value("\(names).every(each => each.textContent === 'carol')"))
    try #expect(browser.value(Self.hash) == #"#c1:general?from:"carol""#)
    try browser.settle()
    try browser.type("g")
    try browser.wait(for: "document.querySelector('#rows .message').ariaPosInSet === '1'")
    // Everything is one timeline, whose links are listed to the oldest.
    try browser.click(".conversation.whole")
    try browser.wait(for: "state.list.total === 3120 && state.list.conversation === everything")
    try browser.type("f")
    try browser.wait(for: "document.querySelectorAll('.thing').length === 50")
    #expect(try browser.text(".thing > a") == "https://example.org/120")
    try browser.driver.run("panel.scrollTop = panel.scrollHeight")
    try browser.wait(for: "document.querySelectorAll('.thing').length >= 100")
    try browser.type("s")
    try browser.wait(for: "document.querySelector('.facts')?.textContent.includes('3,120 on 4 days')")
    try browser.wait(for: "document.querySelector('#panel-body .bars [title=\"dora: 120 messages\"]')")
    try browser.type("/from:dora 7")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#panel .quiet').textContent === '1 message'")
  }
}

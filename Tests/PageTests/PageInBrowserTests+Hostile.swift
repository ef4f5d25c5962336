import Foundation
import ShellTesting
import Testing

extension PageInBrowserTests {
  /// Texts that would run, load or frame something if they were taken for more than texts.
  private static let attacks = [
    "<script>window.pwned=1</script>", "<img src=x onerror=\"window.pwned=1\">",
    "</p></div></body><script>window.pwned=1</script>", "<svg/onload=window.pwned=1>",
    "<a href=\"javascript:window.pwned=1\">press</a>", "javascript:window.pwned=1",
    "https://example.com/\"onmouseover=\"window.pwned=1",
    "http://example.com/'><script>window.pwned=1</script>",
    "<iframe srcdoc=\"<script>top.pwned=1</script>\"></iframe>", "<style>* { display: none }</style>",
    "<meta http-equiv=refresh content=0;url=https://example.com/pwned>", "<base href=https://example.com/>",
    "<link rel=stylesheet href=https://example.com/x.css>", "<video src=https://example.com/x.mp4 autoplay>",
    "\u{202E}txt.exe", "a\u{0}b\u{7}\u{1B}[2J", "${window.pwned=1}{{window.pwned=1}}",
    "<form action=https://example.com/><input autofocus onfocus=window.pwned=1>",
    "data:text/html,<script>window.pwned=1</script>", "//example.com/x.png", "../../../etc/passwd",
    "__proto__", "constructor", "&lt;b&gt; &#x3C;b&#x3E;", "<!--", "]]>",
  ]

  private static func lines() throws -> String {
    var lines = ""
    for (index, attack) in attacks.enumerated() {
      let other = attacks[(index + 1) % attacks.count]
      let object: WebDriver.Object = [
        "id": "\(index)", "conversation": attacks[index % 3], "time": "2024-05-01T10:\(10 + index):00Z",
        "sender": other,
        "text": index == 0 ? "harmless \(attack)" : "harmless \(attack) \(other)",
        "replyTo": "\(index >= 3 ? index - 3 : index)", "thread": "\(index % 3)",
        "edits": [["time": "2024-05-01T10:00:00Z", "text": attack]],
        "reactions": [["emoji": attack, "senders": [other, attack]]],
        "attachments": [
          ["name": attack, "type": "image/png", "path": other], ["name": other + ".html", "type": attack],
          ["name": attack, "type": "video/mp4", "path": "https://example.com/film.mp4"],
        ],
      ]
      lines += String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n"
    }
    return lines
  }

  /// Sees to it that nothing has run, is loaded from elsewhere, or is in the page but what the page itself makes.
  private func expectNothingActed(_ place: String, within address: String) throws {
    try #expect(
      browser.value("window.pwned === undefined && document.title.endsWith('Scrollback')"), "\(place)")
    let loaded: [String] = try browser.value(
      "performance.getEntriesByType('resource').map(each => each.name)")
    #expect(loaded.allSatisfy { $0.hasPrefix(address) }, "\(place): \(loaded)")
    for element in [
      "script:not([src=\"page.js\"], head [src])", "iframe", "object", "embed",
      "svg:not(#bar svg, .actions svg, .platform svg)",
      "form:not(#search)",
      "base", "style",
    ] {
      #expect(try browser.count(element) == 0, "\(place): the page has \(element)")
    }
    let strange =
      "[...document.querySelectorAll('*')].filter(each => [...each.attributes].some(({ name }) => /^on|srcdoc/.test(name))).length"
    try #expect(browser.value(strange) == 0, "\(place)")
    let links: [String] = try browser.value(
      "[...document.querySelectorAll('a[href]')].map(each => each.href)")
    #expect(
      links.allSatisfy { $0.hasPrefix("http") || $0.hasPrefix("file:") && $0.hasPrefix(address) },
      "\(place): \(links)")
    try #expect(
      browser.value(
        "[...document.querySelectorAll('[src]')].every(each => each.src.startsWith('\(address)'))"),
      "\(place)")
    let shown: String = try browser.value("document.body.innerText")
    #expect(!shown.contains("\u{1B}") && !shown.contains("\u{7}"), "\(place)")
  }

  @Test func `nothing that somebody wrote runs, or has anything loaded`() throws {
    let history = try ServedHistory(lines: try Self.lines())
    // A file that claims to be a page, and a picture that is one of markup.
    for (name, text) in [
      ("page.html", Self.attacks[0]),
      (
        "<img src=x onerror=window.pwned=1>.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' onload='window.pwned=1'/>"
      ),
    ] {
      try history.attach(Array(text.utf8), named: name, to: try history.append(["harmless, with a file"])[0])
    }
    try browser.open("about:blank")
    _ = try browser.messagesOfConsole()
    try browser.show(history.url)
    for index in 0..<(try browser.count(".conversation")) {
      try browser.driver.run("document.querySelectorAll('.conversation')[\(index)].click()")
      try browser.settle()
      try expectNothingActed("conversation \(index)", within: history.url)
      for button in ["edited", "thread"] {
        try browser.driver.run(
          "[...document.querySelectorAll('button.mark')].find(each => each.textContent === '\(button)')?.click()"
        )
        try browser.settle()
        try expectNothingActed("\(button) of conversation \(index)", within: history.url)
      }
      try browser.press(.escape)
    }
    try browser.type("/harmless")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelector('#panel-body .entry')")
    try browser.click("#panel .segments button:nth-child(2)")
    try browser.wait(
      for: "document.querySelectorAll('#panel-body .entry').length === \(Self.attacks.count + 2)")
    try expectNothingActed("search", within: history.url)
    try browser.click("#panel-body .entry")
    try browser.settle()
    try expectNothingActed("search, chosen", within: history.url)
    try browser.driver.run("await go({ conversation: everything })")
    try browser.settle()
    for (keys, what) in [("d", ".cell"), ("s", ".facts"), ("f", ".thing")] {
      try browser.type(keys)
      try browser.wait(for: "document.querySelector('\(what)')")
      try browser.settle()
      try expectNothingActed(what, within: history.url)
    }
    let schemes: [String] = try browser.value(
      "[...document.querySelectorAll('.thing a')].map(each => each.protocol)")
    #expect(!schemes.isEmpty && schemes.allSatisfy { ["http:", "https:"].contains($0) }, "\(schemes)")
    for (place, what) in [(4, ".thing"), (5, ".tile")] {
      try browser.click(".tab:nth-child(\(place))")
      try browser.wait(for: "document.querySelector('\(what)')")
      try browser.settle()
      try expectNothingActed("tab \(place)", within: history.url)
    }
    try browser.type("c")
    // Of what says that it is a picture and is none there is no small one.
    let messages = try browser.messagesOfConsole().filter {
      !$0.contains("/thumbnail - Failed to load resource")
    }
    #expect(messages == [], "\(messages)")
  }

  @Test func `the page asks for nothing that is not there, and says nothing on the console`() throws {
    let history = try ServedHistory(count: 100)
    try browser.open("about:blank")
    _ = try browser.messagesOfConsole()
    try browser.show(history.url)
    try browser.settle()
    #expect(try browser.messagesOfConsole() == [])
  }

  // MARK: Files

  @Test func `a site opens by a double click, finds and jumps`() throws {
    let history = try ServedHistory(lines: Lines.conversation(13_000))
    let folder = try history.writeSite()
    history.stop()
    try browser.open("about:blank")
    _ = try browser.messagesOfConsole()
    try browser.show(folder + "index.html")
    try browser.settle()
    #expect(try browser.rows().last?.number == 13_000)
    try browser.type("/needle")
    try browser.press(.enter)
    try browser.wait(for: "document.querySelectorAll('#panel-body .entry').length >= 3")
    // What is shown of a long text begins with a word.
    let cut =
      "[...document.querySelectorAll('#panel-body .text')].map(each => each.textContent).filter(each => each[0] === '…')"
    let words = "/^… (message|tide|lamp|harbour|fog|boat|keeper|letter|gale|petrel|rope)\\b/"
    try #expect(browser.value("\(cut).length > 0 && \(cut).every(each => \(words).test(each))"))
    try browser.click("#panel-body .entry:nth-child(2)")
    try browser.wait(for: "document.querySelector('.message.selected mark')")
    try browser.settle()
    #expect(try browser.selected()?.number == 11_900)
    try browser.press(.escape)
    try browser.click("#days")
    try browser.wait(for: "document.querySelector('.cell[aria-label^=\"May 2024:\"]')")
    try browser.click(".cell[aria-label^='May 2024:']")
    try browser.wait(for: "document.querySelector('.cell[aria-label^=\"9 May:\"]')")
    try browser.click(".cell[aria-label^='9 May:']")
    try browser.settle()
    #expect(try browser.rows().first?.number == 8 * 1_440 + 1)
    try browser.type("g")
    try browser.wait(for: "document.querySelector('#rows .message').ariaPosInSet === '1'")
    try browser.settle()
    let found = try browser.driver.run(Self.walk, [1, 60]) as? WebDriver.Object ?? [:]
    #expect(found["faults"] as? [String] == [])
    let loaded: [String] = try browser.value(
      "performance.getEntriesByType('resource').map(each => each.name)")
    #expect(loaded.allSatisfy { $0.hasPrefix(folder) })
    #expect(try browser.messagesOfConsole() == [])
  }

  @Test func `hostile text does nothing in a site either`() throws {
    let history = try ServedHistory(lines: try Self.lines())
    let folder = try history.writeSite()
    try browser.show(folder + "index.html")
    for index in 0..<(try browser.count(".conversation")) {
      try browser.driver.run("document.querySelectorAll('.conversation')[\(index)].click()")
      try browser.settle()
      try expectNothingActed("conversation \(index)", within: folder)
    }
  }
}

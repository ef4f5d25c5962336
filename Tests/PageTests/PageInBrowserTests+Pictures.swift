import Foundation
import MessageModel
import ShellTesting
import TestSupport
import Testing

extension PageInBrowserTests {
  private func picture(_ seed: UInt64, width: Int = 1_600, height: Int = 900) -> [UInt8] {
    PictureGenerator.png(PixelSize(width: width, height: height), seed: seed)
  }

  @Test(.enabled(if: hasPictures, "needs the trait Pictures"))
  func `several pictures are a grid, and a viewer leads from one to the next and back to the message`() throws
  {
    let history = try ServedHistory(count: 40)
    let ids = try history.append(["three of them", "one more", "the newest"])
    for seed in 1...3 {
      try history.attach(picture(UInt64(seed), width: 1_600 - 100 * seed), named: "\(seed).png", to: ids[0])
    }
    try history.attach(picture(4, width: 900), named: "four.png", to: ids[1])
    try history.attach(Array("notes".utf8), named: "notes.txt", to: ids[0])
    try browser.show(history.url)
    try browser.settle()
    #expect(try browser.count("#m\(ids[0]) .grid .picture") == 3)
    // Whatever their shapes, they fill their places.
    let looks = "getComputedStyle(document.querySelector('#m\(ids[0]) .grid img'))"
    try #expect(browser.value("\(looks).objectFit + ' ' + \(looks).height") == "cover 135px")
    #expect(try browser.count("#m\(ids[0]) .body > .file") == 1)
    #expect(try browser.count("#m\(ids[1]) .grid") == 0)
    // A screen of many points to the inch is given the larger one.
    try #expect(browser.value("document.querySelector('#m\(ids[1]) img').srcset.includes('/preview ')"))
    try browser.click("#m\(ids[1]) .picture")
    try browser.wait(for: "document.querySelector('#viewer img').naturalWidth === 900")
    try #expect(browser.value("document.querySelector('#viewer .text').textContent") == "one more")
    let name = "document.querySelector('#viewer .caption > p').textContent.split(' ')[0]"
    for expected in ["3.png", "2.png", "1.png"] {
      try browser.type("\u{E012}")
      try browser.wait(for: "\(name) === '\(expected)'")
    }
    try browser.wait(for: "document.querySelector('.older').disabled")
    try browser.wait(for: "document.querySelector('#viewer img').naturalWidth > 320")
    try browser.type("+")
    try #expect(browser.value("state.viewer.scale > 1"))
    try browser.type("\u{E014}")
    try browser.wait(for: "\(name) === '2.png' && state.viewer.scale === 1")
    try browser.press(.escape)
    try browser.wait(for: "!document.querySelector('#viewer')")
    try #expect(browser.value("document.activeElement.matches('.picture')"))
  }

  @Test(.enabled(if: hasPictures, "needs the trait Pictures"))
  func `the viewer comes to pictures far from what is held`() throws {
    let history = try ServedHistory(count: 5)
    let old = try #require(try history.append(["long ago"]).first)
    try history.attach(picture(1, width: 800), named: "old.png", to: old)
    try history.append((1...2_000).map { "message \($0)" })
    let new = try #require(try history.append(["today"]).first)
    try history.attach(picture(2, width: 800), named: "new.png", to: new)
    try browser.show(history.url)
    try browser.settle()
    try browser.click("#m\(new) .picture")
    try browser.wait(
      for: "document.querySelector('#viewer .older') && !document.querySelector('#viewer .older').disabled")
    try browser.type("\u{E012}")
    try browser.wait(for: "document.querySelector('#viewer .text').textContent === 'long ago'")
    try browser.click("#viewer .show")
    try browser.wait(for: "document.querySelector('.message.selected')?.id === 'm\(old)'")
  }

  @Test(.enabled(if: hasPictures, "needs the trait Pictures"))
  func `a site shows its pictures over the page, and replies beside it`() throws {
    let history = try ServedHistory(count: 5)
    let demo = GoldenFile.root.appending(path: "Fixtures/history/demo").path
    try history.shell.run(["import", "--quiet", demo])
    let folder = try history.writeSite()
    history.stop()
    try browser.open("about:blank")
    _ = try browser.messagesOfConsole()
    try browser.show(folder + "index.html#in:lighthouse")
    try browser.settle()
    try browser.type("g")
    try browser.wait(for: "document.querySelector('#rows .message').ariaPosInSet === '1'")
    try browser.settle()
    try browser.wait(for: "document.querySelector('#rows .replies:not(.one)')")
    try browser.driver.run("document.querySelector('#rows .replies:not(.one)').click()")
    try browser.wait(for: "document.querySelectorAll('.answer').length > 2")
    try browser.press(.escape)
    try browser.driver.run("document.querySelector('#rows .picture').click()")
    try browser.wait(for: "document.querySelector('#viewer img')?.naturalWidth === 240")
    try browser.press(.escape)
    #expect(try browser.messagesOfConsole() == [])
  }

  // MARK: Paper

  @Test(.enabled(if: hasPictures, "needs the trait Pictures"))
  func `a file of a day has each message of it, its pictures and nothing that runs`() throws {
    let hostile =
      #"{"conversation":"general","time":"2024-05-02T12:00:30Z","sender":"<img src=x onerror=alert(1)>","text":"</style><script>alert(1)</script> & \"quotes\""}"#
    let history = try ServedHistory(lines: Lines.conversation(4_000) + hostile + "\n")
    let id = try #require(try history.ids().dropFirst(1_500).first)
    try history.attach(picture(3, width: 700), named: "day.png", to: id)
    try browser.show("\(history.url)#\(id)")
    try browser.settle()
    try browser.driver.run(
      "const make = URL.createObjectURL; URL.createObjectURL = blob => { window.made = blob; return make.call(URL, blob) }"
    )
    try browser.press(.escape)
    try browser.driver.run("state.list.selected = null")
    try browser.type("p")
    try browser.wait(for: "document.querySelectorAll('.range').length === 2")
    try browser.driver.run("document.querySelectorAll('.range input')[1].checked = true")
    try browser.driver.run("document.querySelectorAll('.paper .go')[1].click()")
    try browser.wait(for: "window.made")
    let text = try #require(try browser.driver.run("return await window.made.text()") as? String)
    // The second of May: a message a minute, and the one between them.
    #expect(text.components(separatedBy: " class=\"message ").count - 1 == 1_441)
    #expect(text.contains("message 1441 ") || text.contains("message 1441<"))
    #expect(!text.contains("message 1440<") && !text.contains("message 2881<"))
    #expect(text.contains("src=\"data:image/") && !text.contains("<script") && !text.contains("onerror=\""))
    #expect(text.contains("counter(page)") && text.contains("default-src 'none'"))
    #expect(text.contains("&lt;img src=x") && text.contains("<title>general · 1,441 messages"))
    #expect(!text.contains("attachment/"))
  }

  @Test func `pages of paper have numbers, and say whose each part of a long message is`() throws {
    let long = (1...400).map { "line \($0)" }.joined(separator: "\\n")
    let lines =
      #"{"conversation":"general","time":"2024-05-01T10:00:00Z","sender":"ann","text":"\#(long)"}"# + "\n"
    let history = try ServedHistory(lines: lines)
    try browser.show(history.url)
    try browser.settle()
    try browser.print()
    try #expect(
      browser.value(
        "[...document.styleSheets].flatMap(each => [...each.cssRules]).some(each => each.cssText.includes('counter(pages)'))"
      ))
    try browser.driver.chromium("Emulation.setEmulatedMedia", ["media": "print"])
    try #expect(
      browser.value("getComputedStyle(document.querySelector('#printed .body > header')).display")
        == "table-header-group")
    try browser.driver.chromium("Emulation.setEmulatedMedia", ["media": ""])
    let page = try browser.driver.chromium("Page.printToPDF", ["preferCSSPageSize": true])
    let pdf = try #require((page["data"] as? String).flatMap { Data(base64Encoded: $0) })
    #expect(pdf.count > 5_000)
  }
}

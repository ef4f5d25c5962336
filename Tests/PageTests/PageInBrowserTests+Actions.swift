import Foundation
import MessageModel
import MessageStorage
import ShellTesting
import Testing

/// What can be done with a message, on the message.
extension PageInBrowserTests {
  @Test func `a message that is chosen has its actions, and a star only where the page may write one`() throws
  {
    let history = try ServedHistory(count: 20)
    let names =
      "[...document.querySelectorAll('.selected .actions button')].map(each => each.ariaLabel).join()"
    try browser.show(history.url)
    try browser.type("k")
    try browser.wait(for: "document.querySelector('.selected .actions')")
    #expect(try browser.value(names) == "Copy text,Copy link,Select from here")
    try history.restart(permitting: "stars")
    try browser.show(history.url)
    try browser.type("k")
    try browser.wait(for: "document.querySelector('.selected .actions')")
    #expect(try browser.value(names) == "Copy text,Copy link,Star,Select from here")
    try browser.click(".selected .actions button:nth-child(3)")
    try browser.wait(for: "document.querySelector('.selected .star')")
    let starred = PageRequest(Selection(.all, where: .has(.star)), fetchLimit: 2)
    #expect(try history.writing { try $0.page(starred).messages.count } == 1)
    try browser.type("*")
    try browser.wait(for: "!document.querySelector('#rows .star')")
  }

  @Test func `a range is selected by keys, and Escape ends it`() throws {
    let history = try ServedHistory(count: 20)
    try browser.show(history.url)
    try browser.type("k")
    try browser.wait(for: "document.querySelector('.selected .actions')")
    try browser.type("v")
    try browser.wait(for: "selectedRows().length === 1")
    try browser.type("kk")
    try browser.wait(for: "selectedRows().length === 3")
    #expect(
      try browser.value("selectedRows().map(row => row.message.text).join()")
        == "message 18,message 19,message 20")
    try browser.press(.escape)
    try browser.wait(for: "getSelection().isCollapsed")
  }

  @Test func `conversations are grouped by when they were last written to`() throws {
    let history = try ServedHistory(
      lines: ["2019", "2021", "2021"].enumerated().map { index, year in
        #"{"conversation":"c\#(index)","time":"\#(year)-05-01T10:00:00Z","sender":"ann","text":"tea"}"# + "\n"
      }.joined())
    try browser.show(history.url)
    try browser.wait(for: "document.querySelectorAll('#room .group').length === 2")
    #expect(
      try browser.value("[...document.querySelectorAll('#room .group')].map(each => each.textContent).join()")
        == "2021,2019")
  }
}

import ChatSession
import Foundation
import MessageModel
import MessageStorage
import Synchronization
import TerminalText
import TestSupport
import Testing

/// Links, answers and threads.
struct LinkTests {
  private final class Opened: Sendable {
    let addresses = Mutex<[String]>([])
  }

  private func say(_ text: String, _ fixture: StoreFixture, replyTo: Message.ID? = nil) throws -> Message.ID {
    let general = try fixture.context().conversation.id
    let new = NewMessage(text, from: "bob", replyTo: replyTo.map { .message($0) })
    return try #require(try fixture.store.append([new], to: general).first)
  }

  @Test func `links of a message are shown, copied and opened`() throws {
    let fixture = try StoreFixture()
    let id = try say(
      "see https://a.example/x, or mailto:ann@b.example; not ftp://c or javascript:alert(1)", fixture)
    #expect(
      try fixture.transcript("/url #\(id)") == "1  https://a.example/x\n2  mailto:ann@b.example\n")
    #expect(try fixture.transcript("/url #\(id) 2 copy") == "mailto:ann@b.example\n")
    #expect(try fixture.transcript("/url #\(id) copy").contains("has 2 links"))
    #expect(try fixture.transcript("/url #\(id) 3 copy").contains("a number from 1 to 2"))
    #expect(try fixture.transcript("/url #\(id) 1 open").contains("only be opened in the window"))
    let opened = Opened()
    var context = try fixture.context()
    context.openLink = { address, _ in opened.addresses.withLock { $0.append(address) } }
    var screen = StoreFixture.Screen(
      fixture: fixture, session: try Session(context, rows: 8, columns: 100),
      terminal: TerminalModel(rows: 8, columns: 100))
    let outcome = screen.type("/url #\(id) 1 open")
    #expect(screen.status == " opening https://a.example/x")
    screen.finish(outcome)
    #expect(opened.addresses.withLock { $0 } == ["https://a.example/x"])
    #expect(screen.type("/url #\(id) 2 copy").clipboard == "mailto:ann@b.example")
    let none = try say("no link: http:// mailto: a:b", fixture)
    #expect(try fixture.transcript("/url #\(none)").contains("has no link"))
  }

  @Test(arguments: [
    ("```https://a.example/x```", "https://a.example/x"), ("`https://a.example`", "https://a.example"),
    ("**https://a.example/x**", "https://a.example/x"), ("(see https://a.example/x)", "https://a.example/x"),
    ("https://a.example/tea_(drink)", "https://a.example/tea_(drink)"),
    ("[tea](https://a.example/tea_(drink)).", "https://a.example/tea_(drink)"),
    ("{\"url\":\"https://a.example/x\"}", "https://a.example/x"),
    ("https://a.example/{id}]", "https://a.example/{id}"),
  ])
  func `an address ends where the text around it goes on`(text: String, address: String) throws {
    #expect(WebLinks.addresses(in: text) == [address])
  }

  @Test(arguments: [
    "https://a.example/\u{1B}]52;c;x\u{7}", "file:///etc/passwd", "-https://a", "https://a b", "javascript:x",
    "",
    "https://ü.example", "HTTPS:/x", "mailto",
  ])
  func `nothing else is handed to another program`(address: String) {
    #expect(!WebLinks.canBeOpened(address))
  }

  @Test func `an address is one argument, and a program that fails is told`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("open-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appendingPathComponent("opener").path
    try "#!/bin/sh\nprintf '%s|' \"$@\" > '\(folder.path)/arguments'\n".write(
      toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    let address = "https://a.example/?x=$(id)&y=';reboot'"
    try LinkOpener.open(address, by: program, isCancelled: { false })
    let told = try String(contentsOfFile: folder.path + "/arguments", encoding: .utf8)
    #expect(told == address + "|")
    try "#!/bin/sh\nexit 4\n".write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    let failure = #expect(throws: UsageError.self) {
      try LinkOpener.open(address, by: program, isCancelled: { false })
    }
    #expect(failure?.cause == "it ended with status 4")
    #expect(throws: UsageError.self) {
      try LinkOpener.open(address, by: folder.path + "/none", isCancelled: { false })
    }
    #expect(throws: UsageError.self) { try LinkOpener.open("file:///x", by: program, isCancelled: { false }) }
  }

  @Test func `the parts of a link in several rows are one link`() throws {
    let fixture = try StoreFixture(count: 1)
    let address = "https://a.example/" + String(repeating: "0123456789", count: 9)
    _ = try say(address, fixture)
    var screen = try fixture.screen(rows: 8, columns: 60)
    let rows = screen.session.screen().rows.filter { row in row.spans.contains { $0.link != nil } }
    #expect(rows.count == 3)
    #expect(rows.allSatisfy { row in row.spans.allSatisfy { $0.link == nil || $0.link == address } })
    let written = rows.map { StyleEncoder(.basic, writesLinks: true).string($0) }
    let openings = Set(
      written.flatMap { $0.matches(of: /\u{1B}\]8;(id=[0-9a-z]+);https[^\u{1B}]*/).map { String($0.1) } })
    #expect(openings.count == 1, "\(written)")
  }

  @Test func `a key goes from an answer to what it answers, on along the thread, and back`() throws {
    let fixture = try StoreFixture()
    let general = try fixture.context().conversation.id
    let old = try fixture.store.page(PageRequest(Selection(general), anchor: .ordinal(9), fetchLimit: 1))
      .messages[0].id
    let middle = try say("an answer", fixture, replyTo: old)
    for index in 1...20 { _ = try say("talk \(index)", fixture) }
    let last = try say("an answer to the answer", fixture, replyTo: middle)
    var screen = try fixture.screen(rows: 12)
    let before = screen.lines
    screen.finish(screen.handle(.key(.answered)))
    #expect(screen.lines.contains { $0.hasSuffix("  an answer") }, "\(screen.terminal.picture)")
    screen.finish(screen.handle(.key(.answered)))
    #expect(screen.lines.contains { $0.hasSuffix("message 10 of pears") }, "\(screen.terminal.picture)")
    screen.finish(screen.handle(.key(.answered)))
    #expect(screen.lines == before)
    screen.finish(screen.type("/answered #\(last)"))
    screen.finish(screen.type("/back"))
    #expect(screen.lines == before)
    screen.finish(screen.type("/answered #\(old)"))
    #expect(screen.status.contains("is not a reply"))
    screen.finish(screen.type("/goto 50"))
    screen.finish(screen.handle(.key(.answered)))
    #expect(screen.status.contains("no reply in view"))
  }

  @Test func `a thread is shown alone, by what answers what`() throws {
    let fixture = try StoreFixture(count: 3)
    let first = try say("who comes?", fixture)
    _ = try say("something else", fixture)
    let second = try say("I do", fixture, replyTo: first)
    let third = try say("so do I", fixture, replyTo: second)
    for id in [first, second, third] {
      let lines = try fixture.transcript("/thread #\(id)").split(separator: "\n")
      #expect(lines.map { $0.split(separator: "  ").last ?? "" } == ["who comes?", "I do", "so do I"])
    }
    let alone = try #require(try fixture.context().conversation.oldest)
    #expect(try fixture.transcript("/thread #\(alone)").contains("has no replies"))
    #expect(try fixture.transcript("/thread #1").contains("no message #1"))
  }

  @Test func `several messages are copied with who wrote them and when`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 8)
    let text = try #require(screen.type("/copy d-f").clipboard)
    #expect(
      text.split(separator: "\n") == [
        "2024-05-05 13:00:00  bob  message 98 of pears", "2024-05-05 14:00:00  alice  message 99 of apples",
        "2024-05-05 15:00:00  bob  message 100 of pears",
      ], "\(text)")
    #expect(screen.type("/copy f-d").clipboard == text)
    #expect(screen.type("/copy f").clipboard == "message 100 of pears")
    screen.type("/copy a-")
    #expect(screen.status.contains("/copy"))
    let ids = try #require(try fixture.context().conversation.oldest)
    let newest = try #require(try fixture.context().conversation.newest)
    #expect(
      try fixture.transcript("/copy #\(ids)-#\(newest)").split(separator: "\n").count == 100)
  }
}

import Foundation
import ShellTesting
import TestSupport
import Testing

/// A run without a store: what a home has is offered, and imported by a key.
@Suite(.serialized) struct FirstRunTests {
  private let fixture: ShellFixture

  init() throws {
    fixture = try ShellFixture(count: 0)
    try FileManager.default.removeItem(atPath: fixture.store)
  }

  private func write(_ text: String, to name: String) throws {
    let file = fixture.folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  private func writeHistories() throws {
    try write(
      "5/1/24, 12:34 - Bob: is there tea?\n5/1/24, 12:35 - Ann: a whole pot\n",
      to: "Downloads/WhatsApp Chat with Bob.txt")
    try write("--- Log opened Wed May 01 12:00:00 2024\n12:01 <ann> hello\n", to: "irclogs/libera/#tea.log")
  }

  private func hasStore() -> Bool { FileManager.default.fileExists(atPath: fixture.store) }

  @Test func `a key imports what was found, and the window opens when nothing is left to offer`() throws {
    try writeHistories()
    let terminal = try fixture.start(rows: 24, columns: 100)
    try terminal.wait(for: "q leaves:")
    #expect(terminal.screen.contains("1  irssi: 1 log"))
    #expect(terminal.screen.contains("scrollback follow --once \(fixture.folder.path)/irclogs"))
    #expect(terminal.screen.contains("2  WhatsApp: 1 export"))
    try terminal.type("2")
    try terminal.wait(for: "imported 2")
    try terminal.wait(for: "the rest of the offer") { $0.lines.count { $0.hasPrefix("A number") } == 2 }
    try terminal.type("1")
    try terminal.wait(for: "the window") { $0.isAlternate && $0.contains("hello") }
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    #expect(try fixture.run(["sources"]).output.contains("irclogs"))
    #expect(try fixture.run(["search", "pot"]).output.contains("a whole pot"))
  }

  @Test func `Enter opens an empty window, and the next run asks nothing`() throws {
    try writeHistories()
    let terminal = try fixture.start(rows: 24, columns: 100)
    try terminal.wait(for: "q leaves:")
    try terminal.type("x\r")
    try terminal.wait(for: "the window") { $0.isAlternate && $0.contains("notes") }
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    let next = try fixture.start(rows: 24, columns: 100)
    try next.wait(for: "the window") { $0.isAlternate && $0.contains("notes") }
  }

  @Test(arguments: ["q", "\u{1B}", "\u{3}", "\u{4}"])
  func `a key leaves, no store is made, and nothing was opened`(key: String) throws {
    // Whoever opens a pipe that has no writer waits.
    let folder = fixture.folder.appendingPathComponent("Downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(mkfifo(folder.appendingPathComponent("WhatsApp Chat with Bob.txt").path, 0o600) == 0)
    let terminal = try fixture.start(rows: 24, columns: 100)
    try terminal.wait(for: "q leaves:")
    try terminal.type(key)
    #expect(terminal.waitForExit() == 0)
    #expect(!hasStore())
  }

  @Test func `a home without histories opens the window at once, as does a store that is named`() throws {
    let empty = try fixture.start(rows: 24, columns: 100)
    try empty.wait(for: "the window") { $0.isAlternate && $0.contains("notes") }
    try writeHistories()
    let named = try fixture.start(
      ["--store", fixture.folder.appendingPathComponent("mine.db").path], rows: 24, columns: 100)
    try named.wait(for: "the window") { $0.isAlternate && $0.contains("notes") }
  }
}

import Foundation
import ShellTesting
import TestSupport
import Testing

/// Esc, in the real program in a terminal.
@Suite(.serialized) struct EscapeTests {
  @Test func `Esc closes a list, and the next letter is not eaten`() throws {
    let terminal = try ShellFixture().open(columns: 80)
    try terminal.type("/help\r")
    try terminal.wait(for: "back to the messages")
    try terminal.type("\u{1B}")
    try terminal.wait(for: "the messages") { $0.contains("message 200") }
    try terminal.type("so")
    try terminal.wait(for: "what is typed") { $0.lines.last == "> so" }
    // Alt goes on to be Alt.
    try terminal.type("\u{15}two words\u{1B}b\u{1B}d")
    try terminal.wait(for: "a word less") { $0.lines.last == "> two" }
    try terminal.type("\u{15}\u{1B}[5~")
    try terminal.wait(for: "181 of 200")
  }

  @Test func `in vi mode Esc closes a list and ends inserting`() throws {
    let fixture = try ShellFixture()
    let inputrc = fixture.folder.appendingPathComponent("inputrc")
    try "set editing-mode vi\n".write(to: inputrc, atomically: true, encoding: .utf8)
    let terminal = try fixture.open(columns: 80, environment: ["INPUTRC": inputrc.path])
    try terminal.type("/help\r")
    try terminal.wait(for: "back to the messages")
    try terminal.type("\u{1B}")
    try terminal.wait(for: "the messages") { $0.contains("message 200") }
    try terminal.type("iabc")
    try terminal.wait(for: "what is typed") { $0.lines.last == "> abc" }
    try terminal.type("\u{1B}")
    try terminal.type("0x")
    try terminal.wait(for: "a letter less") { $0.lines.last == "> bc" }
  }
}

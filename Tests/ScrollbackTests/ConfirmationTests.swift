import Foundation
import ShellTesting
import TestSupport
import Testing

/// Commands that destroy something ask whoever sits at a terminal, and nobody else.
@Suite(.serialized) struct ConfirmationTests {
  private let fixture: ShellFixture

  init() throws {
    fixture = try ShellFixture(count: 20)
    try fixture.run(["append", "-c", "general", "--from", "carol", "written here"])
    try fixture.run(["append", "-c", "other", "--create", "--from", "carol", "elsewhere"])
    try fixture.run(["backup", backup])
    try fixture.run(["append", "-c", "other", "--from", "carol", "after the backup"])
  }

  private var backup: String { fixture.folder.path + "/backup.db" }

  /// The commands, what they say of it in numbers, and whether it was done.
  private var cases: [(arguments: [String], plan: String)] {
    [
      (
        ["conversations", "delete", "general"],
        "deletes 'general' with 21 messages, 1 of them written here"
      ),
      (
        ["conversations", "merge", "general", "other"],
        "moves 21 messages of 'general' into 'other', which has 2 messages"
      ),
      (["undo", "1"], "which brought 20 messages"),
      (["restore", backup], "with 23 messages"),
    ]
  }

  private var messageCount: Int {
    get throws { try fixture.run(["export"]).output.split(separator: "\n").count { !$0.hasPrefix("==>") } }
  }

  @Test func `on a terminal, what destroys tells what it would do and takes no for an answer`() throws {
    let before = try fixture.run(["export", "--json"]).output
    for (arguments, plan) in cases {
      for answer in ["\r", "n\r", "what?\r", "\u{4}"] {
        let terminal = try fixture.start(arguments, columns: 132)
        try terminal.wait(for: "Continue? [y/N]")
        let picture = terminal.screen.picture
        #expect(picture.contains(plan))
        try terminal.type(answer)
        #expect(terminal.waitForExit() == 130)
        #expect(terminal.screen.picture.contains("nothing was changed"))
      }
    }
    #expect(try fixture.run(["export", "--json"]).output == before)
  }

  @Test(arguments: 0..<4) func `yes does it`(index: Int) throws {
    let arguments = cases[index].arguments
    let before = try fixture.run(["export", "--json"]).output
    let terminal = try fixture.start(arguments, columns: 132)
    try terminal.wait(for: "Continue? [y/N]")
    try terminal.type("y\r")
    #expect(terminal.waitForExit() == 0)
    #expect(try fixture.run(["export", "--json"]).output != before)
  }

  @Test(arguments: 0..<4) func `--yes and a script are not asked`(index: Int) throws {
    let arguments = cases[index].arguments
    let before = try fixture.run(["export", "--json"]).output
    if index.isMultiple(of: 2) {
      #expect(try fixture.start(arguments + ["--yes"], columns: 132).waitForExit() == 0)
    } else {
      let answer = try fixture.run(arguments)
      #expect(answer.status == 0 && !answer.errors.contains("Go on"))
    }
    #expect(try fixture.run(["export", "--json"]).output != before)
  }

  @Test func `Ctrl-C is a no`() throws {
    let before = try messageCount
    let terminal = try fixture.start(["conversations", "delete", "general"], columns: 132)
    try terminal.wait(for: "Continue? [y/N]")
    try terminal.type("\u{3}")
    #expect(terminal.waitForExit() == 130)
    #expect(try messageCount == before)
  }

  @Test func `a restore where no store is asks nobody`() throws {
    let target = fixture.folder.path + "/new.db"
    let terminal = try fixture.start(["restore", backup, "--store", target], columns: 132)
    #expect(terminal.waitForExit() == 0)
    #expect(FileManager.default.fileExists(atPath: target))
  }
}

import Foundation
import ShellTesting
import TestSupport
import Testing

/// Long output of a terminal goes by way of a pager.
@Suite(.serialized) struct PagerTests {
  private let fixture: ShellFixture

  init() throws { fixture = try ShellFixture(count: 500) }

  /// A pager that shows what it is given behind a mark, or leaves at its first line.
  private func pager(_ script: String) throws -> [String: String] {
    let path = fixture.folder.path + "/pager"
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return ["PAGER": path]
  }

  @Test(arguments: [
    ["search", "message"], ["export"], ["conversations"], ["senders"], ["imports"],
    ["show", "--context", "2", "ID"],
  ])
  func `what may be long goes to the pager that PAGER names`(arguments: [String]) throws {
    let id = try fixture.run(["tail", "-1", "--json"]).output.firstMatch(of: /"id":"(\d+)"/).map {
      String($0.1)
    }
    let arguments = arguments.map { $0 == "ID" ? id ?? "" : $0 }
    let environment = try pager("sed 's/^/paged $LESS /' | tail -n 3")
    let terminal = try fixture.start(arguments, environment: environment.merging(["LESS": ""]) { $1 })
    #expect(terminal.waitForExit() == 0)
    #expect(terminal.screen.picture.contains("paged"))
    let straight = try fixture.start(arguments + ["--no-pager"], environment: environment)
    #expect(straight.waitForExit() == 0)
    #expect(!straight.screen.picture.contains("paged"))
  }

  @Test func `a pager that is left early ends the command quietly, and with nothing behind it`() throws {
    let environment = try pager("head -n 1 >/dev/null; echo enough")
    let lines = (0..<20_000).map {
      #"{"conversation":"long","time":"2024-06-01T00:00:00Z","sender":"a","text":"\#($0)"}"#
    }
    try fixture.add(lines.joined(separator: "\n") + "\n")
    for arguments in [["export"], ["search", "a OR message OR 1*"], ["export", "--json"]] {
      let terminal = try fixture.start(arguments, environment: environment)
      #expect(terminal.waitForExit() == 0)
      let shown = String(decoding: terminal.output, as: UTF8.self)
      #expect(shown.contains("enough") && shown.hasSuffix("enough\r\n"), "\(shown.suffix(200))")
    }
  }

  @Test func `Ctrl-C leaves the terminal to the pager until that ends`() throws {
    let environment = try pager(
      "trap '' INT; cat >/dev/null; echo ready; read -r answer </dev/tty; echo \"$answer\"")
    let terminal = try fixture.start(["export"], environment: environment)
    try terminal.wait(for: "ready")
    try terminal.type("\u{3}\u{3}go on\r")
    #expect(terminal.waitForExit() == 0)
    #expect(terminal.screen.picture.contains("go on"))
  }

  @Test func `short output stays on the screen, and a pipe has none of it`() throws {
    let terminal = try fixture.start(["conversations"])
    #expect(terminal.waitForExit() == 0)
    #expect(terminal.screen.picture.contains("general") && !terminal.screen.isAlternate)
    let environment = try pager("echo paged")
    #expect(try !fixture.runProcess(["export"]).output.contains("paged"))
    _ = environment
  }

  @Test func `an empty PAGER, or cat, means none`() throws {
    for none in ["", "cat"] {
      let terminal = try fixture.start(["conversations"], environment: ["PAGER": none])
      #expect(terminal.waitForExit() == 0)
      #expect(terminal.screen.picture.contains("general"))
    }
  }
}

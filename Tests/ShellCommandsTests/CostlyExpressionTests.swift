import Foundation
import ShellTesting
import TestSupport
import Testing

/// A message on which a regular expression takes too long, in each command that takes one.
@Suite(.serialized) struct CostlyExpressionTests {
  private let fixture: ShellFixture
  private let id: String
  private static let pattern = #"^(\w+\s?)+$"#

  init() throws {
    fixture = try ShellFixture(
      count: 0, texts: ["good one", String(repeating: "a", count: 4_000) + "!", "another good"])
    let line = try #require(
      try fixture.run(["export", "--json"]).output.split(separator: "\n").first { $0.contains("aaaa") })
    id = try #require(line.firstMatch(of: /"id":"(-?\d+)"/)).1.description
  }

  private var sentence: String {
    """
    skipped 1 message
      cause: the regular expression takes too long on #\(id)
      try: an expression without nested repetition

    """
  }

  @Test(arguments: [
    ["search", "--regex", pattern], ["search", "--regex", "--oldest-first", pattern],
    ["search", "--json", "--regex", pattern],
    ["search", "--context", "1", "--limit", "2", "--regex", pattern],
    ["export", "--regex", pattern], ["export", "--json", "--regex", pattern], ["tail", "--regex", pattern],
    ["filters", "save", "f", "--regex", pattern],
  ])
  func `it is passed over and named, and the others are found`(arguments: [String]) throws {
    let run = try fixture.run(arguments)
    #expect(run.status == 3 && run.errors.hasSuffix("scrollback: " + sentence), "\(run)")
    if arguments[0] == "filters" {
      #expect(run.errors.contains("2 messages"))
      #expect(try fixture.run(["tail", "--filter", "f"]).output.split(separator: "\n").count == 2)
    } else {
      #expect(run.output.contains("good one") && run.output.contains("another good"), "\(run.output)")
    }
  }

  @Test(arguments: ["/search regex:\(pattern)\n/prev", "/filter regex:\(pattern)\n/bottom"])
  func `a script goes on and keeps the code`(script: String) throws {
    let run = try fixture.run(["-c", "general"], input: script + "\n/goto 1\n")
    #expect(run.status == 3 && run.errors.contains(sentence), "\(run)")
    #expect(run.output.contains("another good") && run.output.contains("good one"), "\(run)")
  }

  @Test(arguments: ["/search regex:\(pattern)", "/filter regex:\(pattern)"])
  func `a window says so in the status line`(line: String) throws {
    let terminal = try fixture.open(columns: 120)
    try terminal.type("\(line)\r")
    try terminal.wait(for: "skipped 1 message; the regular expression takes too long on #\(id)")
  }
}

import Foundation
import ShellTesting
import TestSupport
import Testing

/// Commands with filters that are saved by name.
@Suite(.serialized) struct SavedFilterCommandTests {
  @Test func `a filter is saved, listed, used and deleted`() throws {
    let desk = try Desk(texts: ["tea, please", "more tea"])
    let saved = try desk.run(["filters", "save", "tea time", "from:alice", "--regex", "tea|[12]0$"])
    #expect(saved.status == 0 && saved.errors == "saved 'tea time': 1 message\n", "\(saved)")
    #expect(try desk.run(["filters", "save", "evens", "--from", "bob"]).status == 0)
    #expect(
      try desk.run(["filters"]).output == """
        evens     101  from:bob
        tea time    1  from:alice regex:tea|[12]0$

        """)
    #expect(
      try desk.run(["filters", "--json"]).output == """
        {"name":"evens","messages":101,"exact":true,"filter":"from:bob"}
        {"name":"tea time","messages":1,"exact":true,"filter":"from:alice regex:tea|[12]0$"}

        """)
    try desk.run(["append", "-c", "general", "--from", "alice", "tea again"])
    #expect(try desk.run(["filters"]).output.contains("tea time    2"))
    let shown = try desk.run(["tail", "-c", "general", "--filter", "tea time"]).output
    #expect(shown.split(separator: "\n").map { $0.suffix(9) } == ["a, please", "tea again"], "\(shown)")
    let narrowed = ["export", "--format", "text", "--filter", "tea time", "--until", "2024-06-01"]
    #expect(try desk.run(narrowed).output.split(separator: "\n").count == 1)
    #expect(try desk.run(["-q", "--all", "filters", "delete", "tea time"]).status == 64)
    #expect(try desk.run(["-q", "filters", "delete", "tea time"]).status == 0)
    let missing = try desk.run(["tail", "-c", "general", "--filter", "evans"])
    #expect(missing.status == 1 && missing.errors.contains("did you mean 'evens'?"))
    #expect(try desk.run(["filters", "delete", "tea time"]).status == 1)
    #expect(try desk.run(["filters", "save", "all"]).status == 64)
    #expect(try desk.run(["filters", "save", "save", "--from", "bob"]).status == 64)
    #expect(try desk.run(["check"]).status == 0)
  }

  @Test func `the REPL saves the present filter and takes it by its name`() throws {
    let desk = try Desk()
    let answer = try desk.run(
      ["-c", "general"],
      input: "/filter from:bob regex:0$\n/filter save tens\n/filter\n/filter tens\n/bottom\n")
    let total = "20 messages\n"
    #expect(answer.output.hasPrefix(total + total + total), "\(answer)")
    #expect(answer.output.contains("message 200\n") && answer.status == 0)
    let none = try desk.run(["-c", "general"], input: "/filter save tens\n")
    #expect(none.errors.contains("there is no filter to save") && none.status == 64)
  }

}

import Foundation
import ShellTesting
import Testing

/// Commands with filters that are saved by name.
@Suite(.serialized) struct SavedFilterCommandTests {
  @Test func `a filter is saved, listed, used and deleted`() throws {
    let fixture = try ShellFixture(texts: ["tea, please", "more tea"])
    let saved = try fixture.run(["filters", "save", "tea time", "from:alice", "--regex", "tea|[12]0$"])
    #expect(saved.status == 0 && saved.errors == "saved 'tea time': 1 message\n", "\(saved)")
    #expect(try fixture.run(["filters", "save", "evens", "--from", "bob"]).status == 0)
    #expect(
      try fixture.run(["filters"]).output == """
        evens     101  from:bob
        tea time    1  from:alice regex:tea|[12]0$

        """)
    #expect(
      try fixture.run(["filters", "--json"]).output == """
        {"name":"evens","messages":101,"exact":true,"filter":"from:bob"}
        {"name":"tea time","messages":1,"exact":true,"filter":"from:alice regex:tea|[12]0$"}

        """)
    try fixture.run(["append", "-c", "general", "--from", "alice", "tea again"])
    #expect(try fixture.run(["filters"]).output.contains("tea time    2"))
    let shown = try fixture.run(["tail", "-c", "general", "--filter", "tea time"]).output
    #expect(shown.split(separator: "\n").map { $0.suffix(9) } == ["a, please", "tea again"], "\(shown)")
    let narrowed = ["export", "--format", "text", "--filter", "tea time", "--until", "2024-06-01"]
    #expect(try fixture.run(narrowed).output.split(separator: "\n").count == 1)
    #expect(try fixture.run(["-q", "--all", "filters", "delete", "tea time"]).status == 64)
    #expect(try fixture.run(["-q", "filters", "delete", "tea time"]).status == 0)
    let missing = try fixture.run(["tail", "-c", "general", "--filter", "evans"])
    #expect(missing.status == 1 && missing.errors.contains("did you mean 'evens'?"))
    #expect(try fixture.run(["filters", "delete", "tea time"]).status == 1)
    #expect(try fixture.run(["filters", "save", "all"]).status == 64)
    #expect(try fixture.run(["filters", "save", "save", "--from", "bob"]).status == 64)
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test func `the REPL saves the present filter and takes it by its name`() throws {
    let fixture = try ShellFixture()
    let answer = try fixture.run(
      ["-c", "general"],
      input: "/filter from:bob regex:0$\n/filter save tens\n/filter\n/filter tens\n/bottom\n")
    let total = "20 messages\n"
    #expect(answer.output.hasPrefix(total + total + total), "\(answer)")
    #expect(answer.output.contains("message 200\n") && answer.status == 0)
    let none = try fixture.run(["-c", "general"], input: "/filter save tens\n")
    #expect(none.errors.contains("there is no filter to save") && none.status == 64)
  }

}

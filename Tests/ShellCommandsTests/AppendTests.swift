import Foundation
import ShellTesting
import Testing

/// `append --ack`: the ids of what is on the disk.
struct AppendTests {
  private let fixture: ShellFixture

  init() throws { fixture = try ShellFixture(count: 2) }

  private func newest(_ count: Int) throws -> [String] {
    try fixture.run(["tail", "--json", "-n", "\(count)", "-c", "general"]).output.split(separator: "\n").map {
      let line = try #require($0.firstMatch(of: /"id":"(-?\d+)".*"kind":"text"(?:,"text":"(.*)")?}/))
      return "\(line.1) \(line.2 ?? "")"
    }
  }

  @Test func `each line is acknowledged by its id, in the order of the lines`() throws {
    let lines = ["one", "", "three"] + (0..<2_500).map { "line \($0)" }
    let answer = try fixture.run(
      ["append", "--ack", "-c", "general"], input: lines.joined(separator: "\r\n"))
    let ids = answer.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(answer.status == 0 && answer.errors == "appended 2,503 messages\n")
    let stored = try newest(2_503)
    #expect(ids.last == "" && zip(ids, lines).map { "\($0) \($1)" } == stored)
  }

  @Test(arguments: [[], ["--quiet"]]) func `one message is acknowledged by its id`(options: [String]) throws {
    let answer = try fixture.run(["append", "--ack", "-c", "general", "hello", "there"] + options)
    let id = answer.output.dropLast()
    #expect(answer.output.hasSuffix("\n") && answer.errors == "" && answer.status == 0)
    #expect(try newest(1) == ["\(id) hello there"])
    #expect(try fixture.run(["append", "--reply-to", "\(id)", "-c", "general", "hi"]).status == 0)
  }

  @Test func `what is not written is not acknowledged`() throws {
    let before = try newest(5)
    for words in [["hello"], []] {
      let answer = try fixture.run(
        ["append", "--ack", "-c", "general", "--reply-to", "1"] + words, input: "hello\n")
      #expect(answer.output == "" && answer.errors.contains("cannot answer message #1"), "\(answer)")
    }
    #expect(try newest(5) == before)
  }

  @Test func `nothing is acknowledged that was not asked for`() throws {
    #expect(try fixture.run(["append", "-c", "general", "hello"]).output == "")
    #expect(try fixture.run(["append", "-c", "general"], input: "hello\n").output == "")
  }
}

import ShellTesting
import Testing

/// `open --all` and `open @ann`.
@Suite(.serialized) struct OpenTimelineTests {
  private let fixture: ShellFixture

  init() throws {
    fixture = try ShellFixture(count: 10)
    try fixture.run(["append", "-c", "other", "--create", "--from", "dave", "elsewhere"])
    try fixture.run(["people", "link", "Ann", "dave", "bob"])
  }

  @Test(arguments: [["open", "--all"], ["open", "*"], ["--all"]])
  func `all conversations are one history in a script`(arguments: [String]) throws {
    let answer = try fixture.run(arguments, input: "/bottom\n/older 1\n/top\n")
    #expect(answer.status == 0 && answer.errors == "", "\(answer)")
    let lines = answer.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("other  ") == true && lines.first?.hasSuffix("Ann  elsewhere") == true)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("general  2024-05-01 ") } && lines.count == 3)
  }

  @Test(arguments: [["open", "@ann"], ["open", "--person", "Ann"], ["open", "--person", "@ann"]])
  func `the messages of a person are one history`(arguments: [String]) throws {
    let answer = try fixture.run(arguments, input: "/top\n/newer 100\n")
    #expect(answer.status == 0, "\(answer)")
    #expect(answer.output.split(separator: "\n").count == 6, "five of bob, one of dave: \(answer.output)")
  }

  @Test func `a person who is not there is named with the nearest, and a conversation is meant first`() throws
  {
    let answer = try fixture.run(["open", "@anne"], input: "/top\n")
    #expect(answer.status == 1 && answer.errors.contains("no person '@anne'"), "\(answer)")
    #expect(answer.errors.contains("did you mean 'Ann'?"))
    try fixture.run(["append", "-c", "@ann", "--create", "--from", "eve", "a channel"])
    #expect(try fixture.run(["open", "@ann"], input: "/top\n").output.hasSuffix("eve  a channel\n"))
    let person = try fixture.run(["open", "--person", "ann"], input: "/top\n")
    #expect(person.output.hasPrefix("general  2024-05-01 00:01:00  Ann  message 2"), "\(person)")
  }

  @Test func `a place is named in it as in a conversation`() throws {
    let answer = try fixture.run(["open", "--all", "--goto", "3"], input: "/newer 1\n")
    #expect(answer.output.split(separator: "\n").map { $0.suffix(9) } == ["message 3", "message 4"])
  }
}

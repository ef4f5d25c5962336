import Foundation
import ShellTesting
import Testing

/// `assistants --verify`: what of a home is understood.
@Suite struct AssistantVerificationTests {
  private static let lines = """
    {"role":"user","message":{"content":[{"type":"text","text":"<user_query>open sesame</user_query>"}]}}
    {"role":"assistant","message":{"content":[{"type":"text","text":"It is open."}]}}
    {"beacon":"sesame","depth":3}
    {"beacon":"sesame","depth":4}

    """

  private static func home(in fixture: ShellFixture) throws -> String {
    let home = fixture.folder.appending(path: "backup")
    let session = home.appending(path: ".cursor/projects/tea/agent-transcripts/s1/s1.jsonl")
    try FileManager.default.createDirectory(
      at: session.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(lines.utf8).write(to: session)
    return home.path
  }

  @Test func `what is not understood is counted by its keys, and nothing of its contents is printed`() throws
  {
    let fixture = try ShellFixture(count: 0)
    let home = try Self.home(in: fixture)
    let store = fixture.folder.appending(path: "none.db").path
    let answer = try fixture.run(["assistants", "--verify", home, "--store", store])
    #expect(answer.status == 0)
    #expect(
      answer.output.hasPrefix("Cursor  1 session  4 messages  2 not understood  \(home)/.cursor/projects/"))
    #expect(answer.output.contains("      2  {beacon: string, depth: number}\n"))
    #expect(answer.output.contains("not in this home: Claude Code, Claude Code's prompts, "))
    #expect(!answer.output.contains("sesame") && !answer.output.contains("aider, Cursor"))
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  @Test func `the numbers are there as JSON`() throws {
    let fixture = try ShellFixture(count: 0)
    let answer = try fixture.run(["assistants", "--verify", Self.home(in: fixture), "--json"])
    #expect(answer.output.contains(#""sessions":1,"messages":4,"skipped":0,"#))
    #expect(
      answer.output.contains(#""notUnderstood":[{"shape":"{beacon: string, depth: number}","count":2}]"#))
  }

  @Test func `what a program's database has, too, is listed and left out of the command`() throws {
    let fixture = try ShellFixture(count: 0)
    let home = try Self.home(in: fixture)
    let alone = try fixture.run(["assistants", "--home", home]).output
    #expect(alone.contains("scrollback follow ") && alone.hasSuffix("/agent-transcripts\n"))
    let database = URL(filePath: home).appending(path: ".config/Cursor/User/globalStorage/state.vscdb")
    try FileManager.default.createDirectory(
      at: database.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: database)
    let both = try fixture.run(["assistants", "--home", home]).output
    #expect(both.contains("/agent-transcripts  (the same sessions)\n") && both.hasSuffix("/state.vscdb\n"))
    #expect(try fixture.run(["assistants", "--home", home, "--json"]).output.contains(#""repeated":true"#))
  }

  @Test func `a home without sessions has nothing to verify, and other homes are named apart`() throws {
    let fixture = try ShellFixture(count: 0)
    let empty = fixture.folder.appending(path: "empty")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    #expect(try fixture.run(["assistants", "--verify", empty.path]).status == 1)
    #expect(try fixture.run(["assistants", "--verify", empty.path, "--home", empty.path]).status == 64)
  }
}

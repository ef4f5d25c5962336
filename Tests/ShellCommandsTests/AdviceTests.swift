import Foundation
import MessageModel
import ShellTesting
import Testing

/// What errors advise can be copied into a shell.
struct AdviceTests {
  @Test func `ids and names stand in quotes`() throws {
    let fixture = try ShellFixture(count: 1)
    let reply = try fixture.run(["append", "-c", "general", "--reply-to", "123", "x"])
    #expect(reply.errors.contains("try: scrollback show '#123'"))
    let filter = try fixture.run(["filters", "save", "x $(touch PWNED)"])
    #expect(filter.errors.contains("scrollback filters save 'x $(touch PWNED)' "))
    #expect(ShellWord.quoted("it's $(x)\n") == "'it'\\''s $(x)␊'")
  }

  @Test func `a backup that is not there is to be named, and no history imported`() throws {
    let fixture = try ShellFixture(count: 1)
    let answer = try fixture.run(["restore", "--yes", fixture.folder.path + "/nosuch.db"])
    #expect(answer.status == 66 && answer.errors.contains("scrollback backup"))
    #expect(!answer.errors.contains("import"))
  }

  @Test func `help for a command that there is not says so`() throws {
    let fixture = try ShellFixture(count: 0)
    let answer = try fixture.run(["help", "foo"])
    #expect(answer.status == 64 && answer.output.isEmpty && answer.errors.contains("no command 'foo'"))
    #expect(try fixture.run(["help", "tial"]).errors.contains("did you mean 'tail'?"))
    #expect(try fixture.run(["help", "filters", "sav"]).errors.contains("did you mean 'save'?"))
    #expect(try fixture.run(["help", "filters", "save"]).status == 0)
    #expect(try fixture.run(["help"]).status == 0)
  }
}

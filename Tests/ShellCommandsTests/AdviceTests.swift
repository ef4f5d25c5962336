import Foundation
import MessageModel
import ShellTesting
import TestSupport
import Testing

/// What errors advise can be copied into a shell.
struct AdviceTests {
  @Test func `a reply to a message that is not there suggests a search`() throws {
    let fixture = try ShellFixture(count: 1)
    let reply = try fixture.run(["append", "-c", "general", "--reply-to", "123", "x"])
    #expect(reply.errors.contains("try: scrollback search WORD"))
  }

  @Test func `names stand in quotes`() throws {
    let fixture = try ShellFixture(count: 1)
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

  @Test func `help shows the pages that it names`() throws {
    let fixture = try ShellFixture(count: 0)
    func page(_ name: String) throws -> String {
      try String(contentsOf: GoldenFile.root.appending(path: "docs/\(name).md"), encoding: .utf8)
    }
    #expect(try fixture.run(["help", "formats"]).output == page("formats"))
    #expect(try fixture.run(["help", "docs/serve.md"]).output == page("serve"))
    #expect(try fixture.run(["help", "json/search"]).output == page("json/search"))
    // The name alone is that of the command.
    #expect(try fixture.run(["help", "serve"]).output.contains("USAGE: scrollback serve"))
    let manual = try fixture.run(["manual"]).output.replacing("\\-", with: "-")
    let named = Set(manual.matches(of: /docs\/[a-z-]+\.md/).map { String($0.output) })
    #expect(named.count > 8)
    for name in named { #expect(try fixture.run(["help", name]).status == 0, "\(name)") }
    for name in ["docs/nosuch.md", "docs/../README.md", "/etc/hosts.md"] {
      let answer = try fixture.run(["help", name])
      #expect(
        answer.status == 64 && answer.output.isEmpty && answer.errors.hasPrefix("scrollback: no page '"))
    }
    #expect(try fixture.run(["help", "formts"]).errors.contains("did you mean 'formats'?"))
  }

  @Test func `a mistyped command is not taken for a store or a conversation`() throws {
    let fixture = try ShellFixture(count: 1)
    let word = try fixture.run(["tea"])
    #expect(word.status == 1)
    #expect(word.errors == "scrollback: no command or conversation 'tea'\n  try: scrollback --help\n")
    let words = try fixture.run(["tea", "lamp"])
    #expect(words.status == 64 && words.errors.hasPrefix("scrollback: no command 'tea'\n"))
    #expect(try fixture.run(["genera"]).errors.contains("did you mean 'general'?"))
    #expect(try fixture.run(["open", "tea"]).errors.hasPrefix("scrollback: no conversation 'tea'"))
    try FileManager.default.removeItem(atPath: fixture.store)
    let none = try fixture.run(["tea"])
    #expect(none.status == 66 && none.errors.hasPrefix("scrollback: no command 'tea', and no store "))
    #expect(!FileManager.default.fileExists(atPath: fixture.store))
  }

  @Test(arguments: [
    (["undo"], "undo needs the number of an import\n  try: scrollback imports"),
    (["import"], "import needs <path> ...: files, folders or -\n  try: scrollback import --help"),
    (["tail", "--folow"], "tail has no option '--folow'\n  try: scrollback tail --follow"),
    (["undo", "5", "6"], "undo does not take '6'\n  try: scrollback undo --help"),
    (
      ["search", "--limit"],
      "--limit <n> needs a value: at most this many hits\n  try: scrollback search --help"
    ),
    (
      ["tail", "-n", "x"],
      "-n <count> does not take 'x'\n  cause: how many (a screen, or 10 when piped); -5 is -n 5\n  try: scrollback tail --help"
    ),
    (
      ["check", "--quick", "--repair"],
      "--repair cannot be combined with --quick\n  try: scrollback check --help"
    ),
    (["tail", "--nope"], "tail has no option '--nope'\n  try: scrollback tail --help"),
    (["tail", "--quiet=5"], "--quiet takes no value, and '5' is one\n  try: scrollback tail --help"),
    (
      ["completions", "tcsh"],
      "<shell> does not take 'tcsh'\n  cause: one of 'bash', 'zsh' or 'fish'\n  try: scrollback completions --help"
    ),
    (
      ["filters", "sav", "x"],
      "filters has no command 'sav' — did you mean 'save'?\n  try: scrollback filters --help"
    ),
    (["people", "xyzzy"], "people has no command 'xyzzy'\n  try: scrollback people --help"),
    (["publish"], "publish needs an address\n  try: scrollback publish postgres://HOST/DATABASE"),
  ])
  func `a mistake in arguments is reported as other errors are`(arguments: [String], sentence: String) throws
  {
    let answer = try ShellFixture(count: 1).run(arguments)
    #expect(answer.status == 64 && answer.errors == "scrollback: \(sentence)\n", "\(answer)")
  }
}

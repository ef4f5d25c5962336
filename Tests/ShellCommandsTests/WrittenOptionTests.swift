import Foundation
import ShellTesting
import Testing

/// Options may be written as people write them, and formats called as they are called.
struct WrittenOptionTests {
  private let fixture: ShellFixture

  init() throws {
    fixture = try ShellFixture(count: 20)
    try fixture.run(["append", "-c", "other", "--create", "--from", "carol", "elsewhere"])
  }

  @Test(arguments: [
    ["tail", "-n3", "-c", "general"], ["tail", "-n", "3", "-cgeneral"], ["tail", "-3", "-c", "general"],
    ["tail", "-c", "general", "-3"], ["tail", "-q", "-3", "--conversation=general"],
    ["-cgeneral", "tail", "-3"],
    ["-c", "general", "tail", "-n3"], ["tail", "-3", "--from", "alice", "--from", "bob", "-cgeneral"],
  ])
  func `a value may follow its letter, and a count the minus sign`(arguments: [String]) throws {
    let answer = try fixture.run(arguments)
    let texts = answer.output.split(separator: "\n").map { String($0.suffix(10)) }
    #expect(texts == ["message 18", "message 19", "message 20"], "\(arguments): \(answer)")
  }

  @Test func `a number that is the value of an option stays that`() throws {
    #expect(try fixture.run(["tail", "-n", "-5", "-c", "general"]).errors.contains("-n must be 0 or more"))
    #expect(try fixture.run(["tail", "-c", "general", "--offset", "-5"]).status == 64)
    #expect(try fixture.run(["export", "-5"]).status == 64)
  }

  @Test func `a store may follow its letter`() throws {
    let answer = try fixture.run(["tail", "-s\(fixture.store)", "-cother"])
    #expect(answer.status == 0 && answer.output.hasSuffix("elsewhere\n"))
  }

  @Test(arguments: [
    ("x.html", "<!DOCTYPE html>"), ("x.HTM", "<!DOCTYPE html>"), ("x.jsonl", "{\"id\""),
    ("x.json", "{\"id\""),
    ("x.csv", "id,"), ("x.tsv", "id\t"), ("x.md", "#"), ("x.txt", "=="), ("x.log", "=="), ("x.mbox", "From "),
    ("x", "=="), ("html", "=="),
  ])
  func `an export has the format of its file's name`(name: String, beginning: String) throws {
    let path = fixture.folder.path + "/" + name
    #expect(try fixture.run(["export", "-o", path]).status == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix(beginning))
    #expect(try fixture.run(["export", "-o\(path)", "--format", "csv"]).status == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("id,"))
  }

  @Test(arguments: [("md", "markdown"), ("txt", "text"), ("json", "jsonl"), ("HTML", "html")])
  func `formats are understood by their short names`(short: String, name: String) throws {
    let answer = try fixture.run(["export", "--format", short])
    #expect(answer.status == 0)
    #expect(try fixture.run(["export", "--format", name]).output == answer.output)
  }

  @Test(arguments: ["", " ", "\u{3000}\t"]) func `a message without a text is refused`(text: String) throws {
    let answer = try fixture.run(["append", "-c", "general", text])
    #expect(answer.status == 64 && answer.errors.contains("the message is empty"), "\(answer)")
    #expect(try fixture.run(["tail", "-1", "-cgeneral"]).output.hasSuffix("message 20\n"))
  }

  @Test func `what no repair helps with has a way out`() throws {
    let file = fixture.folder.path + "/large.bin"
    try Data(repeating: 7, count: 200_000).write(to: URL(fileURLWithPath: file))
    let id = try #require(
      try fixture.run(["tail", "-1", "-cother", "--json"]).output.firstMatch(of: /"id":"(\d+)"/))
    try fixture.run(["attach", String(id.1), file])
    try FileManager.default.removeItem(atPath: fixture.store + ".attachments")
    let checked = try fixture.run(["check"])
    #expect(checked.status == 3 && checked.errors.hasSuffix("try: scrollback check --repair\n"), "\(checked)")
    let repaired = try fixture.run(["check", "--repair"])
    #expect(repaired.status == 3 && repaired.errors.contains("try: scrollback restore BACKUP"), "\(repaired)")
  }

  @Test func `a search that finds nothing says so where somebody sees it`() throws {
    #expect(try fixture.show(["search", "wobbly"]).screen.contains("nothing found for 'wobbly'"))
    let answer = try fixture.run(["search", "wobbly"])
    #expect(answer.status == 1 && answer.errors.isEmpty)
  }

  @Test(arguments: [
    ("sessions", "there are no sessions"), ("files", "there are no files"),
    ("threads", "there are no threads"),
    ("sources", "nothing is followed; start with: scrollback follow PATH"),
  ])
  func `a list without entries says so where somebody sees it`(command: String, words: String) throws {
    #expect(try fixture.show([command]).screen.contains(words))
    #expect(try fixture.run([command]).errors.isEmpty)
  }

  @Test(arguments: [["tail", "-c", "general", "--since", "2100"], ["stats", "--by", "month", "since:2100"]])
  func `a command that shows no message says so where somebody sees it`(command: [String]) throws {
    #expect(try fixture.show(command).screen.contains("there are no messages"))
    #expect(try fixture.run(command).errors.isEmpty)
  }

  @Test func `open offers no option that it refuses`() throws {
    let help = try fixture.run(["open", "--help"]).output
    for option in ["--conversation", "--all", "--person"] { #expect(help.contains(option)) }
    for both in [["-c", "general", "--all"], ["general", "--person", "ann"], ["--all", "--person", "ann"]] {
      let refused = try fixture.run(["open"] + both, input: "")
      #expect(
        refused.status == 64
          && refused.errors.contains("a window shows one of these: a conversation, --all, --person"),
        "\(refused)")
    }
  }
}

import Foundation
import MessageModel
import MessageStorage
import ShellTesting
import Testing

/// `export --format html --numbered`.
@Suite(.serialized) struct NumberedExportTests {
  private static let lines = """
    {"conversation":"tea","time":"2024-05-01T10:00:00Z","sender":"ann","text":"at five","edits":[{"time":"2024-05-01T11:00:00.000Z","text":"at <four>"}]}
    {"conversation":"tea","time":"2024-05-01T10:01:00Z","sender":"ann","text":"the cup","attachments":[{"name":"cup.jpg"}]}
    {"conversation":"tea","time":"2024-05-01T10:02:00Z","sender":"bob","kind":"text","deleted":{"time":"2024-05-02T08:00:00.000Z","by":"bob"}}
    {"conversation":"water","time":"2024-05-01T10:00:00Z","sender":"ann","text":"still"}

    """
  /// Of these lines, by `sha256sum`.
  private static let hash = "465f0edb4a5bab2431fded80b6aaf4b413a827bb4722fabe5ba8efa289fe3e94"

  private func imported() throws -> (fixture: ShellFixture, path: String) {
    let fixture = try ShellFixture(count: 0)
    let path = fixture.folder.appendingPathComponent("tea log.jsonl").path
    try Self.lines.write(toFile: path, atomically: true, encoding: .utf8)
    try #require(try fixture.run(["import", "--quiet", path]).status == 0)
    return (fixture, path)
  }

  private func document(_ fixture: ShellFixture, _ options: String...) throws -> String {
    let answer = try fixture.run(["export", "--format", "html", "--numbered", "--all"] + options)
    try #require(answer.status == 0, "\(answer)")
    return answer.output
  }

  @Test func `each message has a number, its sender and its earlier texts, and numbers go on`() throws {
    let page = try document(imported().fixture)
    for (number, sender) in [(1, "ann"), (2, "ann"), (4, "ann")] {
      let mark = "<a class=\"number\" id=\"n\(number)\" href=\"#n\(number)\">\(number)</a> "
      #expect(page.contains("\(mark)<b><bdi>\(sender)</bdi></b>"), "\(number)")
    }
    #expect(page.contains("id=\"n3\"") && !page.contains("id=\"n5\""))
    #expect(
      page.contains(
        "until 2024-05-01T11:00:00.000Z:</small>\n<p class=\"earlier\" dir=\"auto\">at &lt;four&gt;"))
    #expect(page.contains("its content is not here; SHA-256 unknown"))
  }

  @Test func `conversations have counts, and the source its hash, as far as its file is there`() throws {
    let (fixture, path) = try imported()
    var page = try document(fixture)
    #expect(page.contains("<dd>3, all that the store has: numbers 1 to 3</dd>"))
    #expect(page.contains("<dd>1, shown without their contents</dd>"))
    #expect(page.contains("<dd>1; of 1 the earlier texts are known"))
    #expect(page.contains("<dd>1; the content of 1 is not here;"))
    #expect(page.contains("4 of the 4 messages that it brought are here"))
    #expect(
      page.contains("&#39;\(path)&#39;: SHA-256 \(Self.hash), \(Self.lines.utf8.count) bytes, last changed "))
    #expect(page.contains("The store keeps no hash of the files that it imported"))
    try FileManager.default.removeItem(atPath: path)
    page = try document(fixture, "--from", "ann")
    #expect(page.contains("&#39;\(path)&#39; is not at its path now: its SHA-256 is not known"))
    #expect(
      page.contains("<dd>2 of the 3 that the store has, as this document was asked for: numbers 1 to 2</dd>"))
  }

  @Test func `what is known to be missing is listed, and that others may be is said`() throws {
    let fixture = try imported().fixture
    #expect(
      try document(fixture).contains("No gap is recorded. Most sources do not say what they leave out."))
    let store = try SynchronousMessageStore(path: fixture.store, options: StoreOptions(access: .readWrite))
    let tea = try #require(try store.conversation(named: "tea"))
    let messages = try store.page(PageRequest(Selection(tea.id))).messages
    try store.setGap(in: tea.id, before: try #require(messages.first).id, size: 7)
    try store.delete([try #require(messages.dropFirst().first).id])
    store.close()
    let page = try document(fixture)
    #expect(page.contains("from the beginning, before 2024-05-01T10:00:00.000Z; 7 messages"))
    #expect(page.contains("1 more was removed from the store without a note"))
  }

  @Test func `merged, all is counted once, and redacted, no source is named`() throws {
    let (fixture, path) = try imported()
    let merged = try document(fixture, "--merge")
    #expect(merged.contains("<dd>4, all that the store has: numbers 1 to 4</dd>"))
    let rules = fixture.folder.appendingPathComponent("rules.txt")
    try "name ann".write(to: rules, atomically: true, encoding: .utf8)
    let redacted = try document(fixture, "--redact", rules.path)
    #expect(!redacted.contains(path) && !redacted.contains(Self.hash))
    #expect(redacted.contains("The names, times and hashes of its sources are left out, too."))
  }

  @Test func `another format has no numbers`() throws {
    let fixture = try ShellFixture(count: 1)
    for options in [["--format", "csv"], [], ["-o", fixture.folder.path + "/a.md"], ["--format", "site"]] {
      let answer = try fixture.run(["export", "--numbered"] + options)
      #expect(answer.status == 64 && answer.errors.contains("--numbered is for HTML"), "\(answer)")
    }
  }
}

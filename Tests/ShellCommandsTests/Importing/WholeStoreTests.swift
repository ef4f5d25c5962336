import Foundation
import HistoryTransfer
import MessageInterchange
import MessageModel
import MessageStorage
import ShellTesting
import Testing

/// `export --everything`, and the import of what it wrote into another store.
@Suite(.serialized) struct WholeStoreTests {
  /// A store that has all that a store can have, and one of another computer.
  private struct Pair {
    let fixture: ShellFixture
    let folder: String
    /// The path of the store that is moved to.
    let other: String
    let file: String

    init() throws {
      fixture = try ShellFixture(named: "everything") { try Self.fill($0) }
      folder = fixture.folder.path
      other = folder + "/other.db"
      file = folder + "/store.jsonl"
    }

    /// Runs commands that must succeed, one a line.
    private static func run(_ lines: String, in fixture: ShellFixture) throws {
      for line in lines.split(separator: "\n") {
        let answer = try fixture.run(line.split(separator: " ").map(String.init))
        #expect(answer.status == 0, "\(line): \(answer.errors)")
      }
    }

    private static func fill(_ fixture: ShellFixture) throws {
      func line(_ text: String, _ minute: Int, _ rest: String) -> String {
        "{\"conversation\":\"harbour\",\"time\":\"2024-05-01T12:\(minute):00.000Z\",\"text\":\"\(text)\",\(rest)}\n"
      }
      let source = #""conversationSource":{"platform":"slack","id":"C1"}"#
      try fixture.add(
        line("first tea", 10, #""sender":"ann","senderID":"U1",\#(source)"#)
          + line("see https://example.org", 20, #""sender":"ann_","senderID":"U2",\#(source)"#))
      // What answers a message may stand in another conversation than that.
      let later = "7022864793600001"
      let liked = #""reactions":[{"emoji":"👍","senders":["ann"]}]"#
      try fixture.add(
        line("later", 30, #""id":"\#(later)","sender":"Bob",\#(source),\#(liked)"#)
          + #"{"conversation":"quay","time":"2024-05-02T08:00:00.000Z","sender":"Bobby","text":"fog","#
          + #""id":"7023152332800000","replyTo":"\#(later)"}"# + "\n")
      try fixture.run(["append", "-c", "harbour", "--from", "carol", "written here"])
      try fixture.run(["append", "-c", "notes", "--create", "--from", "carol", "a note"])
      try Self.run(
        """
        people link Ann U1 U2
        people link me carol
        senders alias Bobby Bob
        filters save links has:link
        filters save bobs from:Bob
        conversations rename quay pier
        """, in: fixture)
      let store = try SynchronousMessageStore(path: fixture.store)
      defer { store.close() }
      let page = try store.page(PageRequest(.everything, order: .oldestFirst, fetchLimit: 10))
      let (first, third) = (page.messages[0], page.messages[2])
      try store.setMark(NamedMark(name: "tea", conversation: first.conversation, message: first.id))
      try store.markRead(first.conversation, upTo: third.id)
      try store.markRead(thread: third.id, upTo: .highest)
      try store.setGap(in: first.conversation, after: first.id, before: third.id, token: "t", size: 7)
      try store.setPayload([1, 2, 3], of: first.conversation)
      try store.star([first.id])
      let followed = try store.addSource("/nowhere/tea logs", settings: ["me": "Ann B", "format": "slack"])
      try store.updateSource(followed.id) { $0.importNumber = 1 }
    }

    @discardableResult
    func export(_ options: String...) throws -> ShellFixture.Answer {
      let answer = try fixture.run(["export", "--everything", "-o", file] + options)
      #expect(answer.status == 0, "\(answer.errors)")
      return answer
    }

    func `import`(_ path: String? = nil) throws -> ShellFixture.Answer {
      try fixture.run(["import", "--store", other, path ?? file])
    }

    /// Imports as far as a process comes that is killed behind the last record of a file: nothing ends the import.
    func importWithoutEnd(_ path: String) throws {
      let store = try SynchronousMessageStore(path: other)
      defer { store.close() }
      let intake = HistoryIntake(named: path, zone: "UTC") { store }
      _ = try intake.takeAhead(try ImportReader([path]), isCancelled: { false }, then: { _, _ in true })
    }

    /// All that a person sees of a store, by the command that shows it; numbers that a store gives are left out.
    func picture(of store: String) throws -> [String: String] {
      var picture: [String: String] = [:]
      for command in [
        "export --json", "conversations --json", "people --json", "senders --json", "filters --json",
        "threads --json", "stats --json --by sender",
      ] {
        let answer = try fixture.run(command.split(separator: " ").map(String.init) + ["--store", store])
        picture[command] = answer.output.replacing(/,"(id|senderID)":\d+/, with: "")
      }
      let opened = try SynchronousMessageStore(path: store)
      defer { opened.close() }
      picture["imports"] = try opened.imports()
        .map { "\($0.time) \($0.description) \($0.addedCount) \($0.isFinished) \($0.fileCount ?? -1)" }
        .joined(separator: "\n")
      picture["sources"] = try opened.sources().map { source, count in
        let name = try opened.imports().first { $0.id == source.importNumber }?.description.name
        return
          "\(source.path) \(source.settings.sorted { $0.key < $1.key }) \(source.addedAt) \(name ?? "") \(count)"
      }.joined(separator: "\n")
      var rest: [String] = try opened.marks().map { "\($0.name) \($0.message) \($0.view ?? "")" }
      for conversation in try opened.readConversations() {
        let written = try opened.countWrittenHere(in: conversation.id)
        rest.append(
          "\(try opened.conversationName(conversation.id) ?? "") \(written) \(conversation.readUpTo as Any)")
        rest += try opened.gaps(of: conversation.id).map {
          "\($0.after as Any) \($0.before as Any) \($0.token ?? "") \($0.size ?? -1)"
        }
        rest.append("\(try opened.payload(of: conversation.id) ?? [])")
      }
      picture["rest"] = rest.joined(separator: "\n")
      return picture
    }
  }

  @Test func `a store that is exported with everything and imported is the same store`() throws {
    let pair = try Pair()
    let told = try pair.export().errors
    #expect(told.contains("not in the file: 2 changes of people"), "\(told)")
    let written = try String(contentsOfFile: pair.file, encoding: .utf8)
    #expect(written.contains(#""replyTo":"7022864793600001","import":2"#))
    let thread = #"{"thread":"7022864793600001","readUpTo":"7023152332800000"}"#
    #expect(written.contains(#""readThreads":[\#(thread)]"#))
    let answer = try pair.import()
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(
      answer.errors.contains(
        "settings: 2 imports, 2 conversations, 1 alias, 2 people, 2 filters, 1 mark, 1 gap, 1 followed source"
      ),
      "\(answer.errors)")
    let (old, new) = (try pair.picture(of: pair.fixture.store), try pair.picture(of: pair.other))
    for (what, shown) in old { #expect(new[what] == shown, "\(what)") }
    #expect(try pair.fixture.run(["check", "--store", pair.other]).status == 0)
    // A newer export of a conversation that was renamed still finds it.
    let line = #"{"conversation":"quay","time":"2024-05-03T08:00:00.000Z","sender":"Bobby","text":"sun"}"#
    try pair.fixture.run(["import", "--store", pair.other, "-"], input: line)
    #expect(try pair.fixture.run(["tail", "--store", pair.other, "-c", "pier"]).output.contains("sun"))
  }

  @Test func `each import that came along can be undone, and what was written by hand stays`() throws {
    let pair = try Pair()
    try pair.export()
    #expect(try pair.import().status == 0)
    let store = try SynchronousMessageStore(path: pair.other)
    let second = try #require(try store.imports().last?.id)
    store.close()
    for (path, number) in [(pair.fixture.store, 2), (pair.other, second)] {
      #expect(try pair.fixture.run(["undo", "--store", path, "\(number)", "--yes"]).status == 0)
    }
    let left = try pair.fixture.run(["export", "--json", "--store", pair.other]).output
    #expect(left == (try pair.fixture.run(["export", "--json"]).output))
    #expect(left.contains("written here") && left.contains("first tea") && !left.contains("later"))
  }

  @Test func `imported again it brings nothing, and leaves alone what was changed since`() throws {
    let pair = try Pair()
    try pair.export()
    #expect(try pair.import().status == 0)
    let once = try pair.picture(of: pair.other)
    let again = try pair.import()
    #expect(again.status == 0 && again.errors.contains("imported 0 · already there 6"), "\(again.errors)")
    #expect(!again.errors.contains("settings:"), "\(again.errors)")
    #expect(try pair.picture(of: pair.other) == once)

    for command in [
      ["filters", "save", "links", "has:attachment"], ["people", "unlink", "Ann", "U2"],
      ["people", "link", "Other", "U2"],
    ] {
      #expect(try pair.fixture.run(command + ["--store", pair.other]).status == 0)
    }
    let store = try SynchronousMessageStore(path: pair.other)
    let last = try #require(try store.page(PageRequest(.everything, fetchLimit: 1)).messages.last)
    try store.setMark(NamedMark(name: "tea", conversation: last.conversation, message: last.id))
    store.close()
    let changed = try pair.picture(of: pair.other)
    let third = try pair.import()
    #expect(third.status == 3)
    for reason in [
      "'U2' is linked to 'Other' here, and stays so", "the filter 'links' is another here, which stays",
      "the mark 'tea' is another here, which stays",
    ] { #expect(third.errors.contains(reason), "\(third.errors)") }
    #expect(try pair.picture(of: pair.other) == changed)
  }

  @Test func `killed anywhere and run again it comes to the same end`() throws {
    let pair = try Pair()
    try pair.export()
    let lines = try String(contentsOfFile: pair.file, encoding: .utf8).split(separator: "\n")
    #expect(try pair.import().status == 0)
    let whole = try pair.picture(of: pair.other)
    for count in stride(from: 1, to: lines.count, by: 2) {
      let part = pair.folder + "/part.jsonl"
      try (lines.prefix(count).joined(separator: "\n") + "\n").write(
        toFile: part, atomically: true, encoding: .utf8)
      try FileManager.default.removeItem(atPath: pair.other)
      try pair.importWithoutEnd(part)
      #expect(try pair.import().status == 0)
      for (what, shown) in try pair.picture(of: pair.other) {
        #expect(shown == whole[what], "\(count): \(what)")
      }
    }
  }

  @Test func `the import of a store joins another one, whose ids stay its own`() throws {
    let pair = try Pair()
    try pair.export()
    // A message of the other store has the id of the one that is marked.
    let lines = try String(contentsOfFile: pair.file, encoding: .utf8).split(separator: "\n")
    let marked = try #require(lines.first { $0.contains("first tea") })
    let taken = marked.replacing("first tea", with: "somebody else's").replacing("harbour", with: "elsewhere")
      .replacing(/,"conversationSource":\{[^}]*\}/, with: "")
    try pair.fixture.run(["import", "--store", pair.other, "-"], input: String(taken) + "\n")
    #expect(try pair.import().status == 0)
    let store = try SynchronousMessageStore(path: pair.other)
    defer { store.close() }
    let mark = try #require(try store.marks().first)
    #expect(try store.message(mark.message)?.text == "first tea")
    #expect(try store.imports().count == 3)
  }

  @Test func `attached files come along where they are written beside it`() throws {
    let fixture = try ShellFixture(count: 3)
    let (note, other) = (fixture.folder.path + "/note.txt", fixture.folder.path + "/other.db")
    try "tea at five".write(toFile: note, atomically: true, encoding: .utf8)
    let id = try #require(
      try fixture.run(["export", "--json", "--limit", "1"]).output.firstMatch(of: /"id":"(\d+)"/)?.1)
    #expect(try fixture.run(["attach", String(id), note]).status == 0)
    let file = fixture.folder.path + "/store.jsonl"
    let bare = try fixture.run(["export", "--everything", "-o", file])
    #expect(bare.errors.contains("1 attached file (--attachments DIR writes them)"), "\(bare.errors)")
    let whole = try fixture.run(
      ["export", "--everything", "-o", file, "--attachments", fixture.folder.path + "/files"])
    #expect(whole.status == 0 && !whole.errors.contains("not in the file"), "\(whole.errors)")
    #expect(try fixture.run(["import", "--store", other, file]).status == 0)
    let saved = fixture.folder.path + "/saved"
    #expect(try fixture.run(["save", "--store", other, String(id), saved]).status == 0)
    #expect(try String(contentsOfFile: saved + "/note.txt", encoding: .utf8) == "tea at five")
  }

  @Test func `a bad record is left out with its line and reason, and nothing else is lost`() throws {
    let fixture = try ShellFixture(count: 0)
    let records: [(line: String, reason: String)] = [
      (#"{"person":{"name":"@x","accounts":[{"name":"ann"}]}}"#, "'@x' is not a name for a person"),
      (#"{"person":{"accounts":[]}}"#, #"it has no "name""#),
      (#"{"filter":{"name":"a:b","filter":"tea"}}"#, "no filter can be named 'a:b'"),
      (#"{"filter":{"name":"bad","filter":"from:"}}"#, "the filter 'bad' cannot be saved"),
      (#"{"filter":{"name":"word","filter":"regex:("}}"#, "the filter 'word' cannot be saved"),
      (
        #"{"mark":{"name":"\#(String(repeating: "x", count: 81))","conversation":"sea","id":"1"}}"#,
        "up to 80"
      ),
      (#"{"mark":{"name":"a","conversation":"none","id":"1"}}"#, "its conversation 'none' is not here"),
      (#"{"mark":{"name":"a","conversation":"sea","id":"x"}}"#, #""id" is not a message's id"#),
      (#"{"gap":{"conversation":"sea","after":"9","before":"5"}}"#, "would end before it begins"),
      (#"{"gap":{"conversation":"sea","after":"5","messages":-1}}"#, #""messages" is not a number"#),
      (#"{"gap":{"conversation":"sea","after":"2","before":"7"}}"#, "overlaps another one"),
      (#"{"alias":{"name":"nobody","aliasOf":"ann"}}"#, "no sender 'nobody' is here"),
      (#"{"followed":{"path":"etc","added":"2024-05-01T00:00:00Z"}}"#, "no path from the root"),
      (#"{"import":{"import":1,"name":"x"}}"#, #""time" is not a time"#),
      (#"{"conversation":{"name":"sea","direct":"no"}}"#, #""direct" is not true or false"#),
      (#"{"weather":{"name":"fog"}}"#, "it is a record of an unknown kind, 'weather'"),
      (#"{"person":7}"#, "it has no time"),
    ]
    let good = [
      #"{"store":{"messages":2,"imports":0}}"#,
      #"{"conversation":"sea","time":"2024-05-01T12:00:00.000Z","sender":"ann","text":"tea","import":99}"#,
      #"{"conversation":"sea","time":"2024-05-01T12:01:00.000Z","sender":"bob","text":"fog"}"#,
      #"{"gap":{"conversation":"sea","after":"1","before":"5"}}"#,
    ]
    let last = [
      #"{"mark":{"name":"a","conversation":"sea","id":"1"}}"#,
      #"{"person":{"name":"Ann","accounts":[{"name":"ann"}]}}"#,
    ]
    let text = (good + records.map(\.line) + last).joined(separator: "\n") + "\n"
    let rejects = fixture.folder.path + "/rejects"
    let answer = try fixture.run(["import", "--rejects", rejects, "-"], input: text)
    #expect(answer.status == 3)
    #expect(answer.errors.contains("settings: 1 person, 1 mark, 1 gap"), "\(answer.errors)")
    #expect(answer.errors.contains("skipped \(records.count) "), "\(answer.errors)")
    let told = try String(contentsOfFile: rejects, encoding: .utf8)
    for (index, record) in records.enumerated() {
      let line = told.split(separator: "\n").first { $0.contains(":\(index + good.count + 1): ") }
      #expect(line?.contains(record.reason) == true, "\(record.line): \(line ?? "")")
    }
    #expect(try fixture.run(["export", "--json"]).output.split(separator: "\n").count == 2)
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test func `more saved filters than any store was meant to have are left out`() throws {
    let fixture = try ShellFixture(count: 0)
    let filters = (0..<1_003).map { #"{"filter":{"name":"f\#($0)","filter":"has:link"}}"# + "\n" }.joined()
    let answer = try fixture.run(["import", "-"], input: #"{"store":{}}"# + "\n" + filters)
    #expect(answer.status == 3 && answer.errors.contains("settings: 1,000 filters"), "\(answer.errors)")
    #expect(answer.errors.contains("an import takes 1000 records of the kind 'filter'"), "\(answer.errors)")
  }

  @Test(arguments: [
    "-c general", "--from alice", "--matching tea", "--limit 3", "--offset 1", "--newest-first", "--merge",
    "--redact secrets", "--format csv", "--format site", "--defuse",
  ])
  func `everything is no part of a store, nothing replaced in it, and no other format`(options: String) throws
  {
    let fixture = try ShellFixture(count: 3)
    let answer = try fixture.run(
      ["export", "--everything", "-o", fixture.folder.path + "/out"]
        + options.split(separator: " ").map(String.init))
    #expect(answer.status == 64 && answer.errors.contains("--everything"), "\(answer.errors)")
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.path + "/out"))
    #expect(try fixture.run(["export", "--everything", "-o", "x.csv"]).status == 64)
  }

  @Test func `an import into one conversation takes messages alone`() throws {
    let pair = try Pair()
    try pair.export()
    let answer = try pair.fixture.run(["import", "--store", pair.other, "--into", "all", pair.file])
    #expect(
      answer.status == 3 && answer.errors.contains("only an import of all conversations takes settings"))
    let store = try SynchronousMessageStore(path: pair.other)
    defer { store.close() }
    #expect(try store.imports().map(\.addedCount) == [6] && store.marks().isEmpty)
  }
}

import Foundation
import GRDB
import MessageInterchange
import MessageModel
import MessageStorage
import Testing

/// Sources that are followed: what is there comes in, and then what is added, each thing once.
@Suite struct FollowTests {
  // MARK: Lines

  @Test func `lines that are added come in, and each once`() throws {
    let followed = try Followed()
    try followed.write("tea.log", Followed.line(1, "one"))
    try followed.settle()
    #expect(try followed.texts() == ["one"])
    try followed.append("tea.log", Followed.line(1, "one"))
    try followed.append("tea.log", Followed.line(2, "two"))
    try followed.settle()
    // Equal lines of one second are two.
    #expect(try followed.texts() == ["one", "one", "two"])
    #expect(try followed.restarted().texts() == ["one", "one", "two"])
  }

  @Test func `a grown file is read from where it was left`() throws {
    let followed = try Followed()
    try followed.write("tea.log", (1...2_000).map { Followed.line($0, "tea \($0)") }.joined())
    try followed.settle()
    followed.forgetReports()
    try followed.append("tea.log", Followed.line(3_000, "the last"))
    try followed.settle()
    #expect(followed.taken == 1)
    #expect(try followed.texts().count == 2_001)
  }

  @Test func `files that grow at once go on where each was left`() throws {
    let followed = try Followed()
    let names = (1...40).map { "irc.libera.#tea\($0).weechatlog" }
    for name in names { try followed.write(name, Followed.line(1, "one")) }
    try followed.settle()
    for second in [1, 1, 2] {
      followed.forgetReports()
      for name in names { try followed.append(name, Followed.line(second, "one") + Followed.line(3, "two")) }
      try followed.settle()
      #expect(followed.taken == 80)
      #expect(followed.reports.count { if case .took(_, _, 2, 0) = $0 { true } else { false } } == 40)
    }
    // Equal lines of one second are as many as were written.
    let counts = try followed.store.conversations().map(\.messageCount)
    #expect(counts == Array(repeating: 7, count: 40))
    let other = try followed.restarted()
    #expect(other.taken == 0)
    #expect(try other.texts().count == 280)
  }

  @Test func `half a line is waited for`() throws {
    let followed = try Followed()
    let line = Followed.line(2, "two halves of a line")
    try followed.write("tea.log", Followed.line(1, "one") + line.prefix(40))
    try followed.settle()
    #expect(try followed.texts() == ["one"])
    try followed.append("tea.log", line.dropFirst(40).dropLast())
    try followed.settle()
    #expect(try followed.texts() == ["one"])
    try followed.append("tea.log", "\n")
    try followed.settle()
    #expect(try followed.texts() == ["one", "two halves of a line"])
  }

  @Test func `an object of JSON needs no end of its line to be whole`() throws {
    let followed = try Followed()
    let lines = (1...3).map { #"{"time":"2024-05-01T10:00:0\#($0)Z","sender":"ann","text":"\#($0)"}"# }
    try followed.write("bot.jsonl", lines[0] + "\n" + lines[1])
    try followed.settle()
    #expect(try followed.texts() == ["1", "2"])
    try followed.append("bot.jsonl", "\n" + lines[2].prefix(20))
    try followed.settle()
    #expect(try followed.texts() == ["1", "2"])
    try followed.append("bot.jsonl", lines[2].dropFirst(20) + "\n")
    try followed.settle()
    #expect(try followed.texts() == ["1", "2", "3"])
  }

  @Test(arguments: [true, false])
  func `a format of an app that grows by lines is followed as a log, another as an export`(
    growsByLines: Bool
  ) throws {
    let followed = try Followed(formats: [TimedLines(growsByLines: growsByLines)])
    try followed.write("tea.timed", "1700000000 one\n")
    try followed.settle(for: 3)
    for second in 1...3 {
      try followed.append("tea.timed", "170000000\(second) more \(second)\n170000000\(second) ")
      try followed.pass(0.2)
      try followed.append("tea.timed", "half \(second)\n")
    }
    let read = ["one", "more 1", "half 1", "more 2", "half 2", "more 3"]
    #expect(try followed.texts() == (growsByLines ? read : ["one"]))
    try followed.settle(for: 3)
    #expect(try followed.texts() == read + ["half 3"])
    #expect(followed.troubles.isEmpty)
    #expect(try followed.restarted().texts() == read + ["half 3"])
  }

  @Test(arguments: ["rename", "copytruncate", "replace", "truncate"])
  func `a log that is rotated or written anew goes on`(manner: String) throws {
    for isFolder in [true, false] {
      let followed = try Followed(following: isFolder ? nil : "tea.log")
      try followed.write("tea.log", Followed.line(1, "one"))
      try followed.settle()
      // What comes just before is not seen under the old name any more.
      try followed.append("tea.log", Followed.line(2, "two"))
      switch manner {
      case "rename":
        try followed.move("tea.log", to: "tea.log.1")
        try followed.append("tea.log.1", Followed.line(3, "three"))
        try followed.write("tea.log", Followed.line(4, "four"))
      case "copytruncate":
        try followed.append("tea.log", Followed.line(3, "three"))
        try followed.write("tea.log.1", followed.content("tea.log"))
        try followed.overwrite("tea.log", Followed.line(4, "four"))
      case "replace":
        let all = (1...4).map { Followed.line($0, ["one", "two", "three", "four"][$0 - 1]) }.joined()
        try followed.write("next", all)
        try followed.move("next", to: "tea.log")
      default:
        try followed.settle()
        try followed.overwrite("tea.log", Followed.line(3, "three") + Followed.line(4, "four"))
      }
      try followed.settle()
      #expect(try followed.texts() == ["one", "two", "three", "four"], "\(manner), a folder: \(isFolder)")
      #expect(try followed.store.conversations().count == 1)
      #expect(try followed.restarted().texts() == ["one", "two", "three", "four"])
    }
  }

  @Test func `a session of an assistant is followed from its first line on, under its title`() throws {
    let followed = try Followed()
    func line(_ id: String, _ parent: String, _ text: String) -> String {
      #"{"parentUuid":"\#(parent)","isSidechain":false,"cwd":"/home/ann/tea","sessionId":"s-1","type":"user","#
        + #""message":{"role":"user","content":"\#(text)"},"uuid":"\#(id)","timestamp":"2026-03-01T10:00:01.000Z"}"#
        + "\n"
    }
    let snapshot =
      #"{"type":"file-history-snapshot","messageId":"m","snapshot":{},"isSnapshotUpdate":false,"sessionId":"s-1"}"#
    try followed.write("project/s-1.jsonl", snapshot + "\n")
    try followed.settle()
    try followed.append("project/s-1.jsonl", line("a", "", "Make tea"))
    try followed.settle()
    try followed.append("project/s-1.jsonl", line("b", "a", "with milk"))
    try followed.settle()
    #expect(try followed.store.conversations().map(\.name) == ["tea > Make tea"])
    #expect(try followed.texts().filter { !$0.hasPrefix("session in") } == ["Make tea", "with milk"])
  }

  // MARK: Sessions that are written anew

  /// A thread of Amp with some questions.
  private func thread(_ count: Int) -> String {
    let messages = (0..<count).map {
      #"{"role":"user","messageId":\#($0),"content":[{"type":"text","text":"question {\#($0)\""}],"meta":{"sentAt":\#(1_772_359_201_000 + $0)}}"#
    }
    return
      #"{"v":3,"id":"T-5b1c7a10-0000-4000-8000-000000000001","created":1772359200000,"messages":[\#(messages.joined(separator: ","))]}"#
  }

  @Test(arguments: ["rename", "overwrite"])
  func `a session that its program writes anew is read within half a second`(way: String) throws {
    let followed = try Followed()
    try followed.write("amp/threads/T-1.json", thread(1))
    try followed.pass(0.4)
    #expect(try followed.texts() == [#"question {0""#])
    for count in 2...4 {
      if way == "rename" {
        try followed.write("amp/threads/T-1.json.tmp", thread(count))
        try followed.move("amp/threads/T-1.json.tmp", to: "amp/threads/T-1.json")
      } else {
        try followed.overwrite("amp/threads/T-1.json", thread(count))
      }
      try followed.pass(0.4)
      #expect(try followed.texts().count == count)
    }
    #expect(followed.troubles.isEmpty)
  }

  @Test func `half a session that is written anew waits, and loses nothing`() throws {
    let followed = try Followed()
    try followed.write("amp/threads/T-1.json", thread(2))
    try followed.settle()
    let whole = thread(3)
    for length in [whole.count / 3, whole.count - 1] {
      try followed.overwrite("amp/threads/T-1.json", String(whole.prefix(length)))
      try followed.pass(1)
      #expect(try followed.texts().count == 2)
    }
    #expect(followed.reports.count == 2, "\(followed.reports)")
    try followed.overwrite("amp/threads/T-1.json", whole)
    try followed.pass(0.4)
    #expect(try followed.texts().count == 3)
    // What stays half is read as it is.
    try followed.overwrite("amp/threads/T-1.json", String(thread(4).dropLast(2)))
    try followed.settle(for: 3)
    #expect(try followed.texts().count == 4)
  }

  // MARK: Folders

  @Test func `an export is taken in when it has stopped growing, in new folders too`() throws {
    let followed = try Followed()
    try followed.settle()
    let all = #"{"messages":[{"time":"2024-05-01T10:00:00Z","text":"whole","user":"ann"}]}"#
    try followed.write("2024/may/chat.json", all.prefix(40))
    try followed.pass(1)
    #expect(followed.taken == 0)
    try followed.append("2024/may/chat.json", all.dropFirst(40))
    try followed.settle()
    #expect(try followed.texts() == ["whole"])
    #expect(followed.troubles.isEmpty)
  }

  @Test func `an export that grows all the time is read as it is after a while, and whole when it rests`()
    throws
  {
    let followed = try Followed()
    func line(_ number: Int) -> String {
      "[29/06/2020, 19:\(10 + number / 60):\(10 + number % 50)] Ann: tea \(number)\n"
    }
    try followed.write("_chat.txt", line(1) + line(2))
    for number in 3...28 {
      try followed.pass(1)
      try followed.append("_chat.txt", line(number))
    }
    #expect(try followed.texts().isEmpty)
    for number in 29...49 {
      try followed.pass(1)
      try followed.append("_chat.txt", line(number))
    }
    let early = try followed.texts().count
    #expect((28..<49).contains(early), "\(early)")
    try followed.settle(for: 40)
    #expect(try followed.texts().count == 49)
    #expect(followed.troubles.isEmpty)
  }

  @Test func `what is on its way, hidden or the store itself is not looked at`() throws {
    let followed = try Followed(storeWithin: true)
    try followed.write("chat.log.part", Followed.line(1, "half"))
    try followed.write(".hidden.log", Followed.line(1, "hidden"))
    try followed.write("tea.log", Followed.line(1, "one"))
    try followed.settle()
    #expect(try followed.texts() == ["one"])
    #expect(followed.troubles.isEmpty)
    try followed.move("chat.log.part", to: "chat.log")
    try followed.settle()
    #expect(try followed.texts() == ["half", "one"])
    // Its name begins as that of the store.
    try followed.write("store.db-notes/tea.log", Followed.line(1, "another"))
    try followed.settle()
    #expect(try followed.texts() == ["half", "one", "another"])
  }

  @Test func `what no format reads is told once, and others go on`() throws {
    let followed = try Followed()
    try followed.write("notes.txt", "nothing that has a time\n")
    try followed.write("tea.log", Followed.line(1, "one"))
    try followed.settle()
    #expect(try followed.texts() == ["one"])
    try followed.append("tea.log", Followed.line(2, "two"))
    try followed.settle(for: 70)
    #expect(followed.troubles == ["not a known format"])
    try followed.write("notes.txt", Followed.line(3, "three"))
    try followed.settle()
    #expect(followed.reports.contains { if case .back = $0 { true } else { false } })
    #expect(try followed.texts().sorted() == ["one", "three", "two"])
  }

  @Test func `a folder that goes and comes back is told of once each`() throws {
    let followed = try Followed()
    try followed.write("tea.log", Followed.line(1, "one"))
    try followed.settle()
    let away = followed.folder.deletingLastPathComponent().appending(path: "away-\(UUID().uuidString)")
    try FileManager.default.moveItem(at: followed.folder, to: away)
    try followed.settle(for: 20)
    #expect(followed.troubles == ["No such file or directory"])
    try FileManager.default.moveItem(at: away, to: followed.folder)
    try followed.append("tea.log", Followed.line(2, "two"))
    try followed.settle(for: 5)
    #expect(try followed.texts() == ["one", "two"])
    #expect(followed.reports.count { if case .back = $0 { true } else { false } } == 1)
  }

  @Test func `where the system tells of no changes, they are looked for`() throws {
    for isFolder in [true, false] {
      let followed = try Followed(following: isFolder ? nil : "tea.log", areEventsTold: false)
      try followed.write("tea.log", Followed.line(1, "one"))
      try followed.settle()
      try followed.append("tea.log", Followed.line(2, "two"))
      try followed.settle(for: 1)
      #expect(try followed.texts() == ["one", "two"])
      try followed.move("tea.log", to: "tea.log.1")
      try followed.append("tea.log.1", Followed.line(3, "three"))
      try followed.write("tea.log", Followed.line(4, "four"))
      try followed.settle(for: 1)
      #expect(try followed.texts() == ["one", "two", "three", "four"])
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a file without permission is told once, and read when it has it again`() throws {
    let followed = try Followed()
    try followed.write("tea.log", Followed.line(1, "one"))
    try followed.settle()
    #expect(chmod(followed.path("tea.log"), 0) == 0)
    try followed.settle(for: 70)
    #expect(followed.troubles.count <= 1)
    #expect(chmod(followed.path("tea.log"), 0o600) == 0)
    try followed.append("tea.log", Followed.line(2, "two"))
    try followed.settle(for: 1)
    #expect(try followed.texts() == ["one", "two"])
  }

  // MARK: Databases

  @Test func `a database is followed across checkpoints and replacement, and nothing is made beside it`()
    throws
  {
    let followed = try Followed(following: "chat.db")
    let messages = try ChatDatabase(at: followed.path("chat.db"))
    try messages.add("one")
    try followed.settle()
    try messages.add("two")
    try followed.settle(for: 1)
    #expect(try followed.texts() == ["one", "two"])
    try messages.run("PRAGMA wal_checkpoint(TRUNCATE)")
    try messages.add("three")
    try followed.settle(for: 1)
    // The log alone, as in a copy, is read without making an index beside it.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: messages.path + suffix, toPath: followed.path("next" + suffix))
    }
    messages.close()
    try? FileManager.default.removeItem(atPath: messages.path + "-wal")
    try? FileManager.default.removeItem(atPath: messages.path + "-shm")
    try followed.move("next-wal", to: "chat.db-wal")
    try followed.move("next", to: "chat.db")
    try followed.settle(for: 1)
    #expect(try followed.texts() == ["one", "two", "three"])
    #expect(try followed.names() == ["chat.db", "chat.db-wal"])
    let again = try ChatDatabase(at: followed.path("chat.db"), isNew: false)
    try again.add("four")
    try followed.settle(for: 1)
    #expect(try followed.texts() == ["one", "two", "three", "four"])
    #expect(try followed.restarted().texts() == ["one", "two", "three", "four"])
  }

  @Test(arguments: ForeignHistory.all) func `databases of WhatsApp are followed, whatever their journal`(
    history: ForeignHistory
  ) throws {
    for journal in ["DELETE", "PERSIST", "WAL"] {
      let followed = try Followed()
      let path = try history.copy(into: followed)
      try followed.settle()
      let before = try followed.texts()
      #expect(!before.isEmpty && followed.troubles.isEmpty)
      let database = try DatabaseQueue(path: path)
      try database.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = \(journal)")
        try db.execute(sql: history.addition)
      }
      try followed.settle(for: 1)
      #expect(try followed.texts().filter { !before.contains($0) } == ["one more cup"], "\(journal)")
      try database.writeWithoutTransaction { try $0.execute(sql: history.change) }
      try followed.settle(for: 1)
      #expect(try followed.texts().filter { !before.contains($0) } == ["one more pot"], "\(journal)")
      try database.close()
      #expect(try followed.restarted().texts().count == before.count + 1)
    }
  }

  // MARK: The store

  @Test func `who is to end by themselves gives up a store that takes nothing for half a minute`() throws {
    let followed = try Followed(isOnce: true, options: StoreOptions(busyTimeout: .milliseconds(1)))
    try followed.write("tea.log", Followed.line(1, "one"))
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: followed.store.path, configuration: configuration)
    try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let start = followed.time
    let error = #expect(throws: StoreError.self) { try followed.settle(for: 600) }
    #expect(error?.kind == .busy)
    #expect((30..<40).contains(followed.time - start))
    try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try followed.beside().settle()
    #expect(try followed.texts() == ["one"])
  }

  // MARK: What is remembered

  @Test func `files that are as they were are not read again by the next run`() throws {
    let followed = try Followed()
    for name in ["a", "b"] { try followed.write("\(name).log", Followed.line(1, name)) }
    try followed.settle()
    let again = try followed.restarted()
    #expect(again.taken == 0 && again.troubles.isEmpty)
    try followed.append("b.log", Followed.line(2, "more"))
    try again.settle()
    #expect(try again.texts().sorted() == ["a", "b", "more"])
    #expect(try again.store.imports().count == 1)
  }

  @Test func `what was taken back comes again`() throws {
    let followed = try Followed()
    try followed.write("tea.log", Followed.line(1, "one"))
    try followed.settle()
    _ = try followed.store.undoImport(1)
    #expect(try followed.texts().isEmpty)
    #expect(try followed.restarted().texts() == ["one"])
  }

  @Test func `two who follow the same bring nothing twice`() throws {
    let followed = try Followed()
    let other = try followed.beside()
    for number in 1...20 {
      try followed.append("tea.log", Followed.line(number / 3, "tea"))
      if number % 2 == 0 { try followed.settle() }
      if number % 3 == 0 { try other.settle() }
    }
    try followed.settle()
    try other.settle()
    #expect(try followed.texts().count == 20)
  }
}

/// Lines of a time in seconds and a text, as an app of another package might read them.
private struct TimedLines: ImportFormat {
  let name = "timed-lines"
  let title = "Timed lines"
  let growsByLines: Bool

  func score(_ sample: FormatSample) -> Int { sample.name.hasSuffix(".timed") ? 90 : 0 }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    Reader(lines: LineReader(file))
  }

  private struct Reader: HistoryReader {
    var lines: LineReader

    mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
      while !sink.isFull {
        guard case .line(let bytes) = try lines.next() else { return false }
        let cells = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard cells.count == 2, let seconds = Int64(cells[0]) else {
          sink.skip(line: lines.number, reason: "it has no time")
          continue
        }
        let time = Timestamp(millisecondsSince1970: seconds * 1_000)
        let message = RichMessage(time: time, precision: .second, sender: "ann", text: String(cells[1]))
        sink.append(message, to: "tea", line: lines.number)
      }
      return true
    }
  }
}

import Foundation
import HistoryPage
import HistoryTransfer
import MessageModel
import MessageStorage
import ShellTesting
import Testing

/// `export --format site`.
@Suite struct SiteExportTests {
  /// A folder that was written, read as a browser reads it.
  private struct Site {
    let folder: URL

    func value(_ name: String) throws -> [String: Any] {
      let text = try String(contentsOf: folder.appending(path: "data/\(name).js"), encoding: .utf8)
      let begin = "scrollback.piece(\"\(name)\","
      try #require(text.hasPrefix(begin) && text.hasSuffix(")\n"), "\(name)")
      let json = Data(text.dropFirst(begin.count).dropLast(2).utf8)
      return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    func conversations() throws -> [[String: Any]] {
      let count = try #require(try value("index")["conversationPieces"] as? Int)
      return try (0..<count).flatMap {
        try value("conversations/\($0)")["conversations"] as? [[String: Any]] ?? []
      }
    }

    /// What a piece holds of each conversation.
    func runs(_ piece: Int) throws -> [[String: Any]] {
      try value("m/\(piece)")["runs"] as? [[String: Any]] ?? []
    }

    func messages(piece: Int) throws -> [[String: Any]] {
      try runs(piece).flatMap { $0["messages"] as? [[String: Any]] ?? [] }
    }

    /// What the pieces hold of a conversation, in order.
    func runs(of conversation: [String: Any]) throws -> [[String: Any]] {
      let first = try #require(conversation["firstPiece"] as? Int)
      return try (0..<#require(conversation["pieces"] as? Int)).map { piece in
        try #require(
          try runs(first + piece).first { $0["conversation"] as? Int == conversation["id"] as? Int })
      }
    }

    /// The days of a conversation, where its index or its pieces have them.
    func days(of conversation: [String: Any]) throws -> [[Any]] {
      if conversation["indexed"] as? Bool == true {
        let id = try #require(conversation["id"] as? Int)
        return try (0..<#require(try value("c/\(id)/index")["dayFiles"] as? Int)).flatMap {
          try value("c/\(id)/d/\($0)")["days"] as? [[Any]] ?? []
        }
      }
      var days: [[Any]] = []
      for day in try runs(of: conversation).flatMap({ $0["days"] as? [[Any]] ?? [] }) {
        if let last = days.last, last[0] as? String == day[0] as? String {
          days[days.count - 1][1] = (last[1] as? Int ?? 0) + (day[1] as? Int ?? 0)
        } else {
          days.append(day)
        }
      }
      return days
    }

    /// The pieces in which the index says that a word is.
    func pieces(with word: String) throws -> [Int]? {
      let firsts = try #require(try value("search/index")["first"] as? [String])
      guard
        let place = firsts.lastIndex(where: {
          Array($0.utf16).lexicographicallyPrecedes(Array(word.utf16)) || $0 == word
        })
      else { return nil }
      let words = try value("search/\(place)")["words"] as? [String: String]
      return words?[word].map { text in
        var (list, last) = ([Int](), 0)
        for part in text.split(separator: " ") {
          let factors = part.split(separator: "*").compactMap { Int($0) }
          for _ in 0..<(factors.count == 2 ? factors[1] : 1) {
            last += factors[0]
            list.append(last)
          }
        }
        return list
      }
    }

    /// All files with what they hold.
    func files() throws -> [String: Data] {
      var files: [String: Data] = [:]
      let found = FileManager.default.enumerator(atPath: folder.path)
      while let name = found?.nextObject() as? String {
        let url = folder.appending(path: name)
        if (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == false {
          files[name] = try Data(contentsOf: url)
        }
      }
      return files
    }
  }

  private func export(_ fixture: ShellFixture, _ options: [String] = [], to name: String = "site") throws
    -> Site
  {
    let folder = fixture.folder.appending(path: name)
    let answer = try fixture.run(["export", "--format", "site", "-o", folder.path] + options)
    try #require(answer.status == 0, "\(answer)")
    return Site(folder: folder)
  }

  private func lines(_ query: String, _ fixture: ShellFixture) throws -> [String: Any] {
    let output = try fixture.run(["query", query]).output
    return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
  }

  @Test func `the pieces hold each message once, and the indexes say where`() throws {
    let fixture = try ShellFixture(count: 1_207, texts: ["the last one of general"])
    try fixture.add(
      #"{"conversation":"other","time":"-000043-03-15T12:00:00Z","sender":"gaius","text":"et tu"}"#)
    let site = try export(fixture, ["--time-zone", "America/New_York"])
    let index = try site.value("index")
    #expect(index["messages"] as? Int == 1_209)
    #expect(index["timeZone"] as? String == "America/New_York")
    let stored = try fixture.run(["export", "--json"]).output.split(separator: "\n").map(String.init)
    var found: [String] = []
    for conversation in try site.conversations() {
      var number = 1
      for run in try site.runs(of: conversation) {
        let messages = try #require(run["messages"] as? [[String: Any]])
        #expect(run["first"] as? Int == number)
        number += messages.count
        found += messages.compactMap { $0["id"] as? String }
      }
      #expect(number - 1 == conversation["messages"] as? Int)
      try expectDays(conversation, site, fixture)
    }
    #expect(index["pieces"] as? Int == 3)
    #expect(try (0..<3).map { try site.messages(piece: $0).count } == [500, 500, 209])
    #expect(found == stored.compactMap { $0.split(separator: "\"").dropFirst(3).first.map(String.init) })
  }

  private func expectDays(_ conversation: [String: Any], _ site: Site, _ fixture: ShellFixture) throws {
    let id = try #require(conversation["id"] as? Int)
    let days = try lines(
      #"{"question":"days","conversation":\#(id),"timeZone":"America/New_York","limit":1000}"#, fixture)
    let told = try #require(days["days"] as? [[String: Any]])
    let written = try site.days(of: conversation).map { "\($0[0]) \($0[1]) \($0[2])" }
    // The question answers at most a thousand days.
    #expect(
      Array(written.prefix(1_000))
        == told.map { "\($0["day"] ?? "") \($0["messages"] ?? "") \($0["firstNumber"] ?? "")" })
    #expect(written.count == told.count || told.count == 1_000)
  }

  @Test func `a conversation of many pieces has an index of them and of its days`() throws {
    let fixture = try ShellFixture(count: 20)
    let text = String(repeating: "y", count: 2_000)
    try fixture.add(
      (0..<1_200).map { number in
        let day = CivilTime(daysSince1970: 19_000 + number)
        var date: [UInt8] = []
        ISO8601.writeDate(day, to: &date)
        return
          #"{"conversation":"long","time":"\#(String(decoding: date, as: UTF8.self))T12:00:00Z","text":"\#(text)"}"#
      }.joined(separator: "\n"))
    let site = try export(fixture, ["--time-zone", "America/New_York"])
    let conversation = try #require(try site.conversations().first { $0["name"] as? String == "long" })
    #expect(conversation["indexed"] as? Bool == true)
    let runs = try site.runs(of: conversation)
    // What is left of a piece that another conversation has begun is used.
    #expect(conversation["firstPiece"] as? Int == 0 && runs.count > 8)
    let id = try #require(conversation["id"] as? Int)
    let beginnings = try #require(try site.value("c/\(id)/i/0")["pieces"] as? [[Any]])
    #expect(
      beginnings.map { "\($0[0]) \($0[1])" }
        == runs.map { run in
          let first = (run["messages"] as? [[String: Any]])?.first
          return "\(run["first"] ?? "") \(first?["id"] ?? "")"
        })
    #expect((try site.value("c/\(id)/index")["parts"] as? [[Any]])?.count == 1)
    #expect(try site.value("c/\(id)/index")["dayFiles"] as? Int == 2)
    try expectDays(conversation, site, fixture)
    #expect(try site.conversations().first?["indexed"] == nil)
  }

  @Test func `each word is found in the pieces that hold it, and nowhere else`() throws {
    let fixture = try ShellFixture(count: 1_100, texts: ["Größe ΣΊΣΥΦΟΣ 東京 naïve", "Großes", "𐐀𐐁 ｱ"])
    let site = try export(fixture)
    var words: [String: Set<Int>] = [:]
    for piece in 0..<3 {
      for message in try site.messages(piece: piece) {
        SiteWord.each(in: message["text"] as? String ?? "") { words[$0, default: []].insert(piece) }
      }
    }
    #expect(words.count > 1_100)
    for (word, pieces) in words { #expect(try site.pieces(with: word) == pieces.sorted(), "\(word)") }
    #expect(words["große"] == [2] && words["σισυφοσ"] == [2] && words["東"] == [2])
    #expect(try site.pieces(with: "message") == [0, 1, 2])
    for word in ["grosse", "nothing", "", "\u{10FFFF}"] {
      #expect(try site.pieces(with: word) == nil, "\(word)")
    }
  }

  @Test(arguments: [
    ("Hello, World-2!", ["hello", "world", "2"]), ("don't", ["don", "t"]),
    ("Crème BRÛLÉE", ["creme", "brulee"]),
    ("ΟΔΟΣ", ["οδοσ"]), ("東京 tower", ["東", "京", "tower"]), ("", []), ("…—!", []),
    (String(repeating: "a", count: 40), [String(repeating: "a", count: 32)]), ("x\u{0301}y", ["xy"]),
    ("İ", ["i"]),
  ])
  func `words are cut and made alike`(text: String, words: [String]) {
    var found: [String] = []
    SiteWord.each(in: text) { found.append($0) }
    #expect(found == words)
  }

  @Test func `nothing that was written can end a script or leave the folder`() throws {
    let fixture = try ShellFixture(count: 1)
    let attack = "</script><script>alert(1)</script><!--\u{2028}\u{2029}\\\")//"
    let object = [
      "conversation": "../../\(attack)", "time": "2024-05-01T10:00:00Z", "sender": attack, "text": attack,
    ]
    try fixture.add(String(decoding: try JSONEncoder().encode(object), as: UTF8.self))
    let before = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
    let site = try export(fixture)
    for (name, data) in try site.files() where name.hasPrefix("data/") {
      #expect(!data.contains(0x3C), "\(name)")
      let text = String(decoding: data, as: UTF8.self).unicodeScalars
      #expect(!text.contains { $0 == "\u{2028}" || $0 == "\u{2029}" }, "\(name)")
      #expect(name.utf8.allSatisfy { $0 < 0x80 } && !name.contains(".."))
      #expect(text.filter { $0 == "\n" }.count == 1, "\(name)")
    }
    let after = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
    #expect(
      Set(after).subtracting(before).filter { !$0.hasSuffix(".input") && !$0.hasPrefix("store.db") } == [
        "site"
      ])
    let texts = try site.messages(piece: 0)
    #expect(texts.contains { $0["text"] as? String == attack && $0["sender"] as? String == attack })
  }

  @Test func `a piece has a bounded size, but for one message that is larger`() throws {
    let large = String(repeating: "x", count: 300_000)
    let texts =
      ["before", large, "between"] + [String](repeating: String(repeating: "y", count: 2_000), count: 300)
    let fixture = try ShellFixture(count: 0, texts: texts)
    let site = try export(fixture)
    for (name, data) in try site.files() where name.hasPrefix("data/m/") {
      let count = try site.messages(piece: try #require(Int(name.dropFirst(7).dropLast(3)))).count
      #expect(data.count <= 256 << 10 || count == 1, "\(name): \(data.count)")
    }
    #expect(try site.value("index")["messages"] as? Int == texts.count)
  }

  @Test func `an export that is stopped goes on, and comes to the same`() throws {
    let fixture = try ShellFixture(count: 2_600)
    for name in 1...3 {
      try fixture.add(#"{"conversation":"c\#(name)","time":"2024-05-01T10:00:00Z","text":"tea \#(name)"}"#)
    }
    let whole = try export(fixture, to: "whole")
    let store = try SynchronousMessageStore(path: fixture.store, options: .readOnly)
    defer { store.close() }
    let folder = fixture.folder.appending(path: "parts")
    let export = SiteExport(zone: .gmt, folder: folder.path, page: PageFiles.site)
    var (kept, rounds) = (0, 0)
    while true {
      var asked = 0
      let outcome = try export.run(store) {
        asked += 1
        return asked > 2 * rounds + 4
      }
      rounds += 1
      #expect(outcome.keptCount == kept)
      kept = outcome.messageCount
      if !outcome.isStopped { break }
      try #require(rounds < 100)
    }
    #expect(rounds > 2)
    let (files, others) = (try whole.files(), try Site(folder: folder).files())
    #expect(files.keys.sorted() == others.keys.sorted())
    for (name, data) in files { #expect(others[name] == data, "\(name)") }
  }

  @Test func `one that is killed before its first step can be gone on with`() throws {
    let fixture = try ShellFixture(count: 1_200)
    let folder = fixture.folder.appending(path: "site")
    let store = try SynchronousMessageStore(path: fixture.store, options: .readOnly)
    defer { store.close() }
    var isKnown = true
    _ = try SiteExport(zone: .gmt, folder: folder.path, page: PageFiles.site).run(store) {
      isKnown = isKnown && FileManager.default.fileExists(atPath: folder.path + "/data/progress.json")
      return false
    }
    #expect(isKnown)
  }

  @Test func `one that is stopped begins anew where something else is wanted, or the store was written to`()
    throws
  {
    let fixture = try ShellFixture(count: 1_600)
    let folder = fixture.folder.appending(path: "site")
    func stop() throws {
      let store = try SynchronousMessageStore(path: fixture.store, options: .readOnly)
      defer { store.close() }
      var asked = 0
      let outcome = try SiteExport(zone: .gmt, folder: folder.path, page: PageFiles.site).run(store) {
        asked += 1
        return asked > 3
      }
      #expect(outcome.isStopped && outcome.messageCount > 0)
    }
    try stop()
    let narrow = try fixture.run(["export", "--format", "site", "-o", folder.path, "--from", "alice"])
    #expect(
      narrow.errors.hasPrefix("wrote 800 messages of 1 conversation; open '\(folder.path)/index.html'\n"))
    try stop()
    try fixture.run(["append", "-c", "general", "more"])
    let fresh = try fixture.run(["export", "--format", "site", "-o", folder.path])
    #expect(
      fresh.errors.hasPrefix("wrote 1,601 messages of 1 conversation; open '\(folder.path)/index.html'\n"))
    let site = Site(folder: folder)
    #expect(try site.files().keys.allSatisfy { !$0.contains("runs") && !$0.contains("progress") })
  }

  @Test func `many conversations are listed in parts`() throws {
    let fixture = try ShellFixture(
      holding: (1...1_050).map {
        #"{"conversation":"room \#($0)","time":"2024-05-01T10:00:00Z","text":"tea"}"#
      }
      .joined(separator: "\n"))
    let site = try export(fixture)
    #expect(try site.value("index")["conversationPieces"] as? Int == 3)
    let names = try site.conversations().compactMap { $0["name"] as? String }
    #expect(
      names.count == 1_050
        && names == names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    #expect(try site.pieces(with: "tea") == [0, 1, 2])
    #expect(
      try String(contentsOf: site.folder.appending(path: "data/search/0.js"), encoding: .utf8).contains(
        #""tea":"0 1*2""#))
    // Files grow with what was written, not with how many wrote.
    let files = try site.files().keys.filter { $0.hasPrefix("data/") }
    #expect(files.count < 12, "\(files.sorted())")
    #expect(try (0..<3).map { try site.runs($0).count } == [500, 500, 50])
  }

  @Test func `what is attached lies beside the pages, and messages say where`() throws {
    let fixture = try ShellFixture(count: 1)
    let store = try SynchronousMessageStore(path: fixture.store, options: StoreOptions(access: .readWrite))
    let id = try #require(try store.page(PageRequest(.everything)).messages.last?.id)
    try store.attach([NewAttachment(Array("some words".utf8), name: "../#1 ? \"notes\".txt")], to: id)
    // From a disk a browser would run it, whatever the link says.
    try store.attach([NewAttachment(Array("<script>".utf8), name: "page.HTML")], to: id)
    store.close()
    let site = try export(fixture)
    let message = try #require(try site.messages(piece: 0).last)
    let file = try #require((message["attachments"] as? [[String: Any]])?.first)
    let path = try #require(file["path"] as? String)
    #expect(path.hasPrefix("files/") && path.split(separator: "/").count == 3)
    let paths = try #require(message["attachments"] as? [[String: Any]]).compactMap { $0["path"] as? String }
    #expect(paths.count == 2 && paths.last?.hasSuffix("page.HTML.txt") == true)
    #expect(try Data(contentsOf: site.folder.appending(path: path)) == Data("some words".utf8))
  }

  @Test func `a content is written once, whatever it is called, and what is not wanted any more goes`() throws
  {
    let fixture = try ShellFixture(count: 1)
    let store = try SynchronousMessageStore(path: fixture.store, options: StoreOptions(access: .readWrite))
    let id = try #require(try store.page(PageRequest(.everything)).messages.last?.id)
    for name in ["first.txt", "second.txt", "third.bin", "first.txt"] {
      try store.attach([NewAttachment(Array("the same".utf8), name: name)], to: id)
    }
    try store.attach([NewAttachment(Array("another".utf8), name: "first.txt")], to: id)
    store.close()
    let site = try export(fixture)
    let names = try site.files().keys.filter { $0.hasPrefix("files/") }
    #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix("/first.txt") }, "\(names)")
    let attachments = try #require(try site.messages(piece: 0).last?["attachments"] as? [[String: Any]])
    #expect(attachments.compactMap { $0["name"] as? String }.count == 5)
    #expect(Set(attachments.compactMap { $0["path"] as? String }).sorted() == names.sorted())
    let other = try export(fixture, ["--until", "2000"])
    #expect(try other.files().keys.allSatisfy { !$0.hasPrefix("files/") })
  }

  @Test
  func `where a word of the rules would still stand in a site, nothing of the history is left in its folder`()
    throws
  {
    let fixture = try ShellFixture(count: 700)
    let rules = fixture.folder.appending(path: "rules.txt")
    try "word firstID".write(to: rules, atomically: true, encoding: .utf8)
    let folder = fixture.folder.appending(path: "site")
    let answer = try fixture.run(
      ["export", "--format", "site", "--redact", rules.path, "-o", folder.path])
    #expect(answer.status == 64 && answer.errors.contains("cannot write without 'firstID'"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `a folder with other things is left alone, and the page is told that it has no server`() throws {
    let fixture = try ShellFixture(count: 1)
    let other = try fixture.run(["export", "--format", "site", "-o", fixture.folder.path])
    #expect(other.status == 73)
    #expect(other.errors.contains("it holds other files"))
    let site = try export(fixture)
    let page = try String(contentsOf: site.folder.appending(path: "index.html"), encoding: .utf8)
    #expect(page.contains(#"name="scrollback-source" content="site""#))
    let mode = try FileManager.default.attributesOfItem(atPath: site.folder.path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    for wrong in [["--merge"], ["--limit", "3"], ["--newest-first"], ["--attachments", "x"], ["-o", "-"]] {
      #expect(try fixture.run(["export", "--format", "site", "-o", "x"] + wrong).status == 64, "\(wrong)")
    }
    #expect(try fixture.run(["export", "--format", "site"]).status == 64)
  }
}

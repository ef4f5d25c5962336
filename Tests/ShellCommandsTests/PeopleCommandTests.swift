import Foundation
import ShellTesting
import TestSupport
import Testing

/// `scrollback people`, and what it does to searches, filters and exports.
@Suite(.serialized) struct PeopleCommandTests {
  /// A store with Ann under five accounts on several platforms, and others.
  private func fixture() throws -> ShellFixture {
    let fixture = try ShellFixture(count: 0)
    let lines = [
      ("tea", "ann", "U1", "the kettle"), ("work", "Ann Smith", "+43 664 1234567", "the kettle is on"),
      ("work", "bob", "U2", "good"), ("irc", "ann_", nil, "here"), ("irc", "eve", nil, "hello"),
      ("family", "Ann Smith", "436641234567@s.whatsapp.net", "dinner"), ("tea", "annie", "U1", "and again"),
    ]
    var text = ""
    for (number, (conversation, sender, id, words)) in lines.enumerated() {
      let external = id.map { #","senderID":"\#($0)""# } ?? ""
      text += """
        {"conversation":"\(conversation)","time":"2024-05-01T12:0\(number):00Z","sender":"\(sender)"\(external),"text":"\(words)"}

        """
    }
    try fixture.add(text)
    return fixture
  }

  @Test func `accounts are linked, shown, searched and unlinked, and each change is undone`() throws {
    let fixture = try fixture()
    let linked = try fixture.run(["people", "link", "Ann", "U1", "ann_"])
    #expect(
      linked.errors == "made 'Ann', linked 'ann_' to 'Ann', linked 'U1' to 'Ann' · change 1\n", "\(linked)")
    #expect(try fixture.run(["people"]).output == "Ann  3  2 accounts  ann (U1), ann_\n")
    #expect(
      try fixture.run(["people", "show", "ann"]).output == """
        ann   2  U1  also annie
        ann_  1

        """)
    #expect(
      try fixture.run(["people", "--json"]).output == """
        {"name":"Ann","messages":3,"accountCount":2,"accounts":[{"name":"ann","senderID":"U1","messages":2,"otherNames":["annie"]},{"name":"ann_","messages":1}],"id":1}

        """)
    func found(_ query: String) throws -> Int {
      try fixture.run(["search", "--json", "--", query]).output.split(separator: "\n").count
    }
    #expect(try found("person:ann") == 3 && found("person:Ann kettle") == 1 && found("-person:ann") == 4)
    #expect(try found("person:@ann in:tea") == 2)
    let refused = try fixture.run(["people", "link", "Bob", "U2", "U1"])
    #expect(
      refused.status != 0
        && refused.errors.contains("cannot link 'U1' to 'Bob'\n  cause: it is linked to 'Ann'"))
    let unknown = try fixture.run(["search", "person:anm"])
    #expect(unknown.errors.contains("no person 'anm'") && unknown.errors.contains("did you mean 'Ann'?"))
    #expect(
      try fixture.run(["people", "rename", "ann", "Ann Smith"]).errors.hasPrefix(
        "renamed 'Ann' to 'Ann Smith'"))
    #expect(
      try fixture.run(["people", "unlink", "Ann Smith", "annie"]).errors.contains(
        "unlinked 'U1' from 'Ann Smith'"))
    let log = try fixture.run(["people", "log", "--time-zone", "UTC"]).output
    #expect(log.split(separator: "\n").count == 3 && log.contains("renamed 'Ann' to 'Ann Smith'"))
    #expect(try fixture.run(["people", "undo", "1"]).errors.contains("change 3 builds on it"))
    for _ in 0..<3 { #expect(try fixture.run(["people", "undo"]).status == 0) }
    #expect(try fixture.run(["people"]).output == "")
    #expect(try fixture.run(["people", "undo"]).status == 1)
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test func `exports are the same bytes before links, with them, and after`() throws {
    let fixture = try fixture()
    func exports() throws -> [String] {
      try ["jsonl", "text"].map {
        try fixture.run(["export", "--format", $0, "--all", "--time-zone", "UTC"]).output
      }
    }
    let before = try exports()
    #expect(before.allSatisfy { !$0.isEmpty })
    try fixture.run(["people", "link", "Ann", "U1", "ann_", "+43 664 1234567"])
    #expect(try exports() == before)
    try fixture.run(["people", "rename", "Ann", "Somebody"])
    #expect(try exports() == before)
    try fixture.run(["people", "unlink", "Somebody"])
    #expect(try fixture.run(["people"]).output == "" && exports() == before)
  }

  @Test func `a name of several accounts is none, and whose ids they are is told`() throws {
    let fixture = try fixture()
    let error = try fixture.run(["people", "link", "Ann", "Ann Smith"])
    #expect(error.status != 0 && error.errors.contains("2 accounts have this name"))
    #expect(error.errors.contains("'id:+43 664 1234567', 'id:436641234567@s.whatsapp.net'"))
    #expect(try fixture.run(["people", "link"]).status == 64)
    #expect(try fixture.run(["people", "link", "Ann", "--vcard", "x.vcf"]).status == 64)
  }

  @Test func `a suggestion tells its reasons, and links when it is accepted`() throws {
    let fixture = try fixture()
    let told = try fixture.run(["people", "suggest"]).output
    #expect(
      told == """
        Ann Smith
          Ann Smith (+43 664 1234567) · 1 message
          Ann Smith (436641234567@s.whatsapp.net) · 1 message
          because: same number +436641234567, same name Ann Smith

        """)
    #expect(
      try fixture.run(["people", "suggest", "--json"]).output.contains(
        #""reasons":["same number +436641234567","#))
    let wrong = try fixture.run(["people", "suggest", "--accept", "Ann"])
    #expect(wrong.status == 64 && wrong.errors.contains("nothing is suggested for 'Ann'"))
    #expect(try fixture.run(["people", "suggest", "--accept", "Ann Smith"]).status == 0)
    #expect(try fixture.run(["people", "suggest"]).output == "")
    #expect(try fixture.run(["people", "suggest", "--accept-all"]).errors == "nothing to change\n")
    #expect(try fixture.run(["people", "suggest", "--country", "XX"]).errors.contains("no country 'XX'"))
  }

  @Test func `an address book links accounts by numbers and addresses, and broken entries are told by line`()
    throws
  {
    let fixture = try fixture()
    try fixture.add(
      #"{"conversation":"mail","time":"2024-05-02T12:00:00Z","sender":"Bob","senderID":"Bob@example.org","text":"x"}"#
    )
    let book = fixture.folder.appending(path: "book.vcf")
    try Data(
      """
      BEGIN:VCARD
      VERSION:3.0
      FN:Ann S.
      TEL:0664 123 45 67
      END:VCARD
      BEGIN:VCARD
      FN:Broken
      TEL 5
      END:VCARD
      BEGIN:VCARD
      FN:Bob
      EMAIL:bob@EXAMPLE.org
      END:VCARD
      BEGIN:VCARD
      FN:Stranger
      TEL:+4412345678
      END:VCARD
      """.utf8
    ).write(to: book)
    let linked = try fixture.run(["people", "link", "--vcard", book.path, "--country", "AT"])
    #expect(linked.status == 3)
    #expect(linked.errors.contains("book.vcf:8: no colon in the line; skipped"))
    #expect(
      linked.errors.contains("4 entries: linked 3 accounts, 1 without an account here · change 1"),
      "\(linked)")
    #expect(try fixture.run(["people"]).output.split(separator: "\n").count == 2)
    let again = try fixture.run(["people", "link", "--vcard", book.path, "--country", "AT"])
    #expect(again.errors.contains("linked 0 accounts"))
    try fixture.run(["people", "undo"])
    #expect(try fixture.run(["people"]).output == "")
    let none = try fixture.run(["people", "link", "--vcard", book.path + "x"])
    #expect(none.status != 0 && none.errors.contains("cannot read"))
  }

  @Test func `entries of one number are told with both names, and called alike they are two people`() throws {
    let fixture = try fixture()
    let book = fixture.folder.appending(path: "book.vcf")
    func link(_ cards: [(String, String)]) throws -> String {
      let text = cards.map { "BEGIN:VCARD\nFN:\($0.0)\nTEL:\($0.1)\nEND:VCARD\n" }.joined()
      try Data(text.utf8).write(to: book)
      return try fixture.run(["people", "link", "--vcard", book.path]).errors
    }
    let told = try link([("Mum", "+436641234567"), ("Dad", "00436641234567")])
    #expect(
      told.contains("is that of 'Mum' and of 'Dad' (line 5)") && told.contains("'Dad' and of 'Mum' (line 1)"))
    #expect(told.contains("linked 0 accounts"))
    try fixture.run(["people", "link", "Ann", "ann_"])
    #expect(try link([("Ann", "+436641234567")]).contains("linked 2 accounts"))
    let people = try fixture.run(["people"]).output
    #expect(people.contains("Ann (2)") && people.split(separator: "\n").count == 2, "\(people)")
  }

  @Test func `an address book of fifty thousand entries is read`() throws {
    let fixture = try fixture()
    let book = fixture.folder.appending(path: "book.vcf")
    let count = isLong ? 50_000 : 2_000
    let text = (0..<count).map { number in
      "BEGIN:VCARD\nVERSION:3.0\nFN:N\(number)\nTEL:+43664\(1_234_567 - 1_000 + number)\nEND:VCARD\n"
    }
    try Data(text.joined().utf8).write(to: book)
    let linked = try fixture.run(["people", "link", "--vcard", book.path])
    #expect(linked.errors.contains("entries: linked 2 accounts"), "\(linked)")
    #expect(try fixture.run(["people"]).output.hasPrefix("N1000"))
  }

  @Test func `who an import says is its owner is me, once`() throws {
    let fixture = try fixture()
    let file = fixture.folder.appending(path: "more.jsonl")
    try Data(
      #"{"conversation":"irc","time":"2024-05-03T12:00:00Z","sender":"robin","text":"me"}"#.utf8
    ).write(to: file)
    try fixture.run(["import", "--quiet", "--me", "robin", file.path])
    #expect(try fixture.run(["people"]).output == "me  1  1 account  robin\n")
    #expect(try fixture.run(["search", "--json", "person:me"]).output.contains(#""sender":"robin""#))
    try fixture.run(["people", "undo"])
    try fixture.run(["import", "--quiet", "--me", "robin", file.path])
    try fixture.run(["import", "--quiet", "--me", "Ann Smith", file.path])
    #expect(try fixture.run(["people"]).output == "")
  }

  @Test func `the REPL shows what a person wrote`() throws {
    let fixture = try fixture()
    try fixture.run(["people", "link", "Ann", "ann_"])
    let answer = try fixture.run(["-c", "irc"], input: "/person ann\n/person\n/person nobody\n")
    #expect(answer.errors.contains("no person 'nobody'"), "\(answer)")
    #expect(answer.output.hasPrefix("1 message\n"), "\(answer)")
  }

  @Test func `five accounts on four platforms are read, counted and searched as one, and leave no trace`()
    throws
  {
    let fixture = try ShellFixture(count: 0)
    let platforms = ["slack", "discord", "telegram", "whatsapp"]
    let accounts = [
      "slack": ["U1", "U2"], "discord": ["77"], "telegram": ["user5"], "whatsapp": ["436641234567"],
    ]
    var lines = ""
    var (direct, theirs) = ([Int](), [Int]())
    for number in 1...240 {
      let platform = platforms[(number / 2 + number / 5) % 4]
      let ids = accounts[platform] ?? []
      let isDirect = number % 3 == 0
      let isTheirs = isDirect ? number % 2 == 0 : number % 7 == 0
      let id = isTheirs ? ids[number / 3 % ids.count] : isDirect ? "my-\(platform)" : "other\(number % 9)"
      if isDirect { direct.append(number) }
      if isTheirs { theirs.append(number) }
      let minute = String(format: "%02d:%02d", number / 60, number % 60)
      lines += """
        {"conversation":"\(platform)\(isDirect ? " ann" : "")","time":"2024-05-01T\(minute):00Z","sender":"name of \(id)",\
        "senderID":"\(id)","text":"message \(number)","source":{"platform":"\(platform)","id":"\(number)"}}

        """
    }
    try fixture.add(lines)
    func exported() throws -> String { try fixture.run(["export", "--all", "--format", "jsonl"]).output }
    let before = try exported()
    #expect(before.split(separator: "\n").count == 240)

    let ids = accounts.values.flatMap { $0 }
    for (person, ids) in [("Ann", ids), ("me", platforms.map { "my-\($0)" })] {
      let linked = try fixture.run(["people", "link", person] + ids.map { "id:\($0)" })
      #expect(linked.status == 0, "\(linked)")
    }
    func numbers(_ commands: String) throws -> [Int] {
      try fixture.run(["open", "@ann"], input: commands).output.split(separator: "\n").compactMap {
        $0.split(separator: " ").last.flatMap { Int($0) }
      }
    }
    let expected = Set(direct + theirs).sorted()
    #expect(try numbers("/top\n/newer 1000\n") == expected)
    for number in [1, 40, expected.count] {
      #expect(try numbers("/goto \(number)\n") == [expected[number - 1]])
    }
    #expect(try numbers("/set person direct\n/top\n/newer 1000\n") == direct)
    let counted = try fixture.run(["query", #"{"question":"page","person":"ann","limit":1}"#]).output
    #expect(counted.contains(#""total":\#(expected.count)"#), "\(counted)")
    let found = try fixture.run(["search", "--json", "person:ann message"]).output
    #expect(found.split(separator: "\n").count == theirs.count)
    #expect(try exported() == before)

    for _ in 0..<2 { try fixture.run(["people", "undo"]) }
    #expect(try fixture.run(["people"]).output == "" && exported() == before)
    #expect(try fixture.run(["open", "@ann"], input: "/top\n").status == 1)
    #expect(try fixture.run(["check"]).status == 0)
  }
}

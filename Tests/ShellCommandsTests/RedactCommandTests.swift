import Foundation
import MessageInterchange
import ShellTesting
import TestSupport
import Testing

/// Exports, sites and answers without what is not for others, and the search for secrets.
@Suite struct RedactCommandTests {
  private static let token = "ghp_" + String(repeating: "a1B2c3D4e5F6", count: 3)
  private static let other = "glpat-" + "x9Y8w7V6u5T4s3R2q1P0"

  /// Names, words and numbers in each field that a message has.
  private static let lines = [
    #"{"id":"7022866009247744","conversation":"Ann Smith and Bob","conversationSource":{"platform":"slack","id":"D-ann"},"time":"2024-05-01T12:34:56.789Z","sender":"Ann Smith","senderID":"U-ann","text":"I am Ann Smith (@ann): Bluebird flies. Call 555-1234. \#(token)","edits":[{"time":"2024-05-01T13:01:02.000Z","text":"ANN SMITH said bluebird \#(other)"}],"reactions":[{"emoji":"ann","senders":["Ann Smith","Bob"]}],"attachments":[{"name":"bluebird of Ann.txt","path":"files/bluebird-Ann.txt"},{"name":"plan.txt","path":"files/plan.txt"},{"name":"ann.txt","path":"files/clean.txt"}],"source":{"platform":"slack","id":"ann-1","original":"{\"from\":\"Ann Smith\",\"password\":\"kT9#vQ2!mZx8\"}"}}"#,
    #"{"id":"7022866009247745","conversation":"Ann Smith and Bob","time":"2024-05-01T12:34:56.789Z","sender":"Bob","text":"> Ann Smith: Bluebird flies\nyes, 555-1234","replyTo":"7022866009247744","thread":"7022866009247744"}"#,
    #"{"conversation":"Ann Smith and Bob","time":"2024-05-02T09:00:00Z","sender":"Ann Smith","kind":"topic","text":"topic: Bluebird"}"#,
    #"{"conversation":"harbour","time":"2024-05-03T09:00:00Z","sender":"Carol","text":"Annual tea with Bob, token again: \#(token)"}"#,
  ]

  private static let rules = """
    name Ann Smith, Ann
    name Bob => Witness B
    word bluebird => [project]
    regex \\d{3}-\\d{4} => number
    secrets
    ids
    times
    """

  private static let forbidden = [
    "ann smith", "bluebird", "bob", "555-1234", "u-ann", "d-ann", "ann-1", token.lowercased(),
    other.lowercased(),
    "kt9#", "12:34", "original",
  ]

  private func fixture() throws -> ShellFixture {
    let fixture = try ShellFixture(named: "with words that are not for others") { try Self.fill($0) }
    try Self.rules.write(
      to: fixture.folder.appending(path: "rules.txt"), atomically: true, encoding: .utf8)
    return fixture
  }

  private static func fill(_ fixture: ShellFixture) throws {
    let folder = fixture.folder.appending(path: "history")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "files"), withIntermediateDirectories: true)
    try lines.joined(separator: "\n").write(
      to: folder.appending(path: "tea.jsonl"), atomically: true, encoding: .utf8)
    for (name, text) in [
      ("bluebird-Ann.txt", "all of it"), ("plan.txt", "the plan is BLUEBIRD"), ("clean.txt", "tea"),
    ] {
      try text.write(to: folder.appending(path: "files/\(name)"), atomically: true, encoding: .utf8)
    }
    let answer = try fixture.run(["import", "--keep-original", folder.path])
    // Files that are attached are no histories.
    #expect(answer.status == 3 && answer.errors.contains("imported 4"), "\(answer.errors)")
  }

  /// What lies in a folder: the paths and the contents of all files but those of the page.
  private func written(_ folder: URL) throws -> [String] {
    let ours: Set = [
      "index.html", "page.css", "page.js", "more.js", "more.css", "site.js", "icon.svg", "filters.js",
      "palette.js", "search.js", "threads.js", "viewer.js", "paper.js",
    ]
    var texts: [String] = []
    for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      ?? .init()
    {
      texts.append(String(file.path.dropFirst(folder.path.count)))
      if !ours.contains(file.lastPathComponent), let data = try? Data(contentsOf: file) {
        texts.append(String(decoding: data, as: UTF8.self))
      }
    }
    return texts
  }

  private func expectNothing(of words: [String] = forbidden, in texts: [String], _ what: String) {
    for text in texts {
      for word in words {
        #expect(!text.lowercased().contains(word), "\(what): \(word) in \(text.prefix(400))")
      }
      // As a name it is a whole word; `Annual` stays.
      #expect(
        !text.split { !$0.isLetter }.contains { $0.lowercased() == "ann" }, "\(what): \(text.prefix(400))")
    }
  }

  @Test(arguments: ExportFormats.names)
  func `no word of the rules is left in any format, nor in a name of a file`(
    format: String
  ) throws {
    let fixture = try fixture()
    let output = fixture.folder.appending(path: "out")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    for merge in [[], ["--merge"]] {
      let answer = try fixture.run(
        [
          "export", "--format", format, "--redact", fixture.folder.appending(path: "rules.txt").path, "-o",
          output.appending(path: "out.\(format)").path, "--attachments", output.appending(path: "files").path,
        ] + merge)
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.errors.contains("redacted") && answer.errors.contains("[project]"))
      let texts = try written(output)
      expectNothing(in: texts, format)
      #expect(texts.joined().contains("Annual tea with Witness B"), "\(texts)")
      // What has a word in its content was left out, what has one in its name got another.
      #expect(answer.errors.contains("attached files left out"))
      #expect(!FileManager.default.fileExists(atPath: output.appending(path: "files/plan.txt").path))
    }
  }

  @Test func `stand-ins are the same wherever a thing stands, and answers keep what they answer`() throws {
    let fixture = try fixture()
    let answer = try fixture.run(
      ["export", "--json", "--redact", fixture.folder.appending(path: "rules.txt").path])
    #expect(answer.status == 0, "\(answer.errors)")
    let lines = answer.output.split(separator: "\n").map(String.init)
    let objects = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.count == 4)
    #expect(objects[0]["conversation"] as? String == "person 1 and Witness B")
    #expect(objects[0]["sender"] as? String == "person 1" && objects[1]["sender"] as? String == "Witness B")
    #expect(
      objects[0]["text"] as? String
        == "I am person 1 (@person 1): [project] flies. Call [number 1]. [secret 1: github-token]")
    #expect(objects[1]["text"] as? String == "> person 1: [project] flies\nyes, [number 1]")
    #expect((objects[3]["text"] as? String)?.hasSuffix("[secret 1: github-token]") == true)
    #expect(objects[1]["replyTo"] as? String == objects[0]["id"] as? String)
    #expect(objects[1]["id"] as? String != objects[0]["id"] as? String)
    #expect(objects.allSatisfy { ($0["precision"] as? String) == "day" })
    #expect(objects[0]["time"] as? String == "2024-05-01T00:00:00.000Z")
    #expect(answer.errors.contains(#"{"count":2,"standIn":"[number 1]"}"#))
    #expect(!answer.output.contains("sha256"))
    // It is imported again.
    let copy = fixture.folder.appending(path: "copy.jsonl")
    try answer.output.write(to: copy, atomically: true, encoding: .utf8)
    let store = fixture.folder.appending(path: "copy.db").path
    #expect(try fixture.run(["import", "--store", store, copy.path]).status == 0)
  }

  @Test func `a site has no word of the rules, and is written again in whole`() throws {
    let fixture = try fixture()
    let site = fixture.folder.appending(path: "site")
    for _ in 0..<2 {
      let answer = try fixture.run([
        "export", "--format", "site", "--redact", fixture.folder.appending(path: "rules.txt").path, "-o",
        site.path,
      ])
      #expect(answer.status == 0, "\(answer.errors)")
      let texts = try written(site)
      expectNothing(in: texts, "site")
      #expect(texts.joined().contains("person 1 and Witness B"))
    }
  }

  @Test
  func `senders are persons with numbers, also where others speak of them, and attachments are left out`()
    throws
  {
    let fixture = try fixture()
    let path = fixture.folder.appending(path: "senders.txt")
    try "senders\nattachments\n".write(to: path, atomically: true, encoding: .utf8)
    let answer = try fixture.run(["export", "--format", "text", "--redact", path.path, "-o", "-"])
    #expect(answer.status == 0, "\(answer.errors)")
    for name in ["Ann Smith", "Bob", "Carol", ".txt"] {
      #expect(!answer.output.contains(name), "\(answer.output)")
    }
    #expect(answer.output.contains("person 3") && answer.errors.contains("attachments left out"))
  }

  @Test func `a word that is one of the format is refused, and no file is left`() throws {
    let fixture = try fixture()
    let path = fixture.folder.appending(path: "format.txt")
    try "word sender\n".write(to: path, atomically: true, encoding: .utf8)
    let output = fixture.folder.appending(path: "out.jsonl")
    let answer = try fixture.run(["export", "--redact", path.path, "-o", output.path])
    #expect(
      answer.status == 64 && answer.errors.contains("cannot write without 'sender'"), "\(answer.errors)")
    #expect(!FileManager.default.fileExists(atPath: output.path))
  }

  @Test func `what lies in a folder of attachments already is left alone`() throws {
    let fixture = try fixture()
    let files = fixture.folder.appending(path: "files")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let own = files.appending(path: "plan.txt")
    try "the plan is BLUEBIRD".write(to: own, atomically: true, encoding: .utf8)
    let answer = try fixture.run([
      "export", "--redact", fixture.folder.appending(path: "rules.txt").path, "--attachments", files.path,
      "-o",
      fixture.folder.appending(path: "out.jsonl").path,
    ])
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(try String(contentsOf: own, encoding: .utf8) == "the plan is BLUEBIRD")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 3)
  }

  /// A name in the forms that people, programs and mail write it in.
  private static let spellings = [
    "Zo\u{200B}ë Quint\u{AD}wall", "Ｚｏë Ｑｕｉｎｔｗａｌｌ", "Zoe\u{308} Quintwall", "Z**o**ë Quintwall",
    "Zo&euml; Quintwall",
    "Zo%C3%AB%20Quintwall", "Wm/DqyBRdWludHdhbGw=", "V204bFF6TWxRVUlsTWpCUmRXbHVkSGRoYkd3PQ==",
    "Zo\u{1B}[1më Quint\u{1B}[0mwall",
  ]

  private func spelledFixture() throws -> (ShellFixture, rules: String) {
    let fixture = try ShellFixture(named: "with spellings of a name") { try Self.fillWithSpellings($0) }
    let rules = fixture.folder.appending(path: "rules.txt")
    try "name Zoë Quintwall\n".write(to: rules, atomically: true, encoding: .utf8)
    return (fixture, rules.path)
  }

  private static func fillWithSpellings(_ fixture: ShellFixture) throws {
    let folder = fixture.folder.appending(path: "history")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let notes = "tea with Zoë Quintwall"
    try Data([0xFF, 0xFE] + notes.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }).write(
      to: folder.appending(path: "notes.txt"))
    try Data("tea with Zo\u{200B}ë Quintwall".utf8).write(to: folder.appending(path: "more.txt"))
    try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]).write(to: folder.appending(path: "tea.png"))
    try Data("tea at noon".utf8).write(to: folder.appending(path: "plan.txt"))
    var lines = try spellings.enumerated().map { index, spelling in
      let text = String(
        decoding: try JSONEncoder().encode("<\(index)> \(spelling) </\(index)>"), as: UTF8.self)
      return #"{"conversation":"c","time":"2024-05-01T12:00:0\#(index)Z","sender":"Bob","text":\#(text)}"#
    }
    let names = ["notes.txt", "more.txt", "tea.png", "plan.txt"]
    let files = names.map { #"{"name":"\#($0)","path":"\#($0)"}"# }.joined(separator: ",")
    lines.append(
      #"{"conversation":"c","time":"2024-05-02T12:00:00Z","sender":"Bob","text":"see","attachments":[\#(files)]}"#
    )
    try lines.joined(separator: "\n").write(
      to: folder.appending(path: "tea.jsonl"), atomically: true, encoding: .utf8)
    #expect(try fixture.run(["import", folder.path]).errors.contains("imported 10"))
  }

  @Test(arguments: ExportFormats.names + ["site"])
  func
    `a name is replaced however it is written, and files that have it or cannot be looked into are left out`(
      format: String
    ) throws
  {
    let (fixture, rules) = try spelledFixture()
    let output = fixture.folder.appending(path: "out")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    let target =
      format == "site"
      ? ["-o", output.path]
      : [
        "-o", output.appending(path: "out.\(format)").path, "--attachments",
        output.appending(path: "files").path,
      ]
    let answer = try fixture.run(["export", "--format", format, "--redact", rules] + target)
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.errors.contains("9  person 1"), "\(answer.errors)")
    #expect(answer.errors.contains("1  left out since it cannot be looked into: tea.png"), "\(answer.errors)")
    #expect(
      answer.errors.contains("2  attached files left out since a word stands in them"), "\(answer.errors)")
    let texts = try written(output)
    for text in texts {
      for part in Self.spellings + ["wall", "ｗａｌｌ", "Quint", "Zo%C3"] {
        #expect(!text.contains(part), "\(format): \(part)")
      }
    }
    let paths = texts.filter { $0.hasPrefix("/") }
    #expect(
      paths.contains { $0.contains("plan") }
        && !paths.contains { $0.contains("notes") || $0.contains("tea.") }, "\(paths)")
  }

  @Test func `what cannot be looked into is kept where the rules ask for it`() throws {
    let (fixture, rules) = try spelledFixture()
    try "name Zoë Quintwall\nkeep attachments\n".write(toFile: rules, atomically: true, encoding: .utf8)
    let files = fixture.folder.appending(path: "files")
    let answer = try fixture.run([
      "export", "--redact", rules, "-o", fixture.folder.appending(path: "out.jsonl").path, "--attachments",
      files.path,
    ])
    #expect(answer.errors.contains("attached files kept that cannot be looked into"), "\(answer.errors)")
    #expect(try Self.names(in: files) == ["plan.txt", "tea.png"])
  }

  /// The names of files, without the parts of their checksums before them.
  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).map { String($0.dropFirst(17)) }.sorted()
  }

  /// The names of a picture that a rule names, and of one that has a secret and what an expression finds.
  private static let pictureNames = ["Zoë Quintwall 555-1234.png", "use \(token).png"]

  @Test(arguments: ExportFormats.names + ["site"])
  func `files that are kept have none of the names that rules replace`(format: String) throws {
    let fixture = try ShellFixture(count: 0)
    let folder = fixture.folder.appending(path: "history")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (number, name) in Self.pictureNames.enumerated() {
      try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, UInt8(number)]).write(
        to: folder.appending(path: name))
    }
    let files = Self.pictureNames.map { #"{"name":"\#($0)","path":"\#($0)"}"# }.joined(separator: ",")
    try
      #"{"conversation":"c","time":"2024-05-02T12:00:00Z","sender":"Bob","text":"see","attachments":[\#(files)]}"#
      .write(to: folder.appending(path: "tea.jsonl"), atomically: true, encoding: .utf8)
    #expect(try fixture.run(["import", folder.path]).errors.contains("imported 1"))
    let rules = fixture.folder.appending(path: "rules.txt")
    try
      "name Zoë Quintwall\nregex \\d{3}-\\d{4} => number\nregex \\d+(?=\\.png) => end\nsecrets\nkeep attachments\n"
      .write(
        to: rules, atomically: true, encoding: .utf8)
    let output = fixture.folder.appending(path: "out")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    let target =
      format == "site"
      ? ["-o", output.path]
      : ["-o", output.appending(path: "out").path, "--attachments", output.appending(path: "files").path]
    let answer = try fixture.run(["export", "--format", format, "--redact", rules.path] + target)
    #expect(answer.status == 0, "\(answer.errors)")
    let texts = try written(output)
    let paths = texts.filter { $0.hasSuffix(".png") }
    #expect(
      paths.count == 2 && paths.contains { $0.contains("person 1") }
        && paths.contains { $0.contains("github-token") })
    for text in texts + [answer.errors] {
      for part in ["Zoë", "Quintwall", "555-1234", Self.token] {
        #expect(!text.contains(part), "\(format): \(part)")
      }
    }
  }

  /// Names, and texts with them in encodings of one byte a character and more.
  private static let encodedNames: [(encoding: String, name: String, hex: String)] = [
    ("koi8-r", "Зоя Орлова", "20746561207769746820facfd120efd2cccfd7c1200a"),
    ("cp1251", "Зоя Орлова", "20746561207769746820c7eeff20cef0ebeee2e0200a"),
    ("iso8859-5", "Зоя Орлова", "20746561207769746820b7deef20bee0dbded2d0200a"),
    ("cp866", "Зоя Орлова", "2074656120776974682087aeef208ee0abaea2a0200a"),
    ("cp1253", "Ζωή Αθηνά", "20746561207769746820c6f9de20c1e8e7eddc200a"),
    ("iso8859-2", "Žofie Dvořák", "20746561207769746820ae6f6669652044766ff8e16b200a"),
    ("gb18030", "田中花子", "20746561207769746820ccefd6d0bba8d7d3200a"),
    ("euc-jp", "田中花子", "20746561207769746820c5c4c3e6b2d6bbd2200a"),
    ("shift-jis", "田中花子", "207465612077697468209363928689d48e71200a"),
    ("iso2022-jp", "田中花子", "207465612077697468201b24424544436632563b521b2842200a"),
    ("big5", "田中花子", "20746561207769746820a5d0a4a4aae1a46c200a"),
    ("euc-kr", "김영희", "20746561207769746820b1e8bfb5c8f1200a"),
  ]

  @Test(arguments: encodedNames.indices)
  func `an attached text is looked into in every encoding that an import can read`(index: Int) throws {
    let (encoding, name, hex) = Self.encodedNames[index]
    let digits = Array(hex)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    let fixture = try ShellFixture(count: 0)
    let folder = fixture.folder.appending(path: "history")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let lines = String(repeating: "so much tea\n", count: 200).utf8
    try Data(lines + bytes + lines).write(to: folder.appending(path: "notes.txt"))
    try Data([0xFC, 0x0A] + lines).write(to: folder.appending(path: "clean.txt"))
    let files = ["notes.txt", "clean.txt"].map { #"{"name":"\#($0)","path":"\#($0)"}"# }.joined(
      separator: ",")
    try
      #"{"conversation":"c","time":"2024-05-02T12:00:00Z","sender":"Bob","text":"see","attachments":[\#(files)]}"#
      .write(to: folder.appending(path: "tea.jsonl"), atomically: true, encoding: .utf8)
    _ = try fixture.run(["import", folder.path])
    let rules = fixture.folder.appending(path: "rules.txt")
    try "name \(name)\n".write(to: rules, atomically: true, encoding: .utf8)
    let output = fixture.folder.appending(path: "files")
    let answer = try fixture.run([
      "export", "--redact", rules.path, "-o", fixture.folder.appending(path: "out.jsonl").path,
      "--attachments",
      output.path,
    ])
    #expect(answer.status == 0, "\(answer.errors)")
    let written = try Self.names(in: output)
    #expect(written == ["clean.txt"], "\(encoding): \(written) \(answer.errors)")
  }

  @Test func `rules that make no sense are refused with their line`() throws {
    let fixture = try fixture()
    let path = fixture.folder.appending(path: "wrong.txt")
    for (rules, reason) in [("name Ann\nnoun", ":2'"), ("regex (", "regular expression")] {
      try rules.write(to: path, atomically: true, encoding: .utf8)
      let answer = try fixture.run(["export", "--redact", path.path])
      #expect(answer.status == 64 && answer.errors.contains(reason), "\(answer.errors)")
    }
    #expect(try fixture.run(["export", "--redact", "/no/such"]).status == 66)
  }

  @Test func `the transcript of the document is what is written`() throws {
    let fixture = try fixture()
    let document = try String(
      contentsOf: GoldenFile.root.appending(path: "docs/redact.md"), encoding: .utf8)
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "    $ cat rules.txt"))
    let call = try #require(lines.firstIndex(of: "    $ scrollback export --redact rules.txt"))
    let end = try #require(lines[call...].firstIndex { !$0.isEmpty && !$0.hasPrefix("    ") })
    func text(_ range: Range<Int>) -> String {
      lines[range].map { String($0.dropFirst(4)) }.joined(separator: "\n").trimmingCharacters(in: .newlines)
    }
    let path = fixture.folder.appending(path: "rules.txt")
    try text(start + 1..<call).write(to: path, atomically: true, encoding: .utf8)
    let answer = try fixture.run(["export", "--redact", path.path])
    #expect(
      text(call + 1..<end)
        == (answer.output + answer.errors).trimmingCharacters(in: .newlines))
  }

  // MARK: Secrets

  @Test func `secrets are found with place and kind, masked unless asked for, and counted`() throws {
    let fixture = try fixture()
    let answer = try fixture.run(["secrets"])
    #expect(
      answer.status == 0 && answer.errors.contains("3 secrets in 4 places; 4 messages searched"), "\(answer)")
    #expect(!answer.output.contains(Self.token) && !answer.output.contains(Self.other))
    #expect(answer.output.contains("github-token  ghp_…(40 characters)"))
    #expect(answer.output.contains("gitlab-token  glpa…(26 characters)  (in edit)"))
    #expect(answer.output.contains("assigned-secret") && answer.output.contains("(in original)"))
    let json = try fixture.run(["secrets", "--json", "in:harbour"]).output
    #expect(
      json.contains(#""kind":"github-token","shown":"ghp_…(40 characters)","#)
        && json.contains(#""conversation":"harbour""#))
    #expect(try fixture.run(["secrets", "--whole", "-n", "1"]).output.contains(Self.token))
    #expect(try fixture.run(["secrets", "kind:topic"]).status == 1)
  }

  @Test func `a secret of which only the day is known has that day alone, in any zone`() throws {
    let fixture = try ShellFixture(
      holding:
        #"{"conversation":"c","time":"2019-03-04T00:00:00Z","precision":"day","text":"\#(Self.token)"}"#)
    let line = try fixture.run(["secrets", "--time-zone", "America/New_York"]).output
    #expect(line.contains("  2019-03-04  c  github-token"), "\(line)")
    #expect(try fixture.run(["secrets", "--json"]).output.contains(#""precision":"day""#))
  }

  @Test func `a secret is masked in the name of its conversation, too`() throws {
    let fixture = try ShellFixture(count: 0)
    let text = "try \(Self.token) now"
    try fixture.add(#"{"conversation":"\#(text)","time":"2024-05-01T12:34:56Z","text":"\#(text)"}"#)
    for arguments in [["secrets"], ["secrets", "--json"]] {
      let output = try fixture.run(arguments).output
      #expect(!output.contains(Self.token) && output.contains("try ghp_…(40 characters) now"), "\(output)")
    }
    let whole = try fixture.run(["secrets", "--whole"]).output
    #expect(whole.split(separator: Self.token, omittingEmptySubsequences: false).count == 3, "\(whole)")
  }

  @Test func `an export and an agent's answers have stand-ins for secrets`() throws {
    let fixture = try fixture()
    let export = try fixture.run(["export", "--json", "--redact", "secrets"])
    #expect(export.status == 0 && export.output.contains("[secret 1: github-token]"))
    for secret in [Self.token, Self.other, "kT9#"] { #expect(!export.output.contains(secret)) }
    #expect(export.output.contains("Ann Smith") && export.output.contains("12:34:56"))
    let calls = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_messages","arguments":{"words":"token"}}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read_message","arguments":{"id":"7022866009247744"}}}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"resources/list"}"#,
    ]
    let input = calls.joined(separator: "\n") + "\n"
    let answers = try fixture.run(["mcp", "--redact", "secrets"], input: input).output
    #expect(answers.contains("[secret 1: github-token]") && answers.contains("Annual tea"))
    for secret in [Self.token, Self.other, "kT9#", "ghp_a"] {
      #expect(!answers.contains(secret), "\(secret)")
    }
    let path = fixture.folder.appending(path: "agent.txt")
    try "name Ann Smith, Ann => person A\nword bluebird\n".write(to: path, atomically: true, encoding: .utf8)
    let named = try fixture.run(["mcp", "--redact", path.path], input: input).output
    #expect(
      !named.contains("Ann Smith") && !named.lowercased().contains("bluebird") && named.contains("person A"))
    // With all senders as persons, an agent may ask for a person that it was told of.
    try "senders\n".write(to: path, atomically: true, encoding: .utf8)
    let asked = [
      calls[0],
      #"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"list_senders","arguments":{}}}"#,
      #"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"list_conversations","arguments":{}}}"#,
      #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_senders","arguments":{"named":"person 1"}}}"#,
    ].joined(separator: "\n")
    let persons = try fixture.run(["mcp", "--redact", path.path], input: asked + "\n").output
    for name in ["Ann", "Bob", "Carol", "U-ann"] { #expect(!persons.contains(name), "\(persons)") }
    let last = try #require(persons.split(separator: "\n").last { $0.contains(#""id":7"#) })
    #expect(last.contains(#"\"name\":\"person 1\""#) && !last.contains("person 2"), "\(last)")
    // Of a message that is a list the second is its sender, whatever stands in the objects between.
    for (call, sender) in [
      (#""read_messages","arguments":{}"#, "person 1"),
      (#""search_messages","arguments":{"words":"token","context":2}"#, "person 3"),
    ] {
      let asked = #"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":\#(call)}}"#
      let told = try fixture.run(["mcp", "--redact", path.path], input: asked + "\n").output
      for name in ["Ann Smith", "Bob", "Carol"] { #expect(!told.contains(#"\"\#(name)\""#), "\(told)") }
      #expect(told.contains(#"\"\#(sender)\""#) && told.contains(#"Z\""#), "\(told)")
    }
    try "times\n".write(to: path, atomically: true, encoding: .utf8)
    #expect(try fixture.run(["mcp", "--redact", path.path], input: input).status == 64)
  }

  // MARK: Assistants

  @Test func `the command that assistants prints follows all that they list`() throws {
    let fixture = try ShellFixture(count: 0)
    let home = fixture.folder.appending(path: "home of ann")
    for (file, place) in [
      ("aider/tea/.aider.chat.history.md", "src/tea/.aider.chat.history.md"),
      ("crush/tea/crush.db", "src/pot/.crush/crush.db"), ("codex", ".codex/sessions"),
      ("claude-code", ".claude/projects"),
    ] {
      let target = home.appending(path: place)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: GoldenFile.root.appending(path: "Fixtures/\(file)"), to: target)
    }
    let arguments = ["assistants", "--home", home.path, home.appending(path: "src").path]
    let list = try fixture.run(arguments)
    #expect(list.status == 0, "\(list.errors)")
    for name in ["aider", "Crush", "Codex CLI", "Claude Code"] { #expect(list.output.contains(name)) }
    #expect(!list.output.contains(" followed") || list.output.contains("not followed"))
    let command = try #require(list.output.split(separator: "\n").last).dropFirst(
      "  scrollback follow ".count)
    let words = try Self.words(String(command))
    #expect(words.count == 4)
    let taken = try fixture.run(["follow", "--once"] + words)
    #expect(taken.errors.contains("imported"), "\(taken.errors)")
    let again = try fixture.run(arguments + ["--json"]).output
    #expect(again.contains(#""followed":"yes""#) && !again.contains(#""followed":"no""#), "\(again)")
    let nobody = try fixture.run(["assistants"])
    #expect(nobody.status == 1 && nobody.output.isEmpty)
    #expect(try fixture.run(["assistants", "--home", "/no/such"]).status == 66)
  }

  /// The words that a shell makes of a line.
  private static func words(_ line: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "printf '%s\\n' \(line)"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return output.split(separator: "\n").map(String.init)
  }
}

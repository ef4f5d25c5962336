import Foundation
import ShellTesting
import Testing

/// Files on their way in and out by the command line.
struct AttachmentCommandTests {
  private func write(_ text: String, _ path: String, in fixture: ShellFixture) throws {
    let file = fixture.folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func id(of text: String, in fixture: ShellFixture) throws -> String {
    let lines = try fixture.run(["export", "--format", "jsonl"]).output.split(separator: "\n")
    let line = try #require(lines.first { $0.contains("\"text\":\"\(text)\"") })
    return String(line.dropFirst(7).prefix { $0 != "\"" })
  }

  @Test func `a file is attached, shown, counted and saved`() throws {
    let fixture = try ShellFixture(count: 3)
    try write(String(repeating: "long ", count: 40_000), "notes.txt", in: fixture)
    let id = try id(of: "message 2", in: fixture)
    let attached = try fixture.run(["attach", id, fixture.folder.path + "/notes.txt"])
    #expect(attached.status == 0 && attached.errors.contains("attached notes.txt  text/plain"))
    #expect(try fixture.run(["show", id]).output.contains("attachment    notes.txt  text/plain  2"))
    #expect(
      try fixture.run(["stats", "--json"]).output.contains(
        "\"attachments\":1,\"contents\":1,\"bytesOfContents\":200000"))
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path + "/out", withIntermediateDirectories: true)
    let saved = try fixture.run(["save", id, fixture.folder.path + "/out"])
    #expect(saved.output == fixture.folder.path + "/out/notes.txt\n" && saved.status == 0)
    #expect(
      try fixture.run(["save", try self.id(of: "message 1", in: fixture), fixture.folder.path]).status == 1)
    #expect(try fixture.run(["attach", id, fixture.folder.path + "/none"]).status == 66)
    let script = try fixture.run(
      ["-c", "general"],
      input:
        "/attach \(fixture.folder.path)/notes.txt look at this\n/save #\(id) \(fixture.folder.path)/out\n/memory\n"
    )
    #expect(
      script.status == 0 && script.output.contains("notes (2).txt")
        && script.output.contains("attachment cache") && script.output.contains("search, statements"))
  }

  @Test func `what an export writes with its attachments is imported with them, and exported again the same`()
    throws
  {
    let fixture = try ShellFixture(count: 2)
    try write(String(repeating: "a", count: 150_000), "big one.txt", in: fixture)
    try write("<b>", "x.html", in: fixture)
    let id = try id(of: "message 1", in: fixture)
    #expect(
      try fixture.run(["attach", id, fixture.folder.path + "/big one.txt", fixture.folder.path + "/x.html"])
        .status
        == 0)
    func export(_ name: String, _ format: String, store: String? = nil) throws -> String {
      let folder = fixture.folder.path + "/" + name
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let choice = store.map { ["--store", $0] } ?? []
      let run = try fixture.run(
        [
          "export", "--format", format, "-o", folder + "/history." + format, "--attachments",
          folder + "/files",
        ] + choice)
      #expect(run.status == 0 && run.errors.contains("wrote 2 attachments"))
      return try String(contentsOfFile: folder + "/history." + format, encoding: .utf8)
    }
    let first = try export("first", "jsonl")
    #expect(first.contains("\"path\":\"files/"))
    let other = fixture.folder.path + "/other.db"
    let imported = try fixture.run(["import", "--store", other, fixture.folder.path + "/first"])
    #expect(imported.errors.contains("attachments: 2 imported"))
    #expect(try export("second", "jsonl", store: other) == first)
    let files = try ["first", "second"].map {
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path + "/\($0)/files").sorted()
    }
    #expect(files[0] == files[1] && files[0].count == 2)
    #expect(try fixture.run(["check", "--store", other]).status == 0)
    let page = try export("page", "html")
    #expect(
      page.contains("<a href=\"./files/") && page.contains("big%20one.txt\"><bdi>big one.txt</bdi></a>"))
  }

  @Test func `a page that is attached runs nothing when it is clicked in a page on a disk`() throws {
    let fixture = try ShellFixture(count: 1)
    try write("<script>alert(1)</script>", "page.HTML", in: fixture)
    let id = try id(of: "message 1", in: fixture)
    #expect(try fixture.run(["attach", id, fixture.folder.path + "/page.HTML"]).status == 0)
    let folder = fixture.folder.path + "/out"
    for (format, ending) in [("html", "-page.HTML.txt"), ("jsonl", "-page.HTML")] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let arguments = ["export", "--format", format, "-o", "\(folder)/x.\(format)"]
      #expect(try fixture.run(arguments + ["--attachments", folder + "/files"]).status == 0)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/files")
      #expect(files.count == 1 && files[0].hasSuffix(ending))
      try FileManager.default.removeItem(atPath: folder)
    }
  }

  @Test func `an export whose attachments an import would refuse says so, and how to do better`() throws {
    let fixture = try ShellFixture(count: 1)
    try write("a", "a.txt", in: fixture)
    #expect(
      try fixture.run(["attach", try id(of: "message 1", in: fixture), fixture.folder.path + "/a.txt"]).status
        == 0)
    let folder = fixture.folder.path
    try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
    let arguments = ["export", "--format", "jsonl", "-o", folder + "/sub/x.jsonl", "--attachments"]
    let outside = try fixture.run(arguments + [folder + "/dir"])
    #expect(outside.status == 0)
    #expect(
      outside.errors == """
        an import will not find the attachments: '\(folder)/dir' is outside of the folder of \
        '\(folder)/sub/x.jsonl'; put it beside that, --attachments '\(folder)/sub/dir'
        wrote 1 attachment

        """)
    #expect(try fixture.run(arguments + [folder + "/sub/dir"]).errors == "wrote 1 attachment\n")
  }

  @Test func `contents that are gone are told of, by export as by save, and folders are made`() throws {
    let fixture = try ShellFixture(count: 1)
    try write(String(repeating: "a", count: 150_000), "a.txt", in: fixture)
    let id = try id(of: "message 1", in: fixture)
    #expect(try fixture.run(["attach", id, fixture.folder.path + "/a.txt"]).status == 0)
    let new = fixture.folder.path + "/new/folder"
    #expect(try fixture.run(["save", id, new]).output == new + "/a.txt\n")
    let mode = try FileManager.default.attributesOfItem(atPath: new)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    try FileManager.default.removeItem(atPath: fixture.store + ".attachments")
    let folder = fixture.folder.path + "/out"
    let export = try fixture.run(["export", "--attachments", folder])
    #expect(export.status == 3 && export.output.contains("[attached: a.txt]"))
    #expect(
      export.errors == """
        wrote 0 attachments
        scrollback: 1 attachment could not be written
          cause: what is attached is missing from the store, or damaged
          try: scrollback check

        """)
    #expect(try fixture.run(["save", id, new]).status == 3)
  }

  @Test func `an export that names files outside of its folder gets none of them`() throws {
    let fixture = try ShellFixture(count: 1)
    try write("secret", "secret.txt", in: fixture)
    try write("fine", "export/sub/fine.txt", in: fixture)
    let line = { (text: String, path: String) in
      """
      {"conversation":"c","time":"2024-05-01T12:00:00.000Z","text":"\(text)","attachments":[{"name":"n","path":"\(path)"}]}

      """
    }
    let hostile = [
      "../secret.txt", fixture.folder.path + "/secret.txt", "link.txt", "sub/../../secret.txt", "none.txt",
    ]
    try write(
      hostile.enumerated().map { line("\($0)", $1) }.joined() + line("good", "sub/fine.txt"),
      "export/h.jsonl", in: fixture)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.path + "/export/link.txt", withDestinationPath: "../secret.txt")
    let imported = try fixture.run(["import", fixture.folder.path + "/export/h.jsonl"])
    #expect(imported.status == 0)
    #expect(imported.errors.contains("attachments: 1 imported (4 bytes) · 5 files missing"))
    try write("late", "export/none.txt", in: fixture)
    let again = try fixture.run(["import", fixture.folder.path + "/export/h.jsonl"])
    #expect(again.errors.contains("attachments: 1 imported (4 bytes) · 4 files missing"))
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test func `files come out of an archive with the history that names them`() throws {
    let fixture = try ShellFixture(count: 1)
    try write(String(repeating: "z", count: 120_000), "chat/media/z.bin", in: fixture)
    try write("a", "chat/a.txt", in: fixture)
    try write(
      """
      {"conversation":"c","time":"2024-05-01T12:00:00.000Z","text":"1","attachments":[{"name":"z","path":"media/z.bin"},{"name":"a","path":"a.txt"},{"name":"b","path":"b.txt"}]}

      """, "chat/h.jsonl", in: fixture)
    let tar = Process()
    tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tar.arguments = ["tar", "-czf", fixture.folder.path + "/chat.tar.gz", "-C", fixture.folder.path, "chat"]
    try tar.run()
    tar.waitUntilExit()
    let imported = try fixture.run(["import", fixture.folder.path + "/chat.tar.gz", "--format", "jsonl"])
    #expect(imported.errors.contains("attachments: 2 imported") && imported.errors.contains("1 file missing"))
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test func `contents within a store move into files, with a backup first`() throws {
    let fixture = try ShellFixture(count: 2)
    try write(String(repeating: "q", count: 300_000), "e/q.bin", in: fixture)
    try write(
      """
      {"conversation":"c","time":"2024-05-01T12:00:00.000Z","text":"1","attachments":[{"name":"q","path":"q.bin"}]}

      """, "e/h.jsonl", in: fixture)
    #expect(
      try fixture.run(["import", "--inline", fixture.folder.path + "/e"]).errors.contains(
        "attachments: 1 imported"))
    let store = fixture.folder.path + "/store.db"
    #expect(!FileManager.default.fileExists(atPath: store + ".attachments"))
    #expect(try fixture.run(["migrate", "--dry-run"]).errors.contains("would move 1 content (300 KB)"))
    let moved = try fixture.run(["migrate"])
    #expect(moved.status == 0 && moved.errors.contains("moved 1 content"))
    #expect(FileManager.default.fileExists(atPath: store + ".before-migrate"))
    #expect(FileManager.default.fileExists(atPath: store + ".attachments"))
    #expect(try fixture.run(["migrate"]).errors.contains("there is nothing to move"))
    #expect(try fixture.run(["check"]).status == 0)
    #expect(try fixture.run(["check", "--store", store + ".before-migrate"]).status == 0)
  }

  @Test func `the blobs of a foreign table become attachments, and leave their rows when they are safe`()
    throws
  {
    let fixture = try ShellFixture(count: 1)
    let cards = fixture.folder.path + "/cards.db"
    let sqlite = Process()
    sqlite.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    sqlite.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.execute('CREATE TABLE card(id INTEGER PRIMARY KEY, title TEXT, made INTEGER, picture BLOB NOT NULL)')
      db.executemany('INSERT INTO card VALUES (?, ?, ?, ?)',
        [(i, 'card %d' % i, 1700000000 + i, bytes([i]) * (200000 + i)) for i in range(1, 4)])
      db.commit()
      """, cards,
    ]
    try sqlite.run()
    sqlite.waitUntilExit()
    try #require(sqlite.terminationStatus == 0)
    let arguments = [
      "migrate", "--source", cards, "--table", "card", "--column", "picture", "--text", "title", "--time",
      "made",
    ]
    #expect(try fixture.run(arguments + ["--dry-run"]).errors.contains("would move 3 rows"))
    let moved = try fixture.run(arguments)
    #expect(moved.status == 0 && moved.errors.contains("moved 3 rows"))
    #expect(
      try fixture.run(["export", "-c", "card", "--format", "jsonl"]).output.contains("\"text\":\"card 3\""))
    #expect(try fixture.run(arguments).errors.contains("there is nothing to move"))
    #expect(try fixture.run(["check"]).status == 0)
    #expect(FileManager.default.fileExists(atPath: cards + ".before-migrate"))
    #expect(try fixture.run(["stats", "--json"]).output.contains("\"attachments\":3"))
  }
}

import Foundation
import MessageInterchange
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@Suite struct InputTests {
  @Test func `an archive is read whatever its names say, and nothing of it is written`() throws {
    let picture = try ImportPicture([Fixture.path("archives/hostile.zip")])
    try expectGolden(picture.text, "archives/hostile.golden")
    #expect(picture.files.map(\.path).allSatisfy { $0.hasPrefix(Fixture.path("archives/hostile.zip:")) })
  }

  @Test func `of a file that is cut everything before the cut is kept`() throws {
    let picture = try ImportPicture([Fixture.path("archives/2024-05-01.cut.txt.gz")])
    #expect(picture.messages.count > 1_000)
    #expect(picture.messages.first?.body == "line 0")
    #expect(picture.skipped.map(\.scope) == [.file])
  }

  @Test func `archives too deep in each other are passed over`() throws {
    let picture = try ImportPicture([Fixture.path("archives/deep.zip")])
    #expect(picture.messages.isEmpty)
    #expect(picture.skipped.map(\.reason) == ["archives lie in it too deep in each other"])
  }

  @Test func `what is not there is said at once`() throws {
    let error = #expect(throws: InterchangeError.self) { try ImportReader(["/nowhere/log.txt"]) }
    #expect(error?.kind == .noSuchFile)
    #expect(error?.description == "cannot read '/nowhere/log.txt'\n  cause: No such file or directory")
  }

  @Test func `a format that is not known is answered with those that are`() throws {
    let error = #expect(throws: InterchangeError.self) {
      try ImportReader([], options: ImportOptions(format: "telepathy"))
    }
    #expect(error?.kind == .unknownFormat)
    #expect(error?.remedy?.description.hasPrefix("one of: jsonl, telegram") == true)
  }

  @Test func `a folder is read in the order of its paths, without links that leave it and what is hidden`()
    throws
  {
    try Fixture.withFolder { folder in
      for name in ["c/2024-05-02.txt", "c/2024-05-01.txt", "b/2024-05-03.txt", ".git/2024-05-04.txt"] {
        try Fixture.write(Array("[12:00] <ann> \(name)\n".utf8), to: "\(folder)/\(name)")
      }
      try Fixture.write([], to: folder + "/empty.txt")
      try Fixture.write(Array("some prose\n".utf8), to: folder + "/prose.txt")
      let files = FileManager.default
      try files.createSymbolicLink(atPath: folder + "/d", withDestinationPath: "/etc")
      try files.createSymbolicLink(atPath: folder + "/e", withDestinationPath: folder + "/c")
      try files.createSymbolicLink(atPath: folder + "/f", withDestinationPath: folder)
      let picture = try ImportPicture([folder])
      #expect(
        picture.messages.map(\.body) == ["b/2024-05-03.txt", "c/2024-05-01.txt", "c/2024-05-02.txt"])
      #expect(
        picture.skipped.map { $0.description.replacing(folder + "/", with: "") } == [
          "d: it is a symbolic link to a place outside the folder", "empty.txt: it is empty",
          "prose.txt: not a known format",
        ])
      #expect(picture.skipped.last.map { String(decoding: $0.record, as: UTF8.self) } == "some prose")
      #expect(picture.progress.skippedFileCount == 2)
      #expect(picture.progress.doneByteCount == picture.progress.totalByteCount)
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 6))
  func `whatever the bytes are, everything is read or said to be skipped`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let names = [
      "irc/ubuntu/2024-02-28.txt", "irc/weechat/irc.libera.#tea.weechatlog", "irc/hexchat/libera/#tea.log",
      "whatsapp/WhatsApp Chat with Harbour.txt", "tables/messages.csv", "archives/hostile.zip",
      "slack/export.zip",
    ]
    try Fixture.withFolder { folder in
      for (number, name) in names.enumerated() {
        var bytes = try Array(Data(contentsOf: URL(filePath: Fixture.path(name))))
        for _ in 0..<30 {
          bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
            in: 0...255, using: &generator)
        }
        try Fixture.write(bytes, to: "\(folder)/\(number).2024-02-28.txt")
      }
      let picture = try ImportPicture([folder])
      let counted = picture.skipped.count { $0.scope == .record }
      #expect(picture.progress.messageCount == picture.messages.count)
      #expect(picture.progress.skippedRecordCount == counted)
      #expect(picture.progress.doneByteCount == picture.progress.totalByteCount)
    }
  }

  @Test func `standard input is read through its descriptor, compressed or not`() throws {
    for name in ["irc/ubuntu/2024-02-28.txt", "archives/hostile.zip"] {
      let input = try FileHandle(forReadingFrom: URL(filePath: Fixture.path(name)))
      let pipe = try ImportPicture(
        ["/dev/fd/\(input.fileDescriptor)"],
        ImportOptions(
          timeZone: .gmt, day: CivilTime(year: 2024, month: 2, day: 28)))
      #expect(pipe.messages.map(\.body) == (try ImportPicture([Fixture.path(name)]).messages.map(\.body)))
      try input.close()
    }
  }

  @Test(arguments: [
    ("#tea.2024-05-01.log", "#tea"), ("tea_20240501.log.txt", "tea"), ("logs/tea/2024/05/01.log", "tea"),
    ("logs/tea/01May2024", "tea"), ("tea.log.01May2024", "tea"), ("tea/2024-05-01.part-b.raw.txt", "tea"),
    ("tea/2024_05_01.txt", "tea"), ("tea/2024-05-01_03.raw.txt", "tea"),
    ("2024-05/tea.2024.05.01.txt", "tea"),
  ])
  func `a path tells the day and the conversation`(path: String, conversation: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array("[12:00] <ann> hi\n".utf8), to: "\(folder)/\(path)")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.text) == ["2024-5-1 12:0:0 minute \(conversation) text <ann> |hi|"])
    }
  }
}

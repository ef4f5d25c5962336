import Foundation
import MessageInterchange
import MessageModel
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
    #expect(error?.remedy?.hasPrefix("one of: jsonl, irc-ubuntu") == true)
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
          "prose.txt: no format that is known fits its first lines",
        ])
      #expect(picture.skipped.last.map { String(decoding: $0.record, as: UTF8.self) } == "some prose")
      #expect(picture.progress.skippedFileCount == 2)
      #expect(picture.progress.doneByteCount == picture.progress.totalByteCount)
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

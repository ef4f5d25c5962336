import Foundation
import MessageModel
import ShellTesting
import Testing

/// Names of files are bytes: those that are not UTF-8 are read like others.
@Suite struct FileNameTests {
  private static let line =
    #"{"id":"1","time":"2024-05-01T10:00:00Z","sender":"a","conversation":"b","text":"x"}"# + "\n"
  private static let log = "2024-05-01 10:00:00\tann\tTea?\n"

  /// A folder with a file in it whose name is not UTF-8.
  private func folder(_ fixture: ShellFixture, _ name: [UInt8], _ content: String) throws -> String {
    let folder = fixture.folder.appending(path: "in").path
    mkdir(folder, 0o700)
    try write(content, folder, name)
    return folder
  }

  private func write(_ content: String, _ folder: String, _ name: [UInt8]) throws {
    let path = (Array(folder.utf8) + [0x2F] + name + [0]).map { CChar(bitPattern: $0) }
    let file = try #require(fopen(path, "a"))
    fputs(content, file)
    fclose(file)
  }

  @Test func `a path of bytes is text, and leads to its file again`() {
    for bytes in [
      Array("tea".utf8), [0xFF], [0x62, 0xE9, 0x2E], [0xC3], [0xE2, 0x82], [0xC3, 0xA9, 0xFE],
      [0xF4, 0x8F, 0xBB, 0xBF],
      Array("\u{10FEFF}x".utf8), [0xED, 0xA0, 0x80], Array("ä\u{1F375}".utf8), [0xC0, 0xAF],
    ] as [[UInt8]] {
      let text = (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
        PathBytes.text($0.baseAddress!)
      }
      let back = PathBytes.withBytes(of: text) { path in
        (0..<strlen(path)).map { UInt8(bitPattern: path[$0]) }
      }
      #expect(back == bytes)
      #expect(!PathBytes.shown(text).unicodeScalars.contains { $0.value >= 0x10_0000 })
      if let plain = String(validating: bytes, as: UTF8.self), !plain.contains("\u{10FEFF}") {
        #expect(text == plain)
      }
    }
  }

  @Test func `a file whose name is not UTF-8 is followed and imported, and its name is shown`() throws {
    let fixture = try ShellFixture(count: 0)
    let folder = try folder(fixture, [0x62, 0xFF] + Array(".jsonl".utf8), Self.line)
    try write(Self.log, folder, Array("tea".utf8) + [0xE9] + Array(".log".utf8))
    let followed = try fixture.run(["follow", "--once", "--json", folder])
    #expect(followed.status == 0 && followed.output.contains(#"in/b\\xff.jsonl"#), "\(followed)")
    #expect(try fixture.run(["conversations"]).output.contains("tea\\xe9"))
    #expect(try fixture.run(["follow", "--once", "--json"]).output == "{\"event\":\"caughtUp\"}\n")
    try write(
      Self.log.replacing("Tea?", with: "Milk?"), folder, Array("tea".utf8) + [0xE9] + Array(".log".utf8))
    #expect(try fixture.run(["follow", "--once"]).errors.contains("imported 1 message"))
    let imported = try fixture.run(["import", folder])
    #expect(imported.status == 0 && imported.errors.contains("already there 3"), "\(imported)")
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test func `a folder whose name is not UTF-8 is gone through`() throws {
    let fixture = try ShellFixture(count: 0)
    let folder = fixture.folder.appending(path: "in").path
    mkdir(folder, 0o700)
    let inner = (Array(folder.utf8) + Array("/caf".utf8) + [0xE9, 0]).map { CChar(bitPattern: $0) }
    mkdir(inner, 0o700)
    try write(Self.log, folder, Array("caf".utf8) + [0xE9] + Array("/2024-05-01.log".utf8))
    #expect(try fixture.run(["follow", "--once", folder]).status == 0)
    #expect(try fixture.run(["conversations"]).output.contains("caf\\xe9"))
    #expect(try fixture.run(["import", folder]).errors.contains("already there 1"))
  }

  @Test func `a line feed in the name of a file is shown, and begins no line`() throws {
    let fixture = try ShellFixture(count: 0)
    let path = try folder(fixture, Array("a\nscrollback: all is well.log".utf8), "no history\n")
    for command in [["import", path], ["follow", "--once", path], ["follow", "--once", path + "/a\nb"]] {
      let answer = try fixture.run(command)
      #expect(answer.errors.contains("a␊"), "\(answer.errors)")
      #expect(!answer.errors.contains("\nscrollback: all is well"), "\(answer.errors)")
    }
  }
}

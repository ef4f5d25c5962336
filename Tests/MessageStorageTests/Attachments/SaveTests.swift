import Foundation
import MessageModel
import MessageStorage
import Testing

@Suite struct SaveTests {
  @Test(arguments: [
    ("photo.jpg", "photo.jpg"), ("../../etc/passwd", "passwd"), ("..\\..\\boot.ini", "boot.ini"),
    ("..", "attachment"),
    ("", "attachment"), (".bashrc", "bashrc"), ("-rf", "rf"), ("a\u{1B}[2Jb\n.txt", "a_[2Jb_.txt"),
    ("con.txt", "attachment-con.txt"),
    ("a/", "a"), ("x\u{202E}gpj.exe", "x⟨U+202E⟩gpj.exe"),
    ("naïve 日本.txt", "naïve 日本.txt"),
    ("\0", "_"),
  ])
  func `a name from outside becomes one that stays in its folder`(name: String, safe: String) {
    #expect(SafeFileName(name).text == safe)
  }

  @Test func `a name of 300 bytes is cut between characters, in front of its extension`() {
    let name = SafeFileName(String(repeating: "ä", count: 150) + ".jpeg").text
    #expect(name.utf8.count <= 200 && name.hasSuffix("ä.jpeg"))
  }

  @Test func `nothing that is there is written over, nor anything that a link leads to`() throws {
    let shelf = try Shelf()
    let bytes = shelf.bytes(150_000, seed: 5)
    let facts = try shelf.store.attach([NewAttachment(bytes, name: "../x.bin")], to: shelf.message)[0]
    let folder = shelf.path("out")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let victim = try shelf.file("victim", [7])
    try FileManager.default.createSymbolicLink(atPath: folder + "/x.bin", withDestinationPath: victim)
    #expect(try shelf.store.save(facts, to: folder) == folder + "/x (2).bin")
    #expect(try shelf.store.save(facts, to: folder) == folder + "/x (3).bin")
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: folder + "/x (3).bin"))) == bytes)
    #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data([7]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
  }

  @Test func `a content that is not what it was is not saved`() throws {
    let shelf = try Shelf()
    let facts = try shelf.store.attach(
      [NewAttachment(shelf.bytes(150_000, seed: 6), name: "x")], to: shelf.message)[0]
    let file = shelf.store.path + ".attachments/" + shelf.contentFiles()[0]
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.seek(toOffset: 70_000)
    try handle.write(contentsOf: Data([99]))
    try handle.close()
    let folder = shelf.path("out")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(throws: StoreError.self) { try shelf.store.save(facts, to: folder) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    #expect(try shelf.store.check().problems.map(\.kind) == [.content])
    try FileManager.default.removeItem(atPath: file)
    #expect(throws: StoreError.self) { try shelf.store.content(facts.sha256 ?? "") }
    #expect(try shelf.store.check(repair: true).problems.map(\.kind) == [.content])
    // The same content attached again brings it back.
    try shelf.store.attach([NewAttachment(shelf.bytes(150_000, seed: 6), name: "y")], to: shelf.message)
    #expect(try shelf.store.check().problems == [])
    #expect(try shelf.store.save(facts, to: folder) == folder + "/x")
  }
}

import Foundation
import HistoryModel
import MessageModel
import MessageStorage
import Testing

@Suite struct ContentTests {
  @Test func `contents that were looked at are held up to a number of bytes, and let go on request`() throws {
    let shelf = try Shelf(StoreOptions(durability: .process, contentCacheByteCount: 100_000))
    let facts = try shelf.store.attach(
      (1...8).map { NewAttachment(shelf.bytes(20_000, seed: $0), name: "\($0)") }, to: shelf.message)
    for fact in facts { #expect(try shelf.store.content(fact.sha256 ?? "").count == 20_000) }
    #expect(shelf.store.contentCacheStatistics.byteCount == 100_000)
    _ = try shelf.store.content(facts[7].sha256 ?? "")
    _ = try shelf.store.content(facts[0].sha256 ?? "")
    #expect(shelf.store.contentCacheStatistics.hitCount == 1)
    #expect(shelf.store.contentCacheStatistics.missCount == 9)
    shelf.store.releaseContent(facts[0].sha256 ?? "")
    #expect(shelf.store.contentCacheStatistics.byteCount == 80_000)
    shelf.store.releaseContents()
    #expect(shelf.store.contentCacheStatistics.contentCount == 0)
  }

  @Test func `a store that keeps everything within its file has no folder beside it`() throws {
    let shelf = try Shelf(
      StoreOptions(durability: .process, inlineByteCount: StoreOptions.maxInlineByteCount))
    let bytes = shelf.bytes(3_000_000, seed: 9)
    let facts = try shelf.store.attach([NewAttachment(bytes, name: "x")], to: shelf.message)[0]
    #expect(shelf.contentFiles() == [])
    var read: [UInt8] = []
    try shelf.store.streamContent(facts.sha256 ?? "") { piece in
      read += piece
      return true
    }
    #expect(read == bytes)
  }

  @Test func `what no message refers to is told by a check and collected by a repair`() throws {
    let shelf = try Shelf()
    let message = try shelf.store.append([NewMessage("x")], to: shelf.conversation)[0]
    try shelf.store.attach([NewAttachment(shelf.bytes(150_000, seed: 1), name: "a")], to: shelf.message)
    try shelf.store.attach(
      [
        NewAttachment(shelf.bytes(150_000, seed: 1), name: "b"),
        NewAttachment(shelf.bytes(160_000, seed: 2), name: "c"),
        NewAttachment(shelf.bytes(900, seed: 3), name: "d"),
      ], to: message)
    let deleted = try shelf.store.delete([message])
    #expect(try shelf.store.check().leftovers.count == 1)
    try shelf.store.restore(deleted)
    #expect(try shelf.store.check().problems == [])
    try shelf.store.delete([message])
    let stray = shelf.store.path + ".attachments/incoming-1-abc"
    try Data([1]).write(to: URL(fileURLWithPath: stray))
    let found = try shelf.store.check()
    #expect(found.isSound && found.leftovers.count == 2)
    #expect(try shelf.store.check(repair: true).isSound)
    #expect(shelf.contentFiles().count == 1)
    #expect(try shelf.store.check().problems == [])
  }

  @Test func `a backup brings its contents along, and restoring it brings them back`() throws {
    let shelf = try Shelf()
    let bytes = shelf.bytes(150_000, seed: 1)
    let facts = try shelf.store.attach([NewAttachment(bytes, name: "a")], to: shelf.message)[0]
    try shelf.store.backup(to: shelf.path("copy.db"))
    let restored = shelf.path("restored.db")
    try SynchronousMessageStore.restore(shelf.path("copy.db"), to: restored)
    let store = try SynchronousMessageStore(path: restored)
    defer { store.close() }
    #expect(try store.content(facts.sha256 ?? "") == bytes)
    #expect(try store.check().problems == [])
  }

  /// Makes one pixel of everything but what begins with a zero.
  private struct TinyMaker: PictureMaker {
    func pictures(of source: PictureSource, limits: PictureLimits) throws(PictureRefusal) -> PictureRenditions
    {
      guard case .bytes(let bytes) = source, bytes[19] != 13 else { throw .tooLarge }
      let dot = PixelSize(width: 1, height: 1)
      return PictureRenditions(
        pixelSize: PixelSize(width: 2, height: 1),
        thumbnail: PictureRendition(
          pixelSize: dot, mediaType: "image/png", bytes: Shelf.png(width: 1, height: 1)),
        preview: nil)
    }
  }

  @Test func `small pictures are made once, or the reason why there are none is kept`() throws {
    let shelf = try Shelf()
    let facts = try shelf.store.attach(
      [
        NewAttachment(Shelf.png(width: 1, height: 2), name: "turned"),
        NewAttachment(Shelf.png(width: 13, height: 1), name: "huge"), NewAttachment([1], name: "none"),
      ], to: shelf.message)
    #expect(try shelf.store.makePictures(by: TinyMaker()) == 2)
    #expect(try shelf.store.makePictures(by: TinyMaker()) == 0)
    let message = try #require(try shelf.store.messages().first)
    #expect(message.attachments.map(\.pictures) == [.made, .refused(.tooLarge), nil])
    #expect(message.attachments[0].pixelSize == PixelSize(width: 2, height: 1))
    let small = try #require(try shelf.store.picture(.preview, of: facts[0].sha256 ?? ""))
    #expect(try shelf.store.content(small.sha256) == Shelf.png(width: 1, height: 1))
    #expect(try shelf.store.picture(.thumbnail, of: facts[1].sha256 ?? "") == nil)
    #expect(try shelf.store.check().problems == [])
    try shelf.store.delete([shelf.message])
    #expect(try shelf.store.check(repair: true).isSound)
    #expect(throws: StoreError.self) { try shelf.store.content(small.sha256) }
  }
}

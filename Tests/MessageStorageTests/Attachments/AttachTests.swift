import Foundation
import HistoryModel
import MessageModel
import MessageStorage
import Testing

@Suite struct AttachTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `checksums are those of FIPS 180-4`(text: String, digest: String) {
    #expect(ContentKey(of: text.utf8).description == digest)
  }

  @Test func `a small content lies in the database and a large one in a file named by its checksum`() throws {
    let shelf = try Shelf()
    let (small, large) = (shelf.bytes(1_000, seed: 1), shelf.bytes(300_000, seed: 2))
    let paths = try [shelf.file("small.bin", small), shelf.file("large.bin", large)]
    let facts = try shelf.store.attach(paths.map { NewAttachment(file: $0) }, to: shelf.message)
    #expect(facts.map(\.name) == ["small.bin", "large.bin"])
    #expect(facts.map(\.byteCount) == [1_000, 300_000])
    #expect(facts.allSatisfy { $0.isStored && $0.mediaType == "application/octet-stream" })
    let key = ContentKey(of: large).description
    #expect(shelf.contentFiles() == ["\(key.prefix(2))/\(key.dropFirst(2))"])
    #expect(try shelf.store.content(facts[0].sha256 ?? "") == small)
    #expect(try shelf.store.content(facts[1].sha256 ?? "") == large)
    let message = try #require(try shelf.store.messages().first)
    #expect(message.attachments == facts && message.revision == 1)
    let filter = Selection(shelf.conversation, where: .has(.attachment))
    #expect(try shelf.store.page(PageRequest(filter, fetchLimit: 9)).counts?.total == 1)
    #expect(try shelf.store.check().problems == [])
  }

  @Test func `an equal content is stored once, by whomever and however often it is attached`() throws {
    let shelf = try Shelf()
    let bytes = shelf.bytes(200_000, seed: 3)
    let path = try shelf.file("a.bin", bytes)
    let other = try shelf.temporary.another()
    defer { other.close() }
    try shelf.store.attach([NewAttachment(file: path), NewAttachment(bytes, name: "b")], to: shelf.message)
    try other.attach([NewAttachment(file: path)], to: shelf.message)
    #expect(shelf.contentFiles().count == 1)
    #expect(try shelf.store.messages().first?.attachments.map(\.name) == ["a.bin", "b", "a.bin"])
  }

  @Test func `what a file is is told by its bytes and not by its name or sender`() throws {
    let shelf = try Shelf()
    let files = [
      NewAttachment(Shelf.png(width: 6000, height: 4000), name: "holiday.exe", claimedType: "text/plain"),
      NewAttachment(Array("<html><script>".utf8), name: "photo.jpg", claimedType: "image/jpeg"),
      NewAttachment(Array("a,b\n1,2\n".utf8), name: "table", claimedType: "text/csv"),
      NewAttachment([0, 1, 2, 3], name: "x.png", claimedType: "image/png"),
      NewAttachment(Shelf.wave(seconds: 3), name: "hum.wav"),
    ]
    let facts = try shelf.store.attach(files, to: shelf.message)
    #expect(
      facts.map(\.mediaType) == [
        "image/png", "text/html", "text/csv", "application/octet-stream", "audio/wav",
      ])
    #expect(facts[0].pixelSize == PixelSize(width: 6000, height: 4000))
    #expect(facts[0].pictures == .pending && facts[1].pictures == nil)
    #expect(facts[4].durationMilliseconds == 3_000)
  }

  @Test func `a message is appended together with its files`() throws {
    let shelf = try Shelf()
    let new = NewMessage("look", from: "mira", files: [NewAttachment([1, 2, 3], name: "n")])
    let id = try #require(try shelf.store.append([new], to: shelf.conversation).first)
    let message = try #require(try shelf.store.messages().first { $0.id == id })
    #expect(message.attachments.map(\.byteCount) == [3] && message.revision == 0)
    #expect(try shelf.store.check().problems == [])
  }

  @Test func `what cannot be read is refused with the reason, and nothing is attached`() throws {
    let shelf = try Shelf()
    let good = NewAttachment(file: try shelf.file("good", shelf.bytes(200_000, seed: 4)))
    mkfifo(shelf.path("pipe"), 0o600)
    for (path, kind) in [
      ("none", StoreError.Kind.noSuchFile), ("", .invalidRequest), ("pipe", .invalidRequest),
    ] {
      let error = #expect(throws: StoreError.self) {
        try shelf.store.attach([good, NewAttachment(file: shelf.path(path))], to: shelf.message)
      }
      #expect(error?.kind == kind)
    }
    let error = #expect(throws: StoreError.self) {
      try shelf.store.attach([good], to: Message.ID(rawValue: 1))
    }
    #expect(error?.kind == .notFound)
    #expect(shelf.contentFiles() == [])
    #expect(try shelf.store.messages().first?.attachments == [])
  }

  @Test func `a file that changes while it is read is refused, and one that vanishes is read to its end`()
    throws
  {
    let shelf = try Shelf()
    let bytes = shelf.bytes(400_000, seed: 5)
    func attach(while change: @escaping @Sendable (String) throws -> Void) throws {
      let path = try shelf.file("changing", bytes)
      // Old enough that a change shows in its time.
      var times = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
      #expect(utimes(path, &times) == 0)
      let hook: @Sendable (AttachmentStep) throws -> Void = { if $0 == .made { try change(path) } }
      try AttachmentStep.$hook.withValue(hook) {
        _ = try shelf.store.attach([NewAttachment(file: path)], to: shelf.message)
      }
    }
    for (count, offset) in [(500_000, 400_000), (300_000, 0), (400_000, 0)] {
      let error = #expect(throws: StoreError.self) {
        try attach { path in
          let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
          try file.truncate(atOffset: UInt64(count))
          try file.seek(toOffset: UInt64(offset))
          try file.write(contentsOf: Data([1]))
          try file.close()
        }
      }
      #expect(error?.kind == .inputOutput && error?.cause?.contains("has changed") == true)
    }
    #expect(shelf.contentFiles() == [])
    try attach { try FileManager.default.removeItem(atPath: $0) }
    let fact = try #require(try shelf.store.attachments(of: shelf.message).first)
    #expect(try shelf.store.content(fact.sha256 ?? "") == bytes)
  }

  @Test func `a text beyond 16 MB is attached whole, and the message keeps its beginning`() throws {
    let shelf = try Shelf()
    let text = String(repeating: "0123456789abcdeé\n", count: 1_000_000)
    let id = try #require(try shelf.store.append([NewMessage(text)], to: shelf.conversation).first)
    try shelf.store.edit(shelf.message, text: text)
    for message in try shelf.store.messages() {
      let file = try #require(message.attachments.first)
      #expect(
        file.name == "message.txt" && file.mediaType == "text/plain" && file.byteCount == text.utf8.count)
      #expect(!message.isTextCut && message.text.utf8.count <= 4_096 && text.hasPrefix(message.text))
      #expect(try shelf.store.content(file.sha256 ?? "") == Array(text.utf8))
    }
    var batch = ImportBatch()
    batch.add(text, at: minute(1))
    let load = try BulkImport(into: shelf.store, BulkImport.Description(name: "x", format: "x", zone: "UTC"))
    try load.add(batch)
    _ = try load.finish()
    #expect(try shelf.store.messages().map(\.attachments.count) == [1, 1, 1])
    #expect(try shelf.store.messages().map(\.id).contains(id))
    #expect(shelf.contentFiles().count == 1)
    #expect(try shelf.store.check().problems == [])
  }
}

import Foundation
import MessageModel
import Testing

@testable import MessageStorage

/// The folder of attachments, when it is not what it should be: nobody's files go but the store's own.
@Suite struct FolderTests {
  private let shelf: Shelf
  private let sha256: String

  init() throws {
    shelf = try Shelf()
    let file = NewAttachment(shelf.bytes(150_000, seed: 1), name: "mine")
    sha256 = try shelf.store.attach([file], to: shelf.message)[0].sha256 ?? ""
  }

  /// How one folder can lead to another.
  enum Lead: String, CaseIterable {
    case folder, subfolder, file
  }

  /// Another store, whose folder leads to that of the first.
  private func otherStore(_ lead: Lead) throws -> SynchronousMessageStore {
    let files = FileManager.default
    let (own, other) = (shelf.store.path + ".attachments", shelf.path("evil.db.attachments"))
    let (head, tail) = (String(sha256.prefix(2)), String(sha256.dropFirst(2)))
    switch lead {
    case .folder: try files.createSymbolicLink(atPath: other, withDestinationPath: own)
    case .subfolder:
      try files.createDirectory(atPath: other, withIntermediateDirectories: true)
      try files.createSymbolicLink(atPath: "\(other)/\(head)", withDestinationPath: "\(own)/\(head)")
    case .file:
      try files.createDirectory(atPath: "\(other)/\(head)", withIntermediateDirectories: true)
      try files.createSymbolicLink(
        atPath: "\(other)/\(head)/\(tail)", withDestinationPath: "\(own)/\(head)/\(tail)")
    }
    let store = try SynchronousMessageStore(path: shelf.path("evil.db"))
    _ = try store.makeConversation(named: "general")
    return store
  }

  @Test(arguments: Lead.allCases)
  func `what lies behind a link is left alone`(lead: Lead) throws {
    let store = try otherStore(lead)
    defer { store.close() }
    let found = try store.check()
    #expect(Set(found.problems.map(\.kind)) == (lead == .file ? [] : [.folder]))
    #expect(lead != .file || found.leftovers.count == 1)
    _ = try store.check(repair: true)
    try store.compact()
    #expect(shelf.contentFiles().count == 1)
    #expect(try shelf.store.check().problems == [])
  }

  @Test(arguments: [Lead.folder, .subfolder])
  func `nothing is written behind a link, and the content of another store is not replaced`(lead: Lead) throws
  {
    let store = try otherStore(lead)
    defer { store.close() }
    let room = try #require(try store.conversation(named: "general"))
    let file = NewAttachment(shelf.bytes(150_000, seed: 1), name: "same")
    let own = shelf.store.path + ".attachments/\(sha256.prefix(2))/\(sha256.dropFirst(2))"
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: own))
    let error = #expect(throws: StoreError.self) {
      try store.append([NewMessage("x", files: [file])], to: room.id)
    }
    #expect(error?.kind == .notPermitted)
    #expect(error?.cause?.contains("is a symbolic link: what lies there may belong to another store") == true)
    #expect(try String(contentsOfFile: own, encoding: .utf8) == "damaged")
    #expect(try store.texts() == [])
  }

  @Test(.enabled(if: getuid() == 0, "only root can give a folder away"))
  func `a folder of somebody else is left alone`() throws {
    let folder = shelf.store.path + ".attachments"
    let stray = folder + "/00/" + String(repeating: "0", count: 62)
    try FileManager.default.createDirectory(atPath: folder + "/00", withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: stray))
    try #require(chown(folder, 65_534, 65_534) == 0)
    #expect(
      try shelf.store.check().problems.map(\.sentence).contains { $0.contains("belongs to another user") })
    _ = try shelf.store.check(repair: true)
    #expect(FileManager.default.fileExists(atPath: stray))
    try #require(chown(folder, 0, 0) == 0)
    _ = try shelf.store.check(repair: true)
    #expect(!FileManager.default.fileExists(atPath: stray))
  }

  @Test
  func `a pipe among the contents is told of and holds nobody up`() throws {
    let file = shelf.store.path + ".attachments/\(sha256.prefix(2))/\(sha256.dropFirst(2))"
    try #require(unlink(file) == 0 && mkfifo(file, 0o600) == 0)
    let error = #expect(throws: StoreError.self) { try shelf.store.openContent(sha256) }
    #expect(error?.kind == .damaged && error?.cause == "a pipe lies in its place")
    #expect(try shelf.store.check().problems.map(\.kind) == [.content])
    #expect(throws: StoreError.self) {
      try shelf.store.save(try shelf.store.attachments(of: shelf.message)[0], to: shelf.temporary.folder.path)
    }
    // Attached again, it is there again.
    try shelf.store.attach([NewAttachment(shelf.bytes(150_000, seed: 1), name: "b")], to: shelf.message)
    #expect(try shelf.store.check().problems == [])
  }

  @Test func `what is saved never gets a name that means something to the store, nor goes into its folder`()
    throws
  {
    let bytes = shelf.bytes(10, seed: 2)
    let names = ["test.db-journal", "test.db-wal", "test.db"]
    let files = try shelf.store.attach(names.map { NewAttachment(bytes, name: $0) }, to: shelf.message)
      .suffix(3)
    shelf.store.close()
    let store = try shelf.temporary.another(.readOnly)
    defer { store.close() }
    let paths = try files.map { try store.save($0, to: shelf.temporary.folder.path) }
    #expect(paths.map { RealPath.name(of: $0) } == ["test (2).db-journal", "test (2).db-wal", "test (2).db"])
    let refused = #expect(throws: StoreError.self) {
      try store.save(files[1], to: store.path + ".attachments")
    }
    #expect(refused?.kind == .cannotCreate)
  }

  @Test func `what was being taken in by a process that has ended goes when the store is opened`() throws {
    let folder = shelf.store.path + ".attachments"
    let names = ["incoming-999999999-a", "incoming-1-b", "incoming-\(getpid())-c"]
    for (name, bytes) in zip(names, [Data(), Data([1]), Data()]) {
      try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    // One that is being written is locked.
    let held = open("\(folder)/incoming-999999999-d", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(held) }
    try #require(held >= 0 && flock(held, LOCK_EX) == 0)
    try shelf.temporary.another().close()
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("incoming") }
    #expect(left.sorted() == ["incoming-999999999-d", "incoming-\(getpid())-c"].sorted())
  }
}

import Foundation
import HistoryTransfer
import MessageInterchange
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport
import Testing

/// Exports, by the library alone.
@Suite struct HistoryExportTests {
  private struct Known {
    var room: Int
    var id: Message.ID
    var text: String
  }

  /// Fills a store with the messages of three conversations, which come by turns.
  private static func fill(
    _ store: SynchronousMessageStore, using dice: inout SeededGenerator
  ) throws -> (rooms: [Conversation.ID], known: [Known]) {
    let rooms = try ["one", "three", "two"].map { try store.makeConversation(named: $0).id }
    var known: [Known] = []
    for number in 0..<Int.random(in: 0...60, using: &dice) {
      let room = Int.random(in: 0..<3, using: &dice)
      let id = try store.append([NewMessage("message \(number)")], to: rooms[room])
      known.append(Known(room: room, id: try #require(id.first), text: "message \(number)"))
    }
    return (rooms, known)
  }

  private static func texts(
    _ export: HistoryExport, of store: SynchronousMessageStore
  ) throws -> (texts: [String], outcome: HistoryExport.Outcome) {
    struct Line: Decodable {
      var text: String
    }
    var bytes: [UInt8] = []
    let outcome = try export.run(store, format: JSONLinesExport()) { bytes += $0 }
    let lines = bytes.split(separator: 0x0A)
    return (try lines.map { try JSONDecoder().decode(Line.self, from: Data($0)).text }, outcome)
  }

  @Test(arguments: UInt64(0)..<(isLong ? 40 : 8))
  func `an export has the messages that an array has, in either order and from any place`(seed: UInt64) throws
  {
    var dice = SeededGenerator(seed: seed)
    let source = try StoreSource()
    let (rooms, known) = try Self.fill(source.store, using: &dice)
    for _ in 0..<20 {
      let wanted = (0..<3).filter { _ in Bool.random(using: &dice) }
      let (isOfAll, isOfIDs) = (wanted.count == 3, Bool.random(using: &dice))
      let ids = (known.randomElement(using: &dice)?.id ?? .lowest)...Message.ID.highest
      let selection = Selection(
        isOfAll ? .all : .some(Set(wanted.map { rooms[$0] })), where: isOfIDs ? .ids(ids) : .everything)
      let export = HistoryExport(
        selection, order: Bool.random(using: &dice) ? .oldestFirst : .newestFirst,
        limit: Bool.random(using: &dice) ? Int.random(in: 0...40, using: &dice) : nil,
        offset: Bool.random(using: &dice) ? Int.random(in: 0...40, using: &dice) : 0,
        merges: Bool.random(using: &dice))
      var expected = known.filter { wanted.contains($0.room) && (!isOfIDs || ids.contains($0.id)) }
      if export.order == .newestFirst { expected.reverse() }
      if !export.merges { expected = (0..<3).flatMap { room in expected.filter { $0.room == room } } }
      let texts = expected.map(\.text).dropFirst(export.offset).prefix(export.limit ?? .max)
      let found = try Self.texts(export, of: source.store)
      #expect(found.texts == Array(texts), "\(export)")
      #expect(found.outcome.messageCount == texts.count && found.outcome.miscount == nil)
      #expect(!found.outcome.isStopped)
    }
  }

  @Test func `an export that is stopped has whole messages and says so`() throws {
    var dice = SeededGenerator(seed: 1)
    let source = try StoreSource()
    _ = try Self.fill(source.store, using: &dice)
    for order in [PageRequest.Order.oldestFirst, .newestFirst] {
      let outcome = try HistoryExport(.everything, order: order).run(
        source.store, format: JSONLinesExport(), isCancelled: { true }, write: { #expect($0.isEmpty) })
      #expect(outcome.isStopped && outcome.messageCount == 0)
    }
  }

  @Test func `a file that cannot be made is an error of a kind, and the store is not written over`() throws {
    let source = try StoreSource()
    let files = source.store.files
    for path in ["/nowhere/at/all", FileManager.default.temporaryDirectory.path, source.store.path] {
      let error = #expect(throws: StoreError.self) { try OutputFile(path: path, sparing: files) }
      #expect(error?.kind == .cannotCreate, "\(path)")
    }
    let error = #expect(throws: StoreError.self) {
      try AttachmentFolder(source.store.path, for: nil, sparing: files)
    }
    #expect(error?.kind == .cannotCreate)
  }

  @Test func `it is known whether an import of an export would find what lies in a folder`() throws {
    let source = try StoreSource()
    let folder = URL(fileURLWithPath: source.store.path).deletingLastPathComponent().path
    let files = source.store.files
    #expect(
      try !AttachmentFolder(folder + "/out/files", for: folder + "/out/all.jsonl", sparing: files).isOutside)
    #expect(try AttachmentFolder(folder + "/files", for: folder + "/out/all.jsonl", sparing: files).isOutside)
  }
}

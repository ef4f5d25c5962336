import Foundation
import MessageModel
import MessageStorage

/// A store with one message, and files to be attached to it.
struct Shelf {
  let temporary: TemporaryStore
  let conversation: Conversation.ID
  let message: Message.ID

  var store: SynchronousMessageStore { temporary.store }

  init(_ options: StoreOptions = StoreOptions(durability: .process)) throws {
    temporary = try TemporaryStore(options: options)
    conversation = try temporary.store.makeConversation(named: "general").id
    message = try temporary.store.append([NewMessage("hello", from: "alice")], to: conversation)[0]
  }

  func path(_ name: String) -> String { temporary.folder.appendingPathComponent(name).path }

  /// Writes a file into the store's folder and returns its path.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// Bytes that a seed tells, which begin like no known format.
  func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var dice = Dice(seed: seed)
    var bytes = [UInt8](repeating: 0, count: count)
    for index in stride(from: 1, to: count, by: 997) { bytes[index] = UInt8(truncatingIfNeeded: dice.next()) }
    return bytes
  }

  /// The names of the files in which contents lie, with their folders; whatever else is there too.
  func contentFiles() -> [String] {
    let all = FileManager.default.enumerator(atPath: store.path + ".attachments")
    let names = (all?.allObjects as? [String]) ?? []
    var isFolder: ObjCBool = false
    return names.filter {
      FileManager.default.fileExists(atPath: store.path + ".attachments/" + $0, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  /// The beginning of a PNG.
  static func png(width: Int, height: Int) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + number(width)
      + number(height) + [8, 2, 0, 0, 0]
  }

  /// A silence of 8-bit samples, 8,000 in a second.
  static func wave(seconds: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    let data = [UInt8](repeating: 128, count: seconds * 8_000)
    return Array("RIFF".utf8) + number(36 + data.count, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
      + number(1, 2)
      + number(1, 2) + number(8_000, 4) + number(8_000, 4) + number(1, 2) + number(8, 2) + Array("data".utf8)
      + number(data.count, 4) + data
  }
}

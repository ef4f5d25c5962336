import Foundation
import MessageModel
import MessageStorage
import Testing

@Suite struct CompactTests {
  /// Whether a word is anywhere in a file, in whatever case.
  private func holds(_ word: String, _ path: String) throws -> Bool {
    guard let bytes = FileManager.default.contents(atPath: path) else { return false }
    let lower = Data(bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    return lower.range(of: Data(word.utf8)) != nil
  }

  @Test func `after a secure compacting no byte of what was deleted is left, here or in new backups`() throws
  {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "notes").id
    var secrets: [Message.ID] = []
    for index in 0..<400 {
      let isSecret = index % 4 == 0
      let text = isSecret ? "zebraquartz\(index) \(index)" : "message \(index)"
      let id = try temporary.store.append([NewMessage(text, from: "ann")], to: room)[0]
      if isSecret { secrets.append(id) }
    }
    try temporary.store.edit(secrets[0], text: "an edited zebraquartz")
    let long = try temporary.store.append(
      [
        NewMessage(
          String(repeating: "zebraquartz ", count: 2_000),
          files: [NewAttachment(Array("a zebraquartz in a file".utf8), name: "zebraquartz.txt")])
      ], to: room)
    try temporary.store.delete(secrets + long)
    try temporary.store.compact(secure: true)
    let backup = temporary.folder.appendingPathComponent("backup.db").path
    try temporary.store.backup(to: backup)
    for path in [temporary.store.path, temporary.store.path + "-wal", backup] {
      #expect(try !holds("zebraquartz", path), "\(path)")
    }
    #expect(
      try temporary.store.texts(Selection(room, where: .matching("message")), pageSize: 50).count == 300)
    #expect(try temporary.store.check().problems == [])
  }
}

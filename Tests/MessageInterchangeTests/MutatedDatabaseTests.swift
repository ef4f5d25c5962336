import Foundation
import MessageInterchange
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

/// Every database of the fixtures, as another version of its program might keep it.
@Suite struct MutatedDatabaseTests {
  private static let databases = [
    "beeper/index.db", "discord-history-tracker/tea.dht", "imessage/chat.db", "slackdump/slackdump.sqlite",
    "whatsapp-android/2016/msgstore.db", "whatsapp-android/2024/Databases/msgstore.db",
    "whatsapp-ios/ChatStorage.sqlite",
  ]

  @Test(arguments: databases)
  func `a changed database has no message that says nothing, and each row that is dropped is named`(
    name: String
  ) throws {
    let path = Fixture.path(name)
    let original = try ImportPicture([path])
    var random = SeededGenerator(seed: UInt64(name.utf8.count))
    for (table, column) in try ForeignDatabase(path).columns() {
      for change in Self.changes(of: column, in: table) where isLong || random.oneIn(5) {
        try Self.withCopy(of: path, changed: change) { copy in
          let picture = try ImportPicture([copy], ImportOptions(timeZone: .gmt))
          expectContent(of: picture, "\(name): \(change)")
          guard picture.skipped.allSatisfy({ $0.scope == .record }) else { return }
          let (read, named) = (picture.messages.count, picture.skipped.count)
          #expect(
            read + named >= original.messages.count + original.skipped.count,
            "\(name): \(change): \(read) read and \(named) named of \(original.messages.count)")
        }
      }
    }
  }

  private static func changes(of column: String, in table: String) -> [String] {
    let (table, column) = ("\"\(table)\"", "\"\(column)\"")
    return [
      "UPDATE \(table) SET \(column) = NULL", "UPDATE \(table) SET \(column) = ''",
      "ALTER TABLE \(table) RENAME COLUMN \(column) TO changed", "ALTER TABLE \(table) DROP COLUMN \(column)",
    ]
  }

  /// Calls `body` with a changed copy of a database; not at all if the database forbids the change.
  private static func withCopy(of path: String, changed sql: String, _ body: (String) throws -> Void) throws {
    try Fixture.withFolder { folder in
      let copy = folder + "/" + URL(filePath: path).lastPathComponent
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      if try ForeignDatabase(copy).tries(sql) { try body(copy) }
    }
  }
}

/// Expects that each message has a text, a file or a reaction. A message of a store is as it was there.
func expectContent(of picture: ImportPicture, _ what: String) {
  for message in picture.messages where message.details?.id == nil {
    let isSaying =
      !message.body.isEmpty || message.details?.attachments.isEmpty == false
      || message.details?.reactions.isEmpty == false
    #expect(isSaying, "\(what): \(message.text)")
  }
}

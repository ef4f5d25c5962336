import Foundation
import ShellTesting
import TestSupport
import Testing

/// Histories of apps, as they are imported again and again while they grow.
@Suite struct DatabaseImportTests {
  private static let fixtures = GoldenFile.root.appending(path: "Fixtures")

  @Test(arguments: [
    ("whatsapp-android", 48), ("whatsapp-ios", 25), ("signal-jsonl", 26), ("skype", 25),
    ("discord-package", 4),
    ("telegram-html", 18), ("twitch", 2),
  ])
  func `a second import adds nothing, and all of it is sound`(format: String, count: Int) throws {
    let fixture = try ShellFixture(count: 0)
    let path = Self.fixtures.appending(path: format).path
    let first = try fixture.run(["import", path])
    #expect(first.errors.contains("imported \(count) ("), "\(first.errors)")
    let second = try fixture.run(["import", path])
    #expect(second.errors.contains("imported 0 · already there \(count)"), "\(second.errors)")
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test func `pictures beside histories of apps are attached, wherever these lie among them`() throws {
    for (format, count) in [
      ("whatsapp-android", 2), ("whatsapp-ios", 1), ("signal-jsonl", 1), ("skype", 1), ("telegram-html", 1),
    ] {
      let fixture = try ShellFixture(count: 0)
      let found = try fixture.run(["import", Self.fixtures.appending(path: format).path])
      #expect(found.errors.contains("attachments: \(count) imported"), "\(found.errors)")
    }
  }

  @Test func `a chat has one conversation, whatever it and its people are called by then`() throws {
    let fixture = try ShellFixture(count: 0)
    let names = { try fixture.run(["conversations", "--json"]).output }
    _ = try fixture.run([
      "import", Self.fixtures.appending(path: "whatsapp-android/2024/Databases/msgstore.db").path,
    ])
    let first = try names().split(separator: "\n").count
    #expect(try names().contains("\"Ann\""))
    _ = try fixture.run(["conversations", "rename", "Ann", "Aunt Ann"])
    _ = try fixture.run(["import", Self.fixtures.appending(path: "whatsapp-ios").path])
    #expect(try names().contains("\"Aunt Ann\""))
    #expect(try !names().contains("\"Ann\""))
    // The chat that was deleted on the other telephone is another one.
    #expect(try names().split(separator: "\n").count == first + 1)
  }
}

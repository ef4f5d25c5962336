import Foundation
import ShellTesting
import Testing

/// Exports without ids of messages, of which a later one says more.
@Suite struct FullerExportTests {
  private static let hello = #"{"sender_name":"Ben","timestamp_ms":1709164800123,"content":"hello"}"#
  private static let bye = #"{"sender_name":"Ann","timestamp_ms":1709164990456,"content":"bye"}"#

  /// Two posts that Ann shared in one millisecond.
  private static func share(_ link: String? = nil) -> String {
    let share = link.map { #","share":{"link":"https://example.org/\#($0)"}"# } ?? ""
    return #"{"sender_name":"Ann","timestamp_ms":1709164801555,"type":"Share"\#(share)}"#
  }

  /// A chat as Messenger exports it, newest first.
  private static func chat(_ messages: String...) -> String {
    #"{"participants":[{"name":"Ann"},{"name":"Ben"}],"messages":[\#(messages.joined(separator: ","))],"title":"Ann","thread_path":"inbox/ann_1"}"#
  }

  private static let poor = chat(bye, share(), share(), hello)
  private static let full = chat(bye, share("two"), share("one"), hello)

  private var fixture = try! ShellFixture(count: 0)

  private func load(_ chat: String) throws -> String {
    let file = fixture.folder.appending(path: "inbox/ann_1/message_1.json")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(chat.utf8).write(to: file)
    let lines = try fixture.run(["import", file.path]).errors.split(separator: "\n")
    return lines.last.map(String.init) ?? ""
  }

  private func texts() throws -> [String] {
    let lines = try fixture.run(["export", "--json"]).output.split(separator: "\n")
    #expect(!lines.contains { $0.contains(#""edited""#) || $0.contains(#""edits""#) })
    return lines.compactMap { line in
      line.firstMatch(of: /"text":"(.*?)"/).map { String($0.1) }
    }
  }

  @Test func `Messenger's messages are completed, and none is doubled by what comes again`() throws {
    #expect(try load(Self.poor).hasPrefix("imported 4"))
    #expect(try texts() == ["hello", "[Share]", "[Share]", "bye"])
    #expect(try load(Self.full).hasPrefix("imported 0 · already there 4 (updated 2)"))
    let expected = ["hello", "https://example.org/one", "https://example.org/two", "bye"]
    #expect(try texts() == expected)
    for chat in [Self.poor, Self.full, Self.full, Self.poor] {
      #expect(try load(chat).hasPrefix("imported 0 · already there 4 ·"))
    }
    #expect(try texts() == expected)
    #expect(try fixture.run(["check", "--quiet"]).status == 0)
  }

  @Test func `a chat that was cut and comes whole is completed`() throws {
    _ = try load(Self.poor)
    let cut = try #require(Self.full.range(of: Self.hello)).lowerBound
    _ = try load(String(Self.full[..<cut]))
    let grown = Self.chat(
      #"{"sender_name":"Ben","timestamp_ms":1709165000789,"content":"later"}"#, Self.bye, Self.share("two"),
      Self.share("one"), Self.hello)
    for chat in [grown, Self.poor, grown] { _ = try load(chat) }
    #expect(
      try texts() == [
        "hello", "https://example.org/one", "https://example.org/two", "bye", "later",
      ])
    #expect(try fixture.run(["check", "--quiet"]).status == 0)
  }

  @Test func `an export that says less, and came later, adds nothing`() throws {
    _ = try load(Self.full)
    #expect(try load(Self.poor).hasPrefix("imported 0 · already there 4 ·"))
    #expect(try texts() == ["hello", "https://example.org/one", "https://example.org/two", "bye"])
  }

  // MARK: Files that were cut

  /// Imports a file of which an earlier copy was cut, and returns the messages as JSON Lines without their ids.
  private func grown(_ path: String, _ contents: String...) throws -> [String] {
    let file = fixture.folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    for content in contents {
      try Data(content.utf8).write(to: file)
      _ = try fixture.run(["import", "--time-zone", "UTC", file.path])
    }
    #expect(try fixture.run(["check", "--quiet"]).status == 0)
    return try fixture.run(["export", "--json"]).output.split(separator: "\n").map {
      String($0.replacing(/"id":"\d+",/, with: ""))
    }
  }

  private static let head = """
    From: ann@tea.example
    Date: Thu, 29 Feb 2024 09:00:00 +0000
    Message-ID: <1@tea.example>

    """

  @Test(arguments: [
    ("", "List-Id: Tea <tea.example>\n\nTea at four"), ("\nTea at fo", "ur"),
    ("Content-Type: text/html\n\n<p>Tea <b>at</b> fo", "ur</p>"),
    ("Content-Type: text/html\n\n<p>Tea <b", ">at</b> four</p>"),
    ("Content-Transfer-Encoding: quoted-printable\n\nT=C3=A9 at caf=C", "3=A9"),
    ("Content-Transfer-Encoding: quoted-printable\n\nT=C3=A9 at caf=C3", "=A9"),
    ("Content-Type: application/pdf; name=tea\n\nTea at", " four"),
  ])
  func `a mail that was cut is completed, and is not marked as edited`(cut: String, rest: String) throws {
    let whole = try ShellFixture(count: 0)
    let mail = Self.head + cut + rest
    let expected = try FullerExportTests(fixture: whole).grown("mail/tea.eml", mail)
    #expect(expected.count == 1)
    #expect(try grown("mail/tea.eml", Self.head + cut, mail) == expected)
    #expect(try grown("mail/tea.eml", Self.head + cut) == expected)
  }

  @Test func `a chat of Messenger outside its folder that was cut is completed`() throws {
    let cut = try #require(Self.full.range(of: Self.hello)).lowerBound
    let chats = [String(Self.full[..<cut]), Self.full, String(Self.full[..<cut])]
    let found = try grown("downloads/message_1.json", chats[0], chats[1], chats[2])
    #expect(found.count == 4 && found.allSatisfy { $0.contains(#""conversation":"Ann""#) })
  }

  @Test func `a group of Google Chat gets its name once the file that has it is whole`() throws {
    let group = fixture.folder.appending(path: "Groups/Space AAA")
    try FileManager.default.createDirectory(at: group, withIntermediateDirectories: true)
    let message =
      #"{"creator":{"name":"Ann"},"created_date":"Thursday, February 29, 2024 at 12:00:01 AM UTC","text":"tea?","topic_id":"t1","message_id":"AAA/t1/t1"}"#
    try Data(#"{"messages":[\#(message)]}"#.utf8).write(to: group.appending(path: "messages.json"))
    for (info, name) in [(#"{"name":"Tea ro"#, "Space AAA"), (#"{"name":"Tea room"}"#, "Tea room")] {
      try Data(info.utf8).write(to: group.appending(path: "group_info.json"))
      _ = try fixture.run(["import", group.path])
      let found = try fixture.run(["export", "--json"]).output.split(separator: "\n")
      #expect(found.count == 1 && found[0].contains(#""conversation":"\#(name)""#))
    }
  }
}

import Foundation
import HistoryTransfer
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// A prompt that a list, a queue and a session have is one message.
@Suite struct TypedPromptTests {
  private static let fixtures = GoldenFile.root.appending(path: "Fixtures/prompts")

  private static let orders: [[String]] = [
    [""], ["claude", "codex"],
    ["claude/history.jsonl", "codex/history.jsonl", "claude/projects", "codex/sessions"],
    ["codex/sessions", "claude/projects", "codex/history.jsonl", "claude/history.jsonl"],
    ["claude/projects", "claude/history.jsonl", "claude/projects", "codex", "claude/history.jsonl"],
    ["claude/history.jsonl", "claude", "codex", "claude/history.jsonl", "codex/history.jsonl"],
  ]

  private static func path(_ part: String) -> String {
    part.isEmpty ? fixtures.path : fixtures.appending(path: part).path
  }

  /// A line for each message.
  private static func lines(of store: SynchronousMessageStore) throws -> [String] {
    let names = Dictionary(uniqueKeysWithValues: try store.conversations().map { ($0.id, $0.name) })
    let page = try store.page(PageRequest(Selection.everything, anchor: .newest, fetchLimit: 1_000))
    return page.messages.map { "\(names[$0.conversation] ?? "?"): \($0.kind.name) \($0.text)" }
  }

  /// What all orders give, without the steps and notes of the sessions.
  private static let said = [
    "tea > prompts without a session: text Water the tea plants.",
    "tea > Sort the cups.: text /model", "tea > Sort the cups.: text Sort the cups.",
    "tea > Sort the cups.: text Read this: big ones first", "tea > Sort the cups.: text !ls shelf",
    "How long is a chopstick?: text How long is a chopstick?", "How long is a chopstick?: text And a spoon?",
    "tea > Boil the water. slowly: text Boil the water. slowly\ngently",
    "tea > Boil the water. slowly: text and warm the pot",
    "tea > Boil the water. slowly: text Both are warm.",
    "tea > Boil the water. slowly: text leave the spoon", "tea > Boil the water. slowly: text Is it ready?",
    "tea > Boil the water. slowly: text It is.",
    "tea > Does the lid fit?: text Does the lid fit?", "tea > Does the lid fit?: text It does.",
  ]

  @Test(arguments: orders)
  func `a prompt is one message, in whatever order files are imported`(order: [String]) throws {
    let imported = try ImportedStore()
    for part in order { try imported.take(Self.path(part)) }
    let lines = try Self.lines(of: imported.store)
    #expect(lines.filter { $0.contains(": text ") } == Self.said)
    #expect(lines.count { $0.contains(": system queued") } == 1)
    #expect(lines.count == Self.said.count + 8)
    #expect(try imported.store.check().problems == [])
  }

  @Test(arguments: orders)
  func `the summaries of imports count as many messages as the store has`(order: [String]) throws {
    let imported = try ImportedStore()
    let added = try order.map { try imported.take(Self.path($0)).addedCount }.reduce(0, +)
    #expect(added == (try Self.lines(of: imported.store).count))
  }

  private static func rows(_ part: String) throws -> [String] {
    try String(contentsOfFile: path(part), encoding: .utf8).split(separator: "\n").map { $0 + "\n" }
  }

  private static let list = "history.jsonl"
  private static let id = "8e4fa040-0000-4000-8000-000000000005"
  private static let session = "projects/-home-ann-tea/\(id).jsonl"

  @Test(arguments: [true, false])
  func `prompts that are followed as they are written are those of one import at the end`(isListFirst: Bool)
    throws
  {
    let (followed, whole) = (try Followed(), try Followed())
    let list = try Self.rows("claude/\(Self.list)").filter { $0.contains(Self.id) }
    let session = try Self.rows("claude/\(Self.session)")
    for place in 0..<max(list.count, session.count) {
      let next = [(Self.list, list), (Self.session, session)].filter { place < $0.1.count }
      for (file, rows) in isListFirst ? next : next.reversed() {
        try followed.append(file, rows[place])
        try followed.settle(for: 60)
      }
    }
    try whole.write(Self.list, list.joined())
    try whole.write(Self.session, session.joined())
    try whole.settle(for: 60)
    #expect(try Self.lines(of: followed.store) == Self.lines(of: whole.store))
    let restarted = try followed.restarted()
    let again = try withExtendedLifetime(restarted) { try Self.lines(of: restarted.store) }
    #expect(try again == Self.lines(of: whole.store))
  }

  @Test func `what a person did to a prompt goes over to the session's record`() throws {
    let imported = try ImportedStore()
    let store = imported.store
    func ready() throws -> Message? {
      try store.page(PageRequest(Selection.everything, anchor: .newest, fetchLimit: 1_000)).messages.first {
        $0.text == "Is it ready?"
      }
    }
    try imported.take(Self.path("claude/history.jsonl"))
    let listed = try #require(try ready())
    try store.star([listed.id])
    try imported.take(Self.path("claude/projects"))
    let recorded = try #require(try ready())
    #expect(recorded.id != listed.id && recorded.starredAt != nil)
  }

  @Test func `after an undo a list brings its prompts again`() throws {
    let imported = try ImportedStore()
    try imported.take(Self.path("claude/history.jsonl"))
    try imported.take(Self.path("claude/projects"))
    try imported.undo()
    #expect(try Self.lines(of: imported.store).count == 5)
    #expect(try imported.take(Self.path("claude/history.jsonl")).addedCount == 4)
    #expect(try imported.store.check().problems == [])
  }

  @Test(arguments: [true, false])
  func `a session keeps its title although something was typed after its last message`(isListFirst: Bool)
    throws
  {
    let (followed, folder) = (try Followed(), "projects/p")
    let typed = ["make tea", "/exit"].enumerated().map { number, text in
      #"{"display":"\#(text)","pastedContents":{},"timestamp":177244200\#(number)000,"project":"/tea","sessionId":"\#(Self.id)"}"#
    }
    let session = [
      #"{"parentUuid":null,"isSidechain":false,"cwd":"/tea","sessionId":"\#(Self.id)","type":"user","uuid":"u","#
        + #""message":{"role":"user","content":"make tea"},"timestamp":"2026-03-02T09:00:00.200Z"}"#,
      #"{"type":"custom-title","customTitle":"Five o clock","sessionId":"\#(Self.id)"}"#,
    ]
    let files = [(Self.list, typed), ("\(folder)/\(Self.id).jsonl", session)]
    for (file, lines) in isListFirst ? files : files.reversed() {
      try followed.write(file, lines.map { $0 + "\n" }.joined())
      try followed.settle(for: 60)
    }
    let said = try Self.lines(of: followed.store).filter { $0.contains(": text ") }
    #expect(said == ["tea > Five o clock: text make tea", "tea > Five o clock: text /exit"])
  }

  @Test func `equal prompts of a session are as many as were typed`() throws {
    let imported = try ImportedStore()
    let folder = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let id = Self.id
    let times = [0, 3_000, 600_000]
    // The one in the middle was never sent.
    let list = times.map {
      #"{"display":"go on","pastedContents":{},"timestamp":\#(1_772_442_000_000 + $0),"project":"/a","sessionId":"\#(id)"}"#
    }
    let session = ["09:00:00.200", "09:10:00.200"].enumerated().map { number, time in
      #"{"parentUuid":null,"isSidechain":false,"cwd":"/a","sessionId":"\#(id)","type":"user","uuid":"u\#(number)","#
        + #""message":{"role":"user","content":"go on"},"timestamp":"2026-03-02T\#(time)Z"}"#
    }
    let (one, other) = (
      folder.appending(path: "\(id).jsonl").path, folder.appending(path: "history.jsonl").path
    )
    try session.joined(separator: "\n").write(toFile: one, atomically: true, encoding: .utf8)
    try list.joined(separator: "\n").write(toFile: other, atomically: true, encoding: .utf8)
    for path in [one, other, one, other] { try imported.take(path) }
    #expect(try Self.lines(of: imported.store).count { $0.hasSuffix("go on") } == 3)
    let reversed = try ImportedStore()
    for path in [other, one, other] { try reversed.take(path) }
    #expect(try Self.lines(of: reversed.store).count { $0.hasSuffix("go on") } == 3)
  }
}

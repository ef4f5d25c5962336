import Foundation
import ShellTesting
import TestSupport
import Testing

/// Conversations with assistants, as they are imported again and again while they grow.
@Suite struct AssistantImportTests {
  private static let fixtures = GoldenFile.root.appending(path: "Fixtures")

  @Test(arguments: [
    ("claude-code", 45), ("codex", 32), ("chatgpt", 15), ("claude-ai", 11), ("aider", 15), ("cline", 42),
    ("copilot", 21), ("copilot-chat", 18), ("pi", 61), ("amp", 15), ("kimi", 62), ("hermes", 18), ("vibe", 7),
    ("kiro", 11),
    ("grok-build", 8),
    ("gptme", 8),
    ("specstory", 9),
    ("openhands", 18),
    ("droid", 16),
    ("librechat", 14),
    ("continue", 18), ("zed", 18),
    ("goose", 21),
    ("qwen-code", 24),
    ("deepseek", 12), ("grok", 12),
  ])
  func `a second import adds nothing, and all of it is sound`(format: String, count: Int) throws {
    let fixture = try ShellFixture(count: 0)
    let path = Self.fixtures.appending(path: format).path
    let first = try fixture.run(["import", path])
    #expect(first.errors.contains("imported \(count) ("))
    let second = try fixture.run(["import", path])
    #expect(second.errors.contains("imported 0 · already there \(count)"))
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test
  func
    `a session that grows brings its news into the conversation that it has, whatever that is called by then`()
    throws
  {
    let fixture = try ShellFixture(count: 0)
    let file = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    func line(_ id: String, _ parent: String, _ text: String) -> String {
      #"{"parentUuid":"\#(parent)","isSidechain":false,"cwd":"/home/ann/tea","sessionId":"s-1","type":"user","#
        + #""message":{"role":"user","content":"\#(text)"},"uuid":"\#(id)","timestamp":"2026-03-01T10:00:01.000Z"}"#
        + "\n"
    }
    let grown = line("a", "", "First words") + line("b", "a", "and more")
    try (grown + line("c", "b", "the rest")).prefix(grown.count + 40).data(using: .utf8)?.write(to: file)
    #expect(try fixture.run(["import", file.path]).errors.contains("imported 3 (2 text, 1 event)"))
    #expect(try fixture.run(["conversations"]).output.hasPrefix("tea > First words"))
    #expect(try fixture.run(["conversations", "rename", "tea > First words", "tea time"]).status == 0)
    let title = #"{"type":"custom-title","customTitle":"Another","sessionId":"s-1"}"# + "\n"
    try Data((grown + line("c", "b", "the rest") + title).utf8).write(to: file)
    #expect(try fixture.run(["import", file.path]).errors.contains("imported 1 (1 text) · already there 3"))
    let names = try fixture.run(["conversations"]).output
    #expect(names.hasPrefix("tea time") && names.split(separator: "\n").count == 1)
  }

  @Test func `records of a version to come are counted, and found`() throws {
    let fixture = try ShellFixture(count: 0)
    let report = try fixture.run(["import", Self.fixtures.appending(path: "codex").path])
    #expect(
      report.errors.contains("1 record of an unknown kind was kept as JSON (search kind:unknown shows it)"))
    #expect(try fixture.run(["search", "kind:unknown"]).output.contains("of a later version"))
  }

  @Test func `steps are left out where that is asked for, and kept by exports`() throws {
    let fixture = try ShellFixture(count: 0)
    _ = try fixture.run(["import", Self.fixtures.appending(path: "claude-code").path])
    #expect(try fixture.run(["search", "tin"]).output.contains("[tool]"))
    #expect(try !fixture.run(["search", "tin -kind:step"]).output.contains("[tool]"))
    let lines = try fixture.run(["export", "--format", "jsonl"]).output
    #expect(lines.contains(#""kind":"thinking""#) && lines.contains(#""kind":"result""#))
    let copy = try ShellFixture(count: 0)
    let file = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(lines.utf8).write(to: file)
    _ = try copy.run(["import", file.path])
    #expect(try copy.run(["export", "--format", "jsonl"]).output == lines)
  }

  @Test func `pictures within a transcript, and files beside it, are attached with their bytes`() throws {
    for (format, count) in [("claude-code", 3), ("codex", 2), ("chatgpt", 4), ("claude-ai", 1)] {
      let fixture = try ShellFixture(count: 0)
      _ = try fixture.run(["import", Self.fixtures.appending(path: format).path])
      let stored = try fixture.run(["stats", "--json"]).output
      // The same picture twice is one content; its thumbnail is another.
      #expect(stored.contains("\"contents\":\(count),"), "\(format): \(stored)")
      #expect(try fixture.run(["check"]).status == 0)
    }
  }

  @Test func `a chat that was branched off has what it shares, whichever comes first and however often`()
    throws
  {
    func chat(_ id: String, _ nodes: [(String, String)], leaf: String? = nil) -> String {
      var parent = "null"
      let mapping = nodes.enumerated().map { index, node in
        defer { parent = "\"\(node.0)\"" }
        return
          #""\#(node.0)":{"id":"\#(node.0)","parent":\#(parent),"message":{"id":"\#(node.0)","author":{"role":"user"},"#
          + #""create_time":\#(1_700_000_000 + index),"content":{"content_type":"text","parts":["\#(node.1)"]}}}"#
      }
      return #"{"conversation_id":"\#(id)","title":"\#(id)","create_time":1700000000,"#
        + #""current_node":"\#(leaf ?? nodes[nodes.count - 1].0)","mapping":{\#(mapping.joined(separator: ","))}}"#
    }
    let shared = [("m-1", "Which tea?"), ("m-2", "Green tea.")]
    let first = chat("chat-a", shared + [("m-3", "Why?")])
    let copy = chat("chat-b", shared + [("m-4", "And cake?")])
    // In a later export the last message of the first chat was left behind.
    let later = chat("chat-a", shared + [("m-3", "Why?")], leaf: "m-2")
    let (fixture, other) = (try ShellFixture(count: 0), try ShellFixture(count: 0))
    func importing(_ chats: String..., into fixture: ShellFixture) throws -> String {
      let folder = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appending(path: "conversations.json")
      try Data("[\(chats.joined(separator: ","))]".utf8).write(to: file)
      return try fixture.run(["import", file.path]).errors
    }
    #expect(try importing(first, into: fixture).contains("imported 3 ("))
    #expect(try importing(copy, first, into: fixture).contains("imported 3 (3 text) · already there 3"))
    #expect(try importing(copy, first, into: fixture).contains("imported 0 · already there 6"))
    #expect(try importing(later, copy, into: fixture).contains("imported 0 · already there 6"))
    // Nor does it matter in which of them a message was first.
    #expect(try importing(later, into: other).contains("imported 3 ("))
    #expect(try importing(first, copy, into: other).contains("imported 3 (3 text) · already there 3"))
    let both = try fixture.run(["search", "Green"]).output
    #expect(both.contains("chat-a") && both.contains("chat-b"), "\(both)")
    #expect(try fixture.run(["check"]).status == 0)
  }
}

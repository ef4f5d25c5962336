import Foundation
import MessageModel
import MessageStorage
import TestSupport

/// The fixture in which the REPL is measured: a state of its own, and the largest conversation of a store.
struct LatencyFixture {
  let folder: URL
  let conversation: String
  /// When its first message was written, and how many milliseconds there are from it to the last.
  let first: Timestamp
  let milliseconds: Int64
  /// A word that many messages have.
  let word: String

  init(path: String) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("latency-\(UUID().uuidString)")
    let state = folder.appendingPathComponent(".local/state/scrollback")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    // Not the first run: no greeting.
    try Data().write(to: state.appendingPathComponent("history"))
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    guard let largest = try store.conversations().max(by: { $0.messageCount < $1.messageCount }) else {
      throw StoreError(.notFound, "cannot measure '\(path)'", cause: "it has no conversation")
    }
    conversation = largest.name
    let ends = try [PageAnchor.oldest, .newest].compactMap {
      try store.page(PageRequest(Selection(largest.id), anchor: $0, fetchLimit: 1)).messages.first?.time
    }
    first = ends.first ?? systemTime()
    milliseconds = max((ends.last ?? first).millisecondsSince1970 - first.millisecondsSince1970, 1)
    word = try Self.commonWord(of: largest.id, in: store)
  }

  private static func commonWord(of largest: Conversation.ID, in store: SynchronousMessageStore) throws
    -> String
  {
    let page = try store.page(PageRequest(Selection(largest), anchor: .newest, fetchLimit: 500))
    var counts: [String: Int] = [:]
    for message in page.messages {
      let words = message.text.lowercased().split { !$0.isASCII || !$0.isLetter }
      for word in Set(words) where word.count >= 3 { counts[String(word), default: 0] += 1 }
    }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? "the"
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// A store with a hundred messages of the same name.
  func smallStore() throws -> String {
    let path = folder.appendingPathComponent("small.db").path
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    let largest = try store.makeConversation(named: conversation).id
    let now = systemTime()
    _ = try store.append(
      (0..<100).map {
        NewMessage(
          "message \($0) of a usual length, as people write them",
          from: "alice", at: now.advanced(byMilliseconds: Int64($0 - 100) * 60_000))
      },
      to: largest)
    return path
  }

  /// Opens the REPL and waits for its first screen.
  func open(_ path: String, _ arguments: [String]) throws -> PseudoTerminal {
    let own = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let terminal = try PseudoTerminal(
      running: own.appendingPathComponent("scrollback").path,
      ["open", conversation, "--bottom", "--store", path] + arguments,
      environment: ["HOME": folder.path, "INPUTRC": "/dev/null", "TZ": "UTC"], rows: 50, columns: 132)
    try terminal.wait(for: "the first screen") { screen in
      screen.lines.last == ">" && screen.text(ofRow: 48).contains(" of ")
    }
    return terminal
  }
}

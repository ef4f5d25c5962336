import Foundation
import MessageSourceTesting
import TestSupport

extension Round {
  /// Changes bytes of a store and has commands read and write it.
  static func flip(seed: UInt64, in arena: Arena) throws {
    var dice = SeededGenerator(seed: seed)
    let original = try arena.texts()
    try arena.flipBytes(&dice)
    for _ in 0..<4 {
      guard let command = Self.readers(arena).randomElement(using: &dice) else { continue }
      let run = try arena.run(command)
      if command.contains("--json"), run.status == 0 { try demandRight(run.output, original) }
    }
    for _ in 0..<3 {
      guard let command = Self.writers(arena).randomElement(using: &dice) else { continue }
      try arena.run(command)
    }
    try arena.run(["export", "--json"])
  }

  /// Demands that each text is the one that was written, and that none is missing.
  private static func demandRight(_ output: [UInt8], _ original: [String: String]) throws {
    let texts = try Arena.texts(in: output)
    for (id, text) in texts where original[id] != text {
      throw Violation(
        demanded: "no wrong text of an export that ends with 0",
        found: "#\(id): '\(text.prefix(200))' instead of '\((original[id] ?? "nothing").prefix(200))'")
    }
    guard texts.count == original.count else {
      throw Violation(
        demanded: "all messages of an export that ends with 0", found: "\(texts.count) of \(original.count)")
    }
  }

  /// Commands that only read.
  static func readers(_ arena: Arena) -> [[String]] {
    [
      ["export", "--json", "--all"], ["export", "--json", "--all"], ["check"], ["tail", "-n", "20", "--all"],
      ["search", "tea"], ["search", "--regex", "h.rb"], ["conversations"], ["conversations", "--by", "day"],
      ["stats"], ["senders"], ["filters"], ["imports"], ["show", arena.ids[0]],
      ["tail", "--filter", "teatime", "--all"], ["export", "--merge", "--format", "text"],
    ]
  }

  /// Commands that write.
  static func writers(_ arena: Arena) -> [[String]] {
    [
      ["append", "-c", "general", "a line"], ["edit", arena.ids[0], "other words"], ["delete", arena.ids[1]],
      ["check", "--repair"], ["compact"], ["conversations", "merge", "old", "general", "--yes"],
      ["conversations", "delete", "random", "--yes"], ["undo", "1", "--yes"],
      ["filters", "save", "f", "tea"],
      ["import", "--quiet", arena.input("more.jsonl")], ["backup", arena.diskFolder + "/backup.db"],
      ["attach", arena.ids[0], arena.input("small.bin")],
      ["restore", "--yes", arena.diskFolder + "/copy.db"],
    ]
  }
}

extension Arena {
  /// The text of each message, by its id.
  func texts() throws -> [String: String] {
    try Self.texts(in: try run(["export", "--json", "--all"]).output)
  }

  static func texts(in output: [UInt8]) throws -> [String: String] {
    try output.split(separator: 0x0A).reduce(into: [:]) { texts, line in
      guard let record = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
        let id = record["id"] as? String
      else { return }
      texts[id] = record["text"] as? String ?? ""
    }
  }

  /// Changes a few bytes: anywhere, or at the beginning of pages, where their structure lies.
  func flipBytes(_ dice: inout SeededGenerator) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let count = 1 << Int.random(in: 0..<5, using: &dice)
    for _ in 0..<count {
      let pageCount = max(1, bytes.count / 4_096)
      let page = Int.random(in: 0..<pageCount, using: &dice) * 4_096
      let place =
        Bool.random(using: &dice)
        ? Int.random(in: 0..<4_096, using: &dice) : Int.random(in: 0..<64, using: &dice)
      guard page + place < bytes.count else { continue }
      bytes[page + place] =
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: 0
        case 1: 0xFF
        case 2: bytes[page + place] ^ (1 << UInt8.random(in: 0..<8, using: &dice))
        default: UInt8.random(in: 0...255, using: &dice)
        }
    }
    // Sometimes the file is also cut off.
    if Int.random(in: 0..<12, using: &dice) == 0 {
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &dice))
    }
    try bytes.write(to: URL(fileURLWithPath: store))
    for suffix in ["-wal", "-shm"] { unlink(store + suffix) }
    note("changed \(count) bytes of the store")
  }
}

import Foundation
import MessageSourceTesting
import TestSupport

/// The stores that rounds begin with, and the files that commands take in: made once, and copied for each round.
struct Stock: Sendable {
  private let root: String

  /// A folder with a store `store.db`.
  enum Template: String, CaseIterable, Sendable {
    /// Nothing at all.
    case none
    /// Conversations with all that messages may have, and a backup `copy.db` from before the last ones.
    case full
    /// The same, with counts that are wrong.
    case miscounted
    /// One with a large content within the database.
    case inline
    /// Two large conversations whose messages no platform has given ids, and what people did in them.
    case rooms
  }

  func folder(of template: Template) -> String { "\(root)/\(template.rawValue)" }

  /// The path of a file that commands take in.
  func input(_ name: String) -> String { "\(root)/inputs/\(name)" }

  /// Names the place of the stock.
  init(in root: String) { self.root = root }

  /// Makes some stores and all files, and returns the ids of some messages of the full store.
  func make(_ templates: Set<Template>, program: String, disk: FaultyDisk) throws -> [String] {
    try FileManager.default.createDirectory(atPath: root + "/inputs", withIntermediateDirectories: true)
    try Self.history(from: 0, count: 180).write(
      toFile: input("history.jsonl"), atomically: true, encoding: .utf8)
    try Self.history(from: 400, count: 90).write(
      toFile: input("more.jsonl"), atomically: true, encoding: .utf8)
    try Self.bytes(150_000, 3).write(to: URL(fileURLWithPath: input("large.bin")))
    try Self.bytes(3_000, 4).write(to: URL(fileURLWithPath: input("small.bin")))
    try copyPicture()
    try writeAttached()
    for room in Self.rooms {
      try Self.history(ofRoom: room).write(toFile: input("\(room).jsonl"), atomically: true, encoding: .utf8)
    }
    for template in templates.union([.full]) { try make(template, program, disk) }
    let tools = Arena.Tools(program: program, disk: disk, stock: self)
    let arena = try Arena("\(root)/reading", tools, holding: .full)
    defer { arena.remove() }
    return try arena.ids(matching: "written") + arena.ids(matching: "tea in:general").prefix(12)
  }

  private func copyPicture() throws {
    let picture = GoldenFile.root.appending(path: "Fixtures/pictures/png").path
    try FileManager.default.copyItem(atPath: picture, toPath: input("picture"))
  }

  private func make(_ template: Template, _ program: String, _ disk: FaultyDisk) throws {
    let tools = Arena.Tools(program: program, disk: disk, stock: self)
    let arena = try Arena("\(root)/making", tools, holding: nil)
    switch template {
    case .none: break
    case .full: try fill(arena)
    case .rooms: try fillRooms(arena)
    case .miscounted:
      try fill(arena)
      try arena.change(
        """
        UPDATE tally SET inserted = inserted + 3 WHERE scope = 0;
        UPDATE block SET count = count + 1 WHERE scope = 1;
        """)
    case .inline:
      try fill(arena)
      try arena.succeed(["import", "--inline", "--into", "inlined", input("attached.jsonl")])
    }
    try FileManager.default.moveItem(atPath: arena.diskFolder, toPath: folder(of: template))
    arena.remove()
  }

  /// Writes a history with attached files.
  private func writeAttached() throws {
    let names = ["large.bin", "small.bin", "picture"]
    let lines = (0..<12).map { index in
      let name = names[index % names.count]
      return """
        {"conversation":"files","time":"2024-06-01T12:\(index + 10):00Z","sender":"alice","text":"file \(index)",\
        "attachments":[{"name":"\(name)","path":"\(name)"}]}

        """
    }
    try lines.joined().write(toFile: input("attached.jsonl"), atomically: true, encoding: .utf8)
  }

  private func fill(_ arena: Arena) throws {
    try arena.succeed(["import", "--quiet", input("history.jsonl")])
    try arena.succeed(["filters", "save", "teatime", "--from", "alice", "--matching", "tea"])
    try arena.succeed(["append", "-c", "general", "--time", "2024-07-01 10:00", "written here"])
    let id = try arena.ids(matching: "written here").first ?? ""
    try arena.succeed(["attach", id, input("large.bin"), input("small.bin")])
    try arena.succeed(["backup", arena.diskFolder + "/copy.db"])
    try arena.succeed(["append", "-c", "general", "--time", "2024-07-01 11:00", "written after the backup"])
    try arena.succeed(["edit", id, "written here, and changed"])
  }

  /// The conversations of the stores that commands change in steps.
  static let rooms = ["a", "b"]

  /// How often each text of their files is in them. More than what a step of a merge takes is in the first.
  static let textsOfRooms: [String: Int] =
    rooms.flatMap(texts(ofRoom:)).reduce(into: [:]) { $0[$1, default: 0] += 1 }

  /// The first messages of both say the same at the same time.
  private static func texts(ofRoom room: String) -> [String] {
    (0..<(room == "a" ? 1_100 : 90)).map { $0 < 4 ? "same \($0)" : "\(room) \($0)" }
  }

  private static func history(ofRoom room: String) -> String {
    texts(ofRoom: room).enumerated().map { index, text in
      let time =
        "2024-05-\(String(101 + index / 600).suffix(2))T1\(index / 60 % 10):\(String(index % 60 + 100).suffix(2))"
      let sender = ["alice", "bob", "carol"][index % 3]
      return """
        {"conversation":"\(room)","time":"\(time):00Z","precision":"minute","sender":"\(sender)","text":"\(text)"}

        """
    }.joined()
  }

  private func fillRooms(_ arena: Arena) throws {
    for room in Self.rooms { try arena.succeed(["import", "--quiet", input("\(room).jsonl")]) }
    try arena.succeed(["append", "-c", "a", "--time", "2024-05-01 10:30", "written here"])
    let id = try arena.ids(matching: "written here").first ?? ""
    try arena.succeed(["edit", id, "written here, and changed"])
    try arena.succeed(["star", id])
    try arena.succeed(["attach", id, input("large.bin")])
    try arena.succeed(["people", "link", "Carol", "carol"])
    try arena.succeed(["filters", "save", "threes", "--regex", "3"])
    try arena.succeed(["backup", arena.diskFolder + "/copy.db"])
    try arena.succeed(["append", "-c", "b", "--time", "2024-07-01 11:00", "written after the backup"])
  }

  /// Returns a history of three conversations, in all kinds of which an import takes in.
  private static func history(from first: Int, count: Int) -> String {
    let words = ["tea", "harbour", "lantern", "潮汐", "https://example.org/a", "later", "gull", "مرحبا"]
    var dice = SeededGenerator(seed: UInt64(first) + 1)
    return (first..<first + count).map { index in
      let text = (0..<Int.random(in: 1...9, using: &dice)).map { _ in words.randomElement(using: &dice) ?? ""
      }
      let long = index % 61 == 7 ? String(repeating: " and on", count: 900) : ""
      let conversation = ["general", "random", "old"][index % 3]
      let id = { (index: Int) in "\(7_022_000_000_000_000 + index * 1_000_000)" }
      let reply = index >= first + 3 && index % 7 == 3 ? #","replyTo":"\#(id(index - 3))""# : ""
      let reaction = index % 11 == 0 ? #","reactions":[{"emoji":"👍","senders":["bob","carol"]}]"# : ""
      let time = "2024-05-\(String(101 + index / 60 % 28).suffix(2))T10:\(String(index % 60 + 100).suffix(2))"
      return """
        {"id":"\(id(index))","conversation":"\(conversation)","time":"\(time):00Z","precision":"minute",\
        "sender":"\(["alice", "bob", "carol"][index % 3 == 0 ? 0 : index % 2 + 1])",\
        "kind":"\(index % 17 == 5 ? "join" : "text")","text":"\(index) \(text.joined(separator: " "))\(long)"\
        \(reply)\(reaction),"source":{"platform":"test","id":"x\(index)"}}

        """
    }.joined()
  }

  private static func bytes(_ count: Int, _ seed: UInt64) -> Data {
    var dice = SeededGenerator(seed: seed)
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) })
  }
}

extension Arena {
  /// Runs a command that must do what it is told.
  func succeed(_ arguments: [String], input: String = "") throws {
    let run = try run(arguments, input: input)
    guard run.status == 0 else {
      throw Violation(
        demanded: "'scrollback \(arguments.joined(separator: " "))' to do it", found: run.errors)
    }
  }

  /// Returns the ids of the messages that a query finds.
  func ids(matching query: String) throws -> [String] {
    let output = try run(["search", "--json", query]).output
    return output.split(separator: 0x0A).compactMap { line in
      let record = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      return record?["id"] as? String
    }
  }
}

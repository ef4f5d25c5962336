import Foundation
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Other processes at work on the same store: killed, at once, out of room.
@Suite(.serialized, .enabled(if: Child.isBuilt, "the program is not built"))
struct ProcessTests {
  private static let count = 60_000

  private func lines(_ range: Range<Int>) -> Data {
    var text = ""
    for number in range {
      let second = number / 3
      let clock = "\(second / 3_600 + 10):\(two(second / 60 % 60)):\(two(second % 60))"
      text += #"{"conversation":"general","time":"2024-05-01T\#(clock)Z","precision":"second","#
      text += #""sender":"alice","text":"line \#(number)"}"# + "\n"
    }
    return Data(text.utf8)
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func total(_ store: SynchronousMessageStore) throws -> Int {
    try store.page(PageRequest(.everything, fetchLimit: 0)).counts?.total ?? 0
  }

  private func expectWhole(_ temporary: TemporaryStore) throws {
    #expect(try total(temporary.store) == Self.count)
    let texts = try temporary.store.texts(pageSize: 5_000)
    #expect(texts == (0..<Self.count).map { "line \($0)" })
    #expect(try temporary.store.check().problems == [])
  }

  @Test(arguments: isLong ? [1, 10_000, 30_000] : [10_000])
  func `an import killed at any point leaves a true store, and run again completes it`(least: Int) throws {
    let temporary = try TemporaryStore()
    let child = try Child("import", "-", store: temporary.store.path)
    var fed = 0
    while try total(temporary.store) < least, fed < Self.count {
      child.feed(lines(fed..<(fed + 1_000)))
      fed += 1_000
    }
    child.kill()
    let log = try ReadFile(temporary.store.path + "-wal", doing: "")
    #expect(CommittedLog.transactionCountBehindDamage(in: log) == 0)
    try temporary.expectTrueCounts()
    let left = try total(temporary.store)
    #expect(left <= fed)
    let again = try Child("import", "-", store: temporary.store.path)
    again.feed(lines(0..<Self.count))
    #expect(again.end() == 0)
    try expectWhole(temporary)
  }

  @Test func `processes that write at once lose nothing and see no busy store`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    let children = try ["p", "q"].map {
      try Child("append", "-c", "general", "--from", $0, store: temporary.store.path)
    }
    let importer = try Child("import", "-", store: temporary.store.path)
    for round in 0..<40 {
      for child in children {
        child.feed(Data((0..<50).map { "\(round * 50 + $0)\n" }.joined().utf8))
      }
      importer.feed(lines((round * 1_500)..<((round + 1) * 1_500)))
      try temporary.store.append([NewMessage("\(round)", from: "r")], to: room)
    }
    #expect((children + [importer]).map { $0.end() } == [0, 0, 0])
    let all = try temporary.store.messages(pageSize: 5_000)
    for (name, count) in [("p", 2_000), ("q", 2_000), ("r", 40)] {
      let own = all.filter { $0.sender?.name == name }.map(\.text)
      #expect(own == (0..<count).map { "\($0)" }, "\(name)")
    }
    #expect(all.count == Self.count + 4_040)
    #expect(try temporary.store.check().problems == [])
  }

  /// For a minute in the long form.
  @Test func `a follower misses nothing of what two processes write at once`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    let seen = temporary.folder.appendingPathComponent("seen.txt")
    // What is written before it has opened the store is shown first.
    let follower = try Child(
      "tail", "-f", "-n", "100000", "-c", "general", store: temporary.store.path,
      into: "sed '/  end$/q' > '\(seen.path)'")
    let writers = try ["p", "q"].map {
      try Child("append", "-c", "general", "--from", $0, store: temporary.store.path)
    }
    let deadline = Date(timeIntervalSinceNow: 60)
    var count = 0
    while isLong ? Date() < deadline : count < 2_000 {
      for writer in writers { writer.feed(Data((count..<(count + 50)).map { "\($0)\n" }.joined().utf8)) }
      count += 50
    }
    #expect(writers.map { $0.end() } == [0, 0])
    while follower.isRunning { try temporary.store.append([NewMessage("end", from: "r")], to: room) }
    let lines = try String(contentsOf: seen, encoding: .utf8).split(separator: "\n")
    for name in ["p", "q"] {
      let own = lines.filter { $0.contains("  \(name)  ") }.compactMap {
        $0.split(separator: " ").last.map(String.init)
      }
      #expect(own == (0..<count).map { "\($0)" }, "\(own.count) of \(count) from \(name)")
    }
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `an import that finds no room says so, and completes when there is some`() throws {
    let temporary = try TemporaryStore()
    let file = temporary.folder.appendingPathComponent("log.jsonl")
    try lines(0..<Self.count).write(to: file)
    let child = try Child("import", file.path, store: temporary.store.path, fileBlocks: 4_000)
    #expect(child.end() == 74)
    try temporary.expectTrueCounts()
    let left = try total(temporary.store)
    #expect(left < Self.count)
    #expect(try temporary.store.check().problems == [])
    let again = try Child("import", file.path, store: temporary.store.path)
    #expect(again.end() == 0)
    try expectWhole(temporary)
  }

  @Test(arguments: [["a", "b", "c", "d"], ["room", "room", "room", "room"]])
  func `processes that make one store, and one conversation, at once all succeed`(rooms: [String]) throws {
    let temporary = try TemporaryStore()
    let path = temporary.folder.appendingPathComponent("new.db").path
    let children = try rooms.map { try Child("append", "-c", $0, "--create", "hello", store: path) }
    #expect(children.map { $0.end() } == [0, 0, 0, 0])
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    #expect(try store.texts() == Array(repeating: "hello", count: 4))
    #expect(try store.check().problems == [])
  }
}

/// The program, run on a store.
private final class Child {
  private let process = Process()
  private let input = Pipe()

  static var isBuilt: Bool {
    FileManager.default.isExecutableFile(atPath: BuiltProduct.path(of: "scrollback"))
  }

  /// - Parameters:
  ///   - fileBlocks: The greatest size of a file it may write, in blocks of 512 bytes.
  ///   - command: What reads its output, as the shell has it.
  init(_ arguments: String..., store: String, fileBlocks: Int? = nil, into command: String? = nil) throws {
    signal(SIGPIPE, SIG_IGN)
    let program = BuiltProduct.path(of: "scrollback")
    let limit = fileBlocks.map { "trap '' XFSZ; ulimit -f \($0); " } ?? ""
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let run = command.map { #""$0" "$@" | "# + $0 } ?? #"exec "$0" "$@""#
    process.arguments = ["-c", limit + run, program] + arguments + ["--quiet", "--store", store]
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Writes to its standard input; what it no longer reads is lost.
  func feed(_ data: Data) { try? input.fileHandleForWriting.write(contentsOf: data) }

  var isRunning: Bool { process.isRunning }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Ends its input, waits for it and returns its exit code.
  func end() -> Int32 {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

import Foundation
import GRDB
import MessageSourceTesting
import ShellTesting
import TestSupport
import Testing

/// Commands on stores of which bytes have been changed.
@Suite(.serialized) struct DamagedStoreTests {
  private func path(_ fixture: ShellFixture) throws -> String {
    try #require(fixture.environment["SCROLLBACK_STORE"])
  }

  @Test func `an export that could not read all there is says so, and ends with 3`() throws {
    let fixture = try ShellFixture(count: 400)
    let whole = try fixture.runProcess(["export", "--json"])
    #expect(whole.status == 0)
    let path = try path(fixture)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The text of a message: a letter becomes a byte that no UTF-8 has.
    let place = try #require(bytes.range(of: Data("message 123".utf8)))
    bytes[place.lowerBound] = 0xFF
    try bytes.write(to: URL(fileURLWithPath: path))
    for arguments in [["export", "--json"], ["export"], ["export", "--format", "csv"], ["search", "123"]] {
      let run = try fixture.runProcess(arguments)
      #expect(run.status == 3, "\(arguments)")
      #expect(run.errors.contains("cause: the text of message #"), "\(run.errors)")
    }
    #expect(try fixture.runProcess(["tail", "-n", "3"]).status == 0)
  }

  @Test func `what differs from its checksum is told by every command that reads it, with 3`() throws {
    let long = "a long text " + String(repeating: "and on ", count: 1_000)
    let fixture = try ShellFixture(count: 400, texts: [long])
    let path = try path(fixture)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(bytes.range(of: Data("message 123".utf8)))
    bytes[place.lowerBound] = UInt8(ascii: "M")
    try bytes.write(to: URL(fileURLWithPath: path))
    for arguments in [
      ["export", "--json"], ["export"], ["export", "--merge"], ["search", "123"],
      ["search", "--regex", "M.* 123"],
      ["tail", "-n", "300"], ["query", #"{"question":"page","at":"oldest","limit":200}"#],
    ] {
      let run = try fixture.run(arguments)
      #expect(run.status == 3, "\(arguments)")
      #expect(run.errors.contains("is not what was written: its checksum differs"), "\(run.errors)")
    }
    #expect(try fixture.run(["tail", "-n", "3"]).status == 0)
    let end = try #require(bytes.range(of: Data("and on and on".utf8), options: .backwards))
    bytes[end.lowerBound] = UInt8(ascii: "A")
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try fixture.run(["tail", "-n", "1", "--json"]).status == 3)
  }

  @Test func `a message whose conversation is none that there is does not end an export`() throws {
    let fixture = try ShellFixture(count: 400)
    let path = try path(fixture)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(bytes.range(of: Data("message 123".utf8)))
    // The head of its row says that its conversation is 1; now that it is 0.
    let head = try #require(bytes.range(of: Data([14, 9, 6]), options: .backwards, in: 0..<place.lowerBound))
    bytes[head.lowerBound + 1] = 8
    try bytes.write(to: URL(fileURLWithPath: path))
    for format in ["jsonl", "csv", "text"] {
      #expect([3, 65].contains(try fixture.runProcess(["export", "--format", format]).status), "\(format)")
    }
  }

  @Test func `an export that finds fewer messages than are counted says so`() throws {
    let fixture = try ShellFixture(count: 400)
    let path = try path(fixture)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "UPDATE tally SET inserted = inserted + 1") }
    try queue.close()
    for arguments in [
      ["export", "--json"], ["export"], ["export", "--merge"], ["export", "--offset", "399"],
    ] {
      let run = try fixture.runProcess(arguments)
      #expect(run.status == 3, "\(arguments)")
      #expect(run.errors.contains("could be read"), "\(run.errors)")
    }
    #expect(try fixture.runProcess(["export", "--limit", "400"]).status == 0)
    #expect(try fixture.runProcess(["check", "--repair"]).status == 0)
    #expect(try fixture.runProcess(["export"]).status == 0)
  }

  @Test func `no change of a few bytes of a store ends the program by a signal`() throws {
    let fixture = try ShellFixture(count: 300)
    try fixture.runProcess(["append", "-c", "general", "more"])
    let path = try path(fixture)
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    let commands = [
      ["export", "--json"], ["check"], ["tail", "-n", "5"], ["conversations"], ["check", "--repair"],
    ]
    for seed in UInt64(0)..<12 {
      var dice = SeededGenerator(seed: seed)
      var bytes = original
      for _ in 0..<6 {
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      for command in commands {
        let status = try fixture.runProcess(command).status
        #expect([0, 1, 3, 64, 65, 66, 73, 74, 75, 77].contains(status), "\(seed) \(command): \(status)")
      }
    }
  }

  @Test func `on damaged copies no command ends by a signal, and none shows what is wrong with 0`() throws {
    let long = String(repeating: "a long text, tea and rain ", count: 300)
    let fixture = try ShellFixture(count: 600, texts: [long, "tea", long])
    let path = try path(fixture)
    let original = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    let whole = try lines(fixture.runProcess(["export", "--json"]).output)
    let id = try #require(whole.keys.sorted().dropFirst(300).first)
    for seed in UInt64(0)..<(isLong ? 350 : 7) {
      let copy = DamagedCopy(of: original, seed: seed)
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try Data(copy.bytes).write(to: URL(fileURLWithPath: path))
      for command in [
        ["export", "--json"], ["tail", "--json", "-n", "40"], ["search", "--json", "message OR tea"],
        ["show", "--json", "#\(id)"], ["check"],
      ] {
        let run = try fixture.runProcess(command)
        #expect([0, 1, 3, 65, 74].contains(run.status), "\(seed) \(copy.way) \(command): \(run.status)")
        guard run.status == 0, command != ["check"] else { continue }
        let shown = try lines(run.output)
        #expect(shown.allSatisfy { whole[$0.key] == $0.value }, "\(seed) \(copy.way) \(command)")
        if command[0] == "export" { #expect(shown.count == whole.count, "\(seed) \(copy.way)") }
      }
    }
  }

  /// What checksums cover of messages in JSON Lines, by id.
  private func lines(_ text: String) throws -> [String: [String?]] {
    try text.split(separator: "\n").reduce(into: [:]) { lines, line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      let id = object["id"] as? String ?? ""
      lines[id] = ["sender", "kind", "precision", "text", "time"].map { object[$0] as? String }
    }
  }
}

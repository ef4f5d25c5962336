import CYardstick
import Foundation
import MessageModel
import MessageStorage
import TestSupport

/// Imports of whole files, each against C that writes the same tables from fields that are already taken apart.
struct ImportScenarios {
  let program: String
  let histories: Histories
  let rounds: Int

  /// Measures imports into an empty store, or into one that holds `depth` messages already.
  func run(conversations: Int, onto depth: Int = 0) throws -> [TransferFinding] {
    let jsonLines = try histories.jsonLines(conversations: conversations, isLater: depth > 0)
    let logs = depth == 0 && conversations == 12 ? try histories.dailyLogs() : nil
    var (ours, irc, theirs, plain) = (Runs(), Runs(), Runs(), Runs())
    for _ in 0..<rounds {
      try importing(jsonLines, onto: depth, &ours)
      try yardstick(conversations, onto: depth, withSearch: true, &theirs)
      if let logs {
        try importing(logs, onto: depth, &irc)
        try yardstick(conversations, onto: depth, withSearch: false, &plain)
      }
    }
    let place = "\(conversations) conversations" + (depth > 0 ? ", onto \(depth)" : "")
    var findings = [finding("import JSONL, \(place)", ours, ("C", theirs))]
    if logs != nil {
      findings.append(finding("import IRC, \(place)", irc, ("import JSONL", ours)))
      findings.append(finding("C without search, \(place)", plain, ("C", theirs)))
    }
    return findings
  }

  private func finding(
    _ name: String, _ ours: Runs, _ yardstick: (String, Runs)
  ) -> TransferFinding {
    TransferFinding(name: name, messageCount: histories.size, ours: ours, yardstick: yardstick)
  }

  private func importing(_ file: String, onto depth: Int, _ runs: inout Runs) throws {
    let store = try histories.store(of: depth, named: "import.db")
    try runs.run([program, "import", "--quiet", "--store", store, file])
  }

  /// Writes the same messages in C. Only the writing is timed, not the making up.
  private func yardstick(
    _ conversations: Int, onto depth: Int, withSearch: Bool, _ runs: inout Runs
  ) throws {
    var generator = histories.generator(conversations: conversations, isLater: depth > 0)
    let path = try histories.store(of: depth, named: "yardstick.db")
    let numbers = try prepare(path, generator)
    guard let load = cyardstick_load_open(path, 8_192, withSearch ? 1 : 0) else {
      throw StoreError(.inputOutput, "cannot measure '\(path)'")
    }
    var (wall, cpu) = (0.0, 0.0)
    var chunk = Chunk(conversations: numbers)
    while chunk.fill(&generator) {
      let (start, used) = (ContinuousClock.now, clock())
      guard chunk.write(load) else { throw StoreError(.inputOutput, "cannot write into '\(path)'") }
      wall += (ContinuousClock.now - start) / .seconds(1)
      cpu += Double(clock() - used) / Double(CLOCKS_PER_SEC)
    }
    let (start, used) = (ContinuousClock.now, clock())
    cyardstick_load_close(load)
    wall += (ContinuousClock.now - start) / .seconds(1)
    cpu += Double(clock() - used) / Double(CLOCKS_PER_SEC)
    runs.add(seconds: wall, cpuSeconds: cpu)
  }

  /// Makes the conversations and senders, and returns the numbers of the former.
  private func prepare(_ path: String, _ generator: HistoryGenerator) throws -> [Int64] {
    let store = try MessageStore(path: path)
    defer { store.close() }
    return try generator.conversationNames.map { name in
      try store.conversation(named: name)?.id.rawValue ?? store.makeConversation(named: name).id.rawValue
    }
  }

  /// Messages of one transaction, taken apart.
  private struct Chunk {
    let conversations: [Int64]
    private var messages: [cyardstick_message] = []
    private var text: [UInt8] = []

    init(conversations: [Int64]) { self.conversations = conversations }

    mutating func fill(_ generator: inout HistoryGenerator) -> Bool {
      messages.removeAll(keepingCapacity: true)
      text.removeAll(keepingCapacity: true)
      while messages.count < 16_384, generator.advance() {
        let line = generator.line
        messages.append(
          cyardstick_message(
            id: line.id.rawValue, conversation: conversations[line.conversation],
            sender: Int64(line.sender + 1), time: line.id.time.millisecondsSince1970,
            kind: Int32(line.kind.rawValue), precision: 0, features: 0, offset: UInt32(text.count),
            count: UInt32(generator.text.count)))
        text += generator.text
      }
      return !messages.isEmpty
    }

    func write(_ load: OpaquePointer) -> Bool {
      text.withUnsafeBytes { bytes in
        cyardstick_load_add(
          load, messages, Int32(messages.count), bytes.baseAddress?.assumingMemoryBound(to: CChar.self)) == 1
      }
    }
  }
}

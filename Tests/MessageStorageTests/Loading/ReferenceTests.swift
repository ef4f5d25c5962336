import Foundation
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Messages that come with ids of another store, some of which are somebody else's here.
@Suite struct ReferenceTests {
  private func own(_ id: Int64, replyTo: Int64? = nil, thread: Int64? = nil) -> ImportDetails {
    var details = ImportDetails()
    details.id = Message.ID(rawValue: id)
    details.replyTo = replyTo.map { .message(Message.ID(rawValue: $0)) }
    details.thread = thread.map { .message(Message.ID(rawValue: $0)) }
    return details
  }

  /// The texts of all messages with those that they answer and whose threads they are in.
  private func links(_ store: SynchronousMessageStore) throws -> [String] {
    let messages = try store.messages()
    let texts = Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0.text) })
    func name(_ id: Message.ID?) -> String { id.map { texts[$0] ?? "?" } ?? "-" }
    return messages.map { "\($0.text) > \(name($0.replyTo)) # \(name($0.thread))" }.sorted()
  }

  @Test func `a reply in a later import answers the message it names, which is here by another id`() throws {
    let temporary = try TemporaryStore()
    let id = Message.ID(time: minute(0), place: 7).rawValue
    var strangers = ImportBatch()
    strangers.add("You are fired", from: "boss", at: minute(0), .millisecond, in: "work", details: own(id))
    try temporary.store.load([strangers])
    var first = ImportBatch()
    first.add("Dinner?", from: "mum", at: minute(0), .millisecond, in: "family", details: own(id))
    try temporary.store.load([first])
    var second = first
    second.add(
      "Yes!", from: "kid", at: minute(1), .millisecond, in: "family",
      details: own(Message.ID(time: minute(1)).rawValue, replyTo: id, thread: id))
    try temporary.store.load([second])
    #expect(
      try links(temporary.store) == ["Dinner? > - # -", "Yes! > Dinner? # Dinner?", "You are fired > - # -"])
    // Alone, it answers nobody rather than a stranger.
    var alone = ImportBatch()
    alone.add(
      "No!", from: "kid", at: minute(2), .millisecond, in: "family",
      details: own(Message.ID(time: minute(2)).rawValue, replyTo: id, thread: id))
    try temporary.store.load([alone])
    #expect(try links(temporary.store).contains("No! > - # -"))
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `messages that their platform knows lead replies to where they are here`() throws {
    let temporary = try TemporaryStore()
    var details = ImportDetails()
    details.source = Message.Source(platform: "slack", id: "7")
    var known = ImportBatch()
    known.add("known", at: minute(0), .second, details: details)
    known.add(
      "stranger", at: minute(1), .millisecond, in: "work", details: own(Message.ID(time: minute(1)).rawValue))
    try temporary.store.load([known])
    details.id = Message.ID(time: minute(1))
    var again = ImportBatch()
    again.add("known", at: minute(0), .second, details: details)
    again.add(
      "answer", at: minute(2), .millisecond,
      details: own(Message.ID(time: minute(2)).rawValue, replyTo: Message.ID(time: minute(1)).rawValue))
    try temporary.store.load([again])
    #expect(try links(temporary.store).contains("answer > known # -"))
  }

  /// A history with replies and threads in both directions, in which ids of strangers are wanted, in batches.
  private func history(seed: UInt64) -> [ImportBatch] {
    var dice = Dice(seed: seed)
    let count = 60
    let times = (0..<count).map { _ in Int64.random(in: 0..<20, using: &dice) }.sorted()
    let ids = (0..<count).map { Message.ID(time: minute(Int(times[$0])), place: $0).rawValue }
    var batches: [ImportBatch] = []
    for index in 0..<count {
      if index % 7 == 0 { batches.append(ImportBatch()) }
      let reply = Bool.random(using: &dice) ? ids.randomElement(using: &dice) : nil
      let thread = Bool.random(using: &dice) ? ids.randomElement(using: &dice) : nil
      batches[batches.count - 1].add(
        "m\(index / 2)", at: minute(Int(times[index])), .millisecond, in: index % 3 == 0 ? "a" : "b",
        details: own(ids[index], replyTo: reply, thread: thread))
    }
    return batches
  }

  private func strangers() -> ImportBatch {
    var batch = ImportBatch()
    for time in 0..<20 {
      for place in stride(from: 0, to: 60, by: 4) {
        batch.add(
          "stranger \(time) \(place)", from: "eve", at: minute(time), .millisecond,
          in: place % 8 == 0 ? "elsewhere" : "a",
          details: own(Message.ID(time: minute(time), place: place).rawValue))
      }
    }
    return batch
  }

  @Test(arguments: UInt64(0)..<(isLong ? 12 : 4))
  func `an import that was killed and done again brings what the undisturbed one brings`(seed: UInt64) throws
  {
    let batches = history(seed: seed)
    let undisturbed = try TemporaryStore()
    try undisturbed.store.load([strangers()])
    func load(_ batches: some Sequence<ImportBatch>, into store: SynchronousMessageStore, isKilled: Bool)
      throws
    {
      let load = try BulkImport(into: store, .test)
      var isFirst = true
      for batch in batches {
        try load.add(batch, isContinuation: !isFirst)
        isFirst = false
      }
      if !isKilled { _ = try load.finish() }
    }
    try load(batches, into: undisturbed.store, isKilled: false)
    for stop in stride(from: 1, to: batches.count, by: 3) {
      let killed = try TemporaryStore()
      try killed.store.load([strangers()])
      try load(batches.prefix(stop), into: killed.store, isKilled: true)
      try load(batches, into: killed.store, isKilled: false)
      #expect(try links(killed.store) == links(undisturbed.store), "stopped after \(stop)")
      #expect(try killed.store.check().problems == [])
    }
  }
}

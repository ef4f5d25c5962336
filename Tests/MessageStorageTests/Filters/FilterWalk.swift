import Foundation
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// A random walk of all that can be done to a store with saved filters, and the comparison with an array of all its
/// messages.
struct FilterWalk {
  let temporary: TemporaryStore
  private var dice: Dice
  private var rooms: [Conversation.ID]
  private var senders: [String: Sender.ID] = [:]
  private var saved: [String: MessagePredicate] = [:]
  private var deleted: [DeletedMessages] = []
  private var imports = 0

  private var store: SynchronousMessageStore { temporary.store }

  init(seed: UInt64) throws {
    dice = Dice(seed: seed)
    temporary = try TemporaryStore(clock: minute(0))
    let store = temporary.store
    rooms = try ["a", "b", "c"].map { try store.makeConversation(named: $0).id }
    for name in ["alice", "bob"] {
      try temporary.store.append([NewMessage("hello", from: name)], to: rooms[0])
    }
    for message in try temporary.store.messages() { senders[message.sender?.name ?? ""] = message.sender?.id }
    try load(1_500)
    try save()
  }

  /// Does something, and says what.
  mutating func step() throws -> String {
    switch Int.random(in: 0..<20, using: &dice) {
    case 18, 19:
      for _ in 0..<Int.random(in: 1...20, using: &dice) {
        guard let id = try someID() else { return "nothing" }
        let time = minute(Int.random(in: -2_000...2_000, using: &dice))
        _ = try Bool.random(using: &dice) ? store.move(id, to: time) : store.move(id, to: id.predecessor)
      }
      return "move"
    case 17:
      let ids = try (0..<Int.random(in: 1...20, using: &dice)).compactMap { _ in try someID() }
      let isNew = Bool.random(using: &dice)
      let count = try isNew ? store.star(ids).count : store.unstar(ids).count
      return "\(isNew ? "star" : "unstar") \(count)"
    case 0, 1:
      let messages = (0..<Int.random(in: 1...40, using: &dice)).map { _ in message() }
      try store.append(messages, to: room())
      return "append \(messages.count)"
    case 2:
      let count = Int.random(in: 1...1_500, using: &dice)
      try load(count)
      return "load \(count)"
    case 3:
      guard let id = try someID() else { return "nothing" }
      try store.edit(
        id, text: text() + (Bool.random(using: &dice) ? String(repeating: " long", count: 1_000) : ""))
      return "edit"
    case 4:
      guard let id = try someID() else { return "nothing" }
      try store.react("+", to: id, by: "alice")
      return "react"
    case 5, 6:
      let ids = try (0..<Int.random(in: 1...20, using: &dice)).compactMap { _ in try someID() }
      deleted.append(try store.delete(Array(Set(ids))))
      return "delete \(ids.count)"
    case 7:
      guard let last = deleted.popLast() else { return "nothing" }
      try store.restore(last)
      return "restore"
    case 8: return try plainly()
    case 9: return try plainly()
    case 10:
      guard let last = try store.imports().max(by: { $0.id < $1.id }) else { return "nothing" }
      try store.undoImport(last.id)
      // Conversations that held nothing else have gone with it.
      rooms = try store.conversations().map(\.id)
      if rooms.isEmpty { rooms = [try store.makeConversation(named: "after \(last.id)").id] }
      return "undo"
    case 11, 12: return try save()
    case 13:
      guard let name = saved.keys.sorted().randomElement(using: &dice) else { return "nothing" }
      try store.deleteFilter(named: name)
      saved[name] = nil
      return "delete filter \(name)"
    case 14: return try countPiece()
    default: return try rearrange()
    }
  }

  // MARK: What is done

  private mutating func rearrange() throws -> String {
    let (from, target) = (room(), room())
    guard Int.random(in: 0...3, using: &dice) == 0, from != target, rooms.count > 1 else {
      try store.renameConversation(from, to: "room \(Int.random(in: 0...999_999, using: &dice))")
      return "rename"
    }
    deleted = []
    if Bool.random(using: &dice) {
      try store.mergeConversation(from, into: target)
    } else {
      try store.deleteConversation(from)
    }
    rooms.removeAll { $0 == from }
    rooms.append(try store.makeConversation(named: "new \(from.rawValue)").id)
    return "merge or delete a conversation"
  }

  /// Writes as the plain sqlite3 shell does.
  private mutating func plainly() throws -> String {
    let number = Int.random(in: 0...9_999_999, using: &dice)
    let id = try someID()?.rawValue ?? 0
    let time =
      Message.ID(time: minute(Int.random(in: -2_000...2_000, using: &dice))).rawValue + Int64(number % 4_096)
    let sql =
      switch Int.random(in: 0...5, using: &dice) {
      case 0: "DELETE FROM message WHERE id = \(id)"
      case 1: "UPDATE message SET text = '\(text())' WHERE id = \(id) AND bytes IS NULL"
      case 2: "UPDATE message SET kind = (kind + 1) % 3 WHERE id = \(id)"
      case 3:
        """
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
          INSERT INTO message(conversation, id, sender, text)
          SELECT \(room().rawValue), \(time) * 1 + i * 245760001, 1, 'plain apple ' || i FROM n WHERE NOT EXISTS (
            SELECT 1 FROM message WHERE id = \(time) + i * 245760001) AND NOT EXISTS (
            SELECT 1 FROM tombstone WHERE id = \(time) + i * 245760001)
        """
      default:
        """
        INSERT INTO message(conversation, id, sender, kind, text)
          SELECT \(room().rawValue), \(time), 1, 0, '\(text())'
          WHERE NOT EXISTS (SELECT 1 FROM message WHERE id = \(time))
            AND NOT EXISTS (SELECT 1 FROM tombstone WHERE id = \(time))
        """
      }
    try temporary.plainly(sql)
    return "plainly: \(sql.prefix(60))"
  }

  private mutating func load(_ count: Int) throws {
    imports += 1
    let load = try BulkImport(into: store, .test)
    var names: [String] = []
    for conversation in try store.conversations() { names.append(conversation.name) }
    var start = 0
    while start < count {
      var batch = ImportBatch()
      for _ in 0..<min(900, count - start) {
        let message = message()
        batch.add(
          message.text, from: message.sender, at: minute(Int.random(in: -2_000...2_000, using: &dice)),
          in: names[Int.random(in: 0..<names.count, using: &dice)], kind: message.kind)
      }
      try load.add(batch)
      start += 900
    }
    _ = try load.finish()
  }

  @discardableResult
  private mutating func save() throws -> String {
    let name = "f\(Int.random(in: 0...2, using: &dice))"
    let predicate = predicate()
    try store.saveFilter(named: name, words: "?", predicate: predicate)
    saved[name] = predicate
    if Int.random(in: 0...3, using: &dice) > 0 { try store.countMessages(ofFilter: name) }
    return "save \(name): \(predicate)"
  }

  /// Counts one piece of a filter, as if the process had been killed after it.
  private mutating func countPiece() throws -> String {
    guard let name = saved.keys.sorted().randomElement(using: &dice) else { return "nothing" }
    _ = try? store.countMessages(ofFilter: name) { _, _ in false }
    return "count a piece of \(name)"
  }

  private mutating func predicate() -> MessagePredicate {
    let alice = MessagePredicate.sender([senders["alice"] ?? Sender.ID(rawValue: 1)])
    let simple: [MessagePredicate] = [
      .regex("apple"), .matching("apple"), .and([alice, .kind([.text])]), .and([alice, .has(.edit)]),
      .not(.regex("pear")), .or([.matching("plum"), .has(.edit)]),
      .and([.not(alice), .not(.kind([.notice]))]),
      .and([.matching("pear"), .not(.matching("apple"))]), .textOnly, alice, .or([]), .regex("long$"),
      .has(.star), .and([.matching("pear"), .has(.star)]),
    ]
    return simple[Int.random(in: 0..<simple.count, using: &dice)]
  }

  private mutating func text() -> String {
    (0..<Int.random(in: 1...3, using: &dice)).map { _ in
      ["apple", "pear", "plum", "quince", "https://example.org"][Int.random(in: 0...4, using: &dice)]
    }.joined(separator: " ") + " \(Int.random(in: 0...99_999, using: &dice))"
  }

  private mutating func message() -> NewMessage {
    let kinds: [Message.Kind] = [.text, .text, .text, .action, .notice]
    return NewMessage(
      text(), from: Bool.random(using: &dice) ? "alice" : "bob",
      kind: kinds[Int.random(in: 0...4, using: &dice)],
      at: Bool.random(using: &dice) ? minute(Int.random(in: -2_000...2_000, using: &dice)) : nil)
  }

  private mutating func room() -> Conversation.ID { rooms[Int.random(in: 0..<rooms.count, using: &dice)] }

  private mutating func someID() throws -> Message.ID? {
    let ids = try store.page(
      PageRequest(
        .everything, anchor: .percent(Double(Int.random(in: 0...100, using: &dice))), fetchLimit: 1)
    ).messages
    return ids.first?.id
  }

  // MARK: The comparison

  /// Compares totals, ordinals, pages and edges of all saved filters with an array.
  mutating func compare(_ doing: String) throws {
    let whole = try store.wholeMessages()
    let waiting = try store.numbers("SELECT count(*) FROM filter_waiting").first ?? 0
    let complete = try store.savedFilters().filter { $0.countedPart == 1 }.map(\.name)
    for name in saved.keys.sorted() {
      guard let predicate = saved[name] else { continue }
      let low = minute(Int.random(in: -2_500...2_500, using: &dice))
      let selections: [Selection] = [
        Selection(.all, where: predicate), Selection(room(), where: predicate),
        Selection(.some(Set([room(), room()])), where: predicate),
        Selection(room(), where: .and([predicate, .time(from: low, until: nil)])),
      ]
      let model = whole.filter { predicate.finds($0) }
      for selection in selections {
        let inside = Selection(selection.conversations, where: selection.predicate.timeRange)
        try compare(
          selection, model.filter { inside.contains($0) },
          mustBeExact: waiting <= 2_048 && complete.contains(name), "\(doing), \(name) \(selection)")
      }
    }
  }

  private mutating func compare(
    _ selection: Selection, _ model: [Message], mustBeExact: Bool, _ what: String
  ) throws {
    let ordinal = Int.random(in: 0...max(model.count, 1), using: &dice)
    let page = try store.page(
      PageRequest(selection, anchor: .ordinal(ordinal), fetchLimit: 7, olderShare: 0))
    let start = page.messages.first?.id ?? .lowest
    let run = model.drop { $0.id < start }.prefix(page.messages.count)
    #expect(page.messages.map(\.id) == run.map(\.id), "\(what)")
    guard let counts = page.counts else { return }
    #expect(counts.isExact || !mustBeExact, "\(what)")
    guard counts.isExact else { return }
    let firstOrdinal = model.firstIndex { $0.id >= start } ?? model.count
    #expect(counts.total == model.count, "\(what)")
    guard !page.messages.isEmpty else { return }
    #expect(counts.firstOrdinal == firstOrdinal, "\(what)")
    #expect(page.hasOlder == (firstOrdinal > 0), "\(what)")
    #expect(page.hasNewer == (firstOrdinal + page.messages.count < model.count), "\(what)")
  }
}

extension MessagePredicate {
  /// Whether it holds for a whole message; expressions are words, perhaps at the end.
  fileprivate func finds(_ message: Message) -> Bool {
    switch self {
    case .regex("long$"): message.text.hasSuffix("long")
    case .regex(let word): Array(message.text.utf8).hasRun(Array(word.utf8))
    case .matching(let word): message.text.utf8.split(separator: 32).contains { $0.elementsEqual(word.utf8) }
    case .not(let inner): !inner.finds(message)
    case .and(let all): all.allSatisfy { $0.finds(message) }
    case .or(let any): any.contains { $0.finds(message) }
    default: holds(for: message)
    }
  }

  /// The part of it that is a range of time.
  fileprivate var timeRange: MessagePredicate {
    guard case .and(let all) = self else { return .everything }
    return all.last.flatMap { if case .written = $0 { $0 } else { nil } } ?? .everything
  }
}

extension [UInt8] {
  fileprivate func hasRun(_ run: [UInt8]) -> Bool {
    guard count >= run.count else { return false }
    return (0...(count - run.count)).contains { start in
      self[start] == run[0] && self[start..<(start + run.count)].elementsEqual(run)
    }
  }
}

extension SynchronousMessageStore {
  /// All messages with their whole texts, oldest first.
  fileprivate func wholeMessages() throws -> [Message] {
    var all: [Message] = []
    var anchor = PageAnchor.oldest
    while true {
      let page = try records(PageRequest(.everything, anchor: anchor, fetchLimit: 5_000))
      all += page.records.map(\.message)
      guard page.hasNewer, let last = all.last else { return all }
      anchor = .after(last.id)
    }
  }
}

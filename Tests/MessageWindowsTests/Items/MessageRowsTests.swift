import Foundation
import MessageModel
import MessageSourceTesting
import MessageWindows
import TestSupport
import Testing

@Suite struct MessageRowsTests {
  @Test func `days, groups and the unread line stand where a chat has them`() {
    let messages = [
      Self.message(1, at: 0, by: 1), Self.message(2, at: 60, by: 1), Self.message(3, at: 120, by: 2),
      Self.message(4, at: 1_000, by: 2), Self.message(5, at: 86_400, by: 2),
      Self.message(6, at: 86_460, by: 2), Self.message(7, at: 86_470, by: 2),
    ]
    var items = MessageRows(firstUnread: messages[5].id, zone: .gmt)
    items.update(to: messages)
    #expect(
      Self.picture(items) == "beginning | 1970-1-1 | 0 first | 60 last | 120 single | 1000 single | 1970-1-2 "
        + "| 86400 single | unread | 86460 first | 86470 last")
    #expect(items.index(of: messages[5].id) == 9 && items.index(of: id(99)) == nil)
    #expect(items.messageIndices(in: 0..<3) == 0..<1 && items.messageIndices(in: 6..<10) == 4..<6)
    #expect(items.messageIndices(in: 0..<2).isEmpty && items.messageIndices(in: -5..<100) == 0..<7)
  }

  @Test func `the first day is shown once it is known to begin there`() {
    let messages = [Self.message(1, at: 500, by: 1), Self.message(2, at: 510, by: 1)]
    var items = MessageRows(zone: .gmt)
    items.update(to: messages, older: .more)
    #expect(Self.picture(items) == "500 first | 510 last")
    let changes = items.update(to: messages, older: .nothing)
    #expect(Self.picture(items) == "beginning | 1970-1-1 | 500 first | 510 last")
    #expect(changes.insertions == [0..<2] && changes.removals.isEmpty && changes.updates.isEmpty)
  }

  @Test func `a message that joins a group changes the row above it`() {
    var items = MessageRows(zone: .gmt)
    let first = Self.message(1, at: 0, by: 1)
    items.update(to: [first])
    let changes = items.update(to: [first, Self.message(2, at: 10, by: 1)])
    #expect(changes.updates == [2..<3] && changes.insertions == [3..<4])
  }

  @Test func `a line that comes to stand above another message is put in anew, with its identity`() {
    var items = MessageRows(zone: .gmt)
    let second = Self.message(2, at: 1_000, by: 1)
    items.update(to: [second])
    let day = items[1].id
    let changes = items.update(to: [Self.message(1, at: 0, by: 2), second])
    // Whoever holds the first row that stays holds the message.
    #expect(changes.removals == [0..<2] && changes.insertions == [0..<3] && changes.indexAfter(2) == 3)
    #expect(items[1].id == day)
  }

  @Test func `a message that was moved is a row that moves, among the lines of days`() {
    var items = MessageRows(zone: .gmt)
    let messages = [
      Self.message(1, at: 0, by: 1), Self.message(2, at: 60, by: 1), Self.message(3, at: 90_000, by: 2),
    ]
    items.update(to: messages)
    let row = items[3].id
    var moved = messages[1]
    moved.firstID = moved.id
    moved.id = Message.ID(time: messages[2].time, place: 7)
    let changes = items.update(to: [messages[0], messages[2], moved])
    #expect(changes.moves == [IndexChanges.Move(from: 3, to: 5)])
    #expect(items[5].id == row && changes.removals == [3..<4] && changes.insertions == [5..<6])
  }

  @Test func `the ends of a list are rows`() async throws {
    let source = ReferenceSource(count: 3)
    let loader = EdgeLoader(beyond: [.older]) { request in
      if request.attempt == 0 { throw EdgeError(.unreachable, "cannot load") }
      return .endReached
    }
    let list = MessageList(Selection(conversation), in: source, edgeLoader: loader)
    var items = MessageRows(zone: .gmt)
    items.update(with: await list.current)
    #expect(items.isEmpty)
    await list.perform(.jump(to: .newest))
    while await list.current.edges.older != .failed(EdgeError(.unreachable, "cannot load")) {
      await Task.yield()
    }
    items.update(with: await list.current)
    #expect(items.first?.id == .failed(.older) && items.count == 4)
    #expect(await !list.current.holdsAll(.older))
    await list.close()

    let whole = MessageList(Selection(conversation), in: source)
    let snapshot = await whole.perform(.jump(to: .newest))
    let changes = items.update(with: snapshot)
    #expect(items.first?.id == .beginning && items.count == 5 && snapshot.holdsAll(.older))
    #expect(changes.removals == [0..<1] && changes.insertions == [0..<2])
  }

  @Test func `a day that comes back has an identity of its own`() {
    var early = Self.message(2, at: 80_000, by: 1)
    early.precision = .day
    // In a zone far ahead the evening in UTC is the next morning; of the second, the day alone is known.
    let zone = TimeZone(secondsFromGMT: 12 * 3_600) ?? .gmt
    var items = MessageRows(zone: zone)
    items.update(to: [
      Self.message(1, at: 79_000, by: 1), early, Self.message(3, at: 81_000, by: 1), early.moved(to: 82_000),
      Self.message(5, at: 83_000, by: 1),
    ])
    #expect(
      Self.picture(items).hasPrefix("beginning | 1970-1-2 | 79000 single | 1970-1-1 | 0 single | 1970-1-2"))
    #expect(Set(items.map(\.id)).count == items.count)
  }

  /// Beside rows that are worked out from nothing each time.
  @Test(arguments: 0..<UInt64(isLong ? 2_000 : 60))
  func `rows are those of a naive derivation after any change`(seed: UInt64) throws {
    var walk = try ItemsWalk(seed: seed)
    walk.run(steps: 60)
  }

  static func message(_ number: Int64, at second: Int64, by sender: Int64) -> Message {
    Message(
      id: Message.ID(time: Timestamp(millisecondsSince1970: second * 1_000)), conversation: conversation,
      sender: Sender(id: Sender.ID(rawValue: sender), name: "s\(sender)"), text: "\(number)")
  }

  /// The rows in words: of messages the second and the place in the group.
  static func picture(_ items: some Sequence<MessageRows.Row>) -> String {
    items.map { item in
      switch item {
      case .beginning: "beginning"
      case .gap(let direction): "gap \(direction)"
      case .loading(let direction): "loading \(direction)"
      case .failed(let direction): "failed \(direction)"
      case .day(let day): "\(day.date.year)-\(day.date.month)-\(day.date.day)"
      case .unread: "unread"
      case .message(let message, let group): "\(message.time.millisecondsSince1970 / 1_000) \(group)"
      }
    }.joined(separator: " | ")
  }
}

extension Message {
  fileprivate func moved(to second: Int64) -> Message {
    var moved = self
    moved.id = ID(time: Timestamp(millisecondsSince1970: second * 1_000))
    return moved
  }
}

/// Random changes of messages, ends and of what is unread.
private struct ItemsWalk {
  let seed: UInt64
  private var generator: SeededGenerator
  private var items: MessageRows
  private var messages: [Message] = []
  private let zone: TimeZone

  init(seed: UInt64) throws {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    let zones = [
      "Europe/Berlin", "Pacific/Apia", "America/St_Johns", "Asia/Kathmandu", "Africa/Casablanca", "UTC",
    ]
    zone = try #require(TimeZone(identifier: zones[Int(seed) % zones.count]))
    items = MessageRows(grouping: .bySender(within: .seconds(300)), zone: zone)
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps {
      change()
      if Int.random(in: 0..<6, using: &generator) == 0 {
        items.firstUnread = messages.randomElement(using: &generator)?.id
      }
      let ends: [MessageRows.End] = [.nothing, .more, .gap, .loading, .failed]
      let older = ends.randomElement(using: &generator) ?? .more
      let newer = ends.randomElement(using: &generator) ?? .more
      let before = Array(items)
      let changes = items.update(to: messages, older: older, newer: newer)
      check(changes, from: before)
      #expect(Array(items) == naive(older: older, newer: newer), "seed \(seed)")
    }
  }

  private func check(_ changes: IndexChanges, from before: [MessageRows.Row]) {
    #expect(changes.applied(to: before, takingFrom: items) == Array(items), "seed \(seed)")
    #expect(changes.batch.applied(to: before, takingFrom: items) == Array(items), "seed \(seed)")
    #expect(changes.applied(stepByStepTo: before, takingFrom: items) == Array(items), "seed \(seed)")
    #expect(Set(items.map(\.id)).count == items.count, "seed \(seed)")
    for (index, item) in before.enumerated() {
      guard let message = item.message else { continue }
      #expect(changes.indexAfter(index) == items.index(of: message.id), "seed \(seed)")
    }
    for (index, item) in items.enumerated() where item.message != nil {
      let place = items.messageIndices(in: index..<(index + 1))
      #expect(place.count == 1 && messages[place.lowerBound] == item.message, "seed \(seed)")
    }
  }

  private mutating func change() {
    switch Int.random(in: 0..<7, using: &generator) {
    case 6: move()
    case 0: messages.removeFirst(Int.random(in: 0...messages.count, using: &generator) / 3)
    case 1: messages.removeLast(Int.random(in: 0...messages.count, using: &generator) / 3)
    case 2: messages.removeAll { _ in Int.random(in: 0..<8, using: &generator) == 0 }
    case 3:
      for index in messages.indices where Int.random(in: 0..<6, using: &generator) == 0 {
        let revision = messages[index].revision
        messages[index] = random(at: messages[index].id)
        messages[index].revision = revision + 1
      }
    default:
      // From a day after the calendar of Samoa lost one to minutes later.
      let start = Int64.random(in: 1_325_000_000...1_325_400_000, using: &generator)
      for _ in 0..<Int.random(in: 0..<20, using: &generator) {
        let span = [600, 100_000, 40_000_000].randomElement(using: &generator) ?? 600
        let second = start + Int64.random(in: 0..<Int64(span), using: &generator)
        messages.append(random(at: Message.ID(time: Timestamp(millisecondsSince1970: second * 1_000))))
      }
      messages.sort { $0.id < $1.id }
      let old = messages
      messages = old.enumerated().filter { $0 == 0 || old[$0 - 1].id != $1.id }.map(\.element)
    }
  }

  private mutating func move() {
    var taken = Set(messages.map(\.id))
    for index in messages.indices where Int.random(in: 0..<4, using: &generator) == 0 {
      let distance = Int64.random(in: -90_000_000...90_000_000, using: &generator)
      let id = Message.ID(time: messages[index].time.advanced(byMilliseconds: distance))
      guard taken.insert(id).inserted else { continue }
      messages[index].firstID = messages[index].identity
      messages[index].id = id
    }
    messages.sort { $0.id < $1.id }
  }

  private mutating func random(at id: Message.ID) -> Message {
    let sender = Int64.random(in: 0..<3, using: &generator)
    return Message(
      id: id, conversation: conversation,
      sender: sender == 0 ? nil : Sender(id: Sender.ID(rawValue: sender), name: "s"),
      kind: [.text, .text, .action, .join, .tool].randomElement(using: &generator) ?? .text,
      precision: [.millisecond, .minute, .second, .day].randomElement(using: &generator) ?? .minute,
      text: "")
  }

  /// The rows by what each of them is said to be, without a thought of what they were.
  private func naive(older: MessageRows.End, newer: MessageRows.End) -> [MessageRows.Row] {
    var rows: [MessageRows.Row] = []
    switch older {
    case .nothing: rows.append(.beginning)
    case .gap: rows.append(.gap(.older))
    case .loading: rows.append(.loading(.older))
    case .failed: rows.append(.failed(.older))
    case .more: break
    }
    var lines: [Int: Int] = [:]
    for (index, message) in messages.enumerated() {
      let day = day(of: message)
      if index == 0 ? older == .nothing : self.day(of: messages[index - 1]) != day {
        rows.append(.day(.init(day, repetition: lines[day, default: 0])))
        lines[day, default: 0] += 1
      }
      if isUnreadLine(above: index, older: older) { rows.append(.unread) }
      let (above, below) = (joins(index, older), index + 1 < messages.count && joins(index + 1, older))
      rows.append(
        .message(message, group: above ? (below ? .middle : .last) : (below ? .first : .single)))
    }
    if newer == .gap { rows.append(.gap(.newer)) }
    if newer == .loading { rows.append(.loading(.newer)) }
    if newer == .failed { rows.append(.failed(.newer)) }
    return rows
  }

  private func day(of message: Message) -> Int {
    let seconds = message.time.millisecondsSince1970 / 1_000
    let offset =
      message.precision == .day ? 0 : zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    return (Int(seconds) + offset) / 86_400
  }

  private func isUnreadLine(above index: Int, older: MessageRows.End) -> Bool {
    guard let first = items.firstUnread, messages[index].id >= first else { return false }
    if index > 0 { return messages[index - 1].id < first }
    return messages[index].id == first || older == .nothing
  }

  private func joins(_ index: Int, _ older: MessageRows.End) -> Bool {
    guard index > 0, !isUnreadLine(above: index, older: older) else { return false }
    let (above, message) = (messages[index - 1], messages[index])
    guard day(of: above) == day(of: message) else { return false }
    if above.kind.isEvent || message.kind.isEvent { return above.kind.isEvent && message.kind.isEvent }
    return above.sender != nil && above.sender == message.sender && above.kind.isStep == message.kind.isStep
      && message.time.millisecondsSince1970 - above.time.millisecondsSince1970 <= 300_000
  }
}

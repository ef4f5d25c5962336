import Foundation
import HistoryModel
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// Messages counted by a property, compared with what an array says.
@Suite struct GroupTests {
  @Test(arguments: UInt64(0)..<(isLong ? 30 : 2))
  func `groups equal those of an array, whatever the selection`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    try fill(store, &dice)
    try store.setAlias("carol", of: "bob")
    try store.linkAccounts([.name("alice"), .name("bob")], to: "Ann")
    let all = try store.messages(pageSize: 1_000)
    let rooms = Set(all.map(\.conversation)).sorted()
    let senders = Dictionary(grouping: all.compactMap(\.sender), by: \.name).mapValues { Set($0.map(\.id)) }
    let middle = all[all.count / 2].id
    let predicates: [MessagePredicate] = [
      .everything, .sender(senders["alice"] ?? []), .kind([.action]), .has(.link), .ids(middle ... .highest),
      .and([.sender(senders["bob"] ?? []), .ids(.lowest...middle)]), .not(.sender(senders["alice"] ?? [])),
      .matching("tea"), .and([.matching("tea"), .has(.link)]), .regex("te+a$"),
      .and([.has(.link), .kind([.text])]), .not(.matching("tea")),
    ]
    for predicate in predicates {
      let conversations: [Selection.Conversations] = [.all, .some([rooms[0]]), .some(Set(rooms.prefix(2)))]
      let selection = Selection(
        conversations[Int.random(in: 0...2, using: &dice)], where: predicate)
      let zone = try #require(
        ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe"]
          .randomElement(using: &dice).flatMap { TimeZone(identifier: $0) })
      let chosen = try store.messages(selection, pageSize: 1_000)
      for grouping in MessageGrouping.allCases {
        let groups = try store.groups(of: selection, by: grouping, zone: zone)
        #expect(groups.map(\.count).reduce(0, +) == chosen.count, "\(grouping) \(predicate)")
        var expected: [String: Int] = [:]
        for message in chosen { expected[name(of: message, grouping, zone), default: 0] += 1 }
        let found = Dictionary(groups.map { (name(of: $0.key, grouping), $0.count) }, uniquingKeysWith: +)
        #expect(found == expected, "\(grouping) \(predicate) \(zone.identifier)")
        #expect(found.count == groups.count)
      }
    }
  }

  @Test func `days with a change of the clock are as long as they are`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    // A message an hour around the nights in which the clocks of Berlin change: days of 23 and of 25 hours.
    for start in [
      CivilTime(year: 2024, month: 3, day: 29, hour: 23), CivilTime(year: 2024, month: 10, day: 25, hour: 22),
    ] {
      for hour in 0..<72 {
        let time = Timestamp(utc: start).advanced(byMilliseconds: Int64(hour) * 3_600_000)
        batch.add("\(hour)", at: time)
      }
    }
    try temporary.store.load([batch])
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let days = try temporary.store.groups(of: .everything, by: .day, zone: zone)
    #expect(days.map(\.count) == [24, 23, 24, 1, 24, 25, 23])
    // The hour that is skipped has one message less, the one that comes twice one more.
    let hours = try temporary.store.groups(of: .everything, by: .hour, zone: zone)
    #expect(hours.map(\.count).reduce(0, +) == 144)
    #expect(hours[2] == MessageGroup(key: .hour(2), count: 6))
    #expect(hours[1] == MessageGroup(key: .hour(1), count: 6))
  }

  @Test func `where only the day is known no hour is counted`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    batch.add("a", at: minute(0), .day)
    batch.add("b", at: minute(0))
    try temporary.store.load([batch])
    let zone = try #require(TimeZone(identifier: "UTC"))
    #expect(
      try temporary.store.groups(of: .everything, by: .hour, zone: zone) == [
        MessageGroup(key: .hour(12), count: 1), MessageGroup(key: .hour(nil), count: 1),
      ])
  }

  @Test func `a count is stopped where its caller says so`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<5_000 { batch.add("\(number)", at: minute(number)) }
    try temporary.store.load([batch])
    for grouping in [MessageGrouping.hour, .day, .conversation] {
      let error = #expect(throws: StoreError.self) {
        try temporary.store.groups(of: .everything, by: grouping, zone: .gmt) { _ in false }
      }
      #expect(error?.kind == .cancelled, "\(grouping)")
    }
  }

  @Test func `sections by ascending ordinals are those of single ones`() throws {
    let temporary = try TemporaryStore()
    var dice = Dice(seed: 7)
    try fill(temporary.store, &dice)
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    for section in try temporary.store.sections(of: nil, by: .day, zone: zone) {
      let page = try temporary.store.page(
        PageRequest(.everything, anchor: .around(section.oldest), fetchLimit: 1))
      #expect(page.counts?.firstOrdinal == section.firstOrdinal)
    }
  }

  // MARK: What is compared

  /// Some thousand messages over four years, most in a few weeks.
  private func fill(_ store: SynchronousMessageStore, _ dice: inout Dice) throws {
    for _ in 0..<3 {
      var batch = ImportBatch()
      for index in 0..<Int.random(in: 500...3_000, using: &dice) {
        let isFar = index % 5 == 0
        let time = minute(Int.random(in: isFar ? -1_000_000...1_000_000 : -20_000...20_000, using: &dice))
        let text = ["tea", "green tea", "see https://example.org", "coffee", "teea"][
          Int.random(in: 0...4, using: &dice)]
        let sender = ["alice", "bob", "carol", "alice", nil][Int.random(in: 0...4, using: &dice)]
        batch.add(
          text, from: sender, at: time, index % 7 == 0 ? .day : .minute,
          in: ["a", "b", "c"][Int.random(in: 0...2, using: &dice)], kind: index % 4 == 0 ? .action : .text)
      }
      try store.load([batch])
    }
    let messages = try store.messages(pageSize: 1_000)
    try store.delete(messages.enumerated().filter { $0.offset % 11 == 0 }.map(\.element.id))
  }

  private func name(of message: Message, _ grouping: MessageGrouping, _ zone: TimeZone) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    // Not the time shown, which is rounded down, but where the message lies.
    let date = Date(timeIntervalSince1970: Double(message.id.placeTime.millisecondsSince1970) / 1_000)
    let parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour], from: date)
    let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    switch grouping {
    case .year: return "\(year)-1-1"
    case .month: return "\(year)-\(month)-1"
    case .day: return "\(year)-\(month)-\(day)"
    case .weekday: return "\((parts.weekday ?? 1) - 1)"
    case .hour: return message.precision == .day ? "unknown" : "\(parts.hour ?? 0)"
    case .sender: return message.sender.map { $0.name == "carol" ? "bob" : $0.name } ?? "nobody"
    case .person: return message.sender.map { _ in "Ann" } ?? "nobody"
    case .conversation: return "\(message.conversation)"
    case .kind: return message.kind.name
    }
  }

  private func name(of key: MessageGroup.Key, _ grouping: MessageGrouping) -> String {
    switch key {
    case .date(let date, _): "\(date.year)-\(date.month)-\(date.day)"
    case .weekday(let number): "\(number)"
    case .hour(let hour): hour.map { "\($0)" } ?? "unknown"
    case .sender(let sender): sender?.name ?? "nobody"
    case .person(_, let name): name
    case .conversation(let id): "\(id)"
    case .kind(let kind): kind.name
    }
  }
}

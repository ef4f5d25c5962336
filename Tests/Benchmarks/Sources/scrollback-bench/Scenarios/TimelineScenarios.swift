import Foundation
import HistoryModel
import MessageModel
import MessageSourceTesting
import MessageStorage

/// One timeline over a thousand conversations: all of it, what a person with five accounts wrote and what was said in five
/// conversations with them, and what a history is like.
struct TimelineScenarios {
  private let depth: Depth
  private let store: SynchronousMessageStore
  private let largest: Conversation.ID
  private let person: Selection
  private let times: ClosedRange<Int64>
  private var dice = SeededGenerator(seed: 1)

  /// The number of conversations of the history.
  static let conversationCount = 1_000

  init(setting: Setting) throws {
    depth = setting.depth
    store = try SynchronousMessageStore(
      path: try setting.copyOfStore(conversations: Self.conversationCount, named: "timeline"),
      options: StoreOptions(durability: .process))
    let rooms = try store.conversations().sorted { $0.messageCount > $1.messageCount }
    guard let largest = rooms.first,
      let oldest = try store.page(PageRequest(.everything, anchor: .oldest, fetchLimit: 1)).messages.first,
      let newest = try store.page(PageRequest(.everything, fetchLimit: 1)).messages.first
    else { throw StoreError(.notFound, "cannot measure a timeline", cause: "it has no message") }
    self.largest = largest.id
    times = oldest.time.millisecondsSince1970...newest.time.millisecondsSince1970
    try Self.attach(to: store, between: times, count: max(setting.size / 10_000, 100))
    person = try Self.link(in: store, rooms.map(\.id))
  }

  /// Links five accounts, of those who write much and of those who write little, to a person.
  private static func link(
    in store: SynchronousMessageStore, _ rooms: [Conversation.ID]
  ) throws -> Selection {
    let accounts = try accounts(in: store)
    try store.linkAccounts(accounts, to: "Ann")
    let direct = [20, 40, 60, 80, 100].compactMap { rooms.indices.contains($0) ? rooms[$0] : nil }
    let theirs = try store.predicate(ofPersonNamed: "Ann")
    return Selection(.all, where: .or([.conversation(Set(direct)), theirs]))
  }

  /// Five accounts of those who write much and of those who write little.
  static func accounts(in store: SynchronousMessageStore) throws -> [SenderAccount] {
    let senders = try store.senders().map(\.sender)
    return ranksOfAccounts.filter(senders.indices.contains).map {
      SenderAccount(name: senders[$0].name, external: nil)
    }
  }

  /// The places of a person's accounts among all senders, those who write most first.
  static let ranksOfAccounts = [10, 50, 100, 200, 400]

  /// Adds messages with files, far apart from each other.
  private static func attach(
    to store: SynchronousMessageStore, between times: ClosedRange<Int64>, count: Int
  ) throws {
    let load = try BulkImport(
      into: store, BulkImport.Description(name: "files", format: "generated", zone: "UTC"))
    let step = (times.upperBound - times.lowerBound) / Int64(count)
    var batch = ImportBatch()
    for index in 0..<count {
      let conversation = batch.conversation(named: "files")
      let (sender, text) = (batch.store("alice"), batch.store("a file"))
      let place = batch.append(
        ImportBatch.Entry(
          time: Timestamp(millisecondsSince1970: times.lowerBound + Int64(index) * step),
          precision: .millisecond, kind: .text, conversation: conversation, sender: sender, text: text))
      var details = ImportDetails()
      details.attachments = [Message.Attachment(name: "plan \(index).pdf")]
      batch.details[place] = details
    }
    try load.add(batch)
    _ = try load.finish()
  }

  mutating func run() throws -> [Finding] {
    defer { store.close() }
    return [try timelinePage(), try personPage()]
      + (try ordinals("the whole timeline", .everything)) + (try ordinals("a person", person))
      + [try groups(by: .day), try groups(by: .sender), try groups(by: .hour)]
      + [try firstPage("links", .has(.link)), try firstPage("files", .has(.attachment))]
  }

  private mutating func randomID() -> Message.ID {
    let length = UInt64(times.upperBound - times.lowerBound) + 1
    return Message.ID(
      time: Timestamp(millisecondsSince1970: times.lowerBound + Int64(dice.next() % length)))
  }

  private func request(_ selection: Selection, _ anchor: PageAnchor) -> PageRequest {
    PageRequest(selection, anchor: anchor, fetchLimit: 50, wantsCounts: false)
  }

  private mutating func timelinePage() throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<depth.times(2_000) {
      let id = randomID()
      _ = try theirs.time { try store.page(request(Selection(largest), .before(id))) }
      _ = try ours.time { try store.page(request(.everything, .before(id))) }
    }
    return Finding(
      name: "page of 50 of the whole timeline", ours: ours, baseline: ("of one conversation", theirs))
  }

  private mutating func personPage() throws -> Finding {
    var ours = Measurement()
    for _ in 0..<depth.times(2_000) {
      let asked = request(person, .before(randomID()))
      _ = try store.page(asked)
      _ = try ours.time { try store.page(asked) }
    }
    return Finding(name: "page of 50 of a person with five accounts", ours: ours)
  }

  private mutating func ordinals(_ name: String, _ selection: Selection) throws -> [Finding] {
    var (ordinal, kth) = (Measurement(), Measurement())
    let total = try store.page(PageRequest(selection, fetchLimit: 0)).counts?.total ?? 0
    for _ in 0..<depth.times(1_000) {
      let place = PageRequest(selection, anchor: .before(randomID()), fetchLimit: 0)
      _ = try ordinal.time { try store.page(place) }
      let number = Int(dice.next() % UInt64(max(total, 1)))
      let one = PageRequest(selection, anchor: .ordinal(number), fetchLimit: 1, wantsCounts: false)
      _ = try kth.time { try store.page(one) }
    }
    return [
      Finding(name: "ordinal of an id in \(name)", ours: ordinal),
      Finding(name: "k-th message of \(name)", ours: kth),
    ]
  }

  private func groups(by grouping: MessageGrouping) throws -> Finding {
    var ours = Measurement()
    for _ in 0..<depth.times(11) {
      _ = try ours.time { try store.groups(of: .everything, by: grouping, zone: .gmt) }
    }
    return Finding(name: "stats --by \(grouping.rawValue)", ours: ours)
  }

  private func firstPage(_ name: String, _ predicate: MessagePredicate) throws -> Finding {
    var ours = Measurement()
    for _ in 0..<depth.times(201) {
      _ = try ours.time { try store.page(request(Selection(.all, where: predicate), .newest)) }
    }
    return Finding(name: "first page of \(name)", ours: ours)
  }
}

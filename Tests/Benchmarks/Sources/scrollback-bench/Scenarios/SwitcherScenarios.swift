import Foundation
import HistoryModel
import MessageModel
import MessageStorage

/// The list behind the switcher over very many conversations, and what people cost appends.
struct SwitcherScenarios {
  let setting: Setting

  /// The number of conversations to choose from.
  private var conversationCount: Int { setting.depth == .trial ? 1_000 : 100_000 }

  func run() throws -> [Finding] { try choosing() + manyAccounts() + [try appends()] }

  // MARK: Choosing

  private func choosing() throws -> [Finding] {
    let store = try SynchronousMessageStore(
      path: try manyConversations(), options: StoreOptions(access: .readOnly))
    defer { store.close() }
    return [
      try list("list of \(conversationCount / 1_000),000 conversations, newest first", "", store),
      try list("list of \(conversationCount / 1_000),000 conversations by three letters", "99 ", store),
    ]
  }

  private func list(_ name: String, _ words: String, _ store: SynchronousMessageStore) throws -> Finding {
    var ours = Measurement()
    for _ in 0..<setting.depth.times(51) {
      _ = try ours.time {
        let first = try store.recentConversations()
        let slice = try store.conversations(naming: words, first: first, places: 0..<50)
        return try store.unreadCounts(of: slice.conversations)
      }
    }
    return Finding(name: name, ours: ours)
  }

  /// A store of conversations with two messages each.
  private func manyConversations() throws -> String {
    let count = conversationCount
    return try setting.made(
      "rooms-\(count)-\(Self.accountCount)-\(SynchronousMessageStore.formKey.prefix(8)).db"
    ) { path in
      let store = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
      defer { store.close() }
      let load = try BulkImport(
        into: store, BulkImport.Description(name: "rooms", format: "made up", zone: "UTC"))
      let start = Timestamp(utc: CivilTime(year: 2020, month: 1, day: 1))
      for first in stride(from: 0, to: 2 * count, by: 8_192) {
        var batch = ImportBatch()
        for number in first..<min(first + 8_192, 2 * count) {
          let conversation = batch.conversation(named: "room \(number % count) of many")
          let (sender, text) = (batch.store("s\(number % Self.accountCount)"), batch.store("a message"))
          batch.append(
            ImportBatch.Entry(
              time: start.advanced(byMilliseconds: Int64(number) * 10_000), precision: .millisecond,
              kind: .text, conversation: conversation, sender: sender, text: text))
        }
        try load.add(batch)
      }
      _ = try load.finish()
    }
  }

  // MARK: A person of very many accounts

  /// The number of senders in the store of many conversations.
  private static let accountCount = 10_000

  /// A person whose accounts are all senders but one.
  private func manyAccounts() throws -> [Finding] {
    let path = setting.noStore(named: "accounts")
    try FileManager.default.copyItem(atPath: try manyConversations(), toPath: path)
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
    defer {
      store.close()
      StoreFiles.remove(path)
    }
    let accounts = (1..<Self.accountCount).map { SenderAccount.name("s\($0)") }
    var (linking, page, ordinal, kth) = (Measurement(), Measurement(), Measurement(), Measurement())
    _ = try linking.time { try store.linkAccounts(accounts, to: "Ann") }
    let person = Selection(.all, where: .or([try store.predicate(ofPersonNamed: "Ann"), .conversation([])]))
    let total = try store.page(PageRequest(person, fetchLimit: 0)).counts?.total ?? 0
    for number in 0..<setting.depth.times(51) {
      let place = total / 51 * number
      let one = PageRequest(person, anchor: .ordinal(place), fetchLimit: 1, wantsCounts: false)
      guard let id = try kth.time({ try store.page(one) }).messages.first?.id else { continue }
      _ = try page.time {
        try store.page(PageRequest(person, anchor: .before(id), fetchLimit: 50, wantsCounts: false))
      }
      _ = try ordinal.time { try store.page(PageRequest(person, anchor: .before(id), fetchLimit: 0)) }
    }
    let name = "a person with 9,999 accounts"
    return [
      Finding(name: "linking \(name)", ours: linking), Finding(name: "page of 50 of \(name)", ours: page),
      Finding(name: "ordinal of an id in \(name)", ours: ordinal),
      Finding(name: "k-th message of \(name)", ours: kth),
    ]
  }

  // MARK: Appending

  /// Appends by turns to a store in which accounts are linked, and to one without any person.
  private func appends() throws -> Finding {
    let stores = try ["linked", "unlinked"].map { name in
      try SynchronousMessageStore(
        path: try setting.copyOfStore(conversations: TimelineScenarios.conversationCount, named: name),
        options: StoreOptions(durability: .process))
    }
    defer { for store in stores { store.close() } }
    let accounts = try TimelineScenarios.accounts(in: stores[0])
    try stores[0].linkAccounts(accounts, to: "Ann")
    let rooms = try stores.map { try $0.conversations()[0].id }
    var times = [Measurement(), Measurement()]
    for number in 0..<setting.depth.times(10_000) {
      // Whoever comes second finds the processor warm: they take turns at that, too.
      for index in number % 2 == 0 ? [0, 1] : [1, 0] {
        let message = NewMessage(
          "a message of a usual length, as people write them", from: accounts.first?.text)
        _ = try times[index].time { try stores[index].append([message], to: rooms[index]) }
      }
    }
    return Finding(
      name: "append where people are linked", ours: times[0], baseline: ("without people", times[1]))
  }
}

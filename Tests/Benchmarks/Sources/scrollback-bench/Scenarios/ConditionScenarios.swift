import HistoryModel
import MessageModel
import MessageSourceTesting
import MessageStorage

/// Several conditions at once over a thousand conversations, each of them on what is common: the exact number of messages, counted
/// as if for the first time, and the newest 50; against tables that are made by hand.
struct ConditionScenarios {
  private let setting: Setting
  private let path: String
  private let store: SynchronousMessageStore
  private let plain: PlainDatabase
  private let duckDB: DuckDB?

  init(setting: Setting) throws {
    self.setting = setting
    path = try setting.store(conversations: TimelineScenarios.conversationCount)
    store = try Self.opened(path)
    plain = try PlainDatabase(setting: setting)
    duckDB = try DuckDB(of: plain.path)
    if duckDB == nil {
      print(toStandardError: "DuckDB is not installed (python3 -m pip install duckdb)")
    }
  }

  func run() throws -> [Finding] {
    defer { store.close() }
    let conditions = try CommonParts(of: store).conditions
    let counts = try conditions.map(count)
    let pages = try conditions.map(page)
    try plain.close()
    return counts + pages
  }

  private func count(_ condition: Condition) throws -> Finding {
    try compare("count: \(condition.name)", condition.duckDBCount) { ours, theirs in
      // A store keeps what it has counted.
      let store = try Self.opened(path)
      defer { store.close() }
      let count = try ours.time { try store.hitCount(condition.selection.predicate, in: condition.place) }
      guard theirs != nil else { return }
      let other = try theirs?.time { try plain.count(condition.plain.count) }
      guard other == count else {
        throw Program.Failure(
          "'\(condition.name)' is counted wrong", cause: "\(count) messages, \(other ?? 0) in a plain table")
      }
    }
  }

  private func page(_ condition: Condition) throws -> Finding {
    let request = PageRequest(condition.selection, fetchLimit: 50, wantsCounts: false)
    return try compare("newest 50: \(condition.name)", condition.duckDBPage) { ours, theirs in
      let page = try ours.time { try store.page(request) }
      guard theirs != nil else { return }
      let other = try theirs?.time { try plain.ids(condition.plain.page) }
      guard Set(other ?? []) == Set(page.messages.map(\.id.rawValue)) else {
        throw Program.Failure("the newest messages of '\(condition.name)' differ from those of a plain table")
      }
    }
  }

  /// Measures turn by turn; baselines that take long have fewer turns.
  ///
  /// - Parameter turn: Measures ours and, unless that has had its turns, SQLite.
  private func compare(
    _ name: String, _ sql: String, _ turn: (inout Measurement, inout Measurement?) throws -> Void
  ) throws -> Finding {
    var (ours, theirs, duck) = (Measurement(), Measurement(), Measurement())
    let count = setting.depth.times(11)
    let baselineCount = setting.size < 1_000_000 ? count : min(count, 3)
    for number in 0..<count {
      var other = number < baselineCount ? theirs : nil
      try turn(&ours, &other)
      guard let other else { continue }
      theirs = other
      try duckDB?.run(sql, into: &duck)
    }
    var finding = Finding(name: name, ours: ours, baseline: ("SQLite by hand", theirs))
    if duckDB != nil { finding.others = [Finding.Summary("DuckDB", duck)] }
    return finding
  }

  private static func opened(_ path: String) throws -> SynchronousMessageStore {
    try SynchronousMessageStore(path: path, options: StoreOptions(access: .readOnly))
  }
}

extension Condition {
  fileprivate var place: Selection { Selection(selection.conversations) }

  fileprivate var duckDBCount: String { "SELECT count(*) FROM message WHERE \(duckDB)" }

  fileprivate var duckDBPage: String { "SELECT * FROM message WHERE \(duckDB) ORDER BY id DESC LIMIT 50" }
}

extension CommonParts {
  /// Looks for what is common in a store.
  fileprivate init(of store: SynchronousMessageStore) throws {
    words = try Self.words(in: store)
    let senders = try store.senders().map(\.sender.id)
    self.senders = Array(senders.prefix(100))
    person = TimelineScenarios.ranksOfAccounts.filter(senders.indices.contains).map { senders[$0] }
    let ordered = try store.conversations().sorted { $0.messageCount > $1.messageCount }.map(\.id)
    rooms = stride(from: 0, to: ordered.count, by: 5).map { ordered[$0] }
    guard let largest = ordered.first, senders.count > 1, words.count == 4,
      let oldest = try store.page(PageRequest(.everything, anchor: .oldest, fetchLimit: 1)).messages.first,
      let newest = try store.page(PageRequest(.everything, fetchLimit: 1)).messages.first
    else { throw StoreError(.notFound, "cannot measure conditions", cause: "the history is too small") }
    self.largest = largest
    let third = (newest.time.millisecondsSince1970 - oldest.time.millisecondsSince1970) / 3
    times = oldest.time.advanced(byMilliseconds: third)..<oldest.time.advanced(byMilliseconds: 2 * third)
  }

  /// The words that most of some messages have.
  private static func words(in store: SynchronousMessageStore) throws -> [String] {
    var dice = SeededGenerator(seed: 61)
    let total = try store.page(PageRequest(.everything, fetchLimit: 0)).counts?.total ?? 0
    var counts: [String: Int] = [:]
    for _ in 0..<20 {
      let place = Int(dice.next() % UInt64(max(total, 1)))
      let page = try store.page(
        PageRequest(.everything, anchor: .ordinal(place), fetchLimit: 50, wantsCounts: false))
      for message in page.messages where message.kind == .text {
        let words = message.text.lowercased().split { !$0.isLetter && !$0.isNumber }
        for word in Set(words) where word.allSatisfy({ $0.isASCII && $0.isLetter }) {
          counts[String(word), default: 0] += 1
        }
      }
    }
    // The texts of joins have these, and are in no search index of a store.
    for word in ["has", "joined", "left", "quit"] { counts[word] = nil }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(4).map(\.key)
  }
}

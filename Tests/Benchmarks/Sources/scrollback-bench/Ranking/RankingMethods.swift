import Foundation
import GRDB
import HistoryModel
import HistoryQueries
import MessageModel
import MessageStorage

/// A set in a store, and in FTS5's own tables beside it: ways to find what answers its questions.
final class RankingMethods {
  /// A way to find answers.
  enum Method: String, CaseIterable {
    case words = "all words, newest first"
    case messages = "FTS5's bm25, messages"
    case sessions = "FTS5's bm25, sessions"
    case stems = "bm25 of stems and names, messages"
    case threes = "bm25 of stems and names, windows of 3"
    case fives = "bm25 of stems and names, windows of 5"
    case exchanges = "search --best"

    /// The lines of an answer; `nil` where it is no window.
    var width: Int? {
      switch self {
      case .stems: 1
      case .threes: 3
      case .fives: 5
      case .words, .messages, .sessions, .exchanges: nil
      }
    }
  }

  private let set: RankingSet
  private let store: SynchronousMessageStore
  private let plain: DatabaseQueue
  private var lines: [Message.ID: Int] = [:]
  private static let limit = 100

  /// - Parameter path: The path of a store that is not there yet.
  init(_ set: RankingSet, path: String) throws {
    self.set = set
    StoreFiles.remove(path)
    store = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
    plain = try DatabaseQueue()
    try fill()
    try fillPlain()
  }

  private func fill() throws {
    let load = try BulkImport(
      into: store, BulkImport.Description(name: "made up", format: "generated", zone: "UTC"))
    var batch = ImportBatch()
    for line in set.lines {
      let conversation = batch.conversation(named: line.conversation)
      let (sender, text) = (batch.store(line.sender), batch.store(line.text))
      batch.append(
        ImportBatch.Entry(
          time: line.time, precision: .millisecond, kind: .text, conversation: conversation, sender: sender,
          text: text))
      if batch.count == 8_192 {
        try load.add(batch, isContinuation: true)
        batch.removeAll()
      }
    }
    try load.add(batch, isContinuation: true)
    _ = try load.finish()
    // Times ascend, and so do ids.
    var (place, next): (PageAnchor, Int) = (.oldest, 0)
    while true {
      let page = try store.page(
        PageRequest(.everything, anchor: place, fetchLimit: 1_000, wantsCounts: false))
      for message in page.messages {
        lines[message.id] = next
        next += 1
      }
      guard page.hasNewer, let last = page.messages.last else { return }
      place = .after(last.id)
    }
  }

  private func fillPlain() throws {
    try plain.write { db in
      for name in ["messages", "sessions"] {
        try db.execute(
          sql: "CREATE VIRTUAL TABLE \(name) USING fts5(text, tokenize = 'unicode61 remove_diacritics 2')")
      }
      var sessions: [Int: String] = [:]
      for (index, line) in set.lines.enumerated() {
        try db.execute(sql: "INSERT INTO messages(rowid, text) VALUES (?, ?)", arguments: [index, line.text])
        sessions[line.session, default: ""] += line.text + "\n"
      }
      for method in Method.allCases {
        if let width = method.width { try fillWindows(of: width, db) }
      }
      for (session, text) in sessions {
        try db.execute(sql: "INSERT INTO sessions(rowid, text) VALUES (?, ?)", arguments: [session, text])
      }
    }
  }

  /// Each line with its neighbours in the session, with the names of who said them, by Porter's stems.
  private func fillWindows(of width: Int, _ db: Database) throws {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE windows\(width)
          USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')
        """)
    for index in set.lines.indices {
      let text = window(around: index, of: width).map { "\(set.lines[$0].sender): \(set.lines[$0].text)" }
      try db.execute(
        sql: "INSERT INTO windows\(width)(rowid, text) VALUES (?, ?)",
        arguments: [index, text.joined(separator: "\n")])
    }
  }

  private func window(around index: Int, of width: Int) -> [Int] {
    let places = max(0, index - width / 2)...min(set.lines.count - 1, index + width / 2)
    return places.filter { set.lines[$0].session == set.lines[index].session }
  }

  /// Windows overlap: of those that share lines the best is an answer.
  private func windows(_ question: String, of width: Int) throws -> [(lines: Set<Int>, session: Int)] {
    var seen: Set<Int> = []
    return try plain(question, "windows\(width)").compactMap { index in
      let lines = window(around: index, of: width)
      guard seen.isDisjoint(with: lines) else { return nil }
      seen.formUnion(lines)
      return (Set(lines), set.lines[index].session)
    }
  }

  /// Returns what answers a question by a way, the best first: for each answer its lines and its session.
  func answers(
    to question: RankingSet.Question, by method: Method, _ weights: RankingWeights = .usual
  ) throws -> [(lines: Set<Int>, session: Int)] {
    switch method {
    case .words:
      let words = question.text.split { !$0.isLetter && !$0.isNumber }.map { "\"\($0)\"" }.joined(
        separator: " ")
      return try store.hits(.matching(words), limit: Self.limit).hits.compactMap { hit in
        lines[hit.id].map { ([$0], set.lines[$0].session) }
      }
    case .messages:
      return try plain(question.text, "messages").map { ([$0], set.lines[$0].session) }
    case .sessions:
      return try plain(question.text, "sessions").map { session in ([], session) }
    case .stems, .threes, .fives: return try windows(question.text, of: method.width ?? 1)
    case .exchanges:
      let ranked = try store.exchanges(
        answering: question.text, in: .everything, limit: Self.limit, ranking: weights)
      return ranked.exchanges.compactMap { exchange in
        guard let best = lines[exchange.id] else { return nil }
        let found = Set(exchange.messages.compactMap { lines[$0.id] })
        let judged = set.judgement == .lines ? found.intersection(window(around: best, of: 5)) : found
        return (judged, set.lines[best].session)
      }
    }
  }

  private func plain(_ question: String, _ table: String) throws -> [Int] {
    let words = question.split { !$0.isLetter && !$0.isNumber }.map { "\"\($0)\"" }
    return try plain.read { db in
      try Int.fetchAll(
        db,
        sql:
          "SELECT rowid FROM \(table) WHERE \(table) MATCH ? ORDER BY rank, rowid DESC LIMIT \(Self.limit)",
        arguments: [words.joined(separator: " OR ")])
    }
  }

  func close() { store.close() }
}

internal import Foundation
internal import GRDB
internal import MessageModel

/// The messages with a question's words, from the search indexes: all for rare words, the newest for others,
/// within a budget of rows.
struct CandidateWalk {
  private(set) var weights: [Double]
  private(set) var rowCount = 0
  private(set) var isWhole = true
  /// By word, newest first.
  private var lists: [[Int64]]
  /// Of messages with times of their own.
  private var times: [Int64: Timestamp] = [:]

  struct Seed {
    var id: Message.ID
    var words: UInt32
    var score: Double
  }

  private let ranking: RankingWeights
  private let time: QuestionTime?

  /// The rows of each word read before rare words are known.
  private static let firstRows = 2_048
  /// A row tested by a further condition counts as this many.
  private static let rowsPerTest = 4
  private static let nearMilliseconds: Int64 = 600_000

  init(
    _ words: [QuestionWord], at time: QuestionTime?, in selection: Selection, _ db: Database,
    names: SenderNames, ranking: RankingWeights
  ) throws {
    (self.ranking, self.time) = (ranking, time)
    weights = Array(repeating: 0, count: words.count)
    lists = Array(repeating: [], count: words.count)
    let readers = try words.map { word in
      try PageReader(selection.narrowed(to: .matching(word.query.text)), in: db, names: names)
    }
    let messages = Ordinals(db: db, scope: SelectionScan.scope(of: selection), filter: FacetFilter())
    let total = try messages.total()
    let isTested = readers.contains(where: \.looksAtMessages)
    let budget = max(1, ranking.rowBudget / (isTested ? Self.rowsPerTest : 1))
    var counts: [Int] = []
    var open: [Int] = []
    for (index, reader) in readers.enumerated() {
      let limit = min(Self.firstRows, budget / max(1, readers.count))
      let read = try take(reader, index, limit)
      if !read.isComplete { open.append(index) }
      counts.append(
        read.isComplete
          ? lists[index].count : try Self.estimate(lists[index].count, read.reached, messages, total))
    }
    open.sort { (counts[$0], $0) < (counts[$1], $1) }
    for (place, index) in open.enumerated() {
      let rest = (budget - rowCount) / (open.count - place)
      // Fewer rows than were read already would add nothing.
      guard rest > Self.firstRows, try take(readers[index], index, rest).isComplete else {
        isWhole = false
        continue
      }
      counts[index] = lists[index].count
    }
    let times = try MessageTimes(db)
    for id in lists.joined() where !times.areOfPlaces {
      self.times[id] = try times.writtenAt(Message.ID(rawValue: id))
    }
    for (index, word) in words.enumerated() {
      let written = try Self.written(by: word.senders, db, messages.scope)
      weights[index] = Self.weight(of: counts[index] + written, among: total)
      if counts[index] == 0, written == 0 { weights[index] = 0 }
    }
  }

  init(
    _ lists: [[Int64]], writtenAt times: [Int64: Timestamp], isWhole: Bool, among total: Int,
    at time: QuestionTime?, ranking: RankingWeights
  ) {
    (self.lists, self.isWhole, self.time, self.ranking) = (lists, isWhole, time, ranking)
    self.times = times
    weights = lists.map { $0.isEmpty ? 0 : Self.weight(of: $0.count, among: total) }
    rowCount = lists.reduce(0) { $0 + $1.count }
  }

  private mutating func take(
    _ reader: PageReader, _ index: Int, _ limit: Int
  ) throws -> (isComplete: Bool, reached: Int64?) {
    let read = try reader.look(at: limit, .older, in: reader.predicate.ids ?? FacetFilter.allIDs)
    rowCount += read.rowCount
    lists[index] = read.ids.map(\.rawValue)
    return (read.isComplete, read.reached?.rawValue)
  }

  /// Estimates the number of messages with a word from how far back the newest ones reach.
  private static func estimate(
    _ count: Int, _ reached: Int64?, _ messages: Ordinals, _ total: Int
  ) throws -> Int {
    guard let reached else { return count }
    let newer = max(1, total - (try messages.ordinal(of: Message.ID(rawValue: reached))))
    return max(count, Int(Double(count) / Double(newer) * Double(total)))
  }

  private static func written(by senders: Set<Int64>, _ db: Database, _ scope: Int64) throws -> Int {
    try senders.sorted().prefix(64).reduce(0) { sum, sender in
      guard let filter = FacetFilter(.sender([Sender.ID(rawValue: sender)])) else { return sum }
      return sum.adding(try Ordinals(db: db, scope: scope, filter: filter).total())
    }
  }

  /// BM25's weight of a word that `count` messages have.
  static func weight(of count: Int, among total: Int) -> Double {
    let (count, total) = (Double(min(count, total)), Double(max(total, 1)))
    return log(1 + (total - count + 0.5) / (count + 0.5))
  }

  /// The best candidates first: those with the rarest words, and with others nearby.
  func seeds() -> [Seed] {
    let (ids, words) = merged()
    let moments = ids.map { times[$0] ?? Message.ID(rawValue: $0).placeTime }
    var near = Neighbourhood(moments.map(\.millisecondsSince1970), words, span: Self.nearMilliseconds)
    var best: [Seed] = []
    // Candidates come newest first, which decides among equals.
    var least = -Double.infinity
    for index in ids.indices {
      let id = Message.ID(rawValue: ids[index])
      var score = sum(words[index]) + ranking.nearness * sum(near.words(around: index) & ~words[index])
      if let time { score *= 1 + ranking.time * time.closeness(of: moments[index]) }
      guard score > least else { continue }
      best.append(Seed(id: id, words: words[index], score: score))
      guard best.count >= 4 * ranking.seedCount else { continue }
      Self.keep(ranking.seedCount, of: &best)
      least = best.last?.score ?? least
    }
    Self.keep(ranking.seedCount, of: &best)
    return best
  }

  private static func keep(_ count: Int, of seeds: inout [Seed]) {
    seeds.sort { $0.score == $1.score ? $0.id > $1.id : $0.score > $1.score }
    if seeds.count > count { seeds.removeLast(seeds.count - count) }
  }

  private func sum(_ words: UInt32) -> Double {
    var (rest, sum) = (words, 0.0)
    while rest != 0 {
      sum += weights[rest.trailingZeroBitCount]
      rest &= rest - 1
    }
    return sum
  }

  private func merged() -> (ids: [Int64], words: [UInt32]) {
    var (ids, words): ([Int64], [UInt32]) = ([], [])
    ids.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    words.reserveCapacity(ids.capacity)
    var places = Array(repeating: 0, count: lists.count)
    while true {
      var newest: Int64?
      for (list, place) in zip(lists, places) where place < list.count {
        newest = max(newest ?? list[place], list[place])
      }
      guard let id = newest else { return (ids, words) }
      var bits: UInt32 = 0
      for index in lists.indices where places[index] < lists[index].count && lists[index][places[index]] == id
      {
        bits |= 1 << UInt32(index)
        places[index] += 1
      }
      ids.append(id)
      words.append(bits)
    }
  }
}

/// The words of candidates within the same minutes: a span of time that moves along the candidates.
struct Neighbourhood {
  private let times: [Int64]
  private let words: [UInt32]
  private let span: Int64
  private var within = 0..<0
  private var counts = [Int](repeating: 0, count: UInt32.bitWidth)
  private var present: UInt32 = 0

  /// - Parameters:
  ///   - times: In milliseconds, descending.
  ///   - words: One bit each.
  ///   - span: In milliseconds.
  init(_ times: [Int64], _ words: [UInt32], span: Int64) {
    (self.times, self.words, self.span) = (times, words, span)
  }

  /// Includes the candidate's own words. Call with consecutive places.
  mutating func words(around place: Int) -> UInt32 {
    let time = times[place]
    while within.upperBound < times.count, time - times[within.upperBound] <= span {
      Self.eachWord(of: words[within.upperBound]) { word in
        counts[word] += 1
        present |= 1 << UInt32(word)
      }
      within = within.lowerBound..<(within.upperBound + 1)
    }
    while times[within.lowerBound] - time > span {
      Self.eachWord(of: words[within.lowerBound]) { word in
        counts[word] -= 1
        if counts[word] == 0 { present &= ~(1 << UInt32(word)) }
      }
      within = (within.lowerBound + 1)..<within.upperBound
    }
    return present
  }

  private static func eachWord(of words: UInt32, _ body: (Int) -> Void) {
    var rest = words
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}

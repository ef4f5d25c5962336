internal import Foundation
internal import GRDB
internal import MessageModel

/// The messages with a question's words, from the search indexes: all for rare words, the newest for others,
/// within a budget of rows.
struct CandidateWalk {
  private(set) var weights: [Double]
  /// By word, of messages that have it as it was asked.
  private(set) var askedWeights: [Double]
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
  /// By message, for words that one or two messages have.
  private var rareWeights: [Int64: Double] = [:]

  /// The rows of each word read before rare words are known.
  private static let firstRows = 2_048
  /// A row tested by a further condition counts as this many.
  private static let rowsPerTest = 4
  static let mostSenders = 64
  /// The most messages of a sender that have no other word of the question.
  static let newestOfSender = 64
  private static let mostOfRare = 2
  private static let nearMilliseconds: Int64 = 600_000

  init(
    _ words: [QuestionWord], at time: QuestionTime?, in selection: Selection, _ db: Database,
    names: SenderNames, ranking: RankingWeights
  ) throws {
    (self.ranking, self.time) = (ranking, time)
    weights = Array(repeating: 0, count: words.count)
    askedWeights = weights
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
    var written: [Int: Written] = [:]
    for (index, word) in words.enumerated() where !word.senders.isEmpty {
      written[index] = try self.written(
        by: word.senders, besides: index, words, in: selection, db, names: names, budget: budget)
    }
    try findRare(words, in: selection, db, names: names, among: total)
    open.sort { (counts[$0], $0) < (counts[$1], $1) }
    // The rarest words take what they need: two words found everywhere tell more than four found in the newest messages.
    for index in open {
      let rest = budget - rowCount
      // Fewer rows than were read already would add nothing.
      guard rest > Self.firstRows, try take(readers[index], index, rest).isComplete else {
        isWhole = false
        continue
      }
      counts[index] = lists[index].count
    }
    let kind = try RawStatement(db, "SELECT kind FROM message WHERE id = ?1")
    for (index, written) in written.sorted(by: { $0.key < $1.key }) {
      try add(written, to: index) { id in
        kind.bind(id, at: 1)
        defer { kind.reset() }
        return try kind.step() && SearchSchema.indexes(Message.Kind(rawValue: kind.count(0)) ?? .unknown)
      }
    }
    let times = try MessageTimes(db)
    for id in lists.joined() where !times.areOfPlaces {
      self.times[id] = try times.writtenAt(Message.ID(rawValue: id))
    }
    for (index, word) in words.enumerated() {
      let written = try Self.written(by: word.senders, db, messages.scope)
      weights[index] = Self.weight(of: counts[index] + written, among: total)
      if counts[index] == 0, written == 0 { weights[index] = 0 }
      askedWeights[index] = max(askedWeights[index], weights[index])
    }
  }

  /// Words that one or two messages have as they were asked count by that, however many have other forms.
  private mutating func findRare(
    _ words: [QuestionWord], in selection: Selection, _ db: Database, names: SenderNames, among total: Int
  ) throws {
    for (index, word) in words.enumerated() where !word.isRun {
      let reader = try PageReader(
        selection.narrowed(to: .matching(SearchQuery.phrase(word.text, isPrefix: false).text)), in: db,
        names: names)
      let look = try reader.look(
        at: Self.mostOfRare + 1, .older, in: reader.predicate.ids ?? FacetFilter.allIDs)
      guard 1...Self.mostOfRare ~= look.ids.count, look.isComplete else { continue }
      let weight = Self.weight(of: look.ids.count, among: total)
      askedWeights[index] = weight
      for id in look.ids { rareWeights[id.rawValue, default: 0] += weight }
    }
  }

  init(
    _ lists: [[Int64]], writtenAt times: [Int64: Timestamp], isWhole: Bool, among total: Int,
    at time: QuestionTime?, ranking: RankingWeights
  ) {
    (self.lists, self.isWhole, self.time, self.ranking) = (lists, isWhole, time, ranking)
    self.times = times
    weights = lists.map { $0.isEmpty ? 0 : Self.weight(of: $0.count, among: total) }
    askedWeights = weights
    rowCount = lists.reduce(0) { $0 + $1.count }
  }

  /// What the senders wrote whom a word names.
  private struct Written {
    /// The newest, events among them.
    var newest: [Int64]
    /// Whether the newest are all.
    var isComplete: Bool
    /// Those with another word of the question.
    var answering: Set<Int64> = []
  }

  /// Reads what the senders wrote whom a word names: the newest, and what has another word of the question.
  private mutating func written(
    by senders: Set<Int64>, besides index: Int, _ words: [QuestionWord], in selection: Selection,
    _ db: Database, names: SenderNames, budget: Int
  ) throws -> Written {
    let some = senders.sorted().prefix(Self.mostSenders).map { Sender.ID(rawValue: $0) }
    let theirs = selection.narrowed(to: .sender(Set(some)))
    func read(_ selection: Selection) throws -> PageReader.IDLook {
      let reader = try PageReader(selection, in: db, names: names)
      let look = try reader.look(
        at: min(Self.firstRows, budget - rowCount), .older, in: reader.predicate.ids ?? FacetFilter.allIDs)
      rowCount += look.rowCount
      return look
    }
    guard rowCount < budget else { return Written(newest: [], isComplete: false) }
    let look = try read(theirs)
    var written = Written(newest: look.ids.map(\.rawValue), isComplete: look.isComplete)
    if written.isComplete { return written }
    for (other, word) in words.enumerated() where other != index && rowCount < budget {
      let both = try read(theirs.narrowed(to: .matching(word.query.text)))
      written.answering.formUnion(both.ids.map(\.rawValue))
    }
    return written
  }

  /// Adds to the messages with a word those that its senders wrote: with other words of the question, and the newest.
  private mutating func add(_ written: Written, to index: Int, isSaid: (Int64) throws -> Bool) throws {
    var found = Set(lists[index]).union(written.answering)
    if written.isComplete {
      let theirs = Set(written.newest)
      for other in lists.indices where other != index {
        found.formUnion(lists[other].filter(theirs.contains))
      }
    }
    var rest = Self.newestOfSender
    for id in written.newest where rest > 0 && !found.contains(id) {
      guard try isSaid(id) else { continue }
      found.insert(id)
      rest -= 1
    }
    lists[index] = found.sorted(by: >)
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
      if let rare = rareWeights[ids[index]] { score += rare }
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

internal import MessageModel
internal import WordForms

/// Ranks exchanges of an archive by its pages alone, from which weights and forms of words are estimated.
struct ArchiveRanking {
  private let archive: any HistoryArchive
  private let selection: Selection
  private let isCancelled: () -> Bool

  /// The newest messages read of each word.
  private static let mostMessages = 512
  /// The candidates whose surroundings are read, by a page for each side.
  private static let mostSeeds = 48

  init(_ archive: any HistoryArchive, in selection: Selection, isCancelled: @escaping () -> Bool) {
    (self.archive, self.selection, self.isCancelled) = (archive, selection, isCancelled)
  }

  func answer(
    _ question: String, limit: Int, language: WordLanguage?, now: Timestamp
  ) throws -> RankedAnswer {
    var words = try QuestionWords(question, language: language, now: now, senders: archive.senders(in: .all))
    guard !words.words.isEmpty else { throw SynchronousMessageStore.wordless(question) }
    let candidates = try candidates(&words)
    var ranking = RankingWeights.usual
    ranking.seedCount = Self.mostSeeds
    let walk = CandidateWalk(
      candidates.lists,
      writtenAt: candidates.messages.values.reduce(into: [:]) { $0[$1.id.rawValue] = $1.writtenAt },
      isWhole: candidates.isWhole, among: try total(), at: words.time, ranking: ranking)
    var lines = ArchiveLines(words, reach: ranking.reach, of: archive, known: candidates.messages)
    var around: [ExchangeReader.Surroundings] = []
    for seed in walk.seeds() {
      if isCancelled() { throw StoreError(.cancelled, "cannot search '\(archive.place)'") }
      if let surroundings = try lines.surroundings(of: seed.id) { around.append(surroundings) }
    }
    let scoring = ExchangeScoring(
      lines.lines, weights: walk.weights, asked: walk.askedWeights, time: words.time,
      asksWhen: words.asksWhen, ranking: ranking)
    let query = SynchronousMessageStore.query(words.words)
    var answer = RankedAnswer(
      exchanges: [], language: words.language, words: query, candidateCount: walk.rowCount,
      isWhole: walk.isWhole)
    for scored in SynchronousMessageStore.apart(
      around.map { scoring.scored($0) }, by: ranking.apart, limit: max(limit, 0))
    {
      let messages = scored.messages.compactMap { lines.messages[$0] }
      guard let line = lines.messages[scored.best],
        let best = try archive.hits(.matching(query), in: [line]).first
      else { continue }
      answer.exchanges.append(RankedExchange(best: best, messages: messages, score: scored.score))
    }
    return answer
  }

  private func total() throws(StoreError) -> Int {
    let all = Selection(selection.conversations)
    return try archive.page(PageRequest(all, fetchLimit: 0)).counts?.total ?? 0
  }

  private struct Candidates {
    var messages: [Message.ID: Message] = [:]
    var lists: [[Int64]] = []
    var isWhole = true
  }

  /// The forms of a word are those in the messages that share its stem.
  private func candidates(_ words: inout QuestionWords) throws -> Candidates {
    var found = Candidates()
    let (stemmer, letters) = (Stemmer(words.language), FoldedLetters())
    for index in words.words.indices {
      let stem = stemmer.stem(words.words[index].text)
      var forms = Set(words.words[index].forms)
      var request = PageRequest(
        selection.narrowed(to: .matching(words.words[index].query(beginningWith: stem).text)),
        order: .newestFirst, fetchLimit: Self.mostMessages, wantsCounts: false)
      var messages: [Message] = []
      while messages.count < Self.mostMessages {
        if isCancelled() { throw StoreError(.cancelled, "cannot search '\(archive.place)'") }
        let page = try archive.page(request)
        messages += page.messages
        guard let next = page.nextAnchor ?? (page.hasOlder ? messages.last.map { .before($0.id) } : nil)
        else { break }
        found.isWhole = found.isWhole && messages.count < Self.mostMessages
        request.anchor = next
      }
      for message in messages {
        found.messages[message.id] = message
        if words.words[index].isRun { continue }
        forms.formUnion(
          QuestionWordFinder.words(of: message.text, letters).filter { stemmer.stem($0) == stem })
      }
      words.setForms(forms.sorted(), of: index)
    }
    for (index, word) in words.words.enumerated() where !word.senders.isEmpty {
      for message in try written(by: word.senders, besides: index, words.words) {
        found.messages[message.id] = message
      }
    }
    let finder = QuestionWordFinder(words.words)
    found.lists = words.words.map { _ in [] }
    for message in found.messages.values.sorted(by: { $0.id > $1.id }) {
      let sender = message.sender?.id.rawValue
      for (index, count) in finder.counts(in: message.text).counts.enumerated()
      where count > 0 || sender.map(words.words[index].senders.contains) == true {
        found.lists[index].append(message.id.rawValue)
      }
    }
    return found
  }

  /// What the senders wrote whom a word names: with each other word of the question, and the newest.
  private func written(
    by senders: Set<Int64>, besides index: Int, _ words: [QuestionWord]
  ) throws -> [Message] {
    let some = senders.sorted().prefix(CandidateWalk.mostSenders).map { Sender.ID(rawValue: $0) }
    let theirs = selection.narrowed(to: .sender(Set(some)))
    let others = words.indices.filter { $0 != index }.map {
      theirs.narrowed(to: .matching(words[$0].query.text))
    }
    var messages: [Message] = []
    for (selection, limit) in others.map({ ($0, Self.mostMessages) }) + [
      (theirs, CandidateWalk.newestOfSender)
    ] {
      if isCancelled() { throw StoreError(.cancelled, "cannot search '\(archive.place)'") }
      let request = PageRequest(selection, order: .newestFirst, fetchLimit: limit, wantsCounts: false)
      messages += try archive.page(request).messages.filter(\.kind.isSearched)
    }
    return messages
  }
}

/// As ``ExchangeReader``, for an archive.
private struct ArchiveLines {
  private(set) var lines: [ExchangeReader.Line] = []
  private(set) var messages: [Message.ID: Message] = [:]
  private var indexes: [Message.ID: Int] = [:]
  private let known: [Message.ID: Message]
  private let archive: any HistoryArchive
  private let words: [QuestionWord]
  private let finder: QuestionWordFinder
  private let reach: Int

  init(
    _ words: QuestionWords, reach: Int, of archive: any HistoryArchive, known: [Message.ID: Message]
  ) {
    (self.words, self.reach, self.archive, self.known) = (words.words, reach, archive, known)
    finder = words.finder
  }

  mutating func surroundings(of seed: Message.ID) throws(StoreError) -> ExchangeReader.Surroundings? {
    guard let message = known[seed] else { return nil }
    let older = try neighbours(of: message, .before(seed))
    let newer = try neighbours(of: message, .after(seed))
    let run = (older.reversed() + [message] + newer).map { take($0) }
    var linked: [Int] = []
    for id in [message.replyTo, message.thread] {
      guard let id, let other = try self.message(id) else { continue }
      let line = take(other)
      if !run.contains(line), !linked.contains(line) { linked.append(line) }
    }
    return ExchangeReader.Surroundings(run: run, place: older.count, linked: linked)
  }

  private func neighbours(of message: Message, _ anchor: PageAnchor) throws(StoreError) -> [Message] {
    let page = try archive.page(
      PageRequest(
        Selection(message.conversation), anchor: anchor, fetchLimit: reach + ExchangeReader.passedOver,
        wantsCounts: false))
    let isNewer = anchor == .after(message.id)
    var (last, found): (Timestamp, [Message]) = (message.moment, [])
    for next in isNewer ? page.messages : page.messages.reversed() {
      let gap = next.moment.millisecondsSince1970 - last.millisecondsSince1970
      if found.count == reach || abs(gap) > ExchangeReader.gapMilliseconds { break }
      guard next.kind.isSearched else { continue }
      found.append(next)
      last = next.moment
    }
    return found
  }

  private func message(_ id: Message.ID) throws(StoreError) -> Message? {
    if let message = messages[id] ?? known[id] { return message }
    return try archive.records(of: [id])[id]?.message
  }

  private mutating func take(_ message: Message) -> Int {
    if let known = indexes[message.id] { return known }
    let finding = finder.counts(in: message.text)
    var named: UInt32 = 0
    for (index, word) in words.enumerated() {
      if let sender = message.sender, word.senders.contains(sender.id.rawValue) {
        named |= 1 << UInt32(index)
      }
    }
    lines.append(
      ExchangeReader.Line(
        id: message.id, time: message.moment, replyTo: message.replyTo, thread: message.thread,
        counts: finding.counts,
        length: finding.length, named: named, following: finding.following, asked: finding.asked,
        hasDate: finding.hasDate))
    (indexes[message.id], messages[message.id]) = (lines.count - 1, message)
    return lines.count - 1
  }
}

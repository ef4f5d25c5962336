import MessageModel

/// Conditions that are asked for together: for Scrollback, and in SQL for the same rows in tables made by hand.
struct Condition {
  let name: String
  let selection: Selection
  let plain: PlainCondition
  /// The condition of DuckDB on the columns of `message`.
  let duckDB: String

  init(_ name: String, _ selection: Selection, _ plain: PlainCondition, duckDB: String) {
    (self.name, self.selection, self.plain, self.duckDB) = (name, selection, plain, duckDB)
  }
}

/// What is common in a history of many conversations, so that conditions on it have much to join.
struct CommonParts {
  /// Four words that many messages have, the commonest first: Latin letters alone.
  let words: [String]
  /// A hundred of those who write most, the first of them the one who writes most.
  let senders: [Sender.ID]
  /// Five accounts of those who write much and of those who write little.
  let person: [Sender.ID]
  let largest: Conversation.ID
  /// Every fifth conversation, the largest among them.
  let rooms: [Conversation.ID]
  /// The middle third of the time.
  let times: Range<Timestamp>

  /// The conditions over the whole store, and some of them in its largest conversation.
  var conditions: [Condition] { overAll + inOne }

  private var overAll: [Condition] {
    [
      senderAndWord, personAndWord, crowdAndWord, wordAndKind, wordAndLink, wordsOrWords, partsOrParts,
      wordInRooms,
      without,
      senderWithout, allWithout, wordInTime, senderAndWordInTime,
    ]
  }

  private var inOne: [Condition] {
    [
      one("a sender and a word", .and([.sender([senders[0]]), has(0)]), columns: "sender = \(id(0))"),
      one("a word and a kind", .and([.textOnly, has(0)]), columns: "kind IN (0, 1)"),
      one("a word in a third of the time", .and([written, has(0)]), columns: inTime),
    ]
  }

  // MARK: A word beside columns

  private var senderAndWord: Condition {
    beside("a sender and a word", .sender([senders[0]]), "sender = \(id(0))")
  }

  private var personAndWord: Condition {
    let accounts = list(person.map(\.rawValue))
    return beside("a person with five accounts and a word", .sender(Set(person)), "sender IN \(accounts)")
  }

  private var crowdAndWord: Condition {
    let all = list(senders.map(\.rawValue))
    return beside("a hundred senders and a word", .sender(Set(senders)), "sender IN \(all)")
  }

  private var wordAndKind: Condition { beside("a word and a kind", .textOnly, "kind IN (0, 1)") }

  private var wordAndLink: Condition { beside("a word and a link", .has(.link), "link") }

  private var senderAndWordInTime: Condition {
    Condition(
      "a sender and a word in a third of the time",
      Selection(.all, where: .and([.sender([senders[0]]), written, has(0)])),
      .words(match(0), ids: ids, columns: "sender = \(id(0))"),
      duckDB: "sender = \(id(0)) AND \(inTime) AND \(like(0))")
  }

  private func beside(_ name: String, _ predicate: MessagePredicate, _ columns: String) -> Condition {
    Condition(
      name, Selection(.all, where: .and([predicate, has(0)])), .words(match(0), columns: columns),
      duckDB: "\(columns) AND \(like(0))")
  }

  private func one(_ name: String, _ predicate: MessagePredicate, columns: String) -> Condition {
    let columns = "conversation = \(largest.rawValue) AND \(columns)"
    return Condition(
      "\(name), in one conversation", Selection(largest, where: predicate),
      .words(match(0), columns: columns), duckDB: "\(columns) AND \(like(0))")
  }

  // MARK: Words and alternatives

  private var wordInRooms: Condition {
    let columns = "conversation IN \(list(rooms.map(\.rawValue)))"
    return Condition(
      "a word in a fifth of the conversations", Selection(.some(Set(rooms)), where: has(0)),
      .words(match(0), columns: columns), duckDB: "\(columns) AND \(like(0))")
  }

  private var wordsOrWords: Condition {
    Condition(
      "two words or two others",
      Selection(.all, where: .matching("(\(words[0]) \(words[1])) OR (\(words[2]) \(words[3]))")),
      .words("(\(match(0)) AND \(match(1))) OR (\(match(2)) AND \(match(3)))"),
      duckDB: "\(like(0)) AND \(like(1)) OR \(like(2)) AND \(like(3))")
  }

  private var partsOrParts: Condition {
    Condition(
      "a sender and a word, or two others",
      Selection(
        .all, where: .or([.and([.sender([senders[0]]), has(0)]), .and([.sender([senders[1]]), has(1)])])),
      .rows("sender = \(id(0)) AND id IN \(found(0)) OR sender = \(id(1)) AND id IN \(found(1))"),
      duckDB: "sender = \(id(0)) AND \(like(0)) OR sender = \(id(1)) AND \(like(1))")
  }

  private var wordInTime: Condition {
    Condition(
      "a word in a third of the time", Selection(.all, where: .and([written, has(0)])),
      .words(match(0), ids: ids), duckDB: "\(inTime) AND \(like(0))")
  }

  // MARK: What is left out

  private var without: Condition {
    Condition(
      "a word without another", Selection(.all, where: .matching("\(words[0]) -\(words[1])")),
      .words("\(match(0)) NOT \(match(1))"), duckDB: "\(like(0)) AND NOT \(like(1))")
  }

  private var senderWithout: Condition {
    Condition(
      "a sender without a word",
      Selection(.all, where: .and([.sender([senders[0]]), .matching("-\(words[0])")])),
      .rows("sender = \(id(0)) AND id NOT IN \(found(0))"), duckDB: "sender = \(id(0)) AND NOT \(like(0))")
  }

  private var allWithout: Condition {
    Condition(
      "all without a word", Selection(.all, where: .matching("-\(words[0])")), .rows("id NOT IN \(found(0))"),
      duckDB: "NOT \(like(0))")
  }

  // MARK: Parts of conditions

  private func has(_ word: Int) -> MessagePredicate { .matching(words[word]) }

  private var written: MessagePredicate { .time(from: times.lowerBound, until: times.upperBound) }

  private var ids: Range<Int64> {
    Message.ID(time: times.lowerBound).rawValue..<Message.ID(time: times.upperBound).rawValue
  }

  private var inTime: String { "id >= \(ids.lowerBound) AND id < \(ids.upperBound)" }

  private func id(_ sender: Int) -> Int64 { senders[sender].rawValue }

  private func list(_ ids: [Int64]) -> String { "(\(ids.map(String.init).joined(separator: ", ")))" }

  private func match(_ word: Int) -> String { "\"\(words[word])\"" }

  private func found(_ word: Int) -> String { "(SELECT rowid FROM words WHERE words MATCH '\(match(word))')" }

  /// DuckDB has no index of words that it keeps by itself: it looks for letters, in longer words, too.
  private func like(_ word: Int) -> String { "text ILIKE '%\(words[word])%'" }
}

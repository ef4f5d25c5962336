import ArgumentParser
import Foundation
import MessageModel
import MessageSourceTesting

/// Conversations, and questions of which it is known where the answer stands.
struct RankingSet {
  /// A message of a set.
  struct Line {
    var conversation: String
    var session: Int
    var time: Timestamp
    var sender: String
    var text: String
  }

  /// A question with the places that answer it.
  struct Question {
    var text: String
    /// The indexes of the lines that answer it; empty where only sessions are known.
    var lines: Set<Int>
    var sessions: Set<Int>
    /// The kind of question, as its set names it.
    var kind: String?
  }

  /// What of an answer must be right.
  enum Judgement: String {
    /// The session of its best message.
    case sessions
    /// One of the five lines around its best message.
    case lines
  }

  /// A part of a set's questions, drawn by a fixed seed: weights are chosen by one, and figures reported of the other.
  enum Half: String, CaseIterable, ExpressibleByArgument {
    case tuning, report, all
  }

  var lines: [Line] = []
  var questions: [Question] = []
  var judgement: Judgement?

  private static let halfSeed: UInt64 = 58

  /// Keeps a half of the questions of some sets.
  static func halved(_ sets: [RankingSet], _ half: Half) -> [RankingSet] {
    guard half != .all else { return sets }
    var dice = SeededGenerator(seed: halfSeed)
    return sets.map { set in
      var halved = set
      halved.questions = set.questions.filter { _ in (dice.next() % 2 == 0) == (half == .tuning) }
      return halved
    }
  }

  private static let firstTime: Int64 = 1_420_070_400_000
  private static let sessionsPerConversation = 200
  /// After so many sessions, of a day or more each, what was told of is told of again.
  private static let sessionsBetween = 90

  /// Makes up a set: facts are told once, in three lines of a session, and asked for in other forms of the words, some of
  /// which were never said. Neither do all words of a question stand together, nor does length help: long messages name many
  /// things. One question in four says in which month it was, and the same was told of in another one, too.
  ///
  /// - Parameters:
  ///   - size: How many messages, at least.
  ///   - questionCount: How many questions.
  static func made(seed: UInt64, language: FactLanguage, size: Int, questionCount: Int) -> RankingSet {
    var (set, dice) = (RankingSet(), SeededGenerator(seed: seed))
    let sessionCount = max(size / 14, questionCount + 1)
    let factual = Set((0..<questionCount).map { $0 * sessionCount / questionCount })
    var time = firstTime
    // Facts that will be told of again, and when.
    var again: [(session: Int, fact: Fact, telling: [String])] = []
    for session in 0..<sessionCount {
      let conversation = "\(language.name)-\(session / sessionsPerConversation)"
      time += Int64(3_600_000 * (8 + dice.next() % 40))
      let count = 9 + Int(dice.next() % 7)
      let factPlace = factual.contains(session) ? 2 + Int(dice.next() % UInt64(count - 4)) : -1
      for place in 0..<count {
        if place == factPlace {
          let (fact, telling) = set.tell(session, conversation, &time, language, &dice)
          if set.questions.count.isMultiple(of: 4) {
            set.date(language, time)
            again.append((session + sessionsBetween, fact, telling))
          }
        }
        if place == 1, let first = again.first, first.session <= session {
          for text in first.telling { set.add(first.fact.told(text), session, conversation, &time, &dice) }
          again.removeFirst()
        }
        set.add(language.smallTalk(&dice), session, conversation, &time, &dice)
      }
    }
    return set
  }

  private mutating func add(
    _ text: String, _ session: Int, _ conversation: String, _ time: inout Int64, _ dice: inout SeededGenerator
  ) {
    time += Int64(5_000 + dice.next() % 120_000)
    lines.append(
      Line(
        conversation: conversation, session: session, time: Timestamp(millisecondsSince1970: time),
        sender: FactLanguage.names[Int(dice.next() % UInt64(FactLanguage.names.count))], text: text))
  }

  private mutating func tell(
    _ session: Int, _ conversation: String, _ time: inout Int64, _ language: FactLanguage,
    _ dice: inout SeededGenerator
  ) -> (Fact, [String]) {
    let fact = Fact(language, &dice)
    let first = lines.count
    let telling = language.tellings[Int(dice.next() % UInt64(language.tellings.count))]
    for text in telling { add(fact.told(text), session, conversation, &time, &dice) }
    let asked = language.questions[Int(dice.next() % UInt64(language.questions.count))]
    questions.append(
      Question(text: fact.asked(asked), lines: Set(first..<lines.count), sessions: [session]))
    return (fact, telling)
  }

  /// Has the last question say in which month it was.
  private mutating func date(_ language: FactLanguage, _ time: Int64) {
    let civil = Timestamp(millisecondsSince1970: time).utc
    let month = language.months.names[civil.month - 1]
    questions[questions.count - 1].text += " \(language.months.before) \(month) \(civil.year)"
  }

  /// What a fact is about.
  private struct Fact {
    var things: [(told: String, asked: String)]
    var deed: (told: String, asked: String)
    var name: String

    init(_ language: FactLanguage, _ dice: inout SeededGenerator) {
      let first = Int(dice.next() % UInt64(language.things.count))
      let step = 1 + Int(dice.next() % UInt64(language.things.count - 1))
      things = [language.things[first], language.things[(first + step) % language.things.count]]
      deed = language.deeds[Int(dice.next() % UInt64(language.deeds.count))]
      name = FactLanguage.names[Int(dice.next() % UInt64(FactLanguage.names.count))]
    }

    func told(_ text: String) -> String {
      FactLanguage.filled(text, things[0].told, things[1].told, deed.told, name)
    }

    func asked(_ text: String) -> String {
      FactLanguage.filled(text, things[0].asked, things[1].asked, deed.asked, name)
    }
  }
}

extension FactLanguage {
  /// Puts words into the places of a text.
  static func filled(_ text: String, _ first: String, _ second: String, _ deed: String, _ name: String)
    -> String
  {
    var filled = ""
    for character in text {
      switch character {
      case "1": filled += first
      case "2": filled += second
      case "3": filled += deed
      case "4": filled += name
      case _: filled.append(character)
      }
    }
    return filled
  }

  /// Says something that is no fact; one time in sixty at length, with many things in it.
  fileprivate func smallTalk(_ dice: inout SeededGenerator) -> String {
    func thing(_ dice: inout SeededGenerator) -> String {
      things[Int(dice.next() % UInt64(things.count))].told
    }
    func line(_ dice: inout SeededGenerator) -> String {
      Self.filled(
        chatter[Int(dice.next() % UInt64(chatter.count))], thing(&dice), thing(&dice),
        deeds[Int(dice.next() % UInt64(deeds.count))].told,
        Self.names[Int(dice.next() % UInt64(Self.names.count))])
    }
    guard dice.next() % 60 == 0 else { return line(&dice) }
    return (0..<8).map { _ in line(&dice) }.joined(separator: ", ")
  }
}

// MARK: Sets of others

extension RankingSet {
  /// Reads sets of LoCoMo's form: a list of conversations, each with sessions of turns and questions with their evidence. A
  /// conversation with `by` of `lines` is judged by lines.
  ///
  /// - Returns: A set for each conversation: a question is asked of its own alone.
  static func read(from file: URL) throws -> [RankingSet] {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    let samples = (json as? [[String: Any]]) ?? (json as? [String: Any]).map { [$0] } ?? []
    guard !samples.isEmpty else { throw Program.Failure("'\(file.path)' has no list of conversations") }
    return try samples.enumerated().map { index, sample in
      try RankingSet(sample: sample, name: "\(sample["sample_id"] ?? index)")
    }
  }

  private init(sample: [String: Any], name: String) throws {
    let talk = sample["conversation"] as? [String: Any] ?? sample
    judgement = (sample["by"] as? String).flatMap { Judgement(rawValue: $0) } ?? .sessions
    var (lineOfTurn, time): ([String: Int], Int64) = ([:], Self.firstTime)
    let numbers = talk.keys.compactMap { key in
      key.hasPrefix("session_") ? Int(key.dropFirst(8)) : nil
    }
    for session in numbers.sorted() {
      guard let turns = talk["session_\(session)"] as? [[String: Any]] else { continue }
      let said = (talk["session_\(session)_date_time"] as? String).flatMap(Self.time)
      time = max(said ?? 0, time + 86_400_000)
      for turn in turns {
        time += 30_000
        if let id = turn["dia_id"] as? String { lineOfTurn[id] = lines.count }
        lines.append(
          Line(
            conversation: name, session: session, time: Timestamp(millisecondsSince1970: time),
            sender: turn["speaker"] as? String ?? "?", text: turn["text"] as? String ?? ""))
      }
    }
    guard !lines.isEmpty else { throw Program.Failure("the conversation '\(name)' has no 'session_1'") }
    for asked in sample["qa"] as? [[String: Any]] ?? [] {
      guard let text = asked["question"] as? String, let evidence = asked["evidence"] as? [String] else {
        continue
      }
      // Some have several ids in one string, and some none that there is.
      let ids = evidence.flatMap { $0.matches(of: /D\d+:\d+/).map { String($0.0) } }
      let places = Set(ids.compactMap { lineOfTurn[$0] })
      let said = ids.compactMap { Int($0.dropFirst().prefix { $0 != ":" }) }.filter(numbers.contains)
      let sessions = Set(said).union(places.map { lines[$0].session })
      guard !sessions.isEmpty else { continue }
      let kind = asked["category"].map { "\($0)" }
      questions.append(Question(text: text, lines: places, sessions: sessions, kind: kind))
    }
  }

  /// Reads a time as `1:56 pm on 8 May, 2023`.
  private static func time(_ text: String) -> Int64? {
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.timeZone = TimeZone(secondsFromGMT: 0)
    form.dateFormat = "h:mm a 'on' d MMMM, yyyy"
    return form.date(from: text).map { Int64($0.timeIntervalSince1970 * 1_000) }
  }
}

import ArgumentParser
import Foundation
import MessageStorage

/// `ranking`: how well questions are answered, and how soon.
struct Ranking: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure how well questions are answered, beside FTS5's own bm25.",
    discussion: """
      Conversations are made up in three languages: facts are told once and asked for in other words. Odd seeds are reported;
      weights are chosen on even ones (--choose). With --set a set of LoCoMo's form is read instead, by sessions: a list of
      conversations, each with session_1, session_2 … of turns (speaker, dia_id, text) and qa (question, evidence, category). Its
      questions are reported by category, too. `ranking-sets.py` fetches public ones.

      Examples:
        scrollback-bench ranking
        scrollback-bench ranking --size 1000000
        scrollback-bench ranking --set locomo10.json
        scrollback-bench ranking --set locomo10.json --half report --report .build/ranking
      """)

  @Option(help: ArgumentHelp("The most messages of a made-up history.", valueName: "count")) var size =
    100_000
  @Option(help: ArgumentHelp("A set of LoCoMo's form.", valueName: "file")) var set: String?
  @Option(help: "The part of a set's questions, drawn by a fixed seed: tuning, report or all.")
  var half = RankingSet.Half.all
  @Option(help: ArgumentHelp("Where to write a page of the set.", valueName: "folder")) var report: String?
  @Option(help: ArgumentHelp("How many questions of each history.", valueName: "count")) var questions = 100
  @Option(help: ArgumentHelp("How many seeds.", valueName: "count")) var seeds = 2
  @Option(help: ArgumentHelp("Where stores are made.", valueName: "folder")) var folder = ".build/bench"
  @Option(help: ArgumentHelp("A weight other than the usual one, as phrase=0.5.", valueName: "name=number"))
  var weight: [String] = []
  @Flag(help: "Try other weights, one after the other, on even seeds, and print what does best.") var choose =
    false

  func validate() throws { _ = try weights() }

  /// The usual weights, but for those that are given.
  private func weights() throws -> RankingWeights {
    var weights = RankingWeights.usual
    for text in weight {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let value = Double(parts[1]),
        let choice = Self.choices.first(where: { $0.name == parts[0] })
      else { throw ValidationError("'\(text)' is not a weight, as \(Self.choices[0].name)=0.5.") }
      choice.set(&weights, value)
    }
    return weights
  }

  func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if let set { return try measure(setAt: URL(fileURLWithPath: set)) }
    if choose { return try chooseWeights() }
    var size = min(10_000, self.size)
    while true {
      for language in FactLanguage.all {
        try measure(
          sets(language, size, isEven: false), "\(language.name), \(size) messages", bySessions: false)
      }
      guard size < self.size else { return }
      size = min(size * 10, self.size)
    }
  }

  private func sets(_ language: FactLanguage, _ size: Int, isEven: Bool) -> [RankingSet] {
    (0..<seeds).map { index in
      RankingSet.made(
        seed: UInt64(2 * index + (isEven ? 0 : 1)), language: language, size: size, questionCount: questions)
    }
  }

  /// Prints the tables of a set, and writes them to a page.
  private func measure(setAt file: URL) throws {
    let sets = RankingSet.halved(try RankingSet.read(from: file), half)
    let name = file.deletingPathExtension().lastPathComponent
    let title = "\(name), \(sets.reduce(0) { $0 + $1.lines.count }) messages, questions: \(half.rawValue)"
    let page = try measure(sets, title, bySessions: sets.first?.judgement != .lines)
    guard let report else { return }
    let folder = URL(fileURLWithPath: report)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("# \(name)\n\(page)".utf8).write(to: folder.appendingPathComponent("ranking-\(name).md"))
  }

  private var path: String { "\(folder)/ranking.db" }

  /// Prints a table of all ways, and one of `search --best` by kind of question.
  @discardableResult
  private func measure(_ sets: [RankingSet], _ name: String, bySessions: Bool) throws -> String {
    let weights = try weights()
    var scores: [RankingMethods.Method: RankingScore] = [:]
    var kinds: [String: RankingScore] = [:]
    for set in sets {
      let methods = try RankingMethods(set, path: path)
      defer { methods.close() }
      for method in RankingMethods.Method.allCases {
        for question in set.questions {
          var score = RankingScore()
          try score.add(to: question, bySessions: bySessions) {
            try methods.answers(to: question, by: method, weights)
          }
          scores[method, default: RankingScore()].add(score)
          if method == .exchanges, let kind = question.kind {
            kinds[kind, default: RankingScore()].add(score)
          }
        }
      }
    }
    StoreFiles.remove(path)
    var page = "\n\(name), \(sets.reduce(0) { $0 + $1.questions.count }) questions\n"
    let ways = RankingMethods.Method.allCases.compactMap { way in
      scores[way].map { (name: way.rawValue, score: $0) }
    }
    page += Self.table("way", ways)
    if kinds.count > 1 {
      let sorted = kinds.sorted { $0.key < $1.key }.map { (name: $0.key, score: $0.value) }
      page += Self.table("kind of question", sorted)
    }
    print(page, terminator: "")
    return page
  }

  private static func table(_ head: String, _ scores: [(name: String, score: RankingScore)]) -> String {
    var text = "\n| \(head) | questions | hit@1 | hit@5 | MRR | p50 | p99 |\n|---|---|---|---|---|---|---|\n"
    for (name, score) in scores {
      let figures = [score.hitAt1, score.hitAt5, score.meanReciprocalRank].map { Self.text($0, 3) }
      let times = [score.times.median, score.times.p99].map { Self.text($0 / 1e6, 1) + " ms" }
      text += "| \(name) | \(score.count) | \((figures + times).joined(separator: " | ")) |\n"
    }
    return text
  }

  private static func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

  // MARK: Weights

  private func chooseWeights() throws {
    let methods = try FactLanguage.all.flatMap { sets($0, min(size, 10_000), isEven: true) }.enumerated()
      .map { index, set in (set, try RankingMethods(set, path: "\(path)-\(index)")) }
    defer { for (_, methods) in methods { methods.close() } }
    func quality(_ weights: RankingWeights) throws -> Double {
      var score = RankingScore()
      for (set, methods) in methods {
        for question in set.questions {
          try score.add(to: question, bySessions: false) {
            try methods.answers(to: question, by: .exchanges, weights)
          }
        }
      }
      return score.meanReciprocalRank
    }
    let usual = try weights()
    var best = (weights: usual, quality: try quality(usual))
    print("as they are: \(Self.text(best.quality, 4))")
    for choice in Self.choices {
      for value in choice.values {
        var weights = best.weights
        choice.set(&weights, value)
        let found = try quality(weights)
        print("\(choice.name) \(value): \(Self.text(found, 4))")
        if found > best.quality { best = (weights, found) }
      }
    }
    print(best.weights)
  }

  private static let choices:
    [(name: String, values: [Double], set: @Sendable (inout RankingWeights, Double) -> Void)] = [
      ("saturation", [0.3, 0.6, 0.9, 1.2], { $0.saturation = $1 }),
      ("lengthPenalty", [0, 0.15, 0.3, 0.5, 0.75], { $0.lengthPenalty = $1 }),
      ("reach", [2, 3, 4, 6], { $0.reach = Int($1) }), ("decay", [0.5, 0.6, 0.7, 0.8], { $0.decay = $1 }),
      ("repetition", [0, 0.2, 0.35, 0.5, 0.7], { $0.repetition = $1 }),
      ("nearness", [0, 0.2, 0.35, 0.5], { $0.nearness = $1 }),
      ("phrase", [0, 0.25, 0.5, 1], { $0.phrase = $1 }),
      ("otherForm", [0.5, 0.7, 0.85, 1], { $0.otherForm = $1 }),
      ("named", [1, 1.3, 1.6], { $0.named = $1 }), ("common", [0, 0.2, 0.4], { $0.common = $1 }),
      ("time", [0, 0.25, 0.5, 1, 2], { $0.time = $1 }), ("date", [0, 0.2, 0.5], { $0.date = $1 }),
    ]
}

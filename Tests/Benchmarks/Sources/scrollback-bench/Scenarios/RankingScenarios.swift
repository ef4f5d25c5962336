import Foundation
import MessageModel
import MessageSourceTesting
import MessageStorage

/// How soon questions of 3 to 12 words are answered, and in how much memory.
struct RankingScenarios {
  let setting: Setting

  func run() throws -> [Finding] {
    let store = try SynchronousMessageStore(
      path: try setting.store(conversations: TimelineScenarios.conversationCount),
      options: StoreOptions(access: .readOnly))
    defer { store.close() }
    let questions = try questions(in: store)
    // What a search takes that people have had before.
    var plain = Measurement()
    for question in questions {
      let words = question.split(separator: " ").map { "\"\($0)\"" }.prefix(2).joined(separator: " ")
      _ = try plain.time { try store.hits(.matching(words), limit: 50) }
    }
    plain.peakBytes = Memory.peak
    var all = Measurement()
    var byLength: [Range<Int>: Measurement] = [:]
    for question in questions {
      let count = question.split(separator: " ").count
      let range = Self.lengths.first { $0.contains(count) } ?? Self.lengths[0]
      var one = byLength[range] ?? Measurement()
      let start = ContinuousClock.now
      _ = try store.exchanges(answering: question)
      let time = ContinuousClock.now - start
      one.add(time)
      all.add(time)
      byLength[range] = one
    }
    all.peakBytes = Memory.peak
    let baseline = ("search for two words", plain)
    return [Finding(name: "search --best, 3 to 12 words", ours: all, baseline: baseline)]
      + Self.lengths.compactMap { range in
        byLength[range].map {
          Finding(name: "search --best, \(range.lowerBound) to \(range.upperBound - 1) words", ours: $0)
        }
      }
  }

  private static let lengths = [3..<6, 6..<10, 10..<13]

  /// Words of messages and of what stands beside them: rare ones and common ones, as they come.
  private func questions(in store: SynchronousMessageStore) throws -> [String] {
    var dice = SeededGenerator(seed: 37)
    let total = try store.page(PageRequest(.everything, fetchLimit: 0)).counts?.total ?? 0
    var questions: [String] = []
    let count = setting.depth.times(300, quick: 100)
    while questions.count < count {
      let place = Int(dice.next() % UInt64(max(total, 1)))
      let page = try store.page(
        PageRequest(.everything, anchor: .ordinal(place), fetchLimit: 8, wantsCounts: false))
      var words = page.messages.flatMap { $0.text.split { !$0.isLetter && !$0.isNumber } }
      let length = 3 + Int(dice.next() % 10)
      var chosen: [Substring] = []
      while chosen.count < length, !words.isEmpty {
        chosen.append(words.remove(at: Int(dice.next() % UInt64(words.count))))
      }
      if chosen.count == length { questions.append(chosen.joined(separator: " ")) }
    }
    return questions
  }
}

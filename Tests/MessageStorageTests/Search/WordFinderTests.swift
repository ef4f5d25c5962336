import Foundation
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageStorage

/// The words of a question in texts, and candidates that are near each other.
@Suite struct WordFinderTests {
  private static let letters = Array(
    "aAbZz09éÉüßşİıœŁłΣςσάЖёЁйאבعربहिन्दीไทยกำ한글각世界ﬁＡ①e\u{301}o\u{308}\u{327}𝒳ǅ".unicodeScalars)
  private static let others = Array(" .,-_#'\u{200D}…💡\n€".unicodeScalars)

  private static func text(_ dice: inout Dice) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<dice.below(60) {
      let scalars = dice.below(4) == 0 ? others : letters
      text.append(scalars[dice.below(scalars.count)])
    }
    return String(text)
  }

  /// The words, each folded as a whole.
  private static func words(_ text: String) -> [String] {
    text.unicodeScalars.split { !$0.isOfWords }.map { FoldedLetters.folded(String($0)) }
      .filter { !$0.isEmpty }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 100 : 25))
  func `letters that are looked up once make the words that are folded as a whole`(seed: UInt64) {
    var dice = Dice(seed: seed)
    let letters = FoldedLetters()
    for _ in 0..<40 {
      let text = Self.text(&dice)
      #expect(QuestionWordFinder.words(of: text, letters) == Self.words(text), "\(text)")
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 50 : 12))
  func `each word of a question is counted as often as it is there`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    for _ in 0..<40 {
      let text = Self.text(&dice) + " " + Self.text(&dice)
      let all = Self.words(text)
      // Of some letters what is left has another form without accents.
      guard let wanted = all.first(where: { FoldedLetters.folded($0) == $0 }),
        let run = text.first(where: { $0.unicodeScalars.contains { $0.isOfWords } })
      else { continue }
      let finder = QuestionWordFinder([
        QuestionWord(text: wanted, forms: [wanted, "zzzz"]),
        QuestionWord(text: String(run), forms: [], isRun: true), QuestionWord(text: "qqqq", forms: ["qqqq"]),
      ])
      let finding = finder.counts(in: text)
      #expect(finding.counts == [UInt8(all.count { $0 == wanted }), 1, 0], "\(text)")
      #expect(finding.length == all.count)
    }
  }

  @Test func `of a long text the beginning is looked at, wherever a character is cut`() {
    let finder = QuestionWordFinder([QuestionWord(text: "pear", forms: ["pear"])])
    for shift in 0..<6 {
      let text =
        "pear " + String(repeating: "x", count: shift) + String(repeating: "世", count: 5_000) + " pear"
      #expect(finder.counts(in: text).counts == [1])
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 50 : 12))
  func `what is near a candidate are the words of all within the span`(seed: UInt64) {
    var dice = Dice(seed: seed)
    var time: Int64 = 1_700_000_000_000
    let candidates = (0..<200).map { _ -> (id: Int64, words: UInt32) in
      time -= Int64(dice.below(4) == 0 ? dice.below(40) : dice.below(5))
      return (time << 12 | Int64(dice.below(4_096)), UInt32(dice.below(64)) << UInt32(dice.below(27)))
    }
    .sorted { $0.id > $1.id }
    var near = Neighbourhood(candidates.map { $0.id >> 12 }, candidates.map(\.words), span: 20)
    for (place, candidate) in candidates.enumerated() {
      let expected = candidates.filter { abs(($0.id >> 12) - (candidate.id >> 12)) <= 20 }
        .reduce(UInt32(0)) { $0 | $1.words }
      #expect(near.words(around: place) == expected)
    }
  }
}

import Foundation
import Testing

@testable import scrollback_bench

/// Sets of LoCoMo's form.
@Suite struct RankingSetTests {
  private func sets() throws -> [RankingSet] {
    let questions = (0..<40).map { index in
      #"{"question": "q\#(index)", "evidence": ["D1:\#(index % 2 + 1)"], "category": \#(index % 3)}"#
    }
    let text = """
      [{"sample_id": "a", "by": "lines", "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "ann", "dia_id": "D1:1", "text": "tea"}, {"speaker": "bob", "dia_id": "D1:2", "text": "no"}]},
        "qa": [\(questions.joined(separator: ", "))]}]
      """
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try RankingSet.read(from: file)
  }

  @Test func `a set has its lines, its questions by kind and how answers are judged`() throws {
    let set = try #require(try sets().first)
    #expect(set.lines.map(\.text) == ["tea", "no"] && set.judgement == .lines)
    #expect(set.questions.count == 40)
    #expect(set.questions[1].lines == [1] && set.questions[1].kind == "1")
  }

  @Test func `the halves of a set share no question and are the same each time`() throws {
    let sets = try sets()
    func texts(_ half: RankingSet.Half) -> [String] {
      RankingSet.halved(sets, half).flatMap { $0.questions.map(\.text) }
    }
    let (tuning, report) = (texts(.tuning), texts(.report))
    #expect(Set(tuning).isDisjoint(with: report) && tuning.count + report.count == 40)
    #expect(min(tuning.count, report.count) > 10)
    #expect(texts(.tuning) == tuning && texts(.all).count == 40)
  }
}

import MessageModel

/// How well questions were answered.
struct RankingScore {
  private(set) var count = 0
  private var firsts = 0
  private var amongFive = 0
  private var reciprocals = 0.0
  private(set) var times = Measurement()

  var hitAt1: Double { Double(firsts) / Double(max(count, 1)) }
  var hitAt5: Double { Double(amongFive) / Double(max(count, 1)) }
  var meanReciprocalRank: Double { reciprocals / Double(max(count, 1)) }

  /// Takes in what other answers scored.
  mutating func add(_ other: RankingScore) {
    count += other.count
    firsts += other.firsts
    amongFive += other.amongFive
    reciprocals += other.reciprocals
    times.add(other.times)
  }

  /// Takes in the answers to a question.
  ///
  /// - Parameter bySessions: Whether an answer is right whose session is; else it must have a line of the fact.
  mutating func add(
    to question: RankingSet.Question, bySessions: Bool,
    _ answers: () throws -> [(lines: Set<Int>, session: Int)]
  ) throws {
    let found = try times.time(answers)
    var (seen, rank): (Set<Int>, Int) = ([], 0)
    count += 1
    for answer in found {
      if bySessions, !seen.insert(answer.session).inserted { continue }
      rank += 1
      let isRight =
        bySessions || answer.lines.isEmpty
        ? question.sessions.contains(answer.session) : !answer.lines.isDisjoint(with: question.lines)
      guard isRight else { continue }
      if rank == 1 { firsts += 1 }
      if rank <= 5 { amongFive += 1 }
      reciprocals += 1 / Double(rank)
      return
    }
  }
}

/// The figures of a story, against its goals and the naive way.
struct StoryTable {
  /// One figure.
  struct Line {
    var name: String
    var ours: String
    /// The goal, and whether it is met.
    var goal: (text: String, isMet: Bool)?
    var naive = ""
  }

  var title: String
  var lines: [Line] = []
  /// What else there is to know, a sentence each.
  var remarks: [String] = []

  /// Whether all goals are met.
  var isFulfilled: Bool { lines.allSatisfy { $0.goal?.isMet ?? true } }

  /// The table in Markdown.
  var text: String {
    var rows = [["", "Scrollback", "goal", "", "the naive way"], Array(repeating: "---", count: 5)]
    for line in lines {
      let mark = line.goal.map { $0.isMet ? "met" : "MISSED" } ?? ""
      rows.append([line.name, line.ours, line.goal?.text ?? "", mark, line.naive])
    }
    let table = rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    return "## \(title)\n\n\(table)" + (remarks.isEmpty ? "" : "\n\n" + remarks.joined(separator: "\n"))
  }

  /// Adds a figure that is to be at most so much.
  mutating func add(
    _ name: String, _ figure: Double, _ unit: Unit, atMost goal: Double? = nil, naive: String = ""
  ) {
    lines.append(
      Line(
        name: name, ours: unit.text(figure), goal: goal.map { ("≤ " + unit.text($0), figure <= $0) },
        naive: naive))
  }

  /// What is counted.
  enum Unit {
    case milliseconds, megabytes, count, times

    func text(_ figure: Double) -> String {
      let digits = figure < 10 ? 100.0 : figure < 100 ? 10.0 : 1.0
      var number = "\((figure * digits).rounded() / digits)"
      if number.hasSuffix(".0") { number.removeLast(2) }
      return switch self {
      case .milliseconds: number + " ms"
      case .megabytes: number + " MB"
      case .count: number
      case .times: number + "×"
      }
    }
  }
}

import TerminalText

/// What a reader of the page asks first: the usual things that a person does, at all sizes side by side.
enum Overview {
  /// The questions, and the scenario that answers each.
  static let rows: [(question: String, scenario: String)] = [
    ("all of it imported", "import of JSON Lines"),
    ("the program started, to its first screen", "start to the newest on screen"),
    ("a page up, from key to screen", "key to screen: a page up"),
    ("a date or a part gone to, from key to screen", "key to screen: /goto a part or a date"),
    ("the hit before, from key to screen", "key to screen: the hit before"),
    ("a page of 50 at a random place", "page of 50 at a random place"),
    ("a page of 50 around a date", "page of 50 around a date"),
    ("a page of 50 by one sender", "page of 50 by one sender at a random place"),
    ("the number of a message", "ordinal of an id"),
    ("the message of a number", "k-th message"),
    ("a window's jump to a random message", "jump of a window to a random message"),
    ("a window scrolled by a page", "scrolling a window by a page"),
    ("a commit answered by a window", "answering a commit in a window of 100"),
    ("a message appended, durable", "live append, durable"),
    ("1,000 messages appended at once", "append of 1,000 messages at once, durable"),
    ("the newest 50 hits of a common word", "newest 50 hits of a common word"),
    ("the newest 50 hits of a rare word", "newest 50 hits of a rare word"),
    ("a sender's messages with a common word counted, in 1,000 conversations", "count: a sender and a word"),
    ("`search` for a rare word", "search of a rare word, whole process"),
    ("`search --regex`, all texts read", "search of a regular expression, whole process"),
    ("`tail`", "tail -n 50"),
    ("`check --quick`", "check --quick"),
    (
      "an append, until another process shows it",
      "an append of another process, from its commit to `tail -f`"
    ),
  ]

  /// The table, of medians, with the newest program of each size in its last line; what is of another is set in italics.
  static func table(_ findings: [Finding]) -> String {
    let sizes = Set(findings.map(\.size)).filter(isPower).sorted()
    let programs = sizes.map { size in
      Origin.newest(of: findings.filter { $0.size == size })?.commit
    }
    let head = [[""] + sizes.map(NumberText.grouped), ["---"] + sizes.map { _ in "---:" }]
    let lines = rows.compactMap { row -> [String]? in
      let measured = findings.filter { $0.name == row.scenario }
      guard !measured.isEmpty else { return nil }
      return [row.question]
        + zip(sizes, programs).map { size, program in
          guard let finding = measured.first(where: { $0.size == size }) else { return "" }
          let time = FindingTable.time(finding.ours.median)
          return finding.origin?.commit == program ? time : "*\(time)*"
        }
    }
    let last = [["measured at commit"] + programs.map { $0.map { String($0.prefix(8)) } ?? "" }]
    return (head + lines + last).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// The findings that the picture of growth shows.
  static func plotted(_ findings: [Finding]) -> [Finding] {
    let names = Set(rows.map(\.scenario))
    return findings.filter { names.contains($0.name) && isPower($0.size) }
  }

  private static func isPower(_ size: Int) -> Bool {
    var rest = size
    while rest > 1, rest % 10 == 0 { rest /= 10 }
    return rest == 1
  }
}

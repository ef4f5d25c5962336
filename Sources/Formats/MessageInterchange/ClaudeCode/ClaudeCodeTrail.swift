internal import MessageModel

/// The ways that a session of Claude Code took: each question begins a piece, and who went back and asked something else
/// left a way behind.
///
/// Records name the one before them, and pieces hold all that came of a question: answers to tools that were called side by
/// side fork, too, and leave nothing behind. Memory holds the questions, and the records of late: what names one before
/// those goes on where the file is.
struct ClaudeCodeTrail {
  /// A question, by its place among them.
  typealias Place = Int32

  private struct Prompt {
    var parent: Place?
    var id: String
  }

  private var prompts: [Prompt] = []
  /// The questions that records belong to, by hashes of their ids.
  private var places: [UInt64: Place] = [:]
  private var former: [UInt64: Place] = [:]
  /// Whether a question has named a record that is known. Some programs write sessions in which none does.
  private var isChained = false
  /// The question that the last record of the session belongs to.
  private(set) var current: Place?

  /// So many records are remembered at least.
  private static let capacity = 1 << 17

  /// Takes the next record of the session, and returns the question that it belongs to; `nil` before the first.
  mutating func take(_ record: ClaudeCodeRecord) -> Place? {
    var place = current
    // A question without a parent is the first one, asked again.
    var isRoot = false
    if let parent = record.parent {
      let key = FNVHash.of(parent)
      if let known = places[key] ?? former[key] {
        place = known < 0 ? nil : known
        isChained = isChained || record.role == .prompt
      }
    } else {
      isRoot = record.role == .prompt && isChained
    }
    if record.role == .prompt {
      prompts.append(Prompt(parent: isRoot ? nil : place, id: record.id))
      place = Place(prompts.count - 1)
    }
    if places.count >= Self.capacity { (former, places) = (places, [:]) }
    places[FNVHash.of(record.id)] = place ?? -1
    current = place
    return place
  }

  /// The branches that a whole session left behind: of each question that is not on the way to the last record, the first
  /// that is not, and its id.
  func branches() -> [Place: String] {
    var isOnWay = [Bool](repeating: false, count: prompts.count)
    var place = current
    while let here = place {
      isOnWay[Int(here)] = true
      place = prompts[Int(here)].parent
    }
    var starts = [Place?](repeating: nil, count: prompts.count)
    var branches: [Place: String] = [:]
    for (index, prompt) in prompts.enumerated() where !isOnWay[index] {
      // A parent comes before its children in the file.
      let start = prompt.parent.flatMap { starts[Int($0)] } ?? Place(index)
      starts[index] = start
      branches[Place(index)] = prompts[Int(start)].id
    }
    return branches
  }
}

internal import MessageModel

/// The branches of a session: each prompt begins one, and going back to prompt again abandons another.
///
/// Records name their predecessor, and everything that follows from a prompt belongs to it: parallel results
/// of tools fork too, but abandon nothing. Memory holds the prompts and the latest records; a record that
/// names an older one continues the current prompt.
struct ClaudeCodeTrail {
  typealias Place = Int32

  private struct Prompt {
    var parent: Place?
    var id: String
  }

  private var prompts: [Prompt] = []
  private var places: [UInt64: Place] = [:]
  private var former: [UInt64: Place] = [:]
  /// Whether a prompt has named a known record; some programs write sessions in which none does.
  private var isChained = false
  private(set) var current: Place?

  private static let capacity = 1 << 17

  mutating func take(_ record: ClaudeCodeRecord) -> Place? {
    var place = current
    // A prompt without a parent is the first one, asked again.
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

  /// For each prompt off the path to the last record, the id of the first prompt of its branch.
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
      // A parent precedes its children in the file.
      let start = prompt.parent.flatMap { starts[Int($0)] } ?? Place(index)
      starts[index] = start
      branches[Place(index)] = prompts[Int(start)].id
    }
    return branches
  }
}

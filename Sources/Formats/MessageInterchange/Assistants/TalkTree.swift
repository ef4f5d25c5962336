/// The messages of a conversation with branches, as a tree by the message that each follows.
struct TalkTree {
  /// For each message the first one of its abandoned branch; `nil` on the path to the last message.
  let branches: [Int?]

  /// - Parameters:
  ///   - parents: For each message the index of the one it follows; `nil` for the first. Cycles in a bad file
  ///     end.
  ///   - leaf: The last message of the path taken; `nil` for the last in the list.
  /// - Complexity: O(messages).
  init(parents: [Int?], leaf: Int?) {
    var isOnWay = [Bool](repeating: false, count: parents.count)
    var place = leaf ?? parents.indices.last
    while let here = place, !isOnWay[here] {
      isOnWay[here] = true
      place = parents[here]
    }
    var branches = [Int?](repeating: nil, count: parents.count)
    for index in parents.indices where !isOnWay[index] && branches[index] == nil {
      var walk: [Int] = []
      var walked = Set<Int>()
      var start = index
      var here: Int? = index
      while let next = here, !isOnWay[next], walked.insert(next).inserted {
        if let known = branches[next] {
          start = known
          break
        }
        walk.append(next)
        start = next
        here = parents[next]
      }
      for message in walk { branches[message] = start }
    }
    self.branches = branches
  }

  /// The indices of the messages in reading order, the path taken first.
  ///
  /// - Complexity: O(*n* log *n*) in *n* messages.
  func order(_ parents: [Int?]) -> [Int] {
    var depths = [Int?](repeating: nil, count: parents.count)
    for index in parents.indices where depths[index] == nil {
      var walk: [Int] = []
      var walked: Set<Int> = []
      var here: Int? = index
      while let next = here, depths[next] == nil, walked.insert(next).inserted {
        walk.append(next)
        here = parents[next]
      }
      var depth = here.flatMap { depths[$0] } ?? -1
      for place in walk.reversed() {
        depth += 1
        depths[place] = depth
      }
    }
    return parents.indices.sorted { a, b in
      (branches[a] ?? -1, depths[a] ?? 0, a) < (branches[b] ?? -1, depths[b] ?? 0, b)
    }
  }
}

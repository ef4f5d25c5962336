/// The messages of a talk that went several ways, as a tree: each has the one that it follows.
struct TalkTree {
  /// Of each message the first one of its branch that was left behind; `nil` for those on the way to the last.
  let branches: [Int?]

  /// Finds the branches.
  ///
  /// - Parameters:
  ///   - parents: Of each message the one that it follows, by its place; `nil` for the first. A file may lie: circles end.
  ///   - leaf: The last message of the way that was taken; `nil` for the last in the list.
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

  /// Returns the places of the messages in the order in which they follow each other, the way that was taken first.
  ///
  /// - Parameter parents: Of each message the one that it follows, as the tree was made of.
  /// - Complexity: O(messages), and sorting.
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

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
}

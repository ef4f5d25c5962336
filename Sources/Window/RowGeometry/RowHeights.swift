internal import MessageWindows

/// The heights of a list's rows: a few are measured, all others have one estimated height.
///
/// A B+ tree of the measured rows, with the number of unmeasured rows before each. A measured row costs 16
/// bytes and its share of a node; unmeasured rows cost nothing. Heights are whole multiples of
/// 1/``unitsPerPoint`` point, so that sums are exact in any order; the halves and thirds of points that
/// screens use are such multiples.
struct RowHeights: Sendable {
  /// 2¹⁶ thirds of a point.
  static let unitsPerPoint = 196_608.0
  /// In points.
  static let maxHeight = 100_000.0
  /// That many rows of the greatest height have a sum of less than a third of `Int.max`.
  static let maxCount = 1 << 27

  /// The rows up to the last measured one.
  private var tree = Node()
  private(set) var count: Int
  /// In units.
  var estimate: Int

  init(count: Int, estimate: Int) {
    self.count = count
    self.estimate = estimate
  }

  var measuredCount: Int { tree.sum.measured }

  var total: Int { height(tree.sum) + (count - tree.sum.rows) * estimate }

  static func units(_ points: Double) -> Int {
    points.isNaN ? 0 : Int((min(max(points, 0), maxHeight) * unitsPerPoint).rounded())
  }

  // MARK: Questions

  /// In units.
  func top(of row: Int) -> Int {
    guard row < tree.sum.rows else { return height(tree.sum) + (row - tree.sum.rows) * estimate }
    var sum = Sum()
    tree.add(before: row, to: &sum)
    return sum.height + (row - sum.measured) * estimate
  }

  func height(of row: Int) -> Int { top(of: row + 1) - top(of: row) }

  /// `nil` unless it was measured.
  func measuredHeight(of row: Int) -> Int? { tree.firstMeasured(from: row) == row ? height(of: row) : nil }

  /// Returns the row at a position, in units below ``total``; of several rows of height 0 there, the last
  /// one.
  func row(at place: Int) -> Int {
    let inTree = height(tree.sum)
    guard place < inTree else {
      return estimate > 0 ? min(count - 1, tree.sum.rows + (place - inTree) / estimate) : count - 1
    }
    return tree.row(at: place, estimate)
  }

  private func height(_ sum: Sum) -> Int { sum.height + (sum.rows - sum.measured) * estimate }

  // MARK: Changes

  mutating func measure(_ row: Int, _ height: Int) {
    if row < tree.sum.rows {
      tree.measure(row, height)
    } else {
      tree.append(Run(gap: row - tree.sum.rows, height: height))
    }
    tree.growIfFull()
  }

  mutating func insert(_ rows: Range<Int>) {
    if rows.lowerBound < tree.sum.rows { tree.widen(at: rows.lowerBound, by: rows.count) }
    count += rows.count
  }

  mutating func remove(_ rows: Range<Int>) {
    while let row = tree.firstMeasured(from: rows.lowerBound), row < rows.upperBound { forget(row) }
    // All of them are unmeasured now, so they precede the same measured row, if any.
    if rows.lowerBound < tree.sum.rows { tree.widen(at: rows.lowerBound, by: -rows.count) }
    count -= rows.count
  }

  mutating func forgetAll() { tree = Node() }

  private mutating func forget(_ row: Int) {
    let gap = tree.forget(row)
    // They now precede the next measured row, or follow all.
    let start = row - gap
    if start < tree.sum.rows { tree.widen(at: start, by: gap + 1) }
    tree.shrinkIfThin()
  }
}

extension RowHeights {
  /// A measured row, and the number of unmeasured ones before it.
  fileprivate struct Run: Sendable {
    var gap: Int
    var height: Int
  }

  /// The height is that of the measured rows.
  fileprivate struct Sum: Sendable {
    var rows = 0
    var measured = 0
    var height = 0

    static func += (sum: inout Sum, other: Sum) {
      sum.rows += other.rows
      sum.measured += other.measured
      sum.height += other.height
    }

    static func += (sum: inout Sum, run: Run) {
      sum.rows += run.gap + 1
      sum.measured += 1
      sum.height += run.height
    }
  }

  /// Has either children or runs.
  fileprivate struct Node: Sendable {
    var sum = Sum()
    var runs: [Run] = []
    var children: [Node] = []

    static let most = 64
    var isLeaf: Bool { children.isEmpty }
    var isEmpty: Bool { runs.isEmpty && children.isEmpty }
    var width: Int { isLeaf ? runs.count : children.count }
    var isFull: Bool { width > Self.most }
  }
}

extension RowHeights.Node {
  // MARK: Questions

  func add(before row: Int, to sum: inout RowHeights.Sum) {
    var left = row
    for index in children.indices {
      guard left >= children[index].sum.rows else { return children[index].add(before: left, to: &sum) }
      left -= children[index].sum.rows
      sum += children[index].sum
    }
    for run in runs {
      guard left > run.gap else { return }
      left -= run.gap + 1
      sum += run
    }
  }

  func row(at place: Int, _ estimate: Int) -> Int {
    var (left, row) = (place, 0)
    for index in children.indices {
      let sum = children[index].sum
      let height = sum.height + (sum.rows - sum.measured) * estimate
      guard left >= height else { return row + children[index].row(at: left, estimate) }
      (left, row) = (left - height, row + sum.rows)
    }
    for run in runs {
      let gap = run.gap * estimate
      guard left >= gap else { return row + left / estimate }
      guard left >= gap + run.height else { return row + run.gap }
      (left, row) = (left - gap - run.height, row + run.gap + 1)
    }
    return row - 1
  }

  func firstMeasured(from row: Int) -> Int? {
    guard row < sum.rows else { return nil }
    var start = 0
    for index in children.indices {
      if row - start < children[index].sum.rows {
        return children[index].firstMeasured(from: max(0, row - start)).map { start + $0 }
      }
      start += children[index].sum.rows
    }
    for run in runs {
      if row <= start + run.gap { return start + run.gap }
      start += run.gap + 1
    }
    return nil
  }

  // MARK: Changes

  private func find(_ row: Int) -> (index: Int, row: Int) {
    var left = row
    for index in children.indices {
      guard left >= children[index].sum.rows else { return (index, left) }
      left -= children[index].sum.rows
    }
    for index in runs.indices {
      guard left > runs[index].gap else { return (index, left) }
      left -= runs[index].gap + 1
    }
    preconditionFailure("a row behind all that are in the tree")
  }

  mutating func measure(_ row: Int, _ height: Int) {
    let (index, inner) = find(row)
    guard isLeaf else {
      let before = children[index].sum
      children[index].measure(inner, height)
      sum.measured += children[index].sum.measured - before.measured
      sum.height += children[index].sum.height - before.height
      return splitChild(index)
    }
    if inner == runs[index].gap {
      sum.height += height - runs[index].height
      runs[index].height = height
    } else {
      runs[index].gap -= inner + 1
      runs.insert(RowHeights.Run(gap: inner, height: height), at: index)
      sum.measured += 1
      sum.height += height
    }
  }

  mutating func append(_ run: RowHeights.Run) {
    sum += run
    guard !isLeaf else { return runs.append(run) }
    children[children.count - 1].append(run)
    splitChild(children.count - 1)
  }

  /// Changes the number of rows before the first measured row from `row` on.
  mutating func widen(at row: Int, by count: Int) {
    let (index, inner) = find(row)
    sum.rows += count
    if isLeaf { runs[index].gap += count } else { children[index].widen(at: inner, by: count) }
  }

  /// Removes the unmeasured ones before it, too, and returns their number.
  mutating func forget(_ row: Int) -> Int {
    let (index, inner) = find(row)
    let gap: Int
    if isLeaf {
      let run = runs.remove(at: index)
      gap = run.gap
      sum.height -= run.height
    } else {
      let before = children[index].sum.height
      gap = children[index].forget(inner)
      sum.height += children[index].sum.height - before
      joinChild(index)
    }
    sum.rows -= gap + 1
    sum.measured -= 1
    return gap
  }

  mutating func growIfFull() {
    guard isFull else { return }
    var root = RowHeights.Node()
    root.sum = sum
    root.children = [self]
    root.splitChild(0)
    self = root
  }

  mutating func shrinkIfThin() {
    while children.count == 1 { self = children[0] }
  }

  /// Splits at the ends so that appending rows leaves full nodes behind.
  private mutating func splitChild(_ index: Int) {
    guard children[index].isFull else { return }
    let isLast = index == children.count - 1
    let isFirst = index == 0 && !isLast
    let width = children[index].width
    let kept = isLast ? width - 1 : isFirst ? 1 : width / 2
    children.insert(children[index].split(at: kept), at: index + 1)
  }

  private mutating func split(at index: Int) -> RowHeights.Node {
    var rest = RowHeights.Node()
    if isLeaf {
      rest.runs = Array(runs[index...])
      runs.removeSubrange(index...)
    } else {
      rest.children = Array(children[index...])
      children.removeSubrange(index...)
    }
    rest.addUp()
    addUp()
    return rest
  }

  /// Joins a small child with its neighbour if one node can hold both.
  private mutating func joinChild(_ index: Int) {
    if children[index].isEmpty {
      children.remove(at: index)
      return
    }
    guard children[index].width < RowHeights.Node.most / 4, children.count > 1 else { return }
    let first = index == 0 ? 0 : index - 1
    guard children[first].width + children[first + 1].width <= RowHeights.Node.most else { return }
    let other = children.remove(at: first + 1)
    children[first].runs += other.runs
    children[first].children += other.children
    children[first].sum += other.sum
  }

  private mutating func addUp() {
    sum = RowHeights.Sum()
    for run in runs { sum += run }
    for index in children.indices { sum += children[index].sum }
  }
}

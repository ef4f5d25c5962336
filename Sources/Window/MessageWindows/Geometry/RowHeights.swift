/// The heights of a list's rows, in order: a few are measured, all others have one estimated height.
///
/// A B+ tree of the measured rows, each with the number of rows between it and the one before. A measured row takes 16 bytes
/// and its share of a node, others take nothing. Heights are whole numbers of ``unitsPerPoint``, so that sums are exact in
/// whatever order they are made: halves and thirds of a point, as screens have them, are such numbers.
struct RowHeights: Sendable {
  /// The parts of a point that heights are counted in: 2¹⁶ thirds.
  static let unitsPerPoint = 196_608.0
  /// The greatest height of a row, in points.
  static let maxHeight = 100_000.0
  /// The most rows: that many of the greatest height have a sum that an `Int` holds more than three times.
  static let maxCount = 1 << 27

  /// The rows up to the last one that is measured.
  private var tree = Node()
  /// The number of rows.
  private(set) var count: Int
  /// The height of a row that is not measured, in units.
  var estimate: Int

  init(count: Int, estimate: Int) {
    self.count = count
    self.estimate = estimate
  }

  /// The number of rows that are measured.
  var measuredCount: Int { tree.sum.measured }

  /// The sum of all heights.
  var total: Int { height(tree.sum) + (count - tree.sum.rows) * estimate }

  /// Returns how many units a height in points has; what is no height becomes the nearest one.
  static func units(_ points: Double) -> Int {
    points.isNaN ? 0 : Int((min(max(points, 0), maxHeight) * unitsPerPoint).rounded())
  }

  // MARK: Questions

  /// Returns the sum of the heights of the rows before one.
  ///
  /// - Complexity: O(log *measured*).
  func top(of row: Int) -> Int {
    guard row < tree.sum.rows else { return height(tree.sum) + (row - tree.sum.rows) * estimate }
    var sum = Sum()
    tree.add(before: row, to: &sum)
    return sum.height + (row - sum.measured) * estimate
  }

  /// Returns the height of a row.
  ///
  /// - Complexity: O(log *measured*).
  func height(of row: Int) -> Int { top(of: row + 1) - top(of: row) }

  /// Returns the height of a row that was measured; `nil` of another one.
  func measuredHeight(of row: Int) -> Int? { tree.firstMeasured(from: row) == row ? height(of: row) : nil }

  /// Returns the row that covers a place, the last one of those that begin there if some have no height.
  ///
  /// - Parameter place: Units from the top of the first row; not negative, and less than ``total``.
  /// - Complexity: O(log *measured*).
  func row(at place: Int) -> Int {
    let inTree = height(tree.sum)
    guard place < inTree else {
      return estimate > 0 ? min(count - 1, tree.sum.rows + (place - inTree) / estimate) : count - 1
    }
    return tree.row(at: place, estimate)
  }

  private func height(_ sum: Sum) -> Int { sum.height + (sum.rows - sum.measured) * estimate }

  // MARK: Changes

  /// Notes the height of a row.
  ///
  /// - Complexity: O(log *measured*).
  mutating func measure(_ row: Int, _ height: Int) {
    if row < tree.sum.rows {
      tree.measure(row, height)
    } else {
      tree.append(Run(gap: row - tree.sum.rows, height: height))
    }
    tree.growIfFull()
  }

  /// Takes rows in whose heights are not known.
  ///
  /// - Complexity: O(log *measured*).
  mutating func insert(_ rows: Range<Int>) {
    if rows.lowerBound < tree.sum.rows { tree.widen(at: rows.lowerBound, by: rows.count) }
    count += rows.count
  }

  /// Lets go of rows.
  ///
  /// - Complexity: O(*k* log *measured*), *k* the measured ones among them.
  mutating func remove(_ rows: Range<Int>) {
    while let row = tree.firstMeasured(from: rows.lowerBound), row < rows.upperBound { forget(row) }
    // None of them is measured now: if anything behind them is, they lie before the same one.
    if rows.lowerBound < tree.sum.rows { tree.widen(at: rows.lowerBound, by: -rows.count) }
    count -= rows.count
  }

  /// Forgets all heights.
  mutating func forgetAll() { tree = Node() }

  private mutating func forget(_ row: Int) {
    let gap = tree.forget(row)
    // They lie before the next one now, or behind all.
    let start = row - gap
    if start < tree.sum.rows { tree.widen(at: start, by: gap + 1) }
    tree.shrinkIfThin()
  }
}

extension RowHeights {
  /// A measured row, and the rows before it that are not.
  fileprivate struct Run: Sendable {
    var gap: Int
    var height: Int
  }

  /// The sums of some rows: of the heights only those that are measured.
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

  /// A node of the tree: with children, or with runs.
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

  /// Adds the sums of the rows before one.
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

  /// Returns the row that covers a place before the end of the node.
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

  /// Returns the first measured row that is not before another one.
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

  /// Returns the child or the run that a row belongs to, and the row's number within it.
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

  /// Notes the height of a row of the node.
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

  /// Adds a measured row behind all others.
  mutating func append(_ run: RowHeights.Run) {
    sum += run
    guard !isLeaf else { return runs.append(run) }
    children[children.count - 1].append(run)
    splitChild(children.count - 1)
  }

  /// Has more or fewer rows lie before the first measured one that is not before `row`.
  mutating func widen(at row: Int, by count: Int) {
    let (index, inner) = find(row)
    sum.rows += count
    if isLeaf { runs[index].gap += count } else { children[index].widen(at: inner, by: count) }
  }

  /// Lets go of a measured row and of the unmeasured ones before it, and returns how many these were.
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

  // MARK: Shape

  /// Has the tree become one level higher if its root is full.
  mutating func growIfFull() {
    guard isFull else { return }
    var root = RowHeights.Node()
    root.sum = sum
    root.children = [self]
    root.splitChild(0)
    self = root
  }

  /// Has the tree become lower while its root has one child alone.
  mutating func shrinkIfThin() {
    while children.count == 1 { self = children[0] }
  }

  /// Parts a child that is full. Where rows come in order, at one of the ends, the full part stays full.
  private mutating func splitChild(_ index: Int) {
    guard children[index].isFull else { return }
    let isLast = index == children.count - 1
    let isFirst = index == 0 && !isLast
    let width = children[index].width
    let kept = isLast ? width - 1 : isFirst ? 1 : width / 2
    children.insert(children[index].split(at: kept), at: index + 1)
  }

  /// Keeps what is before an index, and returns the rest.
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

  /// Joins a child that has become small with its neighbour, if one node has room for both.
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

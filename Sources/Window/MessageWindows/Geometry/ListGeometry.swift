/// The positions of the rows of a list, and the part of them in view, for list views whose rows have heights that are known
/// late.
///
/// A chat is read from its end, and its rows are measured when they are shown. A list that only keeps its offset jumps whenever
/// a row above the reader turns out higher than it was thought, or older rows come. This value keeps a row at its place on the
/// screen instead, its ``anchor``, and says where the list is to scroll:
///
/// ```swift
/// var geometry = ListGeometry(rowCount: rows.count, estimatedHeight: 60, viewportHeight: bounds.height)
///
/// // New rows, or other heights:
/// if let scroll = geometry.apply(snapshot.rowChanges) { contentOffset.y = scroll.offset }
/// if let scroll = geometry.measure(index, height: cell.bounds.height) { contentOffset.y = scroll.offset }
/// // The reader:
/// geometry.scroll(to: contentOffset.y)
/// ```
///
/// It knows no toolkit. Heights and places are in points; sums are exact, so nothing moves however long one reads.
public struct ListGeometry: Sendable {
  /// The place on the screen that stays when something else changes.
  public enum Anchor: Hashable, Sendable {
    /// The end of the list is at the end of the viewport.
    case end
    /// The top of a row is so far below the top of the viewport; above it if the distance is negative.
    case row(Int, distance: Double)
  }

  /// A place for a list to scroll to.
  public struct Scroll: Hashable, Sendable {
    /// The offset to set: where the top of the viewport is, from the top of the first row.
    public let offset: Double
    /// The difference to the offset before.
    public let change: Double
  }

  private var heights: RowHeights
  /// The place that stays, its distance in units.
  private enum Hold {
    case end
    case row(Int, distance: Int)
  }
  private var hold: Hold
  private var viewport: Int
  /// Whether a reader who reaches the end stays there when rows come behind it, `true` unless set: the newest message is the last row. Set it
  /// to `false` while newer ones exist that the list does not hold.
  public var followsEnd = true {
    didSet { if !followsEnd, case .end = hold { hold = held(at: offsetUnits) } }
  }

  /// Creates the geometry of a list.
  ///
  /// - Parameters:
  ///   - rowCount: The number of rows; of more than 2²⁷ the rest is passed over.
  ///   - estimatedHeight: The height of a row that was not measured, in points.
  ///   - viewportHeight: The height of what one sees of the list, in points.
  ///   - anchor: Where the list begins.
  public init(rowCount: Int = 0, estimatedHeight: Double, viewportHeight: Double, anchor: Anchor = .end) {
    heights = RowHeights(
      count: min(max(0, rowCount), RowHeights.maxCount), estimate: RowHeights.units(estimatedHeight))
    viewport = RowHeights.units(viewportHeight)
    hold = .end
    hold = Self.hold(anchor, of: heights.count)
  }

  // MARK: Questions

  /// The number of rows.
  public var rowCount: Int { heights.count }
  /// The number of rows whose height is known.
  public var measuredCount: Int { heights.measuredCount }
  /// The height of all rows.
  public var contentHeight: Double { Self.points(heights.total) }
  /// The height of what one sees.
  public var viewportHeight: Double { Self.points(viewport) }
  /// The place of the viewport's top, from the top of the first row. It is never negative, and beyond the end of a list that is
  /// shorter than the viewport there is nothing to scroll to.
  ///
  /// - Complexity: O(log *measured*).
  public var offset: Double { Self.points(offsetUnits) }

  /// The place that stays when something else changes: the end, or the row that the list was scrolled to
  /// (``scroll(to:)-(ListGeometry.Anchor)``) or, after the reader has scrolled, the first row that is wholly in view.
  ///
  /// A row above it that is measured later, or comes, moves nothing below. Where there is not enough below the row to scroll so far,
  /// it stands lower than its distance says, and comes to that place when there is.
  public var anchor: Anchor {
    switch hold {
    case .end: .end
    case .row(let row, let distance): .row(row, distance: Self.points(distance))
    }
  }

  /// The rows of which something is in view.
  ///
  /// - Complexity: O(log *measured*).
  public var visible: Range<Int> {
    let (start, total) = (offsetUnits, heights.total)
    guard total > start, viewport > 0 else { return 0..<0 }
    return heights.row(at: start)..<(heights.row(at: min(start + viewport, total) - 1) + 1)
  }

  /// Returns the place of a row's top, from the top of the first row; for the row behind the last one ``contentHeight``.
  ///
  /// - Complexity: O(log *measured*).
  public func top(of row: Int) -> Double { Self.points(heights.top(of: clamped(row))) }

  /// Returns the height of a row; 0 if there is no such row.
  ///
  /// - Complexity: O(log *measured*).
  public func height(of row: Int) -> Double {
    row >= 0 && row < rowCount ? Self.points(heights.height(of: row)) : 0
  }

  /// Returns the row at a place; `nil` above the first row and below the last one.
  ///
  /// - Parameter place: Points from the top of the first row.
  /// - Complexity: O(log *measured*).
  public func row(at place: Double) -> Int? {
    guard place >= 0, place < contentHeight else { return nil }
    return heights.row(at: min(Self.signedUnits(place), heights.total - 1))
  }

  // MARK: Changes of the list

  /// Notes the height that a row turned out to have.
  ///
  /// - Parameters:
  ///   - row: Its index; a row that does not exist is passed over.
  ///   - height: The height.
  /// - Returns: Where to scroll to, so that the anchor stays where it is; `nil` if the list need not scroll.
  /// - Complexity: O(log *measured*).
  @discardableResult
  public mutating func measure(_ row: Int, height: Double) -> Scroll? {
    guard row >= 0, row < rowCount else { return nil }
    return keepingPlace { $0.heights.measure(row, RowHeights.units(height)) }
  }

  /// Takes in which rows are gone and which have come; a row that shows something else has its height until it is measured
  /// again, and so has one that moves. If the anchor's row is gone, the next one that is left is held where it was.
  ///
  /// - Returns: Where to scroll to, so that the anchor stays where it is; `nil` if the list need not scroll.
  /// - Complexity: O((*ranges* + *measured rows that are gone*) log *measured*).
  @discardableResult
  public mutating func apply(_ changes: IndexChanges) -> Scroll? {
    keepingPlace { geometry in
      let hold = geometry.hold(after: changes)
      let carried = changes.moves.compactMap { move in
        geometry.heights.measuredHeight(of: max(0, move.source)).map { (row: move.destination, height: $0) }
      }
      for range in changes.removals.reversed() {
        geometry.heights.remove(range.clamped(to: 0..<geometry.rowCount))
      }
      for range in changes.insertions where range.lowerBound <= geometry.rowCount {
        let room = RowHeights.maxCount - geometry.rowCount
        geometry.heights.insert(range.lowerBound..<min(range.upperBound, range.lowerBound + room))
      }
      for (row, height) in carried where row >= 0 && row < geometry.rowCount {
        geometry.heights.measure(row, height)
      }
      geometry.hold = hold
    }
  }

  /// Takes another height of the viewport: at the end the last row stays at the bottom, elsewhere the anchor stays where it is.
  ///
  /// - Returns: Where to scroll to; `nil` if the list need not scroll.
  @discardableResult
  public mutating func resize(viewportHeight: Double) -> Scroll? {
    keepingPlace { $0.viewport = RowHeights.units(viewportHeight) }
  }

  /// Forgets all heights, as when the width or the font has changed.
  ///
  /// - Parameter estimatedHeight: What a row is thought to have from now on; `nil` for what it was.
  /// - Returns: Where to scroll to, so that the anchor stays where it is; `nil` if the list need not scroll.
  @discardableResult
  public mutating func forgetHeights(estimatedHeight: Double? = nil) -> Scroll? {
    keepingPlace { geometry in
      geometry.heights.forgetAll()
      if let estimatedHeight { geometry.heights.estimate = RowHeights.units(estimatedHeight) }
    }
  }

  // MARK: The reader

  /// Notes that the reader scrolled by a number of points, down if it is positive, as far as there is something.
  ///
  /// - Returns: Where the list is then; `nil` if it stays.
  /// - Complexity: O(log *measured*).
  @discardableResult
  public mutating func scroll(by points: Double) -> Scroll? { scroll(to: offset + points) }

  /// Notes that the reader scrolled to an offset, or the nearest one that there is.
  ///
  /// - Returns: Where the list is then; `nil` if it stays.
  /// - Complexity: O(log *measured*).
  @discardableResult
  public mutating func scroll(to offset: Double) -> Scroll? {
    keepingPlace { $0.hold = $0.held(at: min(max(0, Self.signedUnits(offset)), $0.maxOffset)) }
  }

  /// Goes to the end, or has a row be so far below the top of the viewport.
  ///
  /// - Returns: Where to scroll to; `nil` if the list need not scroll.
  /// - Complexity: O(log *measured*).
  @discardableResult
  public mutating func scroll(to anchor: Anchor) -> Scroll? {
    keepingPlace { $0.hold = Self.hold(anchor, of: $0.rowCount) }
  }

  // MARK: Places

  private var maxOffset: Int { max(0, heights.total - viewport) }

  /// The offset that the anchor asks for, as far as there is something to scroll to.
  private var offsetUnits: Int {
    switch hold {
    case .end: maxOffset
    case .row(let row, let distance): min(max(0, heights.top(of: row) - distance), maxOffset)
    }
  }

  /// Changes something, and returns where to scroll to for it.
  private mutating func keepingPlace(_ change: (inout ListGeometry) -> Void) -> Scroll? {
    let before = offsetUnits
    change(&self)
    let after = offsetUnits
    return after == before ? nil : Scroll(offset: Self.points(after), change: Self.points(after - before))
  }

  /// Returns what stays for a reader at an offset: the end, or the first row that begins in view.
  private func held(at offset: Int) -> Hold {
    if followsEnd, offset >= maxOffset { return .end }
    guard offset < heights.total else { return .row(0, distance: 0) }
    let row = heights.row(at: offset)
    let top = heights.top(of: row)
    let next = top + heights.height(of: row)
    return top < offset && row + 1 < rowCount && next < offset + viewport
      ? .row(row + 1, distance: next - offset) : .row(row, distance: top - offset)
  }

  private func hold(after changes: IndexChanges) -> Hold {
    guard case .row(let row, let distance) = hold else { return .end }
    var left = row
    // Ranges ascend: the row behind one may be gone with the next.
    for range in changes.removals where range.contains(left) { left = range.upperBound }
    if left >= rowCount {
      left = changes.removals.last { $0.contains(rowCount - 1) }.map { $0.lowerBound - 1 } ?? row
    }
    let moved = heights.top(of: clamped(left)) - heights.top(of: row)
    return .row(max(0, changes.indexAfter(left) ?? 0), distance: Self.bounded(distance + moved))
  }

  private static func hold(_ anchor: Anchor, of count: Int) -> Hold {
    switch anchor {
    case .end: .end
    case .row(let row, let distance):
      .row(min(max(0, row), max(0, count - 1)), distance: signedUnits(distance))
    }
  }

  private func clamped(_ row: Int) -> Int { min(max(0, row), rowCount) }

  private static func points(_ units: Int) -> Double { Double(units) / RowHeights.unitsPerPoint }

  /// Returns how many units a distance has; of one that is greater than any list, the greatest.
  private static func signedUnits(_ points: Double) -> Int {
    let most = Double(maxDistance)
    return points.isNaN ? 0 : Int(min(max(points * RowHeights.unitsPerPoint, -most), most).rounded())
  }

  /// The greatest distance from a row, in units: with the height of all rows it is still an `Int`.
  private static let maxDistance = 1 << 61

  private static func bounded(_ distance: Int) -> Int {
    min(max(distance, -maxDistance), maxDistance)
  }
}

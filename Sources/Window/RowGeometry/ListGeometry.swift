public import MessageWindows

/// The offset and the row positions of a list view that learns the heights of its rows late.
///
/// A chat is read from its end, and its rows are measured when they are shown. A list that only keeps its
/// offset jumps whenever a row above the reader is higher than estimated, or older rows are inserted. This
/// value keeps a row at its place on the screen instead, its ``anchor``, and returns where the list must
/// scroll:
///
/// ```swift
/// var geometry = ListGeometry(rowCount: rows.count, estimatedHeight: 60, viewportHeight: bounds.height)
///
/// // New rows, or other heights:
/// if let scroll = geometry.apply(snapshot.placeholderChanges) { contentOffset.y = scroll.offset }
/// if let scroll = geometry.measure(index, height: cell.bounds.height) { contentOffset.y = scroll.offset }
/// // The reader:
/// geometry.scroll(to: contentOffset.y)
/// ```
///
/// It depends on no UI toolkit. Heights and positions are in points; sums are exact, so no drift accumulates.
public struct ListGeometry: Sendable {
  /// The position that stays fixed on the screen when the list changes.
  public enum Anchor: Hashable, Sendable {
    /// The end of the list is at the end of the viewport.
    case end
    /// The top of a row at this distance below the top of the viewport; negative above it.
    case row(Int, distance: Double)
  }

  /// An offset to scroll a list to.
  public struct Scroll: Hashable, Sendable {
    /// The offset to set: the top of the viewport, from the top of the first row.
    public let offset: Double
    /// The difference from the offset before.
    public let change: Double
  }

  private var heights: RowHeights
  /// As ``Anchor``, with the distance in units.
  private enum Hold {
    case end
    case row(Int, distance: Int)
  }
  private var hold: Hold
  private var viewport: Int
  /// Whether a reader who reaches the end stays there when rows are appended; `true` by default. The newest
  /// message is the last row. Set it to `false` while newer messages exist that the list does not hold.
  public var followsEnd = true {
    didSet { if !followsEnd, case .end = hold { hold = held(at: offsetUnits) } }
  }

  /// Creates the geometry of a list.
  ///
  /// - Parameters:
  ///   - rowCount: The number of rows, at most 2²⁷; further rows are ignored.
  ///   - estimatedHeight: The height of an unmeasured row, in points.
  ///   - viewportHeight: The height of the viewport, in points.
  ///   - anchor: The initial anchor.
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
  /// The number of measured rows.
  public var measuredCount: Int { heights.measuredCount }
  /// The height of all rows.
  public var contentHeight: Double { Self.points(heights.total) }
  /// The height of the viewport.
  public var viewportHeight: Double { Self.points(viewport) }
  /// The top of the viewport, from the top of the first row. It is never negative, and 0 in a list shorter
  /// than the viewport.
  ///
  /// - Complexity: O(log *measured*).
  public var offset: Double { Self.points(offsetUnits) }

  /// The position that stays fixed on the screen when the list changes: the end, the row that the list was
  /// scrolled to (``scroll(to:)-(ListGeometry.Anchor)``) or, after the reader has scrolled, the first row
  /// that is completely in view.
  ///
  /// Measuring or inserting rows above the anchor does not move it. If there is too little content below its
  /// row, the row stands lower than its distance until there is enough.
  public var anchor: Anchor {
    switch hold {
    case .end: .end
    case .row(let row, let distance): .row(row, distance: Self.points(distance))
    }
  }

  /// The rows that are at least partly in view.
  ///
  /// - Complexity: O(log *measured*).
  public var visible: Range<Int> {
    let (start, total) = (offsetUnits, heights.total)
    guard total > start, viewport > 0 else { return 0..<0 }
    return heights.row(at: start)..<(heights.row(at: min(start + viewport, total) - 1) + 1)
  }

  /// Returns the top of a row, from the top of the first row; ``contentHeight`` for the row after the last
  /// one.
  ///
  /// - Complexity: O(log *measured*).
  public func top(of row: Int) -> Double { Self.points(heights.top(of: clamped(row))) }

  /// Returns the height of a row; 0 for an invalid index.
  ///
  /// - Complexity: O(log *measured*).
  public func height(of row: Int) -> Double {
    row >= 0 && row < rowCount ? Self.points(heights.height(of: row)) : 0
  }

  /// Returns the row at a position; `nil` above the first row and below the last one.
  ///
  /// - Parameter place: The position, in points from the top of the first row.
  /// - Complexity: O(log *measured*).
  public func row(at place: Double) -> Int? {
    guard place >= 0, place < contentHeight else { return nil }
    return heights.row(at: min(Self.signedUnits(place), heights.total - 1))
  }

  // MARK: Changes of the list

  /// Records the measured height of a row.
  ///
  /// - Parameters:
  ///   - row: Its index; an invalid one is ignored.
  ///   - height: The height.
  /// - Returns: Where to scroll to keep the anchor in place, if necessary.
  /// - Complexity: O(log *measured*).
  @discardableResult
  public mutating func measure(_ row: Int, height: Double) -> Scroll? {
    guard row >= 0, row < rowCount else { return nil }
    return keepingPlace { $0.heights.measure(row, RowHeights.units(height)) }
  }

  /// Applies changes of rows. Updated and moved rows keep their heights until they are measured again. If the
  /// anchor's row was removed, the next remaining row becomes the anchor.
  ///
  /// - Returns: Where to scroll to keep the anchor in place, if necessary.
  /// - Complexity: O((*ranges* + *removed measured rows*) log *measured*).
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

  /// Changes the height of the viewport. At the end the last row stays at the bottom, elsewhere the anchor
  /// stays in place.
  ///
  /// - Returns: Where to scroll to, if necessary.
  @discardableResult
  public mutating func resize(viewportHeight: Double) -> Scroll? {
    keepingPlace { $0.viewport = RowHeights.units(viewportHeight) }
  }

  /// Forgets all heights, for example because the width or the font has changed.
  ///
  /// - Parameter estimatedHeight: The new estimate of a row's height; `nil` keeps the present one.
  /// - Returns: Where to scroll to keep the anchor in place, if necessary.
  @discardableResult
  public mutating func forgetHeights(estimatedHeight: Double? = nil) -> Scroll? {
    keepingPlace { geometry in
      geometry.heights.forgetAll()
      if let estimatedHeight { geometry.heights.estimate = RowHeights.units(estimatedHeight) }
    }
  }

  /// Records that the reader scrolled by a number of points, downwards if positive, within the list's bounds.
  ///
  /// - Returns: The offset to scroll to; `nil` if it stays the same.
  /// - Complexity: O(log *measured*).
  @discardableResult
  public mutating func scroll(by points: Double) -> Scroll? { scroll(to: offset + points) }

  /// Records that the reader scrolled to an offset, or the nearest valid one.
  ///
  /// - Returns: The offset to scroll to; `nil` if it stays the same.
  /// - Complexity: O(log *measured*).
  @discardableResult
  public mutating func scroll(to offset: Double) -> Scroll? {
    keepingPlace { $0.hold = $0.held(at: min(max(0, Self.signedUnits(offset)), $0.maxOffset)) }
  }

  /// Scrolls to an anchor: to the end, or to a row at a distance below the top of the viewport.
  ///
  /// - Returns: Where to scroll to, if necessary.
  /// - Complexity: O(log *measured*).
  @discardableResult
  public mutating func scroll(to anchor: Anchor) -> Scroll? {
    keepingPlace { $0.hold = Self.hold(anchor, of: $0.rowCount) }
  }

  // MARK: Places

  private var maxOffset: Int { max(0, heights.total - viewport) }

  /// The anchor's offset, clamped to the list.
  private var offsetUnits: Int {
    switch hold {
    case .end: maxOffset
    case .row(let row, let distance): min(max(0, heights.top(of: row) - distance), maxOffset)
    }
  }

  private mutating func keepingPlace(_ change: (inout ListGeometry) -> Void) -> Scroll? {
    let before = offsetUnits
    change(&self)
    let after = offsetUnits
    return after == before ? nil : Scroll(offset: Self.points(after), change: Self.points(after - before))
  }

  /// Returns the end, or the first row that begins in view.
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
    // Ranges ascend, so the row after one may be in the next.
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

  private static func signedUnits(_ points: Double) -> Int {
    let most = Double(maxDistance)
    return points.isNaN ? 0 : Int(min(max(points * RowHeights.unitsPerPoint, -most), most).rounded())
  }

  /// Small enough for its sum with the height of all rows to fit an `Int`.
  private static let maxDistance = 1 << 61

  private static func bounded(_ distance: Int) -> Int {
    min(max(distance, -maxDistance), maxDistance)
  }
}

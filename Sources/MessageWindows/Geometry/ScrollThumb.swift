/// The thumb of a scroll bar that shows an exact place among all messages, of which a list holds a few.
///
/// Its place is counted in messages and not in points: how high those are that nobody has seen is not known, and which they are, is.
public struct ScrollThumb: Hashable, Sendable {
  /// The distance of the thumb from the top of the track, in points.
  public let start: Double
  /// The length of the thumb, in points.
  public let length: Double

  /// Creates the thumb of a list.
  ///
  /// - Parameters:
  ///   - geometry: The geometry of the list.
  ///   - ordinal: The ordinal of the list's first row, 0 for the oldest message of all: ``WindowHeader/firstOrdinal``, or 0 for a list with a
  ///     row for each message.
  ///   - total: The number of all messages: ``WindowHeader/total``.
  ///   - track: The length of the track, in points.
  ///   - minimumLength: The length that the thumb has at least, so that a finger finds it.
  public init(
    of geometry: ListGeometry, from ordinal: Int = 0, total: Int, track: Double, minimumLength: Double = 24
  ) {
    let (first, last) = Self.places(in: geometry)
    let count = Double(max(total, 1))
    let share = min(1, max(0, (last - first) / count))
    length = min(track, max(minimumLength, track * share))
    let most = max(0, count - (last - first))
    let progress = most > 0 ? min(1, max(0, (Double(ordinal) + first) / most)) : 0
    start = (track - length) * progress
  }

  /// Returns the ordinal of the message that is at the top of the viewport when the thumb is dragged.
  ///
  /// - Parameters:
  ///   - start: Where the thumb was dragged to, in points from the top of the track.
  ///   - track: The length of the track, in points.
  ///   - total: The number of all messages.
  ///   - visibleCount: The number of messages in view.
  public func ordinal(draggedTo start: Double, track: Double, total: Int, visibleCount: Int) -> Int {
    let room = track - length
    guard room > 0, total > visibleCount, !start.isNaN else { return 0 }
    let progress = min(1, max(0, start / room))
    return Int((progress * Double(total - max(0, visibleCount))).rounded())
  }

  /// The places of the viewport's edges among the rows of the list, a row's parts counted by its height.
  private static func places(in geometry: ListGeometry) -> (Double, Double) {
    let visible = geometry.visible
    guard let first = visible.first, let last = visible.last else { return (0, 0) }
    let top = geometry.offset
    let bottom = min(geometry.contentHeight, top + geometry.viewportHeight)
    func part(_ place: Double, of row: Int) -> Double {
      let height = geometry.height(of: row)
      return height > 0 ? Double(row) + (place - geometry.top(of: row)) / height : Double(row)
    }
    return (part(top, of: first), part(bottom, of: last))
  }
}

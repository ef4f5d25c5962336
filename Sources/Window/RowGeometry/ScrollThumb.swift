public import MessageWindows

/// The thumb of a scroll bar that shows the exact position among all messages while a list holds a few of
/// them.
///
/// Positions are counted in messages rather than points, since the heights of unseen messages are unknown.
public struct ScrollThumb: Hashable, Sendable {
  /// The distance of the thumb from the top of the track, in points.
  public let start: Double
  /// The length of the thumb, in points.
  public let length: Double

  /// Creates the thumb of a list with a row for each message; see
  /// ``init(of:showing:header:track:minimumLength:)`` for lists with days and other lines between messages.
  ///
  /// - Parameters:
  ///   - geometry: The geometry of the list.
  ///   - ordinal: The ordinal of the list's first row: ``WindowHeader/firstOrdinal``, or 0 for a list with
  ///     placeholders.
  ///   - total: The number of all messages: ``WindowHeader/total``.
  ///   - track: The length of the track, in points.
  ///   - minimumLength: The least length of the thumb, so that a finger can grasp it.
  public init(
    of geometry: ListGeometry, from ordinal: Int = 0, total: Int, track: Double, minimumLength: Double = 24
  ) {
    self.init(Self.places(in: geometry), from: ordinal, total, track, minimumLength)
  }

  /// Creates the thumb of a list with the rows of a chat.
  ///
  /// - Parameters:
  ///   - geometry: The geometry of the list, of as many rows.
  ///   - items: The rows. Lines between messages do not count.
  ///   - header: The header with the position of the messages among all of them.
  ///   - track: The length of the track, in points.
  ///   - minimumLength: The least length of the thumb, so that a finger can grasp it.
  public init(
    of geometry: ListGeometry, showing items: MessageRows, header: WindowHeader, track: Double,
    minimumLength: Double = 24
  ) {
    let (first, last) = Self.places(in: geometry)
    func messages(before place: Double) -> Double {
      let row = Int(place)
      let before = Double(items.messageIndices(in: 0..<row).count)
      let isMessage = row < items.count && items[row].message != nil
      return isMessage ? before + place - Double(row) : before
    }
    self.init(
      (messages(before: first), messages(before: last)), from: header.firstOrdinal ?? 0,
      header.total ?? items.messages.count, track, minimumLength)
  }

  private init(
    _ places: (first: Double, last: Double), from ordinal: Int, _ total: Int, _ track: Double,
    _ minimumLength: Double
  ) {
    let count = Double(max(total, 1))
    let seen = places.last - places.first
    length = min(track, max(minimumLength, track * min(1, max(0, seen / count))))
    let most = max(0, count - seen)
    let progress = most > 0 ? min(1, max(0, (Double(ordinal) + places.first) / most)) : 0
    start = (track - length) * progress
  }

  /// Returns the ordinal of the message at the top of the viewport for a dragged thumb.
  ///
  /// - Parameters:
  ///   - start: The start of the dragged thumb, in points from the top of the track.
  ///   - track: The length of the track, in points.
  ///   - total: The number of all messages.
  ///   - visibleCount: The number of messages in view.
  public func ordinal(draggedTo start: Double, track: Double, total: Int, visibleCount: Int) -> Int {
    let room = track - length
    guard room > 0, total > visibleCount, !start.isNaN else { return 0 }
    let progress = min(1, max(0, start / room))
    return Int((progress * Double(total - max(0, visibleCount))).rounded())
  }

  /// The edges of the viewport as row numbers, with fractions of the height of a row.
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

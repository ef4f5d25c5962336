/// The thumb of a scroll bar that shows an exact place among all messages, of which a list holds a few.
///
/// Its place is counted in messages and not in points: how high those are that nobody has seen is not known, and which they are, is.
public struct ScrollThumb: Hashable, Sendable {
  /// The distance of the thumb from the top of the track, in points.
  public let start: Double
  /// The length of the thumb, in points.
  public let length: Double

  /// Creates the thumb of a list that has a row for each message that it holds; see ``init(of:showing:header:track:minimumLength:)`` for
  /// one with days and other lines between them.
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
    self.init(Self.places(in: geometry), from: ordinal, total, track, minimumLength)
  }

  /// Creates the thumb of a list that shows the rows of a chat.
  ///
  /// - Parameters:
  ///   - geometry: The geometry of the list, of as many rows.
  ///   - items: The rows. Lines between messages count as nothing.
  ///   - header: The place of the messages among all.
  ///   - track: The length of the track, in points.
  ///   - minimumLength: The length that the thumb has at least, so that a finger finds it.
  public init(
    of geometry: ListGeometry, showing items: MessageItems, header: WindowHeader, track: Double,
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

internal import MessageModel

/// Where a reader was before they jumped, to go back there.
struct Trail {
  private var places: [Message.ID] = []
  /// The place of ``places`` where the reader is; behind the last one as long as they have not gone back.
  private var index = 0

  private static let mostPlaces = 100

  /// Notes that the reader jumps away from a place. What they had gone back from is forgotten.
  mutating func leave(_ place: Message.ID) {
    places = (places.prefix(index) + [place]).suffix(Self.mostPlaces)
    index = places.count
  }

  /// Returns the place before the last jump; `nil` if there is none.
  ///
  /// - Parameter place: Where the reader is.
  mutating func back(from place: Message.ID) -> Message.ID? {
    guard index > 0 else { return nil }
    if index == places.count { places.append(place) }
    index -= 1
    return places[index]
  }

  /// Returns the place that the reader went back from; `nil` if there is none.
  mutating func forward() -> Message.ID? {
    guard index + 1 < places.count else { return nil }
    index += 1
    return places[index]
  }
}

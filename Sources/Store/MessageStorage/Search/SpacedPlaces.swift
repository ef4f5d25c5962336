/// Brings places in a text that has spaces around signs back to the text without them.
///
/// What both do not share is left out: the index has no more than the beginning of a very long text.
enum SpacedPlaces {
  /// Returns places in `original`, in bytes of UTF-8.
  ///
  /// - Parameter places: Places in ``UnspacedScripts/spaced(_:)`` of its beginning, in order and apart.
  /// - Complexity: O(original).
  static func places(_ places: [Range<Int>], in original: String) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var (index, start) = (0, 0)
    var (spaced, offset) = (0, 0)
    for scalar in original.unicodeScalars {
      guard index < places.count else { break }
      let width = UTF8.width(scalar)
      let isAlone = UnspacedScripts.contains(scalar)
      if isAlone { spaced += 1 }
      if places[index].lowerBound == spaced { start = offset }
      spaced += width
      offset += width
      if places[index].upperBound == spaced {
        found.append(start..<offset)
        index += 1
      }
      if isAlone { spaced += 1 }
    }
    return found
  }
}

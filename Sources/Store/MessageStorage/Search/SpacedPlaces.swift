/// Maps places in a text with spaces around signs to the original text.
///
/// Places beyond the indexed beginning of a very long text are left out.
enum SpacedPlaces {
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

/// Marks matches within a text by private characters, which survive making it safe and wrapping it.
package enum HitMarks {
  // The last private-use characters; they are removed from texts before marking.
  private static let opening: Unicode.Scalar = "\u{10FFFC}"
  private static let closing: Unicode.Scalar = "\u{10FFFD}"

  /// Returns the text with marks around `places`, ordered ranges of bytes.
  package static func marked(_ text: String, _ places: [Range<Int>]) -> String {
    let utf8 = Array(text.utf8)
    var result = ""
    var end = 0
    for place in places where place.lowerBound >= end && place.upperBound <= utf8.count {
      result += unmarked(utf8[end..<place.lowerBound])
      result.unicodeScalars.append(opening)
      result += unmarked(utf8[place])
      result.unicodeScalars.append(closing)
      end = place.upperBound
    }
    return result + unmarked(utf8[end...])
  }

  /// - Parameter isOpen: Whether a mark of an earlier line is still open.
  static func places(in line: String, _ isOpen: inout Bool) -> (line: String, hits: [Range<String.Index>]) {
    guard isOpen || line.unicodeScalars.contains(where: { $0 == opening || $0 == closing }) else {
      return (line, [])
    }
    var clean = String.UnicodeScalarView()
    var places: [Range<Int>] = []
    var (offset, start) = (0, 0)
    for scalar in line.unicodeScalars {
      switch scalar {
      case opening: (start, isOpen) = (offset, true)
      case closing:
        if isOpen { places.append(start..<offset) }
        isOpen = false
      default:
        clean.append(scalar)
        offset += UTF8.width(scalar)
      }
    }
    if isOpen { places.append(start..<offset) }
    let text = String(clean)
    func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }
    return (text, places.map { index($0.lowerBound)..<index($0.upperBound) })
  }

  private static func unmarked(_ utf8: ArraySlice<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      text.append(scalar == opening || scalar == closing ? "\u{FFFD}" : scalar)
    }
    return String(text)
  }
}

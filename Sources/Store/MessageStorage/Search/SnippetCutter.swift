struct SnippetCutter {
  private let bytes: [UInt8]

  /// Bytes before the first match, and in all.
  private static let lead = 60
  private static let length = 240

  init(_ text: String) { bytes = Array(text.utf8) }

  func snippet(around places: [Range<Int>]) -> SearchHit.Snippet {
    let first = places.first?.lowerBound ?? 0
    var start = first > Self.lead && bytes.count > Self.length ? first - Self.lead : 0
    if start > 0 { start = wordStart(from: start, to: first) }
    let end = characterStart(atOrBefore: min(start + Self.length, bytes.count))
    let head = start > 0 ? Array("…".utf8) : []
    var cut = head + bytes[start..<end].map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    if end < bytes.count { cut += Array("…".utf8) }
    let matches = places.filter { $0.lowerBound >= start && $0.upperBound <= end }
      .map { $0.lowerBound - start + head.count..<$0.upperBound - start + head.count }
    return SearchHit.Snippet(text: String(decoding: cut, as: UTF8.self), matches: matches)
  }

  private func wordStart(from place: Int, to limit: Int) -> Int {
    for index in place..<limit where bytes[index] == 0x20 { return index + 1 }
    return characterStart(atOrBefore: place)
  }

  private func characterStart(atOrBefore place: Int) -> Int {
    var place = place
    while place > 0, place < bytes.count, bytes[place] & 0xC0 == 0x80 { place -= 1 }
    return place
  }
}

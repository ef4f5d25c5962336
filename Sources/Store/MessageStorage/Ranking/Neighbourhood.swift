internal import MessageModel

/// The words of candidates within the same minutes: a span of time that moves along the candidates.
struct Neighbourhood {
  private let times: [Int64]
  private let words: [UInt32]
  private let span: Int64
  private var within = 0..<0
  private var counts = [Int](repeating: 0, count: UInt32.bitWidth)
  private var present: UInt32 = 0

  /// - Parameters:
  ///   - times: In milliseconds, descending.
  ///   - words: One bit each.
  ///   - span: In milliseconds.
  init(_ times: [Int64], _ words: [UInt32], span: Int64) {
    (self.times, self.words, self.span) = (times, words, span)
  }

  /// Includes the candidate's own words. Call with consecutive places.
  mutating func words(around place: Int) -> UInt32 {
    let time = times[place]
    while within.upperBound < times.count, time - times[within.upperBound] <= span {
      Self.eachWord(of: words[within.upperBound]) { word in
        counts[word] += 1
        present |= 1 << UInt32(word)
      }
      within = within.lowerBound..<(within.upperBound + 1)
    }
    while times[within.lowerBound] - time > span {
      Self.eachWord(of: words[within.lowerBound]) { word in
        counts[word] -= 1
        if counts[word] == 0 { present &= ~(1 << UInt32(word)) }
      }
      within = (within.lowerBound + 1)..<within.upperBound
    }
    return present
  }

  private static func eachWord(of words: UInt32, _ body: (Int) -> Void) {
    var rest = words
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}

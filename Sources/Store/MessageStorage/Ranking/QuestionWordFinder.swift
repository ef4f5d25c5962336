/// Finds a question's words in texts, as a search index would. Candidates are few and short, so that scanning
/// is cheaper than the index. Not thread-safe.
struct QuestionWordFinder {
  private var indexes: [String: (index: Int, isAsked: Bool)] = [:]
  /// Whether a form begins with a byte: most words of a text need no look-up.
  private var beginnings = [Bool](repeating: false, count: 256)
  /// Words in scripts without spaces.
  private var runs: [(text: [UInt8], index: Int)] = []
  private let letters = FoldedLetters()
  /// Words that dates have; none if they do not count.
  private let dates: Set<String>
  /// The words that bring candidates; common ones follow.
  private let telling: Int
  let wordCount: Int

  private static let byteLimit = 4_096

  init(_ words: [QuestionWord], common: [QuestionWord] = [], dates: Set<String> = []) {
    (wordCount, telling, self.dates) = (words.count + common.count, words.count, dates)
    for date in dates { if let first = date.utf8.first { beginnings[Int(first)] = true } }
    if !dates.isEmpty { for digit in UInt8(ascii: "0")...UInt8(ascii: "9") { beginnings[Int(digit)] = true } }
    for (index, word) in (words + common).enumerated() {
      if word.isRun {
        runs.append((Array(word.text.utf8), index))
      } else {
        for form in word.forms.map(FoldedLetters.folded) where indexes[form] == nil {
          indexes[form] = (index, form == FoldedLetters.folded(word.text))
          if let first = form.utf8.first { beginnings[Int(first)] = true }
        }
      }
    }
  }

  struct Finding {
    var counts: [UInt8]
    var length = 0
    /// Bits of the words that closely follow the question's previous word.
    var following: UInt32 = 0
    /// Bits of the words that are there as they were asked, not in another form.
    var asked: UInt32 = 0
    var hasDate = false
  }

  /// The distance in words within which one follows another.
  private static let closeness = 3

  func counts(in text: String) -> Finding {
    var finding = Finding(counts: Array(repeating: 0, count: wordCount))
    var places = [Int?](repeating: nil, count: wordCount)
    var text = text
    text.withUTF8 { bytes in
      let part = UnsafeBufferPointer(rebasing: bytes.prefix(Self.byteLimit))
      Self.eachWord(of: part, letters) { word in
        finding.length += 1
        guard let first = word.first, beginnings[Int(first)] else { return }
        let text = String(decoding: word, as: UTF8.self)
        if !dates.isEmpty, !finding.hasDate { finding.hasDate = dates.contains(text) || Self.isOfDate(word) }
        guard let (index, isAsked) = indexes[text] else { return }
        if isAsked { finding.asked |= 1 << UInt32(index) }
        if finding.counts[index] < .max { finding.counts[index] += 1 }
        if index > 0, index < telling, let before = places[index - 1],
          finding.length - before <= Self.closeness
        {
          finding.following |= 1 << UInt32(index)
        }
        places[index] = finding.length
      }
      for run in runs where Self.has(run.text, in: part) {
        finding.counts[run.index] = 1
        finding.asked |= 1 << UInt32(run.index)
      }
    }
    return finding
  }

  /// Whether it is a year, or as `7th` or `3pm`.
  private static func isOfDate(_ word: [UInt8]) -> Bool {
    let digits = word.prefix { $0 &- 0x30 < 10 }.count
    if digits == word.count {
      return digits == 4 && (word.starts(with: [0x31, 0x39]) || word.starts(with: [0x32, 0x30]))
    }
    guard 1...2 ~= digits else { return false }
    return ["th", "st", "nd", "rd", "am", "pm"].contains(String(decoding: word[digits...], as: UTF8.self))
  }

  private static func has(_ wanted: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = wanted.first, bytes.count >= wanted.count else { return false }
    return (0...(bytes.count - wanted.count)).contains { start in
      bytes[start] == first && bytes[start..<(start + wanted.count)].elementsEqual(wanted)
    }
  }

  static func words(of text: String, _ letters: FoldedLetters) -> [String] {
    var (words, text): ([String], String) = ([], text)
    text.withUTF8 { bytes in
      eachWord(of: bytes, letters) { words.append(String(decoding: $0, as: UTF8.self)) }
    }
    return words
  }

  /// The words are folded. A character cut off at the end ends a word.
  private static func eachWord(
    of bytes: UnsafeBufferPointer<UInt8>, _ letters: FoldedLetters, _ body: ([UInt8]) -> Void
  ) {
    var (word, start, hasMark): ([UInt8], Int?, Bool) = ([], nil, false)
    word.reserveCapacity(64)
    func end(_ place: Int) {
      guard let first = start else { return }
      if hasMark {
        let whole = String(decoding: bytes[first..<place], as: UTF8.self)
        word = Array(FoldedLetters.folded(whole).utf8)
      }
      if !word.isEmpty { body(word) }
      word.removeAll(keepingCapacity: true)
      (start, hasMark) = (nil, false)
    }
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte < 0x80 {
        let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
        if lower &- 0x61 < 26 || byte &- 0x30 < 10 {
          start = start ?? place
          word.append(lower)
        } else {
          end(place)
        }
        place += 1
      } else {
        let count = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        guard place + count <= bytes.count, let scalar = scalar(in: bytes, at: place, count) else { break }
        let letter = letters[scalar]
        if letter.isOfWords {
          start = start ?? place
          hasMark = hasMark || letter.isMark
          word += letter.folded
        } else {
          end(place)
        }
        place += count
      }
    }
    end(place)
  }

  private static func scalar(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ count: Int
  ) -> Unicode.Scalar? {
    let lead = UInt32(bytes[place]) & (0x7F >> UInt32(count))
    return Unicode.Scalar((1..<count).reduce(lead) { $0 << 6 | UInt32(bytes[place + $1]) & 0x3F })
  }
}

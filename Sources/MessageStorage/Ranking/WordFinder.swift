internal import Foundation

/// Finds the words of a question in texts, as a search index would.
///
/// Texts of candidates are few and short; asking the index which words each of them has would cost more than looking.
struct WordFinder {
  /// The word of the question that each form belongs to.
  private var indexes: [String: Int] = [:]
  /// Runs of characters that stand without spaces, with the word that they are.
  private var runs: [(text: String, index: Int)] = []
  let wordCount: Int

  /// The most bytes of a text that are looked at.
  private static let byteLimit = 4_096

  init(_ words: [QuestionWord]) {
    wordCount = words.count
    for (index, word) in words.enumerated() {
      if word.isRun {
        runs.append((word.text, index))
      } else {
        for form in word.forms where indexes[Self.folded(form)] == nil { indexes[Self.folded(form)] = index }
      }
    }
  }

  /// The words of a question that a text has.
  struct Finding {
    /// How often each word is in it.
    var counts: [UInt8]
    /// The number of its words.
    var length = 0
    /// The words that follow the word before them in the question as closely here, a bit each.
    var following: UInt32 = 0
  }

  /// So many words further on one follows another.
  private static let closeness = 3

  /// Returns how often each word is in a text.
  func counts(in text: String) -> Finding {
    var finding = Finding(counts: Array(repeating: 0, count: wordCount))
    let part = text.utf8.count > Self.byteLimit ? String(text.utf8.prefix(Self.byteLimit)) ?? text : text
    var places = [Int?](repeating: nil, count: wordCount)
    Self.eachWord(of: part) { word in
      finding.length += 1
      guard let index = indexes[word] else { return }
      if finding.counts[index] < .max { finding.counts[index] += 1 }
      if index > 0, let before = places[index - 1], finding.length - before <= Self.closeness {
        finding.following |= 1 << UInt32(index)
      }
      places[index] = finding.length
    }
    for run in runs where part.contains(run.text) { finding.counts[run.index] = 1 }
    return finding
  }

  /// Returns the words of a text, folded.
  static func words(of text: String) -> [String] {
    var words: [String] = []
    eachWord(of: text) { words.append($0) }
    return words
  }

  private static func eachWord(of text: String, _ body: (String) -> Void) {
    var (word, isPlain) = (String.UnicodeScalarView(), true)
    func end() {
      if !word.isEmpty { body(isPlain ? String(word) : folded(String(word))) }
      (word, isPlain) = (String.UnicodeScalarView(), true)
    }
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x61...0x7A, 0x30...0x39: word.append(scalar)
      case 0x41...0x5A: word.append(Unicode.Scalar(UInt8(scalar.value + 0x20)))
      case 0..<0x80: end()
      case _ where scalar.isOfWords:
        isPlain = false
        word.append(scalar)
      case _: end()
      }
    }
    end()
  }

  /// Returns a word without case and accents.
  static func folded(_ word: String) -> String {
    word.utf8.allSatisfy { $0 < 0x80 }
      ? word.lowercased() : word.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
  }
}

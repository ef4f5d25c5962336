#if Stems
  internal import CStemmer
#endif

/// Reduces words to their stems, by Snowball's algorithms if the library is present
/// (<https://snowballstem.org>), otherwise by Porter's for English.
///
/// It belongs to one thread, since the library keeps the current word.
package final class Stemmer {
  package let language: WordLanguage

  #if Stems
    private let library: OpaquePointer?

    static let languages = WordLanguage.allCases

    /// Creates a stemmer for a language.
    package init(_ language: WordLanguage) {
      self.language = language
      library = sb_stemmer_new(language.rawValue, "UTF_8")
    }

    deinit { if let library { sb_stemmer_delete(library) } }

    /// The stem of a lowercase word.
    package func stem(_ word: String) -> String {
      guard let library else { return Self.fallback(word, language) }
      var word = word
      return word.withUTF8 { bytes in
        guard let stem = sb_stemmer_stem(library, bytes.baseAddress, Int32(clamping: bytes.count)) else {
          return String(decoding: bytes, as: UTF8.self)
        }
        let length = Int(sb_stemmer_length(library))
        return String(decoding: UnsafeBufferPointer(start: stem, count: length), as: UTF8.self)
      }
    }
  #else
    static let languages = [WordLanguage.english]

    /// Creates a stemmer for a language.
    package init(_ language: WordLanguage) { self.language = language }

    /// The stem of a lowercase word.
    package func stem(_ word: String) -> String { Self.fallback(word, language) }
  #endif

  private static func fallback(_ word: String, _ language: WordLanguage) -> String {
    language == .english ? PorterStemmer.stem(word) : word
  }

  /// The forms of a word that its stem does not cover; empty for most.
  package func irregularForms(of word: String) -> [String] {
    language == .english ? IrregularForms.forms(of: word) ?? [] : []
  }
}

/// The stems of English words by M. F. Porter's algorithm of 1980
/// (<https://tartarus.org/martin/PorterStemmer/def.txt>), as in FTS5's own tokenizer.
struct PorterStemmer {
  private var word: [UInt8]

  /// Only lowercase ASCII words are stemmed.
  static func stem(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count > 2, bytes.allSatisfy({ (0x61...0x7A).contains($0) }) else { return text }
    var stemmer = PorterStemmer(word: bytes)
    stemmer.run()
    return String(decoding: stemmer.word, as: UTF8.self)
  }

  private mutating func run() {
    dropPlural()
    dropPast()
    if hasVowel(before: 1), word.last == Self.y { word[word.count - 1] = Self.i }
    replace(Self.doubleSuffixes, from: 1)
    replace(Self.suffixes, from: 1)
    dropLast()
    tidy()
  }

  private static let (e, i, l, s, t, y, z) = (
    UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "l"), UInt8(ascii: "s"), UInt8(ascii: "t"),
    UInt8(ascii: "y"), UInt8(ascii: "z")
  )

  private func isConsonant(_ index: Int) -> Bool {
    switch word[index] {
    case UInt8(ascii: "a"), Self.e, Self.i, UInt8(ascii: "o"), UInt8(ascii: "u"): false
    case Self.y: index == 0 || !isConsonant(index - 1)
    case _: true
    }
  }

  /// Porter's *m*: how often consonants follow vowels, without the last `count` bytes.
  private func measure(before count: Int) -> Int {
    var (number, wasVowel) = (0, false)
    for index in 0..<max(0, word.count - count) {
      let isVowel = !isConsonant(index)
      if wasVowel, !isVowel { number += 1 }
      wasVowel = isVowel
    }
    return number
  }

  private func hasVowel(before count: Int) -> Bool {
    (0..<max(0, word.count - count)).contains { !isConsonant($0) }
  }

  private var endsInDouble: Bool {
    word.count > 1 && word[word.count - 1] == word[word.count - 2] && isConsonant(word.count - 1)
  }

  /// Porter's `*o`: consonant, vowel, consonant other than w, x or y, without the last `count` bytes.
  private func endsInShort(before count: Int) -> Bool {
    let last = word.count - count - 1
    guard last >= 2, isConsonant(last), !isConsonant(last - 1), isConsonant(last - 2) else { return false }
    return word[last] != UInt8(ascii: "w") && word[last] != UInt8(ascii: "x") && word[last] != Self.y
  }

  private func ends(in suffix: StaticString) -> Bool {
    suffix.withUTF8Buffer { word.count > $0.count && word.suffix($0.count).elementsEqual($0) }
  }

  private mutating func drop(_ count: Int, adding ending: StaticString = "") {
    word.removeLast(count)
    ending.withUTF8Buffer { word.append(contentsOf: $0) }
  }

  private mutating func dropPlural() {
    if ends(in: "sses") || ends(in: "ies") {
      drop(2)
    } else if ends(in: "s"), !ends(in: "ss") {
      drop(1)
    }
  }

  private mutating func dropPast() {
    if ends(in: "eed") {
      if measure(before: 3) > 0 { drop(1) }
      return
    }
    let length = ends(in: "ed") ? 2 : ends(in: "ing") ? 3 : 0
    guard length > 0, hasVowel(before: length) else { return }
    drop(length)
    if ends(in: "at") || ends(in: "bl") || ends(in: "iz") {
      word.append(Self.e)
    } else if endsInDouble, ![Self.l, Self.s, Self.z].contains(word[word.count - 1]) {
      drop(1)
    } else if measure(before: 0) == 1, endsInShort(before: 0) {
      word.append(Self.e)
    }
  }

  private static let doubleSuffixes: [(StaticString, StaticString)] = [
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
    ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"),
  ]

  private static let suffixes: [(StaticString, StaticString)] = [
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
  ]

  private mutating func replace(_ endings: [(StaticString, StaticString)], from least: Int) {
    guard let (old, new) = endings.first(where: { ends(in: $0.0) }) else { return }
    if measure(before: old.utf8CodeUnitCount) >= least { drop(old.utf8CodeUnitCount, adding: new) }
  }

  private static let lastSuffixes: [StaticString] = [
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive",
    "ize",
    "al", "er", "ic", "ou",
  ]

  private mutating func dropLast() {
    guard let suffix = Self.lastSuffixes.first(where: { ends(in: $0) }) else { return }
    let length = suffix.utf8CodeUnitCount
    guard measure(before: length) > 1 else { return }
    if length == 3, ends(in: "ion"), ![Self.s, Self.t].contains(word[word.count - 4]) { return }
    drop(length)
  }

  private mutating func tidy() {
    if word.last == Self.e {
      let number = measure(before: 1)
      if number > 1 || (number == 1 && !endsInShort(before: 1)) { drop(1) }
    }
    if word.last == Self.l, endsInDouble, measure(before: 0) > 1 { drop(1) }
  }
}

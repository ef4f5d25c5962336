#if Stems
  internal import CStemmer
#endif

/// Brings forms of a word to the stem that they share: by Snowball's algorithms where its library is there
/// (<https://snowballstem.org>), else by Porter's for English.
///
/// It is of one thread: the library keeps the word that it is at.
package final class Stemmer {
  package let language: WordLanguage

  #if Stems
    private let library: OpaquePointer?

    static let languages = WordLanguage.allCases

    /// Creates what stems words of a language.
    package init(_ language: WordLanguage) {
      self.language = language
      library = sb_stemmer_new(language.rawValue, "UTF_8")
    }

    deinit { if let library { sb_stemmer_delete(library) } }

    /// Returns the stem of a word in small letters.
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

    /// Creates what stems words of a language.
    package init(_ language: WordLanguage) { self.language = language }

    /// Returns the stem of a word in small letters.
    package func stem(_ word: String) -> String { Self.fallback(word, language) }
  #endif

  private static func fallback(_ word: String, _ language: WordLanguage) -> String {
    language == .english ? PorterStemmer.stem(word) : word
  }

  /// Returns the forms of a word that its stem does not lead to; empty for most.
  package func irregularForms(of word: String) -> [String] {
    language == .english ? IrregularForms.forms(of: word) ?? [] : []
  }
}

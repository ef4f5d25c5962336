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

internal import Foundation
internal import MessageModel

/// Splits texts into lower-case words without accents, like the store's index: a run of letters and digits is
/// a word, and so is each character of scripts without spaces.
///
/// Publisher and reader share it; the server's parser and dictionaries are not used.
package struct FoldedWords {
  private var foldings: [UInt32: Folding] = [:]

  private enum Folding {
    case separator
    case nothing
    case letters([UInt8])
    case sign([UInt8])
  }

  /// The most bytes of a word; PostgreSQL accepts 2,046.
  private static let longestWord = 1_000
  /// The greatest position in a tsvector; later words get it, too.
  private static let lastPlace = 16_383
  /// The most words of a text: a tsvector holds at most 1 MiB.
  private static let mostWords = 20_000

  package init() {}

  package mutating func words(of text: String) -> [[UInt8]] {
    var (found, word): ([[UInt8]], [UInt8]) = ([], [])
    func finish() {
      if !word.isEmpty { found.append(Array(word.prefix(Self.longestWord))) }
      word.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      guard found.count < Self.mostWords else { break }
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
        default: finish()
        }
        continue
      }
      switch folding(of: scalar) {
      case .separator: finish()
      case .nothing: break
      case .letters(let bytes): word += bytes
      case .sign(let bytes):
        finish()
        found.append(bytes)
      }
    }
    finish()
    return found
  }

  /// Appends the words of a text in the syntax of tsvector.
  package mutating func appendVector(of text: String, to bytes: inout [UInt8]) {
    for (place, word) in words(of: text).enumerated() {
      bytes.append(0x20)
      bytes.append(contentsOf: word)
      bytes.append(UInt8(ascii: ":"))
      bytes.append(contentsOf: String(min(place + 1, Self.lastPlace)).utf8)
    }
  }

  /// Returns a query in the syntax of tsquery; `nil` if the expression has no words.
  mutating func query(_ expression: QueryExpression) -> String? {
    switch expression {
    case .phrase(let text, let isPrefix):
      let words = words(of: text).map { "'\(String(decoding: $0, as: UTF8.self))'" }
      guard !words.isEmpty else { return nil }
      return "(" + words.joined(separator: " <-> ") + (isPrefix ? ":*" : "") + ")"
    case .term: return nil
    case .not(let inner): return query(inner).map { "!\($0)" }
    case .all(let parts): return joined(parts, " & ")
    case .any(let parts): return joined(parts, " | ")
    }
  }

  private mutating func joined(_ parts: [QueryExpression], _ sign: String) -> String? {
    var queries: [String] = []
    for part in parts { queries += query(part).map { [$0] } ?? [] }
    return queries.isEmpty ? nil : "(" + queries.joined(separator: sign) + ")"
  }

  private mutating func folding(of scalar: Unicode.Scalar) -> Folding {
    if let known = foldings[scalar.value] { return known }
    let folding = Self.folding(of: scalar)
    foldings[scalar.value] = folding
    return folding
  }

  private static func folding(of scalar: Unicode.Scalar) -> Folding {
    if isUnspaced(scalar) { return .sign(Array(String(scalar).utf8)) }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return .nothing
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      let folded = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
        .filter { $0.properties.canonicalCombiningClass == .notReordered }
      return .letters(Array(String(String.UnicodeScalarView(folded)).lowercased().utf8))
    default: return .separator
    }
  }

  /// Whether the scalar belongs to a script without spaces, as in the store.
  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x0E00 && unspaced.contains { $0.contains(scalar.value) }
  }

  private static let unspaced: [ClosedRange<UInt32>] = [
    0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFD,
  ]
}

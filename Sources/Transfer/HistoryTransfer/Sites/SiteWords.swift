internal import Foundation
internal import MessageModel
internal import MessageStorage

struct SiteWords {
  private var pieces: [String: [UInt32]] = [:]
  private(set) var postingCount = 0

  var isEmpty: Bool { pieces.isEmpty }

  mutating func add(_ text: String, piece: UInt32) {
    SiteWord.each(in: text) { word in
      var isNew = false
      Self.note(piece, in: &pieces[word, default: []], &isNew)
      if isNew { postingCount += 1 }
    }
  }

  private static func note(_ piece: UInt32, in list: inout [UInt32], _ isNew: inout Bool) {
    guard list.last != piece else { return }
    list.append(piece)
    isNew = true
  }

  /// The words in the site's order, a line each: the word and the piece numbers as differences.
  func run() -> [UInt8] {
    var bytes: [UInt8] = []
    for (word, list) in pieces.map({ (Array($0.key.utf8), $0.value) }).sorted(by: {
      SiteWord.areInOrder($0.0, $1.0)
    }) {
      bytes += word
      bytes.append(0x09)
      bytes.append(SitePostings.text(of: list))
      bytes.append(0x0A)
    }
    return bytes
  }
}

/// Splits texts into normalised words; the page's script does the same with queries (docs/site.md).
package enum SiteWord {
  static let maxLength = 32

  package static func each(in text: String, _ body: (String) -> Void) {
    var text = text
    let isPlain = text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
      eachPlain(in: bytes, body)
      return true
    }
    if !isPlain { eachOther(in: text, body) }
  }

  private static func eachPlain(in bytes: UnsafeBufferPointer<UInt8>, _ body: (String) -> Void) {
    var start = 0
    while start < bytes.count {
      guard lowercase(bytes[start]) != nil else {
        start += 1
        continue
      }
      var end = start + 1
      while end < bytes.count, lowercase(bytes[end]) != nil { end += 1 }
      let count = min(end - start, maxLength)
      body(
        String(unsafeUninitializedCapacity: count) { target in
          for index in 0..<count { target[index] = lowercase(bytes[start + index]) ?? 0x20 }
          return count
        })
      start = end
    }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39, 0x61...0x7A: byte
    case 0x41...0x5A: byte + 0x20
    default: nil
    }
  }

  private static func eachOther(in text: String, _ body: (String) -> Void) {
    var (word, length) = ("", 0)
    func end() {
      if !word.isEmpty { body(word) }
      (word, length) = ("", 0)
    }
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
    where !(0x300...0x36F).contains(scalar.value) {
      guard isPart(scalar) else {
        end()
        continue
      }
      let isAlone = UnspacedScripts.contains(scalar)
      if isAlone { end() }
      for small in scalar.properties.lowercaseMapping.unicodeScalars where length < maxLength {
        word.unicodeScalars.append(small == "ς" ? "σ" : small)
        length += 1
      }
      if isAlone { end() }
    }
    end()
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  /// Orders UTF-8 words by UTF-16 code units, as JavaScript compares strings.
  static func areInOrder(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
    a.lexicographicallyPrecedes(b) { weight($0) < weight($1) }
  }

  /// Surrogates, which are four bytes in UTF-8, sort before U+E000 to U+FFFF.
  private static func weight(_ byte: UInt8) -> Int {
    byte == 0xEE || byte == 0xEF ? Int(byte) + 16 : Int(byte)
  }
}

/// Ascending piece numbers as differences: `0 3 1*4` means 0 3 4 5 6 7.
enum SitePostings {
  static func text(of list: [UInt32]) -> String {
    var text = ""
    var (last, step, times): (UInt32?, UInt32, Int) = (nil, 0, 0)
    func end() {
      guard times > 0 else { return }
      text += times == 1 ? " \(step)" : " \(step)*\(times)"
    }
    for number in list {
      guard let before = last else {
        text = "\(number)"
        last = number
        continue
      }
      let difference = number - before
      if difference != step || times == 0 {
        end()
        (step, times) = (difference, 0)
      }
      times += 1
      last = number
    }
    end()
    return text
  }

  /// `nil` if the text is damaged.
  static func list(of text: some StringProtocol) -> [UInt32]? {
    var list: [UInt32] = []
    for part in text.split(separator: " ") {
      let factors = part.split(separator: "*")
      guard let step = factors.first.flatMap({ UInt32($0) }),
        let times = factors.count == 1 ? 1 : factors.count == 2 ? Int(factors[1]) : nil
      else { return nil }
      for _ in 0..<times {
        let (next, isTooLarge) = (list.last ?? 0).addingReportingOverflow(step)
        if isTooLarge { return nil }
        list.append(next)
      }
    }
    return list
  }
}

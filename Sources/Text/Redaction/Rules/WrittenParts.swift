/// Parts of output that belong to one text each, as far as can be seen without knowing the format.
/// Expressions do not match across them.
enum WrittenParts {
  static let sign: UInt8 = 0x1F

  /// The length of a message's id, and of a checksum, whole or in a file's name.
  private static let idDigits = 15...17
  private static let checksumLetters = [16, 64]

  /// Ids and checksums contain any digits by chance.
  static func hideNumbers(in bytes: inout [UInt8]) {
    var place = 0
    while place < bytes.count {
      guard isHex(bytes[place]) else {
        place += 1
        continue
      }
      let start = place
      while place < bytes.count, isHex(bytes[place]) { place += 1 }
      let run = start..<place
      let isID = idDigits.contains(run.count) && bytes[run].allSatisfy { $0 < UInt8(ascii: "a") }
      if isID || checksumLetters.contains(run.count) { for place in run { bytes[place] = sign } }
    }
  }

  private static func isHex(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || byte &- 0x61 < 6 }

  /// The parts between line ends, quotes, tags, cells and columns, without JSON's numbers.
  static func all(of bytes: [UInt8]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0
    for place in 0...bytes.count where place == bytes.count || isEnd(place, bytes) {
      let part = start..<place
      start = place + 1
      if !part.isEmpty, !isStructure(part, bytes) { parts.append(part) }
    }
    return parts
  }

  private static func isEnd(_ place: Int, _ bytes: [UInt8]) -> Bool {
    let next = place + 1 < bytes.count ? bytes[place + 1] : 0
    switch bytes[place] {
    case sign: return false
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): return true
    case UInt8(ascii: ","): return next != 0x20
    case 0x20: return next == 0x20
    case let byte: return byte < 0x20
    }
  }

  private static func isStructure(_ part: Range<Int>, _ bytes: [UInt8]) -> Bool {
    ":]}[{(".utf8.contains(bytes[part.lowerBound])
      && bytes[part].allSatisfy { ":[]{}()-.truefalsn0123456789".utf8.contains($0) }
  }
}

/// Escapes: percent-encoding, HTML references, escapes of programs and JSON, terminal sequences, and mail's
/// line breaks. An escape of an escape (`%2525`, `&amp;amp;`, `\\\\n`) is decoded at once.
enum Escapes {
  static func begins(with byte: UInt8) -> Bool { signs[Int(byte)] }

  private static let signs: [Bool] = (UInt8.min...UInt8.max).map { Set("%&=\\\u{1B}?".utf8).contains($0) }

  /// Decodes one level; `nil` if there is none.
  static func decoded(_ text: NormalText) -> NormalText? {
    var result: NormalText?
    var kept = 0
    each(in: text) { range, meaning in
      if result == nil { result = NormalText(reserving: text.bytes.count) }
      result?.append(kept..<range.lowerBound, of: text)
      result?.append(meaning, for: range, of: text)
      kept = range.upperBound
    }
    result?.append(kept..<text.bytes.count, of: text)
    return result
  }

  static func places(in text: NormalText) -> [Range<Int>] {
    var places: [Range<Int>] = []
    each(in: text) { range, _ in places.append(range) }
    return places
  }

  private static func each(in text: NormalText, _ body: (Range<Int>, [UInt8]) -> Void) {
    text.bytes.withUnsafeBufferPointer { bytes in
      let reader = EscapeReader(bytes: bytes)
      var place = 0
      while place < bytes.count {
        guard signs[Int(bytes[place])] else {
          place += 1
          continue
        }
        let (end, meaning) = reader.read(at: place)
        if let meaning { body(place..<end, meaning) }
        place = end
      }
    }
  }
}

private struct EscapeReader {
  let bytes: UnsafeBufferPointer<UInt8>

  /// In bytes: a terminal sequence, and the charset of an encoded word.
  private static let longestSequence = 256
  private static let longestCharset = 40

  func read(at place: Int) -> (end: Int, meaning: [UInt8]?) {
    switch bytes[place] {
    case UInt8(ascii: "%"): percent(place)
    case UInt8(ascii: "&"): reference(place)
    case UInt8(ascii: "\\"): backslash(place)
    case UInt8(ascii: "="): quoted(place)
    case UInt8(ascii: "?"): mailWords(place)
    case _: sequence(place)
    }
  }

  private func byte(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }

  private func hex(_ place: Int) -> UInt8? {
    switch byte(place) {
    case let digit where digit &- 0x30 < 10: digit - 0x30
    case let letter where (letter | 0x20) &- 0x61 < 6: (letter | 0x20) - 0x61 + 10
    case _: nil
    }
  }

  private func number(at place: Int, _ count: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<count {
      guard let digit = hex(place + index) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private static func utf8(_ value: UInt32) -> [UInt8] {
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    return UTF8.encode(scalar).map(Array.init) ?? []
  }

  // MARK: Addresses

  private func percent(_ start: Int) -> (Int, [UInt8]?) {
    var place = start + 1
    while byte(place) == UInt8(ascii: "2"), byte(place + 1) == UInt8(ascii: "5") { place += 2 }
    if let value = number(at: place, 2) { return (place + 2, [UInt8(value)]) }
    return place > start + 1 ? (place, [UInt8(ascii: "%")]) : (place, nil)
  }

  // MARK: HTML

  private func reference(_ start: Int) -> (Int, [UInt8]?) {
    let ampersand = Array("amp;".utf8)
    var place = start + 1
    while stands(ampersand, at: place) { place += ampersand.count }
    let limit = min(place + CharacterNames.longest + 1, bytes.count)
    var end = place
    while end < limit, ByteSet.word.contains(bytes[end]) || bytes[end] == UInt8(ascii: "#") { end += 1 }
    if byte(end) == UInt8(ascii: ";"), end > place, let meaning = character(place..<end) {
      return (end + 1, meaning)
    }
    return place > start + 1 ? (place, [UInt8(ascii: "&")]) : (place, nil)
  }

  private func character(_ range: Range<Int>) -> [UInt8]? {
    let name = Substring(String(decoding: bytes[range], as: UTF8.self))
    guard name.hasPrefix("#") else { return CharacterNames.scalar(name).map { Self.utf8($0.value) } }
    let digits = name.dropFirst()
    let value =
      digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.map(Self.utf8)
  }

  private func stands(_ text: [UInt8], at place: Int) -> Bool {
    place + text.count <= bytes.count && text.indices.allSatisfy { bytes[place + $0] == text[$0] }
  }

  // MARK: Programs

  private func backslash(_ start: Int) -> (Int, [UInt8]?) {
    var place = start
    while byte(place) == UInt8(ascii: "\\") { place += 1 }
    switch byte(place) {
    case UInt8(ascii: "u"): return unicode(place)
    case UInt8(ascii: "U"): return number(at: place + 1, 8).map { (place + 9, Self.utf8($0)) } ?? (place, nil)
    case UInt8(ascii: "x"): return number(at: place + 1, 2).map { (place + 3, [UInt8($0)]) } ?? (place, nil)
    case UInt8(ascii: "0"): return octal(place)
    case UInt8(ascii: "n"), UInt8(ascii: "v"), UInt8(ascii: "f"): return (place + 1, [0x0A])
    case UInt8(ascii: "r"): return (place + 1, [0x0D])
    case UInt8(ascii: "t"): return (place + 1, [0x09])
    case UInt8(ascii: "b"): return (place + 1, [0x08])
    case UInt8(ascii: "e"): return (place + 1, [0x1B])
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"): return (place + 1, [bytes[place]])
    case _: return (place, nil)
    }
  }

  private func octal(_ place: Int) -> (Int, [UInt8]?) {
    var (end, value): (Int, UInt32) = (place, 0)
    while end < place + 3, byte(end) &- 0x30 < 8 {
      value = value << 3 | UInt32(bytes[end] - 0x30)
      end += 1
    }
    return (end, [UInt8(truncatingIfNeeded: value)])
  }

  /// `u00eb` or `u{eb}`, and surrogate pairs.
  private func unicode(_ place: Int) -> (Int, [UInt8]?) {
    if byte(place + 1) == UInt8(ascii: "{") {
      var (end, value): (Int, UInt32) = (place + 2, 0)
      while end < place + 8, let digit = hex(end) {
        value = value << 4 | UInt32(digit)
        end += 1
      }
      return byte(end) == UInt8(ascii: "}") ? (end + 1, Self.utf8(value)) : (place, nil)
    }
    guard let unit = number(at: place + 1, 4) else { return (place, nil) }
    let end = place + 5
    guard (0xD800...0xDBFF).contains(unit) else { return (end, Self.utf8(unit)) }
    var next = end
    while byte(next) == UInt8(ascii: "\\") { next += 1 }
    guard next > end, byte(next) == UInt8(ascii: "u"), let low = number(at: next + 1, 4),
      (0xDC00...0xDFFF).contains(low)
    else { return (end, Self.utf8(unit)) }
    return (next + 5, Self.utf8(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)))
  }

  // MARK: Mail

  /// A soft line break of quoted-printable, or an escaped character.
  private func quoted(_ start: Int) -> (Int, [UInt8]?) {
    var place = start + 1
    while byte(place) == 0x20 || byte(place) == 0x09, place < start + 4 { place += 1 }
    if byte(place) == 0x0D { place += 1 }
    if byte(place) == 0x0A, !fillsUpBase64(start) { return (place + 1, []) }
    return quotedCharacter(start) ?? (start + 1, nil)
  }

  /// Whether `=` at the end of a line is Base64's padding.
  private func fillsUpBase64(_ sign: Int) -> Bool {
    var end = sign
    while end > 0, sign - end < 2, bytes[end - 1] == UInt8(ascii: "=") { end -= 1 }
    var start = end
    while start > 0, Base64Text.isLetter(bytes[start - 1]) { start -= 1 }
    return end - start >= 6 && (sign + 1 - start) % 4 == 0 && Base64Text.mayBe(start..<end, in: bytes)
  }

  private func quotedCharacter(_ start: Int) -> (Int, [UInt8])? {
    guard let first = number(at: start + 1, 2) else { return nil }
    guard first >= 0xC2 else {
      let isAtEnd = byte(start + 3) == 0x0A || byte(start + 3) == 0x0D
      return first == 0x20 && isAtEnd || first == 0x3D ? (start + 3, [UInt8(first)]) : nil
    }
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var character = [UInt8(first)]
    for index in 1..<count {
      guard byte(start + 3 * index) == UInt8(ascii: "="), let next = number(at: start + 3 * index + 1, 2),
        next & 0xC0 == 0x80
      else { return nil }
      character.append(UInt8(next))
    }
    return (start + 3 * count, character)
  }

  /// Joins adjacent encoded words of a header: `?= =?utf-8?B?` has no text.
  private func mailWords(_ start: Int) -> (Int, [UInt8]?) {
    guard byte(start + 1) == UInt8(ascii: "=") else { return (start + 1, nil) }
    var place = start + 2
    while place < start + 8, [0x20, 0x09, 0x0D, 0x0A].contains(byte(place)) { place += 1 }
    guard place > start + 2, byte(place) == UInt8(ascii: "="), byte(place + 1) == UInt8(ascii: "?") else {
      return (start + 1, nil)
    }
    place += 2
    let limit = place + Self.longestCharset
    while place < limit, ByteSet.word.contains(byte(place)) || byte(place) == UInt8(ascii: "-") { place += 1 }
    guard byte(place) == UInt8(ascii: "?"), "bBqQ".utf8.contains(byte(place + 1)),
      byte(place + 2) == UInt8(ascii: "?")
    else { return (start + 1, nil) }
    return (place + 3, [])
  }

  // MARK: Terminals

  /// A terminal sequence: `␛[32m`, `␛]8;;address␛\`.
  private func sequence(_ start: Int) -> (Int, [UInt8]?) {
    let limit = min(start + Self.longestSequence, bytes.count)
    var place = start + 2
    switch byte(start + 1) {
    case UInt8(ascii: "["):
      while place < limit, (0x20...0x3F).contains(bytes[place]) { place += 1 }
      return (min(place + 1, bytes.count), [])
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      while place < limit {
        if bytes[place] == 0x07 { return (place + 1, []) }
        if bytes[place] == 0x1B { return (byte(place + 1) == UInt8(ascii: "\\") ? place + 2 : place, []) }
        place += 1
      }
      return (start + 1, [])
    case UInt8(ascii: "("), UInt8(ascii: ")"): return (min(start + 3, bytes.count), [])
    case _: return (start + 1, [])
    }
  }
}

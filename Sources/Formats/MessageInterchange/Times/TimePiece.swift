/// A number, a word or a mark of a written time.
struct TimePiece {
  struct Number {
    var value: Int
    var digits: Int

    /// Of the fraction of a second whose digits these are.
    var milliseconds: Int {
      var (value, digits) = (value, min(digits, TimePiece.mostDigits))
      while digits > 3 { (value, digits) = (value / 10, digits - 1) }
      while digits < 3 { (value, digits) = (value * 10, digits + 1) }
      return value
    }
  }

  private(set) var number: Number?
  /// As ``DateWords/key(of:)`` returns it.
  private(set) var word: String?
  /// ASCII; 0 for others.
  private(set) var mark: UInt8?
  /// Whether no space precedes it.
  var isGlued = false
  /// Whether all of a word's letters are capitals of ASCII, as in the name of a zone.
  var isUppercase = false

  static let mostDigits = 9
  private static let mostBytes = 128

  /// `nil` if the text is too long for a time.
  ///
  /// - Parameter skipsComments: Whether what is in parentheses, and behind a time in brackets, only explains it.
  static func pieces(of text: Bytes, skipsComments: Bool) -> [TimePiece]? {
    guard text.count <= mostBytes else { return nil }
    var cutter = Cutter(skipsComments: skipsComments)
    for scalar in text.string.unicodeScalars { cutter.take(scalar) }
    cutter.endRun()
    return cutter.pieces
  }

  /// Parts a word behind its first letters.
  func parted(behind count: Int) -> (first: TimePiece, rest: TimePiece)? {
    guard let word, word.count > count else { return nil }
    var (first, rest) = (self, self)
    first.word = String(word.prefix(count))
    (rest.word, rest.isGlued) = (String(word.dropFirst(count)), true)
    return (first, rest)
  }

  private struct Cutter {
    let skipsComments: Bool
    private(set) var pieces: [TimePiece] = []
    private var letters = String.UnicodeScalarView()
    private var number: Number?
    private var isGlued = false
    private var depth = 0

    init(skipsComments: Bool) { self.skipsComments = skipsComments }

    mutating func take(_ scalar: Unicode.Scalar) {
      guard skipsComments else { return takeOutside("()（）[]".unicodeScalars.contains(scalar) ? " " : scalar) }
      switch scalar {
      case "(", "（":
        endRun()
        depth += 1
      case "[" where !pieces.isEmpty || !letters.isEmpty || number != nil:
        endRun()
        depth += 1
      case ")", "）", "]":
        depth = max(depth - 1, 0)
        isGlued = false
      case "[": break
      default: if depth == 0 { takeOutside(scalar) }
      }
    }

    private mutating func takeOutside(_ scalar: Unicode.Scalar) {
      if let digit = Self.digit(scalar) {
        if !letters.isEmpty { endRun() }
        takeDigit(digit)
      } else if DateWords.isLetter(scalar) {
        if number != nil || isOfOtherScript(scalar) { endRun() }
        letters.append(scalar)
      } else if Self.isJoiner(scalar) {
        // `d’abril` is one word, and direction marks are not there.
      } else {
        endRun()
        if scalar.properties.isWhitespace {
          isGlued = false
        } else {
          append(TimePiece(mark: Self.mark(scalar)))
        }
      }
    }

    /// Telugu appends its own letters to `PM`.
    private func isOfOtherScript(_ scalar: Unicode.Scalar) -> Bool {
      (0x0900..<0x1AB0).contains(scalar.value) && letters.last?.isASCII == true
    }

    private mutating func takeDigit(_ digit: Int) {
      var found = number ?? Number(value: 0, digits: 0)
      if found.digits < TimePiece.mostDigits { found.value = found.value * 10 + digit }
      found.digits += 1
      number = found
    }

    mutating func endRun() {
      if let number {
        append(TimePiece(number: number))
      } else if !letters.isEmpty {
        let isUppercase = letters.allSatisfy { ("A"..."Z").contains($0) }
        append(TimePiece(word: DateWords.key(of: String(letters)), isUppercase: isUppercase))
      }
      number = nil
      letters.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ piece: TimePiece) {
      var piece = piece
      piece.isGlued = isGlued && !pieces.isEmpty
      pieces.append(piece)
      isGlued = true
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
      if scalar.isASCII { return (0x30...0x39).contains(scalar.value) ? Int(scalar.value) - 0x30 : nil }
      let properties = scalar.properties
      return properties.numericType == .decimal ? properties.numericValue.map { Int($0) } : nil
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x27, 0x60, 0x05F3, 0x05F4, 0x2018, 0x2019, 0x200B...0x200F, 0x202A...0x202E, 0x2066...0x2069,
        0x061C, 0x070F, 0xFEFF:
        true
      default: false
      }
    }

    private static func mark(_ scalar: Unicode.Scalar) -> UInt8 {
      switch scalar {
      case "，", "、", "،": UInt8(ascii: ",")
      case "：": UInt8(ascii: ":")
      case "／": UInt8(ascii: "/")
      case "．", "。": UInt8(ascii: ".")
      case "−", "‐", "‑", "–": UInt8(ascii: "-")
      default: scalar.isASCII ? UInt8(scalar.value) : 0
      }
    }
  }
}

extension [TimePiece] {
  func isPair(_ index: Int) -> Bool { index < count && self[index].number?.digits == 2 }

  /// Whether the mark at a place joins the number behind it without a space.
  func isJoined(by mark: Unicode.Scalar, at index: Int) -> Bool {
    index + 1 < count && self[index].mark == UInt8(ascii: mark) && self[index].isGlued
      && self[index + 1].isGlued && self[index + 1].number != nil
  }
}

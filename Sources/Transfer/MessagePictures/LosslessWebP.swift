internal import MessageModel

/// Lossless pixels or opacity of a WebP, as far as they determine a decoder's memory. The stream begins with
/// up to 65,536 groups of prefix codes: a few bits of the file each, but 6 to 12 KB of memory in libwebp,
/// which has no limit of its own (371 MB for a file of 295 KB). A small picture before them tells how many
/// there are, so that one is read first (RFC 9649, 3.7 and 3.8).
struct LosslessWebP {
  let place: Int
  /// The size of its picture; `nil` if the stream contains it.
  let size: PixelSize?

  /// Estimates libwebp's memory for the prefix codes in O(pixels ÷ 16); pictures beyond the limit are
  /// rejected unread.
  func codesByteCount(in input: PictureInput, memoryByteCount: Int) throws(PictureRefusal) -> Int {
    var stream = LosslessStream(input, at: place)
    return try stream.codesByteCount(size, memoryByteCount)
  }
}

/// Reads the beginning of a stream bit by bit. Only sizes and literals of its pictures matter: copies and
/// cached colours bring no new group number.
private struct LosslessStream {
  private let input: PictureInput
  private var place: Int
  private var buffer: [UInt8] = []
  private var index = 0
  private var bits: UInt64 = 0
  private var bitCount = 0

  init(_ input: PictureInput, at place: Int) {
    self.input = input
    self.place = place
  }

  mutating func codesByteCount(_ known: PixelSize?, _ most: Int) throws(PictureRefusal) -> Int {
    var (width, height) = (known?.width ?? 0, known?.height ?? 0)
    if known == nil {
      guard try read(8) == 0x2F else { throw .damaged }
      (width, height) = (try read(14) + 1, try read(14) + 1)
      _ = try read(4)
    }
    guard width * height <= most / 4 else { throw .tooLarge }
    var transformCount = 0
    while try read(1) == 1 {
      transformCount += 1
      // At most four, each of another type.
      guard transformCount <= 4 else { throw .damaged }
      try skipTransform(&width, height)
    }
    let cacheBits = try readCacheBits()
    let groups = try read(1) == 0 ? 1 : try readBlockImage(width, height) + 1
    // The tables of libwebp (kTableSize in vp8l_dec.c), four bytes an entry, and its packed tables.
    return groups * (4 * (2_954 + 1 << cacheBits) + 640)
  }

  private mutating func skipTransform(_ width: inout Int, _ height: Int) throws(PictureRefusal) {
    switch try read(2) {
    case 0, 1: _ = try readBlockImage(width, height)
    case 2: break
    default:
      let colours = try read(8) + 1
      _ = try maxNumber(pixels: colours)
      let pixelBits = colours > 16 ? 0 : colours > 4 ? 1 : colours > 2 ? 2 : 3
      width = Self.blocks(width, pixelBits)
    }
  }

  private static func blocks(_ length: Int, _ bits: Int) -> Int { (length + (1 << bits) - 1) >> bits }

  private mutating func readBlockImage(_ width: Int, _ height: Int) throws(PictureRefusal) -> Int {
    let bits = try read(3) + 2
    return try maxNumber(pixels: Self.blocks(width, bits) * Self.blocks(height, bits))
  }

  private mutating func readCacheBits() throws(PictureRefusal) -> Int {
    guard try read(1) == 1 else { return 0 }
    let bits = try read(4)
    guard (1...11).contains(bits) else { throw .damaged }
    return bits
  }

  /// Returns the greatest group number, red and green together, of a picture.
  private mutating func maxNumber(pixels: Int) throws(PictureRefusal) -> Int {
    let cacheBits = try readCacheBits()
    let green = try readCode(280 + (cacheBits > 0 ? 1 << cacheBits : 0))
    let (red, blue, opacity) = (try readCode(256), try readCode(256), try readCode(256))
    let distance = try readCode(40)
    var (greatest, count) = (0, 0)
    while count < pixels {
      let symbol = try read(green)
      if symbol < 256 {
        greatest = max(greatest, try read(red) << 8 | symbol)
        _ = (try read(blue), try read(opacity))
        count += 1
      } else if symbol < 280 {
        count += try readLength(symbol - 256)
        _ = try readLength(read(distance))
      } else {
        count += 1
      }
    }
    return greatest
  }

  private mutating func readLength(_ symbol: Int) throws(PictureRefusal) -> Int {
    guard symbol >= 4 else { return symbol + 1 }
    let extra = (symbol - 2) >> 1
    return (2 + symbol & 1) << extra + (try read(extra)) + 1
  }

  /// A canonical prefix code: the number of words of each length, and the symbols in the order of their
  /// words.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    /// - Parameter lengths: The length of each symbol's word; 0 for unused symbols.
    init(lengths: [Int]) throws(PictureRefusal) {
      for length in lengths where length > 0 { counts[length] += 1 }
      var starts = [Int](repeating: 0, count: 17)
      for length in 1...15 { starts[length + 1] = starts[length] + counts[length] }
      symbols = [Int](repeating: 0, count: starts[16])
      for (symbol, length) in lengths.enumerated() where length > 0 {
        symbols[starts[length]] = symbol
        starts[length] += 1
      }
      guard symbols.count != 1 else { return }
      let words = (1...15).reduce(0) { $0 + counts[$1] << (15 - $1) }
      guard words == 1 << 15 else { throw .damaged }
    }
  }

  private mutating func readCode(_ alphabet: Int) throws(PictureRefusal) -> Code {
    try Code(lengths: try read(1) == 1 ? readFewSymbols(alphabet) : readLengths(alphabet))
  }

  private mutating func readFewSymbols(_ alphabet: Int) throws(PictureRefusal) -> [Int] {
    var lengths = [Int](repeating: 0, count: max(alphabet, 256))
    let hasTwo = try read(1) == 1
    lengths[try read(try read(1) == 1 ? 8 : 1)] = 1
    if hasTwo { lengths[try read(8)] = 1 }
    return Array(lengths.prefix(alphabet))
  }

  private mutating func readLengths(_ alphabet: Int) throws(PictureRefusal) -> [Int] {
    let order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    var lengthsOfLengths = [Int](repeating: 0, count: 19)
    for symbol in order.prefix(4 + (try read(4))) { lengthsOfLengths[symbol] = try read(3) }
    let code = try Code(lengths: lengthsOfLengths)
    var left = alphabet
    if try read(1) == 1 { left = 2 + (try read(2 + 2 * (try read(3)))) }
    guard left <= alphabet else { throw .damaged }
    var (lengths, previous) = ([Int](), 8)
    while lengths.count < alphabet, left > 0 {
      left -= 1
      let symbol = try read(code)
      switch symbol {
      case 16: lengths += Array(repeating: previous, count: 3 + (try read(2)))
      case 17: lengths += Array(repeating: 0, count: 3 + (try read(3)))
      case 18: lengths += Array(repeating: 0, count: 11 + (try read(7)))
      default:
        lengths.append(symbol)
        if symbol > 0 { previous = symbol }
      }
    }
    guard lengths.count <= alphabet else { throw .damaged }
    return lengths
  }

  /// Words of one length are consecutive numbers.
  private mutating func read(_ code: Code) throws(PictureRefusal) -> Int {
    guard code.symbols.count > 1 else { return code.symbols.first ?? 0 }
    var (word, first, index) = (0, 0, 0)
    for length in 1...15 {
      word |= try read(1)
      let count = code.counts[length]
      if word - first < count { return code.symbols[index + word - first] }
      index += count
      first = (first + count) << 1
      word <<= 1
    }
    throw .damaged
  }

  /// Reads up to 32 bits, lowest bit first.
  private mutating func read(_ count: Int) throws(PictureRefusal) -> Int {
    while bitCount < count {
      bits |= UInt64(try readByte()) << UInt64(bitCount)
      bitCount += 8
    }
    defer {
      bits >>= UInt64(count)
      bitCount -= count
    }
    return Int(bits & (1 << UInt64(count) - 1))
  }

  private mutating func readByte() throws(PictureRefusal) -> UInt8 {
    if index == buffer.count {
      buffer = input.bytes(at: place, count: 65_536)
      place += buffer.count
      index = 0
    }
    guard index < buffer.count else { throw .damaged }
    defer { index += 1 }
    return buffer[index]
  }
}

/// The values of a large JSON document, one at a time in memory. The caller chooses the objects and lists to
/// descend into; every other value is returned whole. Values are delimited by their brackets and quotes and
/// parsed only when read.
struct JSONStream {
  enum Next {
    /// A whole value, valid until the next call.
    case value(Bytes, offset: Int64)
    /// The end of an object or list that was descended into.
    case leave
    /// A value over the limit was skipped.
    case overlong(offset: Int64)
    case end
  }

  static let bound = 64 << 20

  private struct Level {
    var isList: Bool
    var pathCount: Int
    var isEmpty = true
  }

  private let source: ByteSource
  private var levels: [Level] = []
  private var pending = 0
  private var hasBegun = false
  private var emptyListCount = 0
  private var elementCount = 0
  /// The last value's path: keys, and `*` for elements of a list.
  private(set) var path: [String] = []

  /// Whether a list ended without elements, and no element of a list was returned as a value.
  var hasEmptyListsAlone: Bool { emptyListCount > 0 && elementCount == 0 }

  private let longest: Int

  init(_ source: ByteSource, longest: Int = JSONStream.bound) {
    self.source = source
    self.longest = longest
  }

  /// Returns the next value, or the end of an object or list that `descends` chose by its path.
  mutating func next(_ descends: ([String]) -> Bool) throws(InterchangeError) -> Next {
    source.consume(pending)
    pending = 0
    while true {
      guard let byte = try firstByte() else {
        if levels.isEmpty, hasBegun { return .end }
        throw Self.cut
      }
      if let level = levels.last {
        path.removeLast(path.count - level.pathCount)
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
          source.consume(1)
          levels.removeLast()
          emptyListCount += level.isList && level.isEmpty ? 1 : 0
          return .leave
        }
        levels[levels.count - 1].isEmpty = false
        path.append(level.isList ? "*" : try key())
      } else if hasBegun {
        return .end
      }
      hasBegun = true
      if let value = try value(descends) { return value }
    }
  }

  mutating func nextValue(_ descends: ([String]) -> Bool) throws(InterchangeError) -> Next? {
    while true {
      let next = try next(descends)
      switch next {
      case .value: return next
      case .leave, .overlong: continue
      case .end: return nil
      }
    }
  }

  private static let cut = InterchangeError(
    .unreadable, "cannot read the file further",
    cause: "it ends in the middle of a value; what came before is kept")
  private static let notJSON = InterchangeError(
    .unreadable, "cannot read the file further",
    cause: "it is not JSON from here on; what came before is kept")

  private mutating func value(_ descends: ([String]) -> Bool) throws(InterchangeError) -> Next? {
    guard let byte = try firstByte() else { throw Self.cut }
    let isList = byte == UInt8(ascii: "[")
    if isList || byte == UInt8(ascii: "{"), descends(path) {
      guard levels.count < JSONScanner.deepestNesting else { throw Self.notJSON }
      source.consume(1)
      levels.append(Level(isList: isList, pathCount: path.count))
      return nil
    }
    elementCount += levels.last?.isList == true ? 1 : 0
    let offset = source.offset
    guard let count = try valueByteCount() else { return .overlong(offset: offset) }
    pending = count
    return .value(source.buffered.first(count), offset: offset)
  }

  private func firstByte() throws(InterchangeError) -> UInt8? {
    while true {
      let bytes = source.buffered
      if let start = bytes.firstIndex(where: { !Self.isSpace($0) && $0 != UInt8(ascii: ",") }) {
        source.consume(start)
        return bytes[start]
      }
      source.consume(bytes.count)
      guard try source.fill() else { return nil }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0xEF || byte == 0xBB
      || byte == 0xBF
  }

  private func key() throws(InterchangeError) -> String {
    guard source.buffered.first == UInt8(ascii: "\""), let count = try valueByteCount() else {
      throw Self.notJSON
    }
    var scanner = JSONScanner(source.buffered.first(count))
    guard let key = try? scanner.string().string() else { throw Self.notJSON }
    source.consume(count)
    guard try firstByte() == UInt8(ascii: ":") else { throw Self.notJSON }
    source.consume(1)
    return key
  }

  private func valueByteCount() throws(InterchangeError) -> Int? {
    var extent = Extent()
    var position = 0
    var isPassing = false
    var hasLooked = false
    while true {
      let bytes = source.buffered
      while position < bytes.count {
        if extent.isWithinText {
          position = JSONScanner.quoteOrBackslash(in: bytes, from: position)
          guard position < bytes.count else { break }
        }
        if extent.ends(before: bytes[position]) { return try finish(position, isPassing) }
        position += 1
        if extent.isComplete { return try finish(position, isPassing) }
      }
      if !hasLooked, position > min(ByteSource.patience, longest / 8) {
        hasLooked = true
        isPassing = try !isWithinBound(extent, position)
      }
      if isPassing || position > longest {
        source.consume(position)
        position = 0
        isPassing = true
      }
      guard try source.fill() else {
        guard !extent.isOpen else { throw Self.cut }
        return try finish(position, isPassing)
      }
    }
  }

  /// Looks ahead for the end of a value with `count` buffered bytes; `true` if the source cannot.
  private func isWithinBound(_ extent: Extent, _ count: Int) throws(InterchangeError) -> Bool {
    var extent = extent
    return try source.lookAhead(longest - count) { bytes in
      bytes.contains { extent.ends(before: $0) || extent.isComplete }
    } ?? true
  }

  private func finish(_ count: Int, _ isPassing: Bool) throws(InterchangeError) -> Int? {
    guard isPassing else { return count }
    source.consume(count)
    return nil
  }
}

/// Whether a position is within a JSON string, where brackets have no meaning.
struct JSONStringState {
  private(set) var isOpen = false
  private(set) var isEscaped = false

  /// Call after the opening quote.
  mutating func open() { isOpen = true }

  mutating func ends(with byte: UInt8) -> Bool {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isOpen = false
    }
    return !isOpen
  }
}

private struct Extent {
  private var depth = 0
  private var string = JSONStringState()
  private var isWord = false
  private(set) var isComplete = false

  /// Whether all bytes up to a quote or a backslash belong to a string.
  var isWithinText: Bool { string.isOpen && !string.isEscaped }
  /// Whether the value cannot end here.
  var isOpen: Bool { depth > 0 || string.isOpen }

  /// Takes the next byte; returns whether the value, a number or word, ended before it.
  mutating func ends(before byte: UInt8) -> Bool {
    if string.isOpen {
      if string.ends(with: byte) { isComplete = depth == 0 }
      return false
    }
    switch byte {
    case UInt8(ascii: "\""): string.open()
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == 0 { return true }
      depth -= 1
      isComplete = depth == 0
    case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09: return depth == 0 && isWord
    default: isWord = true
    }
    return false
  }
}

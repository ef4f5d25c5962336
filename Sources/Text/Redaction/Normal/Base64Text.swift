/// Base64 of UTF-8 or UTF-16 text, in either alphabet, on one line or wrapped.
enum Base64Text {
  /// Longer Base64 is not decoded.
  static let mostBytes = 1 << 20

  /// The fewest letters of a run that is text as a whole, and of one that contains text.
  private static let shortest = 4
  private static let shortestWithin = 16
  private static let shortestStretch = 8
  /// Mail wraps at 76 letters, keys at 64.
  private static let shortestLine = 60

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, letter) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
      .enumerated()
    {
      values[Int(letter)] = UInt8(value)
    }
    values[Int(UInt8(ascii: "-"))] = 62
    values[Int(UInt8(ascii: "_"))] = 63
    return values
  }()

  static func isLetter(_ byte: UInt8) -> Bool { values[Int(byte)] != 0xFF }

  private static func isText(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x20..<0x7F).contains(byte) || [0x09, 0x0A, 0x0D].contains(byte)
  }

  /// By its first bytes, or in a long run by letters of both cases.
  static func mayBe(_ run: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard run.count >= shortest else { return false }
    if run.count >= shortestWithin {
      let letters = bytes[run]
      return letters.contains { $0 &- 0x41 < 26 } && letters.contains { $0 &- 0x61 < 26 }
    }
    guard let group = group(at: run.lowerBound, bytes), isText(group[0]) else { return false }
    // A lead byte of UTF-8 must be followed by a continuation byte.
    if group[0] >= 0x80 { return (0xC2...0xF4).contains(group[0]) && group[1] & 0xC0 == 0x80 }
    return isText(group[1]) && isText(group[2])
  }

  private static func group(at start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Group? {
    var bits: UInt32 = 0
    for place in start..<start + 4 {
      let value = place < bytes.count ? values[Int(bytes[place])] : 0xFF
      // `Wm/DqwA=` begins with four letters, `QW4=` with three.
      if value == 0xFF, place < start + 2 { return nil }
      bits = bits << 6 | (value == 0xFF ? 0x28 : UInt32(value))
    }
    return Group(start: start, end: start + 4, bits: bits << 8, count: 3)
  }

  static func decoded(_ text: NormalText) -> NormalText? {
    var result: NormalText?
    var kept = 0
    for (run, stretches) in runs(in: text) where run.count <= mostBytes / 3 * 4 {
      if result == nil { result = NormalText(reserving: text.bytes.count) }
      result?.append(kept..<run.lowerBound, of: text)
      for stretch in stretches {
        for group in stretch { result?.append(group, for: group.start..<group.end, of: text) }
        if stretch.count * 4 < run.count - 3, let end = stretch.last?.end {
          result?.append(CollectionOfOne(0x0A), for: end - 1..<end, of: text)
        }
      }
      kept = run.upperBound
    }
    result?.append(kept..<text.bytes.count, of: text)
    return result
  }

  static func places(in text: NormalText) -> [Range<Int>] { runs(in: text).map(\.run) }

  static func longPlaces(in text: NormalText) -> [Range<Int>] {
    guard text.bytes.count > mostBytes else { return [] }
    return runs(in: text).map(\.run).filter { $0.count > mostBytes / 3 * 4 }
  }

  private struct Group: Sequence {
    var start: Int
    var end: Int
    var bits: UInt32
    var count: Int

    subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: bits >> (24 - 8 * UInt32(index))) }

    var isText: Bool { (0..<count).allSatisfy { Base64Text.isText(self[$0]) } }

    func makeIterator() -> IndexingIterator<[UInt8]> { (0..<count).map { self[$0] }.makeIterator() }
  }

  private static func runs(in text: NormalText) -> [(run: Range<Int>, stretches: [[Group]])] {
    var found: [(Range<Int>, [[Group]])] = []
    text.bytes.withUnsafeBufferPointer { bytes in
      var place = 0
      while place < bytes.count {
        guard isLetter(bytes[place]) else {
          place += 1
          continue
        }
        let run = place..<end(of: place, bytes)
        if mayBe(run, in: bytes), let stretches = stretches(of: run, bytes) { found.append((run, stretches)) }
        place = run.upperBound
      }
    }
    return found
  }

  private static func end(of start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var (place, line) = (start, start)
    while place < bytes.count {
      guard !isLetter(bytes[place]) else {
        place += 1
        continue
      }
      let next = bytes[place] == 0x0D ? place + 1 : place
      guard next + 1 < bytes.count, bytes[next] == 0x0A, place - line >= shortestLine,
        isLetter(bytes[next + 1])
      else {
        break
      }
      (place, line) = (next + 1, next + 1)
    }
    let filling = bytes[place...].prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    return place + filling
  }

  private static func stretches(of run: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> [[Group]]? {
    let whole = groups(of: run, from: 0, bytes)
    if isReadable(whole) { return [whole] }
    guard run.count >= shortestWithin else { return nil }
    let phases = [whole] + (1..<4).map { groups(of: run, from: $0, bytes) }
    if let text = phases.lazy.compactMap(utf16).first { return [text] }
    return phases.map(readable).max { weight($0) < weight($1) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// UTF-16 of Windows programs, by its byte order mark, or by zeros in half of its bytes as in Latin text.
  private static func utf16(_ groups: [Group]) -> [Group]? {
    let count = groups.reduce(0) { $0 + $1.count }
    func byte(_ place: Int) -> UInt8 { groups[place / 3][place % 3] }
    var zeros = [0, 0]
    for place in 0..<count where byte(place) == 0 { zeros[place % 2] += 1 }
    let hasMark = count > 2 && byte(0) ^ byte(1) == 1 && max(byte(0), byte(1)) == 0xFF
    let high = hasMark ? (byte(0) == 0xFF ? 1 : 0) : zeros[1] > zeros[0] ? 1 : 0
    guard count >= shortestStretch, hasMark || zeros[high] * 4 >= count else { return nil }
    var text: [Group] = []
    var first: (unit: UInt32, place: Int)?
    for place in stride(from: hasMark ? 2 : 0, to: count - 1, by: 2) {
      let unit = UInt32(byte(place + high)) << 8 | UInt32(byte(place + 1 - high))
      if (0xD800...0xDBFF).contains(unit) {
        first = (unit, place)
        continue
      }
      let isSecond = (0xDC00...0xDFFF).contains(unit) && first != nil
      let value = isSecond ? 0x10000 + ((first?.unit ?? 0) - 0xD800) << 10 + (unit - 0xDC00) : unit
      let start = isSecond ? first?.place ?? place : place
      guard value >= 0x80 || isText(UInt8(value)), let scalar = Unicode.Scalar(value),
        let bytes = UTF8.encode(scalar)
      else { return nil }
      let bits = bytes.enumerated().reduce(UInt32(0)) {
        $0 | UInt32($1.element) << (24 - 8 * UInt32($1.offset))
      }
      text.append(
        Group(
          start: groups[start / 3].start, end: groups[(place + 1) / 3].end, bits: bits, count: bytes.count))
      first = nil
    }
    return text
  }

  private static func weight(_ stretches: [[Group]]) -> Int {
    stretches.reduce(0) { sum, stretch in
      var parser = Unicode.UTF8.ForwardParser()
      var rest = stretch.joined().makeIterator()
      var weight = sum
      while true {
        switch parser.parseScalar(from: &rest) {
        case .valid(let scalar): weight += scalar.count
        case .error: break
        case .emptyInput: return weight
        }
      }
    }
  }

  private static func isReadable(_ groups: [Group]) -> Bool {
    guard !groups.isEmpty, groups.allSatisfy(\.isText) else { return false }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(groups.count * 3)
    for group in groups { for index in 0..<group.count { bytes.append(group[index]) } }
    return String(validating: bytes, as: UTF8.self) != nil
  }

  /// The readable parts that are too long to be a coincidence.
  private static func readable(_ groups: [Group]) -> [[Group]] {
    groups.split { !$0.isText }.filter { $0.count * 3 >= shortestStretch }.map(Array.init)
  }

  private static func groups(of run: Range<Int>, from first: Int, _ bytes: UnsafeBufferPointer<UInt8>)
    -> [Group]
  {
    var groups: [Group] = []
    groups.reserveCapacity(run.count / 4 + 1)
    var (bits, count, start): (UInt32, Int, Int) = (0, 0, run.lowerBound)
    for place in (run.lowerBound + first)..<run.upperBound {
      let value = values[Int(bytes[place])]
      guard value != 0xFF else { continue }
      if count == 0 { start = place }
      bits = bits << 6 | UInt32(value)
      count += 1
      guard count == 4 else { continue }
      groups.append(Group(start: start, end: place + 1, bits: bits << 8, count: 3))
      (bits, count) = (0, 0)
    }
    if count > 1 {
      groups.append(
        Group(start: start, end: run.upperBound, bits: bits << (6 * UInt32(4 - count) + 8), count: count - 1))
    }
    return groups
  }
}

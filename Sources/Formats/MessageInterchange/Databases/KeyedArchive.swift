/// The objects that an app of Apple's archived in a binary property list, read one by one.
///
/// Objects refer to each other by number, which property lists of other systems do not show.
struct KeyedArchive {
  /// The place of an object among those of the list.
  typealias Number = Int

  private static let longest = 4 << 20
  private static let trailerByteCount = 32
  private static let mostElements = 100_000

  private let bytes: Bytes
  private let offsetWidth: Int
  private let numberWidth: Int
  private let offsetsStart: Int
  private let count: Int
  private var archived: [Number] = []
  private(set) var root: Number = 0

  /// `nil` if it is no archive. The bytes must outlive it.
  init?(_ bytes: Bytes) {
    guard bytes.has("bplist00"), (8 + Self.trailerByteCount...Self.longest).contains(bytes.count) else {
      return nil
    }
    self.bytes = bytes
    let trailer = bytes.count - Self.trailerByteCount
    (offsetWidth, numberWidth) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetWidth), (1...8).contains(numberWidth),
      let count = Self.number(bytes, at: trailer + 8, width: 8),
      let top = Self.number(bytes, at: trailer + 16, width: 8),
      let offsetsStart = Self.number(bytes, at: trailer + 24, width: 8), offsetsStart <= trailer,
      count <= (trailer - offsetsStart) / offsetWidth
    else { return nil }
    (self.count, self.offsetsStart) = (count, offsetsStart)
    guard let objects = entry("$objects", of: top).flatMap(list), let tops = entry("$top", of: top) else {
      return nil
    }
    archived = objects
    guard let root = entry("root", of: tops) else { return nil }
    self.root = resolved(root)
  }

  /// The value under a key of an archived dictionary or object.
  func value(_ key: String, of object: Number) -> Number? {
    if let own = entry(key, of: object) { return resolved(own) }
    guard let keys = entry("NS.keys", of: object).flatMap(list),
      let values = entry("NS.objects", of: object).flatMap(list)
    else { return nil }
    return zip(keys, values).first { isString(resolved($0.0), key) }.map { resolved($0.1) }
  }

  /// The string, or the address, that an archived object is.
  func text(_ object: Number) -> String? {
    string(object)
      ?? ["NS.string", "NS.relative"].lazy.compactMap { key in
        value(key, of: object).flatMap(string)
      }.first
  }

  func text(_ key: String, of object: Number) -> String? {
    let text = value(key, of: object).flatMap { self.text($0) }
    return text == "$null" || text?.isEmpty == true ? nil : text
  }

  private func resolved(_ object: Number) -> Number {
    guard let (sort, size, start) = header(of: object), sort == 0x8,
      let place = Self.number(bytes, at: start, width: size + 1), archived.indices.contains(place)
    else { return object }
    return archived[place]
  }

  private func entry(_ key: String, of object: Number) -> Number? {
    guard let (sort, size, start) = header(of: object), sort == 0xD, let keys = numbers(size, at: start),
      let place = keys.firstIndex(where: { isString($0, key) })
    else { return nil }
    return Self.number(bytes, at: start + (size + place) * numberWidth, width: numberWidth)
  }

  private func list(_ object: Number) -> [Number]? {
    guard let (sort, size, start) = header(of: object), sort == 0xA else { return nil }
    return numbers(size, at: start)
  }

  private func numbers(_ count: Int, at start: Int) -> [Number]? {
    guard count <= min(Self.mostElements, (bytes.count - start) / numberWidth) else { return nil }
    return (0..<count).compactMap {
      Self.number(bytes, at: start + $0 * numberWidth, width: numberWidth)
    }
  }

  private func isString(_ object: Number, _ wanted: String) -> Bool {
    header(of: object)?.size == wanted.utf16.count && string(object) == wanted
  }

  private func string(_ object: Number) -> String? {
    guard let (sort, size, start) = header(of: object), sort == 0x5 || sort == 0x6 else { return nil }
    let width = sort == 0x6 ? 2 : 1
    guard size <= (bytes.count - start) / width else { return nil }
    let content = Bytes(rebasing: bytes[start..<start + size * width])
    guard width == 2 else { return content.string }
    let units = (0..<size).map { UInt16(content[$0 * 2]) << 8 | UInt16(content[$0 * 2 + 1]) }
    return String(decoding: units, as: UTF16.self)
  }

  /// The sort of an object, its size, and where its content begins.
  private func header(of object: Number) -> (sort: UInt8, size: Int, start: Int)? {
    guard (0..<count).contains(object),
      let place = Self.number(bytes, at: offsetsStart + object * offsetWidth, width: offsetWidth),
      place < bytes.count
    else { return nil }
    let (sort, size) = (bytes[place] >> 4, Int(bytes[place] & 0xF))
    guard size == 0xF, sort != 0x8 else { return (sort, size, place + 1) }
    guard place + 1 < bytes.count, bytes[place + 1] >> 4 == 0x1, bytes[place + 1] & 0xF <= 3 else {
      return nil
    }
    let width = 1 << Int(bytes[place + 1] & 0xF)
    return Self.number(bytes, at: place + 2, width: width).map { (sort, $0, place + 2 + width) }
  }

  /// Most significant byte first; `nil` beyond the end, and from 2⁴⁸ on, so that no sum overflows.
  private static func number(_ bytes: Bytes, at start: Int, width: Int) -> Int? {
    guard start >= 0, width > 0, start <= bytes.count - width else { return nil }
    var value = 0
    for byte in bytes[start..<start + width] {
      guard value < 1 << 40 else { return nil }
      value = value << 8 | Int(byte)
    }
    return value
  }
}

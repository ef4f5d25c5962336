enum LinkScanner {
  static let longest = 8_192
  private static let schemes = ["https://", "http://", "mailto:"].map { Array($0.utf8) }

  struct Found {
    var end: Int
    var target: String?
  }

  /// Whether no character before `place` belongs to a word.
  static func isAtWord(_ place: Int, in bytes: [UInt8], from start: Int) -> Bool {
    guard place > start else { return true }
    let before = bytes[place - 1]
    if before >= 0x80 { return Signs.before(place, in: bytes, from: start) != .letter }
    return !Signs.isLetterOrDigit(before) && !"@._-/\\=&%$+#".utf8.contains(before)
  }

  static func scheme(in bytes: [UInt8], at place: Int, end: Int) -> Int? {
    guard "hHmM".utf8.contains(bytes[place]) else { return nil }
    return schemes.first { scheme in
      place + scheme.count < end && zip(bytes[place...], scheme).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
    }?.count
  }

  /// The link at `place`, where a word may begin; `closers` at its end belong to the markup around it.
  static func link(in bytes: [UInt8], at place: Int, end: Int, closers: () -> [UInt8]) -> Found? {
    if let length = scheme(in: bytes, at: place, end: end) {
      let stop = trimmed(place + length, addressEnd(place + length, in: bytes, end: end), bytes, closers())
      return stop > place + length ? Found(end: stop) : nil
    }
    guard let host = hostEnd(in: bytes, at: place, end: end) else { return nil }
    var stop = host
    if stop < end, "/?#".utf8.contains(bytes[stop]) {
      stop = trimmed(host, addressEnd(stop, in: bytes, end: end), bytes, closers())
    }
    return Found(end: stop, target: "https://" + String(decoding: bytes[place..<stop], as: UTF8.self))
  }

  private static func addressEnd(_ start: Int, in bytes: [UInt8], end: Int) -> Int {
    var place = start
    let limit = min(end, start + longest)
    while place < limit {
      let byte = bytes[place]
      if byte <= 0x20 || byte == 0x7F || "<>\"`".utf8.contains(byte) { break }
      guard byte >= 0x80 else {
        place += 1
        continue
      }
      let (scalar, length) = Signs.scalar(at: place, in: bytes, end: end)
      if Signs.isSpace(scalar) || Signs.isSign(scalar) || DirectionCodes.contains(scalar) { break }
      place += length
    }
    return min(place, end)
  }

  /// Drops punctuation at the end, and brackets that the address did not open.
  private static func trimmed(_ start: Int, _ end: Int, _ bytes: [UInt8], _ closers: [UInt8]) -> Int {
    var end = end
    var open: [UInt8: Int] = [:]
    for byte in bytes[start..<end] where "()[]{}".utf8.contains(byte) { open[byte, default: 0] += 1 }
    while end > start {
      let last = bytes[end - 1]
      if let opening = opening(of: last) {
        guard open[last, default: 0] > open[opening, default: 0] else { break }
        open[last, default: 0] -= 1
      } else if !".,;:!?'".utf8.contains(last), !closers.contains(last) {
        break
      }
      end -= 1
    }
    return end
  }

  private static func opening(of bracket: UInt8) -> UInt8? {
    switch bracket {
    case UInt8(ascii: ")"): UInt8(ascii: "(")
    case UInt8(ascii: "]"): UInt8(ascii: "[")
    case UInt8(ascii: "}"): UInt8(ascii: "{")
    default: nil
    }
  }

  /// The end of a host and its port at `place`; `nil` if it may be ordinary words: it must end in a lowercase
  /// ``TopLevels`` name, or begin with `www.`, or have a path.
  private static func hostEnd(in bytes: [UInt8], at place: Int, end: Int) -> Int? {
    var stop = wordEnd(in: bytes, at: place, end: end)
    if stop < end, bytes[stop] >= 0x80 || "@_\\".utf8.contains(bytes[stop]) { return nil }
    while stop > place, bytes[stop - 1] == UInt8(ascii: ".") || bytes[stop - 1] == UInt8(ascii: "-") {
      stop -= 1
    }
    guard stop - place <= 253, bytes[place..<stop].contains(UInt8(ascii: ".")) else { return nil }
    let labels = bytes[place..<stop].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last, labels.allSatisfy({ (1...63).contains($0.count) }),
      labels.allSatisfy({ $0.first != UInt8(ascii: "-") && $0.last != UInt8(ascii: "-") })
    else { return nil }
    let after = portEnd(in: bytes, at: stop, end: end)
    let name = String(decoding: last, as: UTF8.self)
    let isWeb = labels.count > 2 && labels[0].elementsEqual("www".utf8)
    let hasPath = after < end && bytes[after] == UInt8(ascii: "/")
    guard TopLevels.usual.contains(name) || (isWeb || hasPath) && TopLevels.beforePaths.contains(name) else {
      return nil
    }
    return after
  }

  static func wordEnd(in bytes: [UInt8], at place: Int, end: Int) -> Int {
    var stop = place
    while stop < end, Signs.isLetterOrDigit(bytes[stop]) || bytes[stop] == 0x2D || bytes[stop] == 0x2E {
      stop += 1
    }
    return stop
  }

  private static func portEnd(in bytes: [UInt8], at place: Int, end: Int) -> Int {
    guard place + 1 < end, bytes[place] == UInt8(ascii: ":") else { return place }
    var stop = place + 1
    while stop < end, stop < place + 6, Signs.isDigit(bytes[stop]) { stop += 1 }
    return stop > place + 1 ? stop : place
  }

  static func isFollowed(_ address: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(address.prefix(9))
    return address.count <= longest && !bytes.isEmpty && scheme(in: bytes, at: 0, end: bytes.count) != nil
      && address.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"<>\"`".utf8.contains($0) }
  }
}

/// Characters that change the direction of text.
private enum DirectionCodes {
  static func contains(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// Top-level domains that make a link without `https://`.
enum TopLevels {
  /// Not used as words or file extensions.
  static let usual: Set<String> = [
    "com", "org", "net", "edu", "gov", "info", "biz", "dev", "app", "cloud", "online", "site", "blog", "shop",
    "wiki", "tech", "io", "eu", "uk", "ca", "au", "nz", "ie", "de", "at", "ch", "fr", "be", "nl", "lu",
    "es", "pt", "it", "gr", "tr", "cz", "sk", "hu", "ro", "bg", "hr", "si", "ua", "ru", "se", "dk",
    "fi", "ee", "lv", "lt", "jp", "cn", "hk", "tw", "kr", "br", "mx", "cl", "za", "il",
  ]

  /// Also words or file extensions: they need a path.
  static let beforePaths: Set<String> = usual.union([
    "rs", "pl", "ai", "us", "me", "is", "in", "to", "so", "tv", "fm", "am", "co", "cc", "gg", "ly", "sh",
    "no", "id",
    "my", "la", "page", "link", "news", "live", "world", "social", "chat", "club", "zone", "xyz", "games",
    "im", "be",
    "gl", "gd", "st", "vc", "ws", "np", "pk", "ir", "th", "vn", "ph", "sg", "ar", "pe", "ve",
  ])
}

internal import MessageModel
internal import MessageStorage

/// A part of a content that a client wants: it is read a piece at a time, as the client takes it, each in a transaction of its
/// own that ends before the piece is sent.
struct ContentPart: Hashable, Sendable {
  let sha256: String
  var range: Range<Int>

  /// Takes a piece off the front.
  mutating func next(byteCount: Int, of served: ServedStore) throws(StoreError) -> [UInt8] {
    let count = min(byteCount, range.count)
    let piece = try served.reading { store throws(StoreError) in
      try store.openContent(sha256).read(at: range.lowerBound, count: count)
    }
    guard !piece.isEmpty, piece.count <= range.count else {
      throw StoreError(.damaged, "cannot read content \(sha256.prefix(12))", cause: "it has become shorter")
    }
    range = (range.lowerBound + piece.count)..<range.upperBound
    return piece
  }
}

/// The part of a content that is asked for (RFC 9110, 14).
enum ByteRange: Hashable {
  case whole
  case part(Range<Int>)
  case outside

  /// Reads a field `Range`. Several ranges, other units and what makes no sense mean the whole, as it may be answered.
  init(_ field: String?, byteCount: Int) {
    guard let field, field.hasPrefix("bytes="), !field.contains(",") else {
      self = .whole
      return
    }
    let bounds = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      self = .whole
      return
    }
    switch (Int(bounds[0]), Int(bounds[1])) {
    case (nil, nil): self = bounds.allSatisfy(\.isEmpty) ? .whole : .outside
    case (nil, let count?):
      // More digits than a number has are before any end.
      self = bounds[0].isEmpty ? .last(count, of: byteCount) : .outside
    case (let first?, nil): self = .from(first, to: byteCount - 1, of: byteCount)
    case (let first?, let last?):
      self = first <= last ? .from(first, to: min(last, byteCount - 1), of: byteCount) : .whole
    }
  }

  private static func from(_ first: Int, to last: Int, of byteCount: Int) -> ByteRange {
    first < byteCount ? .part(first..<(last + 1)) : .outside
  }

  private static func last(_ count: Int, of byteCount: Int) -> ByteRange {
    count > 0 && byteCount > 0 ? .part((byteCount - min(count, byteCount))..<byteCount) : .outside
  }
}

/// Converts UTF-16, which spreadsheets and Windows programs write, to UTF-8.
///
/// An unpaired surrogate or a last odd byte becomes U+FFFD.
final class UTF16Producer: ByteProducer {
  private let source: ByteSource
  private let isLittleEndian: Bool
  private var high: UInt32?
  private var output: [UInt8] = []
  private var givenCount = 0

  init?(_ source: ByteSource) throws(InterchangeError) {
    let start = try source.peek(4)
    guard start.count >= 2 else { return nil }
    switch (start[0], start[1]) {
    // Two zero bytes after it make it the mark of UTF-32.
    case (0xFF, 0xFE) where start.count < 4 || start[2] != 0 || start[3] != 0: isLittleEndian = true
    case (0xFE, 0xFF): isLittleEndian = false
    default: return nil
    }
    self.source = source
    source.consume(2)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InterchangeError) -> Int {
    if givenCount == output.count { try decodeMore() }
    let count = min(buffer.count, output.count - givenCount)
    output.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[givenCount..<givenCount + count]))
    }
    givenCount += count
    return count
  }

  private func decodeMore() throws(InterchangeError) {
    output.removeAll(keepingCapacity: true)
    givenCount = 0
    while output.isEmpty {
      if source.buffered.count < 2, try !source.fill() { return finish() }
      let bytes = source.buffered
      for position in stride(from: 0, to: bytes.count - 1, by: 2) {
        let (first, second) = (UInt32(bytes[position]), UInt32(bytes[position + 1]))
        take(isLittleEndian ? second << 8 | first : first << 8 | second)
      }
      source.consume(bytes.count & ~1)
    }
  }

  private func take(_ unit: UInt32) {
    if let first = high {
      high = nil
      if (0xDC00...0xDFFF).contains(unit) {
        return append(0x10000 + (first - 0xD800) << 10 + (unit - 0xDC00))
      }
      append(0xFFFD)
    }
    if (0xD800...0xDBFF).contains(unit) { high = unit } else { append(unit) }
  }

  private func append(_ value: UInt32) {
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private func finish() {
    if high != nil || !source.buffered.isEmpty { append(0xFFFD) }
    high = nil
    source.consume(source.buffered.count)
  }
}

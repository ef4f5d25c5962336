internal import MessageModel

/// Reads a text file attached to a message as UTF-8; bytes that are not UTF-8 stay as they are unless an
/// encoding is given.
package final class TextFile {
  private let source: ByteSource
  private let encoding: String?
  /// The encodings other than UTF-8 and UTF-16 that fit what was read so far.
  package private(set) var otherEncodings: [String] = []

  private static let sampleByteCount = 8_192
  /// At most 1/`controlShare` of a text's bytes are control characters.
  private static let controlShare = 32

  private static let knownEncodings =
    FallbackEncoding.commonNames + [3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 16].map { "iso-8859-\($0)" }
    + [1253, 1254, 1255, 1256, 1257, 1258].map { "windows-\($0)" }
    + [
      "koi8-u", "cp852", "cp855", "cp866", "cp874", "macintosh", "cp932", "euc-jp", "gb18030", "big5",
      "cp949",
    ]
  private static let shiftedEncoding = "iso-2022-jp"

  /// Opens a file; returns `nil` for an archive, a picture or another file that is not text.
  ///
  /// - Parameter encoding: The encoding of text that is not UTF-8, one of ``otherEncodings``.
  package init?(path: String, encoding: String? = nil) throws(InterchangeError) {
    self.encoding = encoding
    let file = ByteSource(try FileProducer(path: path))
    if let decoded = try UTF16Producer(file) {
      source = ByteSource(decoded)
      return
    }
    let start = try file.peek(Self.sampleByteCount)
    guard case .other = FileKind(start), Self.isText(start) else { return nil }
    source = file
  }

  /// Returns the next part; `nil` at the end.
  package func next() throws(InterchangeError) -> [UInt8]? {
    if source.buffered.isEmpty {
      guard try source.fill() else { return nil }
    }
    // A character never crosses the end of a line.
    while source.buffered.last != 0x0A, source.buffered.count < Self.longestPart, try source.fill() {}
    let end = source.isAtEnd ? nil : source.buffered.lastIndex(of: 0x0A).map { $0 + 1 }
    let bytes = Array(source.buffered.prefix(end ?? source.buffered.count))
    source.consume(bytes.count)
    if let encoding { return Array(Charset.string(bytes, encoding, .windows1252).utf8) }
    note(bytes)
    return bytes
  }

  private static let longestPart = 1 << 16

  private func note(_ bytes: [UInt8]) {
    if otherEncodings.count < Self.knownEncodings.count, !bytes.withUnsafeBytes(UTF8Check.isValid) {
      otherEncodings = Self.knownEncodings
    } else if otherEncodings.isEmpty, bytes.firstRange(of: [0x1B, 0x24]) != nil {
      otherEncodings = [Self.shiftedEncoding]
    }
  }

  private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let controls = bytes.count { $0 < 0x20 && !(0x07...0x0D).contains($0) && $0 != 0x1B }
    return !bytes.contains(0) && controls <= bytes.count / controlShare
  }
}

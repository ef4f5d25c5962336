/// The text of a file that is attached to a message, in any encoding that an import reads, in UTF-8 but for bytes that are none.
package final class TextFile {
  private let source: ByteSource

  private static let sampleByteCount = 8_192
  /// One byte in so many may be a control that texts do not have.
  private static let controlShare = 32

  /// Opens a file; `nil` if it is no text: an archive, a picture, a document.
  ///
  /// - Throws: ``InterchangeError`` if it cannot be read.
  package init?(path: String) throws(InterchangeError) {
    let file = ByteSource(try FileProducer(path: path))
    if let decoded = try UTF16Producer(file) {
      source = ByteSource(decoded)
      return
    }
    let start = try file.peek(Self.sampleByteCount)
    guard case .other = FileKind(start), Self.isText(start) else { return nil }
    source = file
  }

  /// Returns what comes next; `nil` at the end.
  ///
  /// - Throws: ``InterchangeError`` if it cannot be read.
  package func next() throws(InterchangeError) -> [UInt8]? {
    if source.buffered.isEmpty {
      guard try source.fill() else { return nil }
    }
    let bytes = Array(source.buffered)
    source.consume(bytes.count)
    return bytes
  }

  private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let controls = bytes.count { $0 < 0x20 && !(0x07...0x0D).contains($0) && $0 != 0x1B }
    return !bytes.contains(0) && controls <= bytes.count / controlShare
  }
}

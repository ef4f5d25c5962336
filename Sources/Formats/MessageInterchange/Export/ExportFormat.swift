/// A format that histories are written in, in a file of its own in this folder.
///
/// The bytes are appended to a buffer, which the caller empties into a file or pipe as it likes.
public protocol ExportFormat: Sendable {
  /// Writes what stands before the first message.
  mutating func writeHeader(to bytes: inout [UInt8])
  /// Writes a message.
  mutating func write(_ record: ExportRecord, to bytes: inout [UInt8])
  /// Writes what stands behind the last message.
  mutating func writeFooter(to bytes: inout [UInt8])
}

extension ExportFormat {
  public mutating func writeHeader(to bytes: inout [UInt8]) {}
  public mutating func writeFooter(to bytes: inout [UInt8]) {}
}

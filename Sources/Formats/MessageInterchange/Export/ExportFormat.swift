/// A format that histories are written in.
///
/// The bytes are appended to a buffer, which the caller empties into a file or pipe.
public protocol ExportFormat: Sendable {
  /// Writes what precedes the first message.
  mutating func writeHeader(to bytes: inout [UInt8])
  /// Writes a message.
  mutating func write(_ record: ExportRecord, to bytes: inout [UInt8])
  /// Writes what follows the last message.
  mutating func writeFooter(to bytes: inout [UInt8])
}

extension ExportFormat {
  public mutating func writeHeader(to bytes: inout [UInt8]) {}
  public mutating func writeFooter(to bytes: inout [UInt8]) {}
}

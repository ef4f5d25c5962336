import Foundation

/// A file that bytes are written to.
struct OutputFile {
  private let handle: FileHandle

  /// What is written here goes to standard output.
  static let standardOutput = OutputFile(handle: .standardOutput)

  private init(handle: FileHandle) { self.handle = handle }

  /// Makes a file, replacing one that is there, and the folders it lies in.
  init(creating path: String) throws {
    let place = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: place)
    handle = try FileHandle(forWritingTo: place)
  }

  /// Writes all of the bytes.
  func write(_ bytes: [UInt8]) throws { try handle.write(contentsOf: bytes) }

  /// Ends the writing.
  func close() throws { try handle.close() }
}

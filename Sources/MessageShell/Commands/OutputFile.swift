internal import Foundation

/// A file that an export is written to: under another name until it is whole.
public struct OutputFile: Sendable {
  private let path: String
  private let temporary: String
  private let handle: FileHandle

  /// Begins a file that only its owner can read.
  ///
  /// - Throws: ``UsageError`` if it cannot be made.
  public init(path: String) throws {
    self.path = path
    temporary = path + ".part-\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw UsageError(
        "cannot make '\(path)'", cause: String(cString: strerror(errno)), status: .cannotCreate)
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Writes on.
  public func write(_ bytes: [UInt8]) throws {
    do {
      try handle.write(contentsOf: bytes)
    } catch {
      discard()
      throw UsageError(
        "cannot write '\(path)'", cause: "\((error as NSError).localizedDescription)", status: .inputOutput)
    }
  }

  /// Gives the file its name.
  public func finish() throws {
    guard fsync(handle.fileDescriptor) == 0, rename(temporary, path) == 0 else {
      let cause = String(cString: strerror(errno))
      discard()
      throw UsageError("cannot write '\(path)'", cause: cause, status: .inputOutput)
    }
  }

  /// Removes what was written.
  public func discard() { unlink(temporary) }
}

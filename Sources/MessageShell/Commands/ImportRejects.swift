internal import Foundation
internal import MessageInterchange

/// The records that an import could not place, one after the other as they stood.
struct RejectsFile {
  private let handle: FileHandle

  init(path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw UsageError(
        "cannot make '\(path)'", cause: String(cString: strerror(errno)), status: .cannotCreate)
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  func write(_ record: SkippedRecord) {
    var bytes = Array("# \(record.description)\n".utf8)
    bytes += record.record
    if bytes.last != 0x0A { bytes.append(0x0A) }
    try? handle.write(contentsOf: bytes)
  }
}

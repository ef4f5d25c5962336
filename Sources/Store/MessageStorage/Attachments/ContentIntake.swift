internal import Foundation
package import MessageModel

/// Receives a content in pieces, before anything refers to it.
///
/// Contents up to the limit for the database stay in memory. Longer ones go to a temporary file, which is
/// removed unless the content is finished and referred to.
package final class ContentIntake {
  private let folder: ContentFolder
  private let limit: Int
  let doing: String
  private var hash = ContentHash()
  private var memory: [UInt8] = []
  /// The first bytes, which show the media type: reading back from a disk may return something else.
  private var start: [UInt8] = []
  private(set) var file: TemporaryFile?
  package private(set) var byteCount = 0

  var key: ContentKey { hash.key() }

  static let chunkByteCount = 1 << 18

  init(_ folder: ContentFolder, memoryLimit: Int, doing: String) {
    self.folder = folder
    limit = min(memoryLimit, 1 << 20)
    self.doing = doing
  }

  /// After an error the intake is useless.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    hash.add(bytes)
    start.append(contentsOf: bytes.prefix(MediaType.sampleByteCount - start.count))
    byteCount += bytes.count
    if file == nil, byteCount > limit {
      let new = try folder.temporaryFile(doing: doing)
      try memory.lend { (held) throws(StoreError) in try new.write(held, doing: doing) }
      memory = []
      file = new
      try step(.made)
    }
    if let file { try file.write(bytes, doing: doing) } else { memory.append(contentsOf: bytes) }
  }

  /// Ends the content, which is then in memory or synced to disk, and can be referred to. After an error the
  /// intake is useless.
  ///
  /// - Parameter claimedType: The sender's media type; used only where it is more exact than what the bytes
  ///   show.
  package func finish(claimedType: String? = nil) throws(StoreError) -> StagedContent {
    try step(.copied)
    try file?.sync(doing: doing)
    try step(.synced)
    let place: StagedContent.Place = file.map { .file($0) } ?? .memory(memory)
    let content = StagedContent(
      hash.key(), place, start: start, byteCount: byteCount, claimedType: claimedType)
    content.compare(with: folder)
    return content
  }

  private func step(_ step: AttachmentStep) throws(StoreError) {
    do { try step.pass() } catch { throw StoreError(error, doing: doing) }
  }

  /// - Throws: ``StoreError`` of kind `noSuchFile`, `notPermitted`, `invalidRequest` unless it is a regular
  ///   file, and `inputOutput` if it changes during the read.
  func write(fileAt path: String) throws(StoreError) {
    // A pipe would block until there is a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw StoreError(errno: errno, doing, "'\(path)'") }
    defer { close(descriptor) }
    guard let facts = ContentFileFacts(descriptor: descriptor) else {
      throw StoreError(
        .invalidRequest, doing, cause: "'\(path)' is not a file but a folder, a pipe or a device")
    }
    try step(.opened)
    var count = 0
    while true {
      let chunk = try Self.chunk(of: descriptor, path, doing)
      if chunk.isEmpty { break }
      count += chunk.count
      try chunk.lend(write)
    }
    guard count == facts.byteCount, ContentFileFacts(descriptor: descriptor) == facts else {
      throw StoreError(
        .inputOutput, doing, cause: "'\(path)' has changed while it was read",
        remedy: "again, when it is whole")
    }
  }

  private static func chunk(of descriptor: Int32, _ path: String, _ doing: String) throws(StoreError)
    -> [UInt8]
  {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: chunkByteCount) { buffer, filled in
      filled = 0
      repeat {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        failure = count < 0 ? errno : 0
        filled = max(count, 0)
      } while failure == EINTR
    }
    guard failure == 0 else { throw StoreError(errno: failure, doing, "'\(path)'") }
    return bytes
  }
}

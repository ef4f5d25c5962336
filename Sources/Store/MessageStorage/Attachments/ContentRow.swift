internal import Foundation
internal import GRDB
internal import MessageModel

struct ContentRow {
  let id: Int64
  let byteCount: Int
  let type: String
  let hasData: Bool

  init?(_ key: ContentKey, in db: Database) throws {
    let statement = try RawStatement(
      db,
      """
      SELECT id, bytes, type, EXISTS (SELECT 1 FROM content_data WHERE content_data.id = content.id)
        FROM content WHERE sha256 = ?
      """, key.description)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    id = statement.int(0)
    byteCount = statement.count(1)
    type = statement.text(2)
    hasData = statement.int(3) != 0
  }
}

enum ContentFile {
  /// Opens a regular file, else returns `nil` with `errno` set. A pipe would block.
  static func open(_ path: String) -> Int32? {
    let descriptor = PathBytes.withBytes(of: path) {
      Foundation.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    }
    guard descriptor >= 0 else { return nil }
    if stat(descriptor: descriptor)?.kind == S_IFREG { return descriptor }
    close(descriptor)
    errno = EINVAL
    return nil
  }

  /// Reads in pieces; `nil` for an unreadable file.
  static func key(of path: String) -> ContentKey? {
    guard let descriptor = open(path) else { return nil }
    defer { close(descriptor) }
    var hash = ContentHash()
    return withUnsafeTemporaryAllocation(byteCount: ContentIntake.chunkByteCount, alignment: 16) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count == 0 { return hash.key() }
        guard count > 0 else {
          if errno == EINTR { continue }
          return nil
        }
        hash.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }
}

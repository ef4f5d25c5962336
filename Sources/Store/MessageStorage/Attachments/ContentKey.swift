internal import CSHA256
internal import Foundation
internal import GRDB
internal import MessageModel

/// The SHA-256 of a content, which names it in the store and on disk.
package struct ContentKey: Hashable, Sendable, CustomStringConvertible {
  /// 64 lowercase hexadecimal digits.
  package let description: String

  /// Creates a key from 64 hexadecimal digits, else `nil`. Data of unknown origin becomes part of a path only
  /// through this check.
  package init?(_ digits: String) {
    let isKey = digits.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard isKey, digits.utf8.count == 64 else { return nil }
    description = digits
  }

  fileprivate init(_ digest: [UInt8]) { description = Hexadecimal.text(of: digest) }

  package init(of bytes: some Sequence<UInt8>) {
    var hash = ContentHash()
    Array(bytes).withUnsafeBytes { hash.add($0) }
    self = hash.key()
  }
}

/// An incremental SHA-256. The C implementation has 80 lines and no dependency; swift-crypto would add
/// BoringSSL to every build.
struct ContentHash {
  private var hash = csha256()

  init() { csha256_begin(&hash) }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    csha256_add(&hash, base, bytes.count)
  }

  func key() -> ContentKey {
    var copy = hash
    var digest = [UInt8](repeating: 0, count: 32)
    csha256_end(&copy, &digest)
    return ContentKey(digest)
  }
}

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

package enum ContentFile {
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
  package static func key(of path: String) -> ContentKey? {
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

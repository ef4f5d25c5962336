internal import CSHA256
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

/// An incremental SHA-256.
///
/// The C implementation has 80 lines and no dependency; swift-crypto would add BoringSSL to every build.
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

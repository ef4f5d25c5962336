internal import CSHA256
internal import MessageModel

/// The SHA-256 of a content: its name in the store and on the disk.
package struct ContentKey: Hashable, Sendable, CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  package let description: String

  /// Creates a key from hexadecimal digits; `nil` if these are not 64 of them. What comes from a file or a store of
  /// unknown origin becomes part of a path only through here.
  package init?(_ digits: String) {
    let isKey = digits.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard isKey, digits.utf8.count == 64 else { return nil }
    description = digits
  }

  fileprivate init(_ digest: [UInt8]) { description = Hexadecimal.text(of: digest) }

  /// Returns the key of bytes in memory.
  package init(of bytes: some Sequence<UInt8>) {
    var hash = ContentHash()
    Array(bytes).withUnsafeBytes { hash.add($0) }
    self = hash.key()
  }
}

/// A SHA-256 that grows with what is added.
///
/// The one in C is 80 lines without a dependency: swift-crypto would bring all of BoringSSL into every build for it.
struct ContentHash {
  private var hash = csha256()

  init() { csha256_begin(&hash) }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    csha256_add(&hash, base, bytes.count)
  }

  /// Returns the key of all that was added.
  func key() -> ContentKey {
    var copy = hash
    var digest = [UInt8](repeating: 0, count: 32)
    csha256_end(&copy, &digest)
    return ContentKey(digest)
  }
}

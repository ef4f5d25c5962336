internal import Foundation
internal import MessageModel

/// The attributes that show whether a file changed since it was read.
package struct FileFacts: Hashable, Sendable, LosslessStringConvertible {
  /// The device; with ``number`` it identifies the file under any name.
  package var device: Int64
  package var number: Int64
  package var byteCount: Int64
  /// The last change, in nanoseconds since 1970.
  package var changedAt: Int64
  /// Size and last change of a database's log; 0 without one.
  package var logByteCount: Int64 = 0
  package var logChangedAt: Int64 = 0

  /// Returns `nil` if there is no regular file. `hasLog`: it is a database, whose newest rows may be in a
  /// log.
  package init?(of path: String, hasLog: Bool = false) {
    guard let facts = Self.look(at: path) else { return nil }
    device = Int64(truncatingIfNeeded: facts.st_dev)
    number = Int64(truncatingIfNeeded: facts.st_ino)
    byteCount = Int64(facts.st_size)
    changedAt = Self.changedAt(facts)
    guard hasLog, let log = Self.look(at: path + "-wal") ?? Self.look(at: path + "-journal") else { return }
    logByteCount = Int64(log.st_size)
    logChangedAt = Self.changedAt(log)
  }

  /// Parses ``description``.
  package init?(_ description: String) {
    let numbers = description.split(separator: " ").map { Int64($0) }
    guard numbers.count == 6, let device = numbers[0], let number = numbers[1], let byteCount = numbers[2],
      let changedAt = numbers[3], let logByteCount = numbers[4], let logChangedAt = numbers[5]
    else { return nil }
    self.device = device
    self.number = number
    self.byteCount = byteCount
    self.changedAt = changedAt
    self.logByteCount = logByteCount
    self.logChangedAt = logChangedAt
  }

  package var description: String {
    "\(device) \(number) \(byteCount) \(changedAt) \(logByteCount) \(logChangedAt)"
  }

  /// Whether both describe the same file, which may have changed.
  package func isSameFile(as other: FileFacts) -> Bool { device == other.device && number == other.number }

  private static func look(at path: String) -> stat? {
    var facts = stat()
    guard PathBytes.withBytes(of: path, { stat($0, &facts) }) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return facts
  }

  static func changedAt(_ facts: stat) -> Int64 {
    #if canImport(Glibc)
      Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
    #else
      Int64(facts.st_mtimespec.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtimespec.tv_nsec)
    #endif
  }
}

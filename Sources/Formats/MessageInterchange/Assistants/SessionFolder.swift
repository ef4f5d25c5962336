internal import Foundation
internal import MessageModel

/// A session with a file of JSON for each of its messages.
enum SessionFolder {
  static let longest = 64 << 20

  static func names(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
  }

  /// `nil` for a link, and for what is too long or cannot be read.
  static func content(_ path: String) -> [UInt8]? {
    var facts = stat()
    guard PathBytes.withBytes(of: path, { lstat($0, &facts) }) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_size <= Int64(longest), let producer = try? FileProducer(path: path)
    else { return nil }
    return producer.bytes(at: 0, count: Int(facts.st_size))
  }
}

internal import Foundation

/// Apple's binary lists of properties.
enum PropertyList {
  /// The largest list that is read, in bytes.
  static let bound = 4 << 20

  /// Returns what the list holds; `nil` if it is damaged or too large.
  static func read(_ bytes: Bytes) -> Any? {
    guard bytes.has("bplist00"), bytes.count <= bound else { return nil }
    return try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
  }
}

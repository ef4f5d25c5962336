internal import Foundation

enum PropertyList {
  /// In bytes.
  static let bound = 4 << 20

  /// `nil` if the property list is damaged or too large.
  static func read(_ bytes: Bytes) -> Any? {
    guard bytes.has("bplist00"), bytes.count <= bound else { return nil }
    return try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
  }
}

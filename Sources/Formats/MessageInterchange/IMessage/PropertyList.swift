internal import Foundation

enum PropertyList {
  static let bound = 4 << 20

  static func read(_ bytes: Bytes) -> Any? {
    guard bytes.has("bplist00"), bytes.count <= bound else { return nil }
    return try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
  }
}

internal import Foundation
internal import MessageModel

enum CursorWorkspace {
  private static let longest = 1 << 16

  static func folder(beside file: SQLiteFile) -> String? {
    guard let path = file.surroundings?.file("workspace.json"), let producer = try? FileProducer(path: path)
    else { return nil }
    return producer.bytes(at: 0, count: longest).withUnsafeBytes { bytes in
      guard UTF8Check.isValid(bytes), let fields = JSONFields(bytes) else { return nil }
      return try? fields.firstText(["folder", "workspace", "configuration"])
    }
  }

  /// `/c:/Tea house` for `file:///c%3A/Tea%20house`; a path stays as it is.
  static func path(_ address: String) -> String {
    guard let start = address.firstRange(of: "://") else { return address }
    let path = address[start.upperBound...].drop { $0 != "/" }
    return String(path).removingPercentEncoding ?? String(path)
  }
}

internal import Foundation
internal import MessageModel

/// Cursor's chats: `state.vscdb` of the global storage and each workspace, `store.db` of the command line.
extension CursorHistory {
  /// The storage's backup before each change of its version, and the file that names its folder.
  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    switch sample.name {
    case "meta.json":
      return sample.has("\"createdAtMs\"", inFirst: 1_024)
        && companions.hasBeside("store.db", in: sample.folder)
    case "state.vscdb.backup": return companions.has("state.vscdb", in: sample.folder)
    case "workspace.json":
      return sample.has("\"folder\"", inFirst: 1_024) && companions.has("state.vscdb", in: sample.folder)
    default: return false
    }
  }
}

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

internal import Foundation
internal import MessageModel

/// Cursor's chats: `state.vscdb` of the global storage and each workspace, `store.db` of the command line.
struct CursorFormat: MultiFileFormat {
  let name = "cursor"
  let title = "Cursor's chats"
  let whole = "Cursor's storage"

  func score(_ sample: FormatSample) -> Int {
    if sample.tables.contains("cursorDiskKV") { return 94 }
    if sample.name.hasPrefix(Self.agentFile), sample.tables.isSuperset(of: ["blobs", "meta"]) { return 92 }
    // Until 2025 workspaces had no table of Cursor's own; editors without Cursor have this one, too.
    return sample.tables.contains("ItemTable") && sample.name.firstRange(of: ".vscdb") != nil ? 90 : 0
  }

  private static let agentFile = "store.db"

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    if file.name.hasPrefix(Self.agentFile) {
      return SQLiteHistoryReader<CursorAgentHistory>(file: file, options: options)
    }
    return SQLiteHistoryReader<CursorHistory>(file: file, options: options)
  }

  /// The storage's backup before each change of its version, and the file that names its folder.
  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    switch sample.name {
    case "meta.json":
      return sample.has("\"createdAtMs\"", inFirst: 1_024)
        && companions.hasBeside(Self.agentFile, in: sample.folder)
    case "state.vscdb.backup": return companions.has("state.vscdb", in: sample.folder)
    case "workspace.json":
      return sample.has("\"folder\"", inFirst: 1_024) && companions.has("state.vscdb", in: sample.folder)
    default: return false
    }
  }
}

extension CursorFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace(
        "Cursor", .settings, "Cursor/User", "globalStorage", files: "state.vscdb", followsFile: true),
      AssistantPlace(
        "Cursor", .settings, "Cursor/User", "workspaceStorage/*", files: "state.vscdb", followsFile: true),
      AssistantPlace("Cursor", .home, ".cursor", "chats", files: "store.db", depth: 2),
    ]
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

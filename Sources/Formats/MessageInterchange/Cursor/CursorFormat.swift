/// Cursor's chats: `state.vscdb` of the global storage and of each workspace, and `store.db` of the command
/// line.
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

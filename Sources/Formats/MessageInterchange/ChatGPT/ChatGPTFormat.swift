internal import MessageModel

/// ChatGPT's export: `conversations.json`, or `conversations-000.json` and so on, a list of chats.
struct ChatGPTFormat: MultiFileFormat {
  let name = "chatgpt"
  let title = "ChatGPT's export"
  let whole = "ChatGPT's export"

  func score(_ sample: FormatSample) -> Int {
    guard sample.beginsJSON, sample.holds("\"mapping\"", "\"create_time\"") else { return 0 }
    return sample.holdsAny(of: "\"title\"", "\"current_node\"") ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(ChatGPTHistory(file: file, options: options), file: file)
  }

  /// Files of an export without chats.
  private static let companions: Set<String> = [
    "chat.html", "user.json", "user_settings.json", "message_feedback.json", "model_comparisons.json",
    "shared_conversations.json", "export_manifest.json", "conversation_asset_file_names.json",
    "library_files.json",
    "group_chats.json", "tool_messages.json", "shopping.json", "sora.json", "report.html",
  ]
  private static let chats = ["conversations.json", "conversations-000.json"]

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let isAsset = ChatGPTAssets.isAsset(sample.name) || sample.name.hasSuffix(".dat")
    guard isAsset || Self.companions.contains(sample.name) else { return false }
    let folder = sample.folder
    return Self.chats.contains { name in
      companions.has(name, in: folder)
        || (isAsset && (1...2).contains { companions.has(name, in: Array(folder.dropLast($0))) })
    }
  }
}

/// The files beside ChatGPT's chats by the ids in messages: `file-AbC-photo.png` and `file_0ab.dat` belong to
/// `file-AbC` and `file_0ab`.
struct ChatGPTAssets: CompanionFiles {
  private var files: [(name: String, path: String)] = []

  static func isAsset(_ name: String) -> Bool { name.hasPrefix("file-") || name.hasPrefix("file_") }

  mutating func add(_ components: ArraySlice<String>) {
    guard let name = components.last, Self.isAsset(name) else { return }
    files.append((name, components.joined(separator: "/")))
  }

  mutating func sort() { files.sort { ($0.name, $0.path) < ($1.name, $1.path) } }

  /// `nil` if the file is missing. O(log files).
  func path(of id: String) -> String? {
    let index = files.partitioningIndex { $0.name >= id }
    guard index < files.count, files[index].name.hasPrefix(id) else { return nil }
    let rest = files[index].name.dropFirst(id.count)
    return rest.isEmpty || "-._".contains(rest[rest.startIndex]) ? files[index].path : nil
  }
}

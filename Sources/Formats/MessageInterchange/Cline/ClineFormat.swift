/// Tasks of Cline and Roo Code, a folder each: the model's conversation (`api_conversation_history.json`), or
/// if that is missing, what the window showed (`ui_messages.json`).
struct ClineFormat: MultiFileFormat, RewrittenFormat {
  let name = "cline"
  let title = "Cline's and Roo Code's tasks"
  let whole = "a task of Cline"

  static let historyName = "api_conversation_history.json"
  static let windowName = "ui_messages.json"
  private static let olderNames = ["claude_messages.json"]

  func score(_ sample: FormatSample) -> Int {
    if Self.isHistory(sample.name) {
      return sample.beginsJSON && sample.has("\"role\"") && sample.has("\"content\"") ? 95 : 0
    }
    guard sample.firstSign == UInt8(ascii: "["), sample.has("\"ts\"") else { return 0 }
    return Self.windowTypes.contains { sample.has($0) } ? 94 : 0
  }

  private static let windowTypes: [StaticString] = [
    "\"type\":\"say\"", "\"type\": \"say\"", "\"type\":\"ask\"", "\"type\": \"ask\"",
  ]

  private static func isHistory(_ name: String) -> Bool { name == historyName || olderNames.contains(name) }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    let task = ClineTask(of: file)
    if Self.isHistory(file.name) {
      return JSONHistoryReader(ClineHistory(task, options: options), file: file)
    }
    return JSONHistoryReader(ClineWindow(task, options: options), file: file)
  }

  /// Files of a task without messages, or with messages that the history also has.
  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    switch sample.name {
    case Self.windowName:
      return score(sample) > 0 && companions.hasBeside(Self.historyName, in: sample.folder)
    case "task_metadata.json": return sample.has("\"files_in_context\"") || sample.has("\"model_usage\"")
    case "history_item.json": return sample.has("\"tokensIn\"") && sample.has("\"task\"")
    case "taskHistory.json": return sample.has("\"tokensIn\"") && sample.has("\"task\"")
    case "context_history.json": return sample.folder.dropLast().last == "tasks"
    default: return false
    }
  }
}

extension ClineFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      Self.place("Cline", .editor, "globalStorage/saoudrizwan.claude-dev"),
      Self.place("Roo Code", .editor, "globalStorage/rooveterinaryinc.roo-cline"),
      Self.place("Cline", .home, ".cline/data"),
    ]
  }

  private static func place(
    _ program: String, _ base: AssistantPlace.Base, _ own: String
  ) -> AssistantPlace {
    AssistantPlace(
      program, base, own, "tasks", files: historyName, windowName, "claude_messages.json", depth: 1,
      isFolderOneSession: true)
  }
}

/// Claude.ai's export: `conversations.json`, a list of chats.
struct ClaudeAIFormat: MultiFileFormat {
  let name = "claude-ai"
  let title = "Claude.ai's export"
  let whole = "Claude.ai's export"

  func score(_ sample: FormatSample) -> Int {
    sample.beginsJSON && sample.holds("\"chat_messages\"") && sample.has("\"uuid\"") ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(ClaudeAIHistory(file: file, options: options), file: file)
  }

  private static let companions: Set<String> = ["users.json", "projects.json", "memories.json"]

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    if folder.last == "projects" {
      return sample.has("\"prompt_template\"") && companions.has("conversations.json", in: folder.dropLast())
    }
    return Self.companions.contains(sample.name) && sample.has("\"uuid\"")
      && companions.has("conversations.json", in: folder)
  }
}

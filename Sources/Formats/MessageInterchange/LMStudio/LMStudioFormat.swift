/// LM Studio's chats, `~/.lmstudio/conversations/*.conversation.json`.
struct LMStudioFormat: RewrittenFormat {
  let name = "lm-studio"
  let title = "LM Studio's chats"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "{") else { return 0 }
    if sample.holds("\"versions\"", "\"currentlySelected\"") { return 92 }
    let isNamed = sample.name.hasSuffix(".conversation.json")
    return isNamed && sample.holds("\"messages\"", "\"createdAt\"") ? 90 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(LMStudioChat(file: file, options: options), file: file)
  }
}

extension LMStudioFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace(
        "LM Studio", .home, ".lmstudio", "conversations", files: "*.conversation.json", depth: 8),
      AssistantPlace(
        "LM Studio", .home, ".cache/lm-studio", "conversations", files: "*.conversation.json", depth: 8),
    ]
  }
}

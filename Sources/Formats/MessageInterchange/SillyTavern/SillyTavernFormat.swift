/// SillyTavern's chats, `data/default-user/chats/*/*.jsonl` and `group chats/*.jsonl`: a message per line.
struct SillyTavernFormat: MultiFileFormat, RewrittenFormat {
  let name = "sillytavern"
  let title = "SillyTavern's chats"
  let whole = "SillyTavern's chats"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "{") else { return 0 }
    let hasHead = sample.lines.first.map { line in line.withUnsafeBytes(Self.isHead) } ?? false
    let hasMessage = sample.hasRecord { $0["mes"] != nil && $0["is_user"] != nil }
    // A chat without messages has only its head.
    return hasMessage ? 94 : hasHead && sample.lines.count == 1 ? 90 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(SillyTavernChat(file: file, options: options), file: file)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    sample.folder.last == "backups" && sample.name.hasPrefix("chat_") && sample.name.hasSuffix(".jsonl")
  }

  private static func isHead(_ line: Bytes) -> Bool {
    guard let fields = JSONFields(line) else { return false }
    return fields["character_name"] != nil && (fields["chat_metadata"] != nil || fields["user_name"] != nil)
  }
}

extension SillyTavernFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace(
        "SillyTavern", .home, "SillyTavern", "data/*/chats", files: "*.jsonl", depth: 1),
      AssistantPlace(
        "SillyTavern", .home, "SillyTavern", "data/*/group chats", files: "*.jsonl", depth: 1),
    ]
  }
}

/// Character.AI's chats as saved by CharacterAI Dumper and CAI Tools, or as the site returns them: lists of
/// chats or turns.
struct CharacterAIFormat: ImportFormat {
  let name = "character-ai"
  let title = "Character.AI's chats"

  func score(_ sample: FormatSample) -> Int {
    guard sample.beginsJSON, sample.holds("\"is_human\"") else { return 0 }
    let hasChats = sample.holds("\"histories\"", "\"msgs\"")
    let hasTurns = sample.holds("\"turn_key\"", "\"raw_content\"")
    return hasChats || hasTurns ? 93 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(CharacterAIHistory(file: file, options: options), file: file)
  }
}

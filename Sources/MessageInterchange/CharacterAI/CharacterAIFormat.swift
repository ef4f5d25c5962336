/// Chats of Character.AI, as CharacterAI Dumper and CAI Tools save them, and as its page is answered: lists of chats, or of turns.
struct CharacterAIFormat: ImportFormat {
  let name = "character-ai"
  let title = "Character.AI's chats"

  func score(_ sample: FormatSample) -> Int {
    guard sample.beginsJSON else { return 0 }
    let whole = FormatSample.byteCount
    guard sample.has("\"is_human\"", inFirst: whole) else { return 0 }
    let hasChats = sample.has("\"histories\"", inFirst: whole) && sample.has("\"msgs\"", inFirst: whole)
    let hasTurns = sample.has("\"turn_key\"", inFirst: whole) && sample.has("\"raw_content\"", inFirst: whole)
    return hasChats || hasTurns ? 93 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(CharacterAIHistory(file: file, options: options), file: file)
  }
}

/// Gemini CLI's sessions, `~/.gemini/tmp/*/chats/session-*.json`; since 2026 also as JSON Lines.
struct GeminiFormat: MultiFileFormat, RewrittenFormat {
  let name = "gemini-cli"
  let title = "Gemini CLI's sessions"
  let whole = "a session of Gemini CLI"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "{") else { return 0 }
    return sample.has("\"sessionId\"", inFirst: 1_024) && sample.has("\"projectHash\"", inFirst: 1_024)
      ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    let session = GeminiSession(file: file, options: options)
    if session.hasLines { return JSONRowsReader(GeminiLines(session), file: file) }
    return JSONHistoryReader(GeminiDocument(session), file: file)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    sample.name == "logs.json" && sample.has("\"sessionId\"", inFirst: 1_024)
      && sample.has("\"messageId\"", inFirst: 1_024)
  }
}

extension GeminiFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace(
        "Gemini CLI", .home, "", ".gemini/tmp/*/chats", files: "session-*.json", "session-*.jsonl", depth: 1,
        variable: "GEMINI_CLI_HOME")
    ]
  }
}

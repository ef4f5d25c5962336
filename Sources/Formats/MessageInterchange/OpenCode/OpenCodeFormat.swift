/// opencode's sessions: `~/.local/share/opencode/opencode.db` since version 1.2,
/// `~/.local/share/opencode/storage` before.
struct OpenCodeFormat: MultiFileFormat {
  let name = "opencode"
  let title = "opencode's sessions"
  let whole = "a session of opencode"

  func score(_ sample: FormatSample) -> Int {
    guard SQLiteFile.fits(sample) else { return Self.isSession(sample) ? 93 : 0 }
    return sample.holdsAny(of: "`part`", "\"part\"") && sample.holds("session_id", "message_id") ? 94 : 0
  }

  private static func isSession(_ sample: FormatSample) -> Bool {
    guard sample.name.hasPrefix("ses_"), sample.name.hasSuffix(".json"), sample.beginsJSON else {
      return false
    }
    return OpenCodeFolder.storage(of: sample.folder) != nil && sample.has("\"id\"") && sample.has("\"time\"")
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    if file.name.hasSuffix(".json") { return OpenCodeFolder(file: file, options: options) }
    return SQLiteHistoryReader<OpenCodeHistory>(file: file, options: options)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    guard sample.name.hasSuffix(".json") else { return false }
    let folder = sample.folder
    let isPart =
      ["msg_", "prt_"].contains(where: sample.name.hasPrefix)
      && ["message", "part"].contains(folder.dropLast().last)
    let depth = isPart ? 2 : 1
    let isBeside = ["project", "todo", "session_diff", "session_share", "permission"].contains(folder.last)
    guard isPart || isBeside && folder.dropLast().last == "storage" else { return false }
    return FileSurroundings.isFolder("/" + folder.dropLast(depth).joined(separator: "/") + "/session")
  }
}

extension OpenCodeFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace("opencode", .data, "opencode", files: "opencode.db", followsFile: true)
    ]
  }
}

/// Skype's export: `messages.json` in a tar, with a folder `media`.
struct SkypeFormat: MultiFileFormat {
  let name = "skype"
  let title = "Skype's export"
  let whole = "Skype's export"
  private static let fileName = "messages.json"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "{"), sample.has("\"conversations\"") else { return 0 }
    if sample.holds("\"MessageList\""), sample.has("\"id\"") { return 93 }
    return sample.has("\"exportDate\"") ? 92 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(SkypeHistory(file: file, options: options), file: file)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    if sample.name == "endpoints.json" { return companions.has(Self.fileName, in: folder) }
    guard folder.last == "media" else { return false }
    return companions.has(Self.fileName, in: Array(folder.dropLast()))
  }
}

/// The files in `media` by the ids in messages: `0-weu-d1.2.jpg` is the second part of `0-weu-d1`.
struct SkypeFiles: CompanionFiles {
  private var paths: [String: [String]] = [:]

  mutating func add(_ components: ArraySlice<String>) {
    guard components.first == "media", let name = components.last, !name.hasSuffix(".json") else { return }
    paths[String(name.prefix { $0 != "." }), default: []].append(components.joined(separator: "/"))
  }

  func paths(of id: String) -> [String] { (paths[id] ?? []).sorted() }
}

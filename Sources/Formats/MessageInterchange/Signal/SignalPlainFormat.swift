/// Signal's own export in plain text since 2026: `main.jsonl` with the folder `files` beside it.
struct SignalPlainFormat: MultiFileFormat {
  let name = "signal-jsonl"
  let title = "Signal's own export (main.jsonl)"
  let whole = "Signal's export"
  private static let fileName = "main.jsonl"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first else { return 0 }
    let isHead = first.withUnsafeBytes { line in
      line.has("{") && JSONFields(line).map { $0["backupTimeMs"] != nil && $0["version"] != nil } ?? false
    }
    if isHead { return 95 }
    let fitting = sample.percent { line in
      Self.beginnings.contains { line.has($0) }
    }
    return fitting >= 50 ? 93 : 0
  }

  private static let beginnings: [StaticString] = [
    "{\"recipient\":{\"id\":", "{\"chat\":{\"id\":", "{\"chatItem\":{\"chatId\":",
  ]

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(SignalPlainHistory(file: file, options: options), file: file)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    if sample.name == "metadata.json" { return companions.has(Self.fileName, in: folder) }
    guard SignalFiles.isName(sample.name), folder.count >= 2, folder[folder.count - 2] == "files" else {
      return false
    }
    return companions.has(Self.fileName, in: Array(folder.dropLast(2)))
  }
}

/// Files beside Signal's export, by their names without extensions.
struct SignalFiles: CompanionFiles {
  private var paths: [String: String] = [:]

  static func isName(_ name: String) -> Bool {
    let digits = name.utf8.prefix { $0 != UInt8(ascii: ".") }
    return digits.count == 64 && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  mutating func add(_ components: ArraySlice<String>) {
    guard let name = components.last, Self.isName(name), components.first == "files" else { return }
    paths[String(name.prefix { $0 != "." })] = components.joined(separator: "/")
  }

  func path(of name: String) -> String { paths[name] ?? "files/\(name.prefix(2))/\(name)" }
}

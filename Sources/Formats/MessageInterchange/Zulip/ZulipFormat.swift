/// Zulip's export, which converters of other services also write: a file per thousand messages.
struct ZulipFormat: MultiFileFormat {
  let name = "zulip"
  let title = "Zulip's export"
  let whole = "a Zulip export"

  func score(_ sample: FormatSample) -> Int {
    sample.has("\"zerver_message\"") ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(ZulipHistory(file: file, options: options), file: file)
  }

  private static let companionNames: Set<String> = [
    ZulipRealm.fileName, "attachment.json", "migration_status.json", "stats.json", "records.json",
    "analytics.json", "emoji.json",
  ]

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    guard sample.mayGoWith(name) else { return false }
    guard Self.companionNames.contains(sample.name) else { return false }
    if sample.has("\"zerver_") || sample.has("\"analytics_") || sample.has("\"migrations_by_app\"") {
      return true
    }
    guard sample.name != ZulipRealm.fileName else { return false }
    let folders = sample.components.dropLast()
    return (0...2).contains { depth in
      depth < folders.count && companions.has(ZulipRealm.fileName, in: folders.dropLast(depth))
    }
  }
}

/// zulip-archive's public archive, a file per topic.
struct ZulipArchiveFormat: ImportFormat {
  let name = "zulip-archive"
  let title = "the JSON of zulip-archive"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "[") else { return 0 }
    if sample.holds("\"sender_full_name\"", "\"timestamp\"") { return 92 }
    let start = sample.bytes.prefix(256).filter { $0 > 0x20 }
    return start.starts(with: "[{\"content\":\"<".utf8) && !sample.isWhole ? 60 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(ZulipArchiveHistory(file: file, options: options), file: file)
  }
}

/// Discord History Tracker's database, a `.dht` file.
struct DiscordTrackerFormat: ImportFormat {
  let name = "discord-history-tracker"
  let title = "Discord History Tracker's database"

  func score(_ sample: FormatSample) -> Int {
    let tables: Set = ["metadata", "servers", "channels", "users", "messages", "attachments"]
    return sample.tables.isSuperset(of: tables) ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SQLiteHistoryReader<DiscordTrackerHistory>(file: file, options: options)
  }
}

/// The messages that Beeper's desktop app stores from all networks, `BeeperTexts/index.db`.
struct BeeperFormat: ImportFormat {
  let name = "beeper"
  let title = "Beeper's database"

  func score(_ sample: FormatSample) -> Int {
    sample.tables.isSuperset(of: ["mx_room_messages", "threads"]) ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SQLiteHistoryReader<BeeperHistory>(file: file, options: options)
  }
}

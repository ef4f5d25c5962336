/// Telegram Desktop's JSON export, of one chat or of all.
struct TelegramFormat: ImportFormat {
  let name = "telegram"
  let title = "Telegram's JSON export"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "{") else { return 0 }
    if sample.has("\"messages\""), sample.has("\"from_id\"") || sample.has("\"date_unixtime\"") { return 90 }
    let isWhole = sample.has("\"chats\"") || sample.has("\"personal_information\"")
    return sample.has("\"about\"") && isWhole ? 80 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(TelegramHistory(file: file, options: options), file: file)
  }
}

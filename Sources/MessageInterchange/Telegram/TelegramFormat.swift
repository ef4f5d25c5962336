/// Telegram Desktop's JSON export, of one chat or of all.
struct TelegramFormat: ImportFormat {
  let name = "telegram"
  let title = "Telegram's JSON export"

  func score(_ sample: FormatSample) -> Int {
    guard sample.bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "{") else { return 0 }
    let start = String(decoding: sample.bytes.prefix(16_384), as: UTF8.self)
    let hasType = TelegramHistory.chatTypes.keys.contains { start.contains("\"\($0)\"") }
    if start.contains("\"messages\""), hasType || start.contains("\"from_id\"") { return 90 }
    return start.contains("\"about\"")
      && (start.contains("\"chats\"") || start.contains("\"personal_information\"")) ? 80 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(TelegramHistory(file: file, options: options), file: file)
  }
}

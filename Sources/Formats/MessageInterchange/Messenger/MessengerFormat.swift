/// Facebook's Messenger and Instagram: the JSON of "Download your information" and of end-to-end encrypted
/// chats.
struct MessengerFormat: ImportFormat {
  let name = "messenger"
  let title = "Messenger's or Instagram's JSON export"

  func score(_ sample: FormatSample) -> Int {
    guard sample.has("\"participants\"") else { return 0 }
    let isOpen = sample.holds("\"sender_name\"", "\"timestamp_ms\"")
    let isEncrypted = sample.holds("\"senderName\"", "\"threadName\"")
    return isOpen || isEncrypted ? 90 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(MessengerHistory(file: file, options: options), file: file)
  }
}

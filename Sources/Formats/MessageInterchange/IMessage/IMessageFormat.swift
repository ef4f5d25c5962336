/// Apple's Messages: `chat.db` on a Mac, `sms.db` in a phone's backup.
///
/// The SQLite files are read with the system's library, independently of the store.
struct IMessageFormat: ImportFormat {
  let name = "imessage"
  let title = "Apple's Messages (chat.db)"

  func score(_ sample: FormatSample) -> Int {
    guard SQLiteFile.fits(sample) else { return 0 }
    let isNamed = sample.name == "chat.db" || sample.name == "sms.db"
    return isNamed || sample.holds("chat_message_join") ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SQLiteHistoryReader<IMessageHistory>(file: file, options: options)
  }
}

/// Apple's Messages: `chat.db` of a Mac, `sms.db` of a telephone's backup.
///
/// The files are SQLite's. They are read by the system's library, without the store and what it is built on.
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

/// SMS Backup & Restore's XML, which signalbackup-tools writes too.
struct SMSFormat: ImportFormat {
  let name = "sms"
  let title = "SMS Backup & Restore's XML"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "<") else { return 0 }
    return sample.has("<smses") || sample.has("<sms ") || sample.has("<mms ") ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SMSReader(file: file, options: options)
  }
}

/// WhatsApp's database on Android, `msgstore.db`, decrypted.
struct WhatsAppAndroidFormat: MultiFileFormat {
  let name = "whatsapp-android"
  let title = "WhatsApp's database on Android (msgstore.db)"
  let whole = "WhatsApp's database"
  private static let fileName = "msgstore.db"

  func score(_ sample: FormatSample) -> Int {
    guard SQLiteFile.fits(sample) else { return 0 }
    let isOlder = sample.tables.contains("messages") && !sample.tables.isDisjoint(with: Self.olderTables)
    let isNewer = sample.tables.isSuperset(of: ["message", "chat", "jid"])
    let isNamed = sample.name == Self.fileName || sample.name.hasPrefix("msgstore")
    return isOlder || isNewer ? 95 : isNamed ? 90 : 0
  }

  private static let olderTables: Set<String> = [
    "chat_list", "messages_quotes", "message_media", "messages_links",
  ]

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SQLiteHistoryReader<WhatsAppAndroidHistory>(file: file, options: options)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    if ["wa.db", "axolotl.db", "chatsettings.db", "chatsettingsbackup.db"].contains(sample.name) {
      return companions.has(Self.fileName, in: folder)
    }
    guard let media = folder.lastIndex(of: "Media") else { return false }
    let above = Array(folder[..<media])
    return [above, above + ["Databases"], Array(above.dropLast())].contains {
      companions.has(Self.fileName, in: $0)
    }
  }
}

/// WhatsApp's database on iPhones and Macs, `ChatStorage.sqlite`.
struct WhatsAppPhoneFormat: MultiFileFormat {
  let name = "whatsapp-ios"
  let title = "WhatsApp's database on iPhones (ChatStorage.sqlite)"
  let whole = "WhatsApp's database"
  private static let fileName = "ChatStorage.sqlite"

  func score(_ sample: FormatSample) -> Int {
    guard SQLiteFile.fits(sample) else { return 0 }
    let isOne = sample.tables.isSuperset(of: ["ZWAMESSAGE", "ZWACHATSESSION"])
    return isOne ? 95 : sample.name == Self.fileName ? 90 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SQLiteHistoryReader<WhatsAppPhoneHistory>(file: file, options: options)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    if SQLiteFile.fits(sample), sample.name != Self.fileName {
      return companions.has(Self.fileName, in: folder)
    }
    guard let media = folder.lastIndex(of: "Media") else { return false }
    let above = Array(folder[..<media])
    return [above, Array(above.dropLast())].contains { companions.has(Self.fileName, in: $0) }
  }
}

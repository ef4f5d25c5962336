extension WhatsAppAndroidHistory {
  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    if ["wa.db", "axolotl.db", "chatsettings.db", "chatsettingsbackup.db"].contains(sample.name) {
      return companions.has("msgstore.db", in: folder)
    }
    guard let media = folder.lastIndex(of: "Media") else { return false }
    let above = Array(folder[..<media])
    return [above, above + ["Databases"], Array(above.dropLast())].contains {
      companions.has("msgstore.db", in: $0)
    }
  }
}

extension WhatsAppPhoneHistory {
  private static let fileName = "ChatStorage.sqlite"

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    if SQLiteFile.fits(sample), sample.name != fileName {
      return companions.has(fileName, in: folder)
    }
    guard let media = folder.lastIndex(of: "Media") else { return false }
    let above = Array(folder[..<media])
    return [above, Array(above.dropLast())].contains { companions.has(fileName, in: $0) }
  }
}

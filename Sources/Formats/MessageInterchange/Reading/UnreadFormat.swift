internal import MessageModel

enum UnreadFormat: CaseIterable {
  case store
  case whatsAppBackup
  case signalBackup
  case signalDatabase
  case openCodeFolder
  case pidginLog
  case kakaoTalk
  case gitter
  case discordText
  case appleBackup
  case googleVoice
  case googleActivity
  case structuredLog
  case programLog

  init?(_ sample: FormatSample) {
    guard let found = Self.allCases.first(where: { $0.fits(sample) }) else { return nil }
    self = found
  }

  var reason: String {
    switch self {
    case .store:
      "it is a store of Scrollback"
    case .whatsAppBackup:
      "it is WhatsApp's encrypted backup (wadecrypt of wa-crypt-tools makes msgstore.db of it, with the key of 64 digits that the app shows)"
    case .signalBackup:
      "it is Signal's encrypted backup (Signal's own export in plain text is read, and what signalbackup-tools makes of this one)"
    case .signalDatabase:
      "it is Signal Desktop's encrypted database (sigtop export-messages -f json reads it, and Signal's own export is read)"
    case .openCodeFolder:
      "it is a part of a session of opencode before 1.2 (import the folder 'storage' that it lies in, unpacked)"
    case .pidginLog:
      "it is a log of Pidgin (pidgin2adium makes logs of Adium of it, which are read)"
    case .kakaoTalk:
      "it is KakaoTalk's text export (the CSV that KakaoTalk for Macs exports is read by --format csv)"
    case .gitter:
      "it is Gitter's archive (--format json --map time=sent,sender=fromUser reads it)"
    case .discordText:
      "it is DiscordChatExporter's plain text, which has no ids and times without seconds (export it again as JSON)"
    case .appleBackup:
      "it is a list of an iPhone's backup (unencrypted ones have ChatStorage.sqlite and sms.db under other names; idevicebackup2 unback gives them their names)"
    case .googleVoice:
      "it is a conversation of Google Voice (gvoice-sms-takeout-xml makes a file of SMS Backup & Restore of it, which is read)"
    case .googleActivity:
      "it is Google's list of activities as HTML (takeout.google.com makes JSON of My Activity where that is chosen, of which Gemini Apps are read)"
    case .structuredLog:
      "it is the log of a program whose messages have parts that JSON Lines would lose, as calls of tools (--format json-lines reads the texts alone)"
    case .programLog:
      "it is the log of a program and not a chat: times and events, and nobody speaks (if it is one, --format NAME reads it, as whatsapp or irc-bot)"
    }
  }

  var remedy: Remedy? { self == .store ? .openStore : nil }

  /// Whether a file lies in opencode's folder or a copy of it: `storage/message/ses_…/msg_….json`.
  private static func isOfOpenCode(_ sample: FormatSample) -> Bool {
    guard sample.name.hasSuffix(".json") else { return false }
    let folders = sample.components.dropLast()
    if folders.contains("opencode"), folders.contains("storage") { return true }
    guard ["ses_", "msg_", "prt_"].contains(where: sample.name.hasPrefix) else { return false }
    return sample.has("\"id\"") && folders.contains(where: ["session", "message", "part"].contains)
  }

  private func fits(_ sample: FormatSample) -> Bool {
    switch self {
    case .store: return SQLiteFile.fits(sample) && sample.bytes.dropFirst(68).starts(with: "Scrb".utf8)
    case .whatsAppBackup:
      return sample.name.hasPrefix("msgstore") && sample.name.firstRange(of: ".crypt") != nil
    case .signalBackup:
      return sample.name.hasPrefix("signal-") && sample.name.hasSuffix(".backup")
        || sample.components.contains("SignalBackups") && (sample.name == "main" || sample.name == "metadata")
    case .signalDatabase:
      return sample.name == "db.sqlite" && sample.components.dropLast().last == "sql"
        && !SQLiteFile.fits(sample)
    case .openCodeFolder:
      return Self.isOfOpenCode(sample)
    case .pidginLog:
      return sample.has("Conversation with ", inFirst: 512) && sample.has(" at ", inFirst: 512)
        && sample.components.contains { $0 == ".purple" || $0 == "logs" }
    case .kakaoTalk:
      return sample.has("KakaoTalk Chats", inFirst: 512) || sample.has("카카오톡 대화", inFirst: 512)
    case .gitter: return sample.has("\"fromUser\"") && sample.has("\"sent\"")
    case .discordText:
      return sample.has("====\nGuild: ", inFirst: 512) || sample.has("====\r\nGuild: ", inFirst: 512)
    case .appleBackup: return sample.name == "Manifest.db" && sample.tables.contains("Files")
    case .googleVoice: return sample.has("class=\"hChatLog hfeed\"")
    case .googleActivity: return sample.holds("outer-cell mdl-cell")
    case .structuredLog: return StructuredLog.losesParts(sample)
    case .programLog: return ProgramLog.fits(sample)
    }
  }
}

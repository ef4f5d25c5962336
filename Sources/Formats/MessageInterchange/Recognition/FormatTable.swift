extension ImportFormats {
  /// In the order in which they are asked; of equal scores the first decides.
  static let all: [any ImportFormat] =
    [
      JSONLinesFormat(),
      Format(
        name: "telegram", title: "Telegram's JSON export", reader: document(TelegramHistory.init),
        scores: [
          90: [.begins("{"), .keys(["messages"]), .anyKey(["from_id", "date_unixtime"])],
          80: [.begins("{"), .keys(["about"]), .anyKey(["chats", "personal_information"])],
        ]),
      SlackFormat(),
      Format(
        name: "discord", title: "Discord, as DiscordChatExporter exports it in JSON",
        reader: document(DiscordHistory.init), scores: [95: [.keys(["guild", "channel", "messages"])]]),
      DiscordPageFormat(),
      MessengerFormat(),
      MattermostFormat(),
      Format(
        name: "google-chat", title: "Google Chat's Takeout", reader: document(GoogleChatHistory.init),
        scores: [
          93: [.keys(["messages", "topic_id", "message_id"]), .anyKey(["created_date", "message_state"])]
        ],
        companions: ["Google Chat's Takeout": GoogleChatHistory.isCompanion]),
      MatrixFormat(), MatrixPageFormat(), SignalDesktopFormat(),
      SignalExportFormat(),
      SignalBackupFormat(), ZulipFormat(), ZulipArchiveFormat(), IMessageFormat(), SlackdumpFormat(),
      HangoutsFormat(), AdiumFormat(),
      Format(
        name: "sms", title: "SMS Backup & Restore's XML", reader: SMSReader.init,
        scores: [95: [.begins("<"), .anyText(["<smses", "<sms ", "<mms "])]]),
      DiscordTableFormat(), SlackEventsFormat(),
      LINEFormat(), SignalChatFormat(), WhatsAppFormat(), MailFormat(),
      ClaudeCodeFormat(), CodexFormat(), ChatGPTFormat(), ClaudeAIFormat(), GeminiFormat(), LLMFormat(),
      OpenCodeFormat(), CursorFormat(), OpenWebUIFormat(), SillyTavernFormat(),
      Format(
        name: "crush", title: "Crush's sessions", reader: database(CrushHistory.self),
        scores: [94: [.tables(["goose_db_version", "sessions", "messages", "files"])]],
        places: [AssistantPlace("Crush", .project, ".crush", files: "crush.db", followsFile: true)],
        resume: ResumeCommand("crush", ["--session", "ID"], .uuid)),
      LMStudioFormat(), GeminiTakeoutFormat(), CharacterAIFormat(),
      WhatsAppAndroidFormat(), WhatsAppPhoneFormat(), SignalPlainFormat(),
      SkypeFormat(), DiscordPackageFormat(), TelegramPageFormat(), TwitchFormat(),
      AiderFormat(), ClineFormat(), CopilotFormat(), CopilotChatFormat(), PiFormat(), AmpFormat(),
      KimiFormat(), HermesFormat(),
      DiscordTrackerFormat(), TeamsFormat(), BeeperFormat(),
      RocketChatFormat(), ChatLabFormat(), KakaoTalkFormat(), DiscordTextFormat(), TwitchPageFormat(),
      TwitterFormat(), MessengerPageFormat(), GoogleVoiceFormat(), PipermailPageFormat(),
    ] + IRCDialect.all.map(IRCLogFormat.init) + loose

  private static func document<History: JSONHistory & SendableMetatype>(
    _ history: @escaping @Sendable (InputFile, ImportOptions) -> History
  ) -> @Sendable (InputFile, ImportOptions) -> any HistoryReader {
    { file, options in JSONHistoryReader(history(file, options), file: file) }
  }

  private static func database<History: SQLiteHistory & SendableMetatype>(
    _: History.Type
  ) -> @Sendable (InputFile, ImportOptions) -> any HistoryReader {
    { file, options in SQLiteHistoryReader<History>(file: file, options: options) }
  }
}

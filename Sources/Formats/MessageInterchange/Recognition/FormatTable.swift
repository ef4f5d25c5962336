extension ImportFormats {
  static let all: [any ImportFormat] = programs + IRCDialect.all.map(IRCLogFormat.init) + loose

  /// In the order in which they are asked; of equal scores the first decides.
  private static let programs: [any ImportFormat] = [
    JSONLinesFormat(),
    Format(
      "telegram", "Telegram's JSON export", document(TelegramHistory.init),
      [
        90: [.begins("{"), .keys(["messages"]), .anyKey(["from_id", "date_unixtime"])],
        80: [.begins("{"), .keys(["about"]), .anyKey(["chats", "personal_information"])],
      ]),
    Format(
      "slack", "Slack's export", document(SlackHistory.init),
      [
        90: [.begins("["), .keys(["ts", "type", "message"])],
        90: [
          .begins("{"), .keys(["ts", "type", "messages"]), .anyText(["\"channel_id\"", "\"slackdump_"]),
        ],
      ],
      companions: ["a Slack export": { SlackWorkspace.isCompanion($0, of: "slack", beside: $1) }]),
    Format(
      "discord", "Discord, as DiscordChatExporter exports it in JSON", document(DiscordHistory.init),
      [95: [.keys(["guild", "channel", "messages"])]]),
    Format(
      "discord-html", "Discord, as DiscordChatExporter exports it in HTML", DiscordPageReader.init,
      [94: [.begins("<"), .texts(["chatlog__message"], inFirst: 65_536)]]),
    Format(
      "messenger", "Messenger's or Instagram's JSON export", document(MessengerHistory.init),
      [
        90: [.keys(["participants"]), .keys(["sender_name", "timestamp_ms"], inFirst: 65_536)],
        90: [.keys(["participants"]), .keys(["senderName", "threadName"], inFirst: 65_536)],
      ]),
    Format(
      "mattermost", "Mattermost's bulk export", lines(MattermostHistory.init),
      [
        95: [
          .anyText([
            "{\"type\":\"version\"", "{\"type\": \"version\"", "{\"type\":\"post\"", "\"direct_post\"",
          ])
        ]
      ]),
    Format(
      "google-chat", "Google Chat's Takeout", document(GoogleChatHistory.init),
      [93: [.keys(["messages", "topic_id", "message_id"]), .anyKey(["created_date", "message_state"])]],
      companions: ["Google Chat's Takeout": GoogleChatHistory.isCompanion]),
    Format(
      "matrix", "Matrix, as Element exports a room in JSON",
      linesOrDocument(having: "origin_server_ts", MatrixHistory.init),
      [93: [.json, .keys(["origin_server_ts", "event_id"], inFirst: 65_536)]]),
    Format(
      "matrix-html", "Matrix, as Element exports a room in HTML", MatrixPageReader.init,
      [94: [.begins("<"), .texts(["class=\"mx_MatrixChat_wrapper\"", "js/script.js"])]],
      companions: ["Element's export": MatrixPageReader.isCompanion]),
    Format(
      "signal", "Signal, as sigtop exports it in JSON", document(SignalDesktopHistory.init),
      [93: [.begins("["), .keys(["conversationId", "sent_at"])]]),
    Format(
      "signal-export", "Signal, as signal-export writes it in JSON", lines(SignalExportHistory.init),
      [95: [.half(where: SignalExportHistory.isMessage)]]),
    Format(
      "signal-backup", "Signal, as signalbackup-tools exports its messages in CSV", SignalBackupReader.init,
      [95: [.check(SignalBackupReader.isTable)]]),
    Format(
      "zulip", "Zulip's export", document(ZulipHistory.init), [95: [.keys(["zerver_message"])]],
      companions: ["a Zulip export": ZulipHistory.isCompanion]),
    Format(
      "zulip-archive", "the JSON of zulip-archive", document(ZulipArchiveHistory.init),
      [
        92: [.begins("["), .keys(["sender_full_name", "timestamp"], inFirst: 65_536)],
        60: [.begins("["), .check(ZulipArchiveHistory.isCutTopic)],
      ]),
    Format(
      "imessage", "Apple's Messages (chat.db)", database(IMessageHistory.self),
      [
        95: [.database, .named(["chat.db", "sms.db"])],
        95: [.database, .texts(["chat_message_join"], inFirst: 65_536)],
      ]),
    Format(
      "slackdump", "slackdump's archive of Slack",
      database(SlackdumpDatabase.self, or: lines(SlackdumpChunks.init)),
      [
        95: [.database, .texts(["CREATE TABLE MESSAGE", "S_USER"], inFirst: 65_536)],
        92: [.beginning("{\"t\":"), .texts(["\"ts\":"], inFirst: 64)],
      ],
      companions: ["a Slack export": { SlackWorkspace.isCompanion($0, of: "slackdump", beside: $1) }]),
    Format(
      "hangouts", "Google Hangouts' Takeout", document(HangoutsHistory.init),
      [
        93: [
          .anyKey(["conversations", "conversation_state"]), .keys(["conversation_id"]),
          .keys(["participant_data"], inFirst: 65_536),
        ]
      ]),
    Format(
      "adium", "Adium's log", AdiumReader.init,
      [
        95: [.texts(["<chat ", "http://purl.org/net/ulf/ns/0.4"], inFirst: 1_024)],
        95: [.texts(["<chat "], inFirst: 1_024), .named(["*.chatlog"])],
      ]),
    Format(
      "sms", "SMS Backup & Restore's XML", SMSReader.init,
      [95: [.begins("<"), .anyText(["<smses", "<sms ", "<mms "])]]),
    Format(
      "discord-csv", "Discord, as DiscordChatExporter exports it in CSV", DiscordTableReader.init,
      [95: [.check(DiscordTableReader.isTable)]]),
    Format(
      "slack-events", "Slack's events, one a line", lines(SlackEvents.init),
      [
        // Only Slack uses the last of these keys.
        80: [.record(having: ["type", "channel", "ts", "event_ts"])],
        80: [.half(where: SlackEvents.isOfTeam)],
      ]),
    Format(
      "line", "LINE's text export", LINEReader.init,
      [95: [.beginning("[LINE]")], 85: [.check(LINEReader.hasDay), .half { LINEHeader.time($0) != nil }]]),
    Format(
      "signal-chat", "Signal, as signal-export writes it in Markdown", SignalChatReader.init,
      [95: [.named(["*.md"]), .check(SignalChatReader.isChat)], 88: [.check(SignalChatReader.isChat)]],
      companions: ["the data.json beside it, which says the same more exactly": SignalChatReader.isCompanion]),
    Format("whatsapp", "WhatsApp's text export", WhatsAppReader.init, scoring: WhatsAppReader.score),
    Format("mbox", "mail", MailReader.init, scoring: MailReader.score),
    ClaudeCodeFormat(), CodexFormat(), ChatGPTFormat(), ClaudeAIFormat(), GeminiFormat(), LLMFormat(),
    OpenCodeFormat(), CursorFormat(), OpenWebUIFormat(), SillyTavernFormat(),
    Format(
      "crush", "Crush's sessions", database(CrushHistory.self),
      [94: [.tables(["goose_db_version", "sessions", "messages", "files"])]],
      places: [AssistantPlace("Crush", .project, ".crush", files: "crush.db", followsFile: true)],
      resume: ResumeCommand("crush", ["--session", "ID"], .uuid)),
    LMStudioFormat(), GeminiTakeoutFormat(), CharacterAIFormat(),
    Format(
      "whatsapp-android", "WhatsApp's database on Android (msgstore.db)",
      database(WhatsAppAndroidHistory.self),
      [
        95: [.tables(["message", "chat", "jid"])],
        95: [
          .tables(["messages"]),
          .anyTable(["chat_list", "messages_quotes", "message_media", "messages_links"]),
        ], 90: [.database, .named(["msgstore*"])],
      ],
      companions: ["WhatsApp's database": WhatsAppAndroidHistory.isCompanion]),
    Format(
      "whatsapp-ios", "WhatsApp's database on iPhones (ChatStorage.sqlite)",
      database(WhatsAppPhoneHistory.self),
      [95: [.tables(["ZWAMESSAGE", "ZWACHATSESSION"])], 90: [.database, .named(["ChatStorage.sqlite"])]],
      companions: ["WhatsApp's database": WhatsAppPhoneHistory.isCompanion]),
    Format(
      "signal-jsonl", "Signal's own export (main.jsonl)", lines(SignalPlainHistory.init),
      [95: [.firstLine(where: SignalPlainHistory.isHead)], 93: [.half(where: SignalPlainHistory.isOurs)]],
      companions: ["Signal's export": SignalPlainHistory.isCompanion]),
    Format(
      "skype", "Skype's export", document(SkypeHistory.init),
      [
        93: [.begins("{"), .keys(["conversations", "id"]), .keys(["MessageList"], inFirst: 65_536)],
        92: [.begins("{"), .keys(["conversations", "exportDate"])],
      ],
      companions: ["Skype's export": SkypeHistory.isCompanion]),
    Format(
      "discord-package", "Discord's data package (own messages alone)", DiscordPackage.reader,
      [
        95: [.firstLine(where: DiscordPackage.isTable)],
        94: [.begins("["), .keys(["ID", "Timestamp", "Contents"])],
      ],
      companions: ["Discord's data package": DiscordPackage.isCompanion]),
    Format(
      "telegram-html", "Telegram's HTML export", TelegramPageReader.init,
      [
        94: [
          .begins("<"), .check(TelegramPageReader.isOfTelegram),
          .texts(["class=\"history\""], inFirst: 65_536),
        ]
      ],
      companions: [
        "Telegram's export": TelegramPageReader.isCompanion,
        "the result.json beside it, which says the same more exactly": TelegramPageReader.isRepeated,
      ]),
    Format(
      "twitch", "Twitch, as TwitchDownloader exports it in JSON", document(TwitchHistory.init),
      [93: [.begins("{"), .keys(["comments", "content_offset_seconds"], inFirst: 65_536)]]),
    AiderFormat(), ClineFormat(), CopilotFormat(), CopilotChatFormat(), PiFormat(), AmpFormat(),
    KimiFormat(), HermesFormat(),
    Format(
      "discord-history-tracker", "Discord History Tracker's database", database(DiscordTrackerHistory.self),
      [95: [.tables(["metadata", "servers", "channels", "users", "messages", "attachments"])]]),
    Format(
      "teams", "Microsoft Teams, messages of Microsoft Graph in JSON",
      linesOrDocument(having: "createdDateTime", TeamsHistory.init),
      [
        94: [
          .json, .keys(["createdDateTime", "messageType"], inFirst: 65_536),
          .anyKey(["chatId", "channelIdentity"], inFirst: 65_536),
        ]
      ]),
    Format(
      "beeper", "Beeper's database", database(BeeperHistory.self),
      [95: [.tables(["mx_room_messages", "threads"])]]),
    Format(
      "rocketchat", "Rocket.Chat's messages", linesOrDocument(having: "ts", RocketChatHistory.init),
      [
        94: [.json, .keys(["rid", "msg", "ts", "u"], inFirst: 65_536), .keys(["_id"])],
        92: [.json, .onlyRecords(where: RocketChatHistory.isExported)],
      ],
      companions: ["a Rocket.Chat export": RocketChatHistory.isCompanion]),
    Format(
      "chatlab", "ChatLab's interchange format", linesOrDocument(having: "_type", ChatLabHistory.init),
      [95: [.json, .keys(["chatlab", "meta", "platform"])]]),
    Format(
      "kakaotalk", "KakaoTalk's text export", KakaoTalkReader.init,
      [
        95: [.check(KakaoTalkReader.hasHead)],
        80: [.half { KakaoTalkLine.entry($0) != nil }, .check(KakaoTalkReader.hasSenders)],
      ]),
    Format(
      "discord-txt", "Discord, as DiscordChatExporter exports it in plain text", DiscordTextReader.init,
      [95: [.check(DiscordTextReader.isExport)]]),
    Format(
      "twitch-html", "Twitch, as TwitchDownloader exports it in HTML", TwitchPageReader.init,
      [
        // The styles before the messages are longer than the sample.
        93: [
          .begins("<"), .texts(["<base target=\"_blank\">", "css?family=Inter"], inFirst: 512),
        ],
        93: [.begins("<"), .texts(["<pre class=\"comment-root\">"], inFirst: 65_536)],
      ]),
    Format(
      "twitter", "X (Twitter), direct messages of an archive", TwitterHistory.reader,
      [95: [.check(TwitterHistory.isOfMessages)]],
      companions: ["an archive of X": TwitterHistory.isCompanion]),
    Format(
      "messenger-html", "Messenger's or Instagram's HTML export", MessengerPageReader.init,
      // Other pages of the download have the same styles.
      [93: [.named(["message_*"]), .begins("<"), .anyText(["_a6-g", "_2lej"], inFirst: 65_536)]]),
    Format(
      "google-voice", "Google Voice in Google's Takeout", GoogleVoiceReader.init,
      [
        94: [.begins("<"), .texts(["class=\"haudio\"", "class=\"published\""], inFirst: 65_536)],
        94: [.begins("<"), .texts(["class=\"hChatLog hfeed\""], inFirst: 65_536)],
      ]),
    Format(
      "pipermail", "a mailing list's archive by Pipermail, as pages", PipermailPageReader.init,
      [93: [.begins("<"), .texts(["<!--beginarticle-->"], inFirst: 65_536)]],
      companions: ["an archive by Pipermail": PipermailPageReader.isCompanion]),
  ]

  private static func document<History: JSONHistory & SendableMetatype>(
    _ history: @escaping @Sendable (InputFile, ImportOptions) -> History
  ) -> Format.Reading {
    { file, options in JSONHistoryReader(history(file, options), file: file) }
  }

  private static func lines<Rows: JSONRows & SendableMetatype>(
    _ rows: @escaping @Sendable (InputFile, ImportOptions) -> Rows
  ) -> Format.Reading {
    { file, options in JSONRowsReader(rows(file, options), file: file) }
  }

  /// Reads lines if the first one is a record with a key.
  private static func linesOrDocument<History: JSONHistory & JSONRows & SendableMetatype>(
    having key: String, _ history: @escaping @Sendable (InputFile, ImportOptions) -> History
  ) -> Format.Reading {
    let (lines, document) = (lines(history), document(history))
    return { file, options in
      file.beginsWithRecord(having: key) ? lines(file, options) : document(file, options)
    }
  }

  /// Reads a database, and what is none by another reader.
  private static func database<History: SQLiteHistory & SendableMetatype>(
    _: History.Type, or other: Format.Reading? = nil
  ) -> Format.Reading {
    { file, options in
      if let other, !SQLiteFile.fits(file) { return other(file, options) }
      return SQLiteHistoryReader<History>(file: file, options: options)
    }
  }
}

extension ImportFormats {
  static let all: [any ImportFormat] = programs + chats + IRCDialect.all.map(IRCLogFormat.init) + loose

  /// In the order in which they are asked; of equal scores the first decides.
  static let programs: [Format] = [
    Format(
      "jsonl", "Scrollback's JSON Lines", JSONLinesReader.init, scoring: JSONLinesReader.score, nature: .lines
    ),
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
      companions: [
        "Google Chat's Takeout": signs([.of("google-chat"), .named(["group_info.json"]), .keys(["members"])]),
        "Google Chat's Takeout": signs([.of("google-chat"), .named(["user_info.json"]), .keys(["user"])]),
      ]),
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
    Format(
      "qwen-code", "Qwen Code's sessions", lines(QwenHistory.init),
      [
        // Asked before Claude Code, whose records have the same ids.
        96: [.anyRecord(where: QwenHistory.isOurs)],
        93: [.cutLine(["{\"uuid\":"]), .texts(["\"parentUuid\":"], inFirst: 256)],
      ],
      nature: .lines,
      resume: ResumeCommand("qwen", ["--resume", "ID"], .uuid)),
    Format(
      "claude-code", "Claude Code's sessions",
      listed(having: "display", lines(PromptList.ofClaudeCode), or: lines(ClaudeCodeHistory.init)),
      [
        96: [.check(ClaudeCodeHistory.isSession)],
        96: [.onlyRecords(where: ClaudeCodeRecord.isAboutSession)],
        96: [.anyRecord(where: PromptList.isOfClaudeCode)],
        92: [.cutLine(["{\"parentUuid\":", "{\"type\":\"file-history-snapshot\",\"messageId\":"])],
      ],
      companions: ["a session of Claude Code": ClaudeCodeHistory.isCompanion],
      resume: ResumeCommand("claude", ["--resume", "ID"], .uuid)),
    Format(
      "codex", "Codex CLI's sessions",
      listed(having: "ts", lines(PromptList.ofCodex), or: lines(CodexHistory.init)),
      [
        96: [.anyRecord(where: CodexHistory.isOurs)],
        96: [.anyRecord(where: PromptList.isOfCodex)],
        94: [.named(["rollout-*.jsonl"]), .firstLine(where: CodexHistory.isFormerHead)],
        94: [.cutLine(["{"]), .texts(["\"type\":\"session_meta\"", "\"payload\":"], inFirst: 256)],
      ],
      resume: ResumeCommand("codex", ["resume", "ID"], .uuid)),
    Format(
      "chatgpt", "ChatGPT's export", document(ChatGPTHistory.init),
      [
        94: [
          .json, .keys(["mapping", "create_time"], inFirst: 65_536),
          .anyKey(["title", "current_node"], inFirst: 65_536),
        ]
      ],
      companions: ["ChatGPT's export": ChatGPTHistory.isCompanion]),
    Format(
      "claude-ai", "Claude.ai's export", document(ClaudeAIHistory.init),
      [94: [.json, .keys(["chat_messages"], inFirst: 65_536), .keys(["uuid"])]],
      companions: ["Claude.ai's export": ClaudeAIHistory.isCompanion]),
    Format(
      "gemini-cli", "Gemini CLI's sessions", GeminiSession.reader,
      [94: [.begins("{"), .keys(["sessionId", "projectHash"], inFirst: 1_024)]],
      companions: [
        "a session of Gemini CLI": signs([
          .named(["logs.json"]), .keys(["sessionId", "messageId"], inFirst: 1_024),
        ])
      ],
      resume: ResumeCommand("gemini", ["--resume", "ID"], .uuid)),
    Format(
      "llm", "llm's log", database(LLMHistory.self),
      [
        94: [.tables(["_llm_migrations", "responses", "conversations"])],
        94: [.database, .texts(["prompt_json", "conversation_id", "datetime_utc"], inFirst: 65_536)],
      ],
      resume: ResumeCommand("llm", ["chat", "--cid", "ID"], .letters(26))),
    Format(
      "opencode", "opencode's sessions",
      named(["*.json"], OpenCodeFolder.init, or: database(OpenCodeHistory.self)),
      [
        94: [
          .database, .anyText(["`part`", "\"part\""], inFirst: 65_536),
          .texts(["session_id", "message_id"], inFirst: 65_536),
        ],
        93: [
          .named(["ses_*.json"]), .json, .check { OpenCodeFolder.storage(of: $0.folder) != nil },
          .keys(["id", "time"]),
        ],
      ],
      companions: ["a session of opencode": OpenCodeFolder.isCompanion],
      resume: ResumeCommand("opencode", ["--session", "ID"], .word(after: "ses_"))),
    Format(
      "cursor", "Cursor's chats",
      named(["store.db*"], database(CursorAgentHistory.self), or: database(CursorHistory.self)),
      [
        94: [.tables(["cursorDiskKV"])],
        92: [.named(["store.db*"]), .tables(["blobs", "meta"])],
        // Until 2025 workspaces had no table of Cursor's own; editors without Cursor have this one, too.
        90: [.tables(["ItemTable"]), .check { $0.name.firstRange(of: ".vscdb") != nil }],
      ],
      companions: ["Cursor's storage": CursorHistory.isCompanion]),
    Format(
      "open-webui", "Open WebUI's chats",
      database(OpenWebUIDatabase.self, or: document(OpenWebUIExport.init)),
      [
        94: [.tables(["chat", "auth", "user", "prompt"])],
        92: [
          .json, .keys(["history", "childrenIds"], inFirst: 65_536),
          .anyKey(["chat", "currentId"], inFirst: 65_536),
        ],
      ]),
    Format(
      "sillytavern", "SillyTavern's chats", lines(SillyTavernChat.init),
      [
        94: [.begins("{"), .record(having: ["mes", "is_user"])],
        // A chat without messages has only its head.
        90: [.begins("{"), .check { $0.lines.count == 1 }, .firstLine(where: SillyTavernChat.isHead)],
      ],
      companions: ["SillyTavern's chats": signs([.folder("backups"), .named(["chat_*.jsonl"])])]),
    Format(
      "crush", "Crush's sessions", database(CrushHistory.self),
      [94: [.tables(["goose_db_version", "sessions", "messages", "files"])]],
      resume: ResumeCommand("crush", ["--session", "ID"], .uuid)),
    Format(
      "goose", "Goose's sessions", database(GooseHistory.self, or: lines(GooseLines.init)),
      [
        94: [
          .tables(["schema_version", "sessions", "messages"]),
          .texts(["content_json", "working_dir"], inFirst: 65_536),
        ],
        93: [.onlyRecords { GooseLines.isHead($0) || GooseLines.isOurs($0) }],
      ],
      nature: .lines,
      companions: ["sessions of Goose, which the database beside them has": GooseLines.isCompanion],
      resume: ResumeCommand("goose", ["session", "--resume", "--session-id", "ID"], .word(after: "20"))),
    Format(
      "zed", "Zed's threads", database(ZedHistory.self),
      [94: [.tables(["threads"]), .texts(["data_type", "summary"], inFirst: 65_536)]]),
    Format(
      "continue", "Continue's sessions", document(ContinueHistory.init),
      [94: [.begins("{"), .keys(["sessionId", "workspaceDirectory", "history"], inFirst: 65_536)]],
      nature: .session, companions: ["Continue's sessions": ContinueHistory.isCompanion]),
    Format(
      "kiro", "Kiro's and Amazon Q's conversations", database(KiroHistory.self),
      [94: [.tables(["conversations_v2"])], 94: [.tables(["migrations", "conversations", "auth_kv"])]]),
    Format(
      "lm-studio", "LM Studio's chats", document(LMStudioChat.init),
      [
        92: [.begins("{"), .keys(["versions", "currentlySelected"], inFirst: 65_536)],
        90: [
          .begins("{"), .named(["*.conversation.json"]), .keys(["messages", "createdAt"], inFirst: 65_536),
        ],
      ]),
    Format(
      "gemini-takeout", "Gemini in Google's Takeout",
      document { _, options in GeminiTakeout(options: options) },
      [
        93: [
          .begins("["), .keys(["header", "time"]), .anyKey(["products", "activityControls"]),
          .anyKey(["Gemini Apps", "Bard"]),
        ]
      ]),
    Format(
      "character-ai", "Character.AI's chats", document(CharacterAIHistory.init),
      [
        93: [.json, .keys(["is_human", "histories", "msgs"], inFirst: 65_536)],
        93: [.json, .keys(["is_human", "turn_key", "raw_content"], inFirst: 65_536)],
      ]),
    Format(
      "whatsapp-android", "WhatsApp's database on Android (msgstore.db)",
      database(WhatsAppAndroidHistory.self),
      [
        95: [.tables(["message", "chat", "jid"])],
        95: [
          .tables(["messages"]),
          .anyTable(["chat_list", "messages_quotes", "message_media", "messages_links"]),
        ],
        90: [.database, .named(["msgstore*"])],
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
    Format(
      "aider", "aider's history", AiderReader.init,
      [
        95: [.firstLine { AiderLine.start($0) != nil }],
        90: [.named([".aider.chat.history.md"]), .check(AiderReader.mayHaveStart)],
      ],
      // It keeps one history per folder, without ids.
      resume: ResumeCommand("aider", ["--restore-chat-history"], .none)),
    Format(
      "specstory", "SpecStory's Markdown", SpecStoryReader.init,
      [95: [.texts(["<!-- Generated by SpecStory"], inFirst: 512)]]),
    Format(
      "cline", "Cline's, Roo Code's and Kilo Code's tasks",
      named(
        ClineTask.historyNames, document { ClineHistory(ClineTask(of: $0), options: $1) },
        or: document { ClineWindow(ClineTask(of: $0), options: $1) }),
      [
        95: [.named(ClineTask.historyNames), .json, .keys(["role", "content"])],
        94: [.check(ClineTask.isWindow)],
      ],
      companions: ["a task of Cline": ClineTask.isCompanion]),
    Format(
      "copilot", "GitHub Copilot CLI's sessions", lines(CopilotHistory.init),
      [
        93: [.anyRecord(where: CopilotHistory.isOurs)],
        92: [.cutLine(["{\"type\":\""]), .texts(["{\"type\":\"session.start\",\"data\":{"], inFirst: 64)],
      ],
      companions: ["a session of GitHub Copilot CLI": CopilotHistory.isCompanion],
      resume: ResumeCommand("copilot", ["--resume=ID"], .uuid)),
    Format(
      "copilot-chat", "Chats of GitHub Copilot in Visual Studio Code", CopilotChatLog.reader,
      [
        94: [
          .begins("{"), .check { CopilotChatLog.hasLines($0.bytes) },
          .anyKey(["requests", "creationDate"], inFirst: 65_536),
        ],
        94: [
          .begins("{"), .keys(["requests"], inFirst: 65_536),
          .anyKey(["responderUsername", "requesterUsername", "initialLocation"], inFirst: 65_536),
        ],
      ],
      companions: [
        "chats of Visual Studio Code": signs([
          .named(["workspace.json"]), .check { $0.isWhole && $0.bytes.count < 4_096 },
          .anyKey(["folder", "workspace"]), .texts(["://"]),
        ])
      ]),
    Format(
      "openhands", "OpenHands' conversations", OpenHandsFolder.init,
      [
        94: [
          .named(["base_state.json"]), .begins("{"), .keys(["id", "agent", "workspace"], inFirst: 65_536),
        ]
      ],
      nature: .session, companions: ["a conversation of OpenHands": OpenHandsFolder.isCompanion],
      resume: ResumeCommand("openhands", ["--resume", "ID"], .uuid)),
    Format(
      "droid", "Droid's sessions", lines(DroidHistory.init),
      [
        // Asked before Pi, whose entries have the same keys.
        94: [.anyRecord(where: DroidHistory.isHead)],
        92: [.cutLine(["{\"type\":\"session_start\""])],
      ],
      nature: .lines, companions: ["a session of Droid": DroidHistory.isCompanion],
      resume: ResumeCommand("droid", ["--resume", "ID"], .uuid)),
    Format(
      "pi", "Pi's and OpenClaw's sessions",
      database(OpenClawHistory.self, or: lines(PiHistory.init)),
      [
        94: [.tables(["transcript_events"]), .anyTable(["session_windows", "sessions"])],
        93: [.anyRecord(where: PiHistory.isOurs)],
        91: [.cutLine(["{\"type\":\"message\",\"id\":"]), .texts(["\"parentId\":"], inFirst: 256)],
      ],
      companions: [
        "a session of Pi or OpenClaw": signs([
          .folder("sessions"), .named(["sessions.json"]), .keys(["sessionId"]),
        ]),
        "a session of OpenClaw": signs([.named(["*.trajectory.jsonl", "*.trajectory-path.json"])]),
      ],
      resume: ResumeCommand("pi", ["--session", "ID"], .uuid)),
    Format(
      "amp", "Amp's threads", document(AmpHistory.init),
      [
        94: [
          .begins("{"), .keys(["messages"], inFirst: 65_536), .texts(["\"v\":"], inFirst: 256),
          .anyText(["\"id\":\"T-", "\"id\": \"T-"], inFirst: 256),
        ]
      ],
      resume: ResumeCommand("amp", ["threads", "continue", "ID"], .word(after: "T-"))),
    Format(
      "kimi", "Kimi Code CLI's sessions",
      { file, options in
        let reader = KimiCodeHistory.fits(file) ? lines(KimiCodeHistory.init) : lines(KimiHistory.init)
        return reader(file, options)
      },
      [
        93: [.anyRecord(where: KimiHistory.isOurs)],
        93: [.anyRecord(where: KimiCodeHistory.isOurs)],
        90: [.onlyRecords(where: KimiHistory.isHead)],
        90: [.cutLine(["{\"timestamp\": "]), .texts(["\"message\": {\"type\": "], inFirst: 256)],
      ],
      companions: ["a session of Kimi Code CLI": KimiHistory.isCompanion],
      resume: ResumeCommand("kimi", ["--session", "ID"], .word(after: "session_"))),
    Format(
      "hermes", "Hermes Agent's sessions", database(HermesHistory.self),
      [94: [.tables(["schema_version", "sessions", "messages", "state_meta"])]]),
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
      companions: [
        "a Rocket.Chat export": signs([
          .of("rocketchat"), .named(RocketChatRooms.fileNames),
          .keys(["_id", "t", "_updatedAt"], inFirst: 65_536),
        ])
      ]),
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
      companions: [
        "an archive by Pipermail": signs([
          .named(["thread.html", "subject.html", "author.html", "date.html", "index.html"]),
          .anyText(
            ["Archive by thread", "Archive by subject", "Archive by author", "Archive by date"],
            inFirst: 65_536),
        ])
      ]),
    Format(
      "deepseek", "DeepSeek's export", document(DeepSeekHistory.init),
      [94: [.json, .keys(["fragments", "inserted_at", "mapping"], inFirst: 65_536)]]),
    Format(
      "librechat", "LibreChat's export", document(LibreChatHistory.init),
      [
        94: [
          .begins("{"), .keys(["conversationId", "exportAt"]),
          .anyKey(["messages", "messagesTree"], inFirst: 65_536),
        ]
      ]),
    Format(
      "grok", "Grok's export", document(GrokHistory.init),
      [
        94: [
          .json, .keys(["conversation", "responses", "response"], inFirst: 65_536),
          .anyKey(["$numberLong", "conversation_id"], inFirst: 65_536),
        ]
      ],
      companions: ["Grok's export": GrokHistory.isCompanion]),
  ]

  /// Formats of no program: any data with a time and a text fits.
  static let loose: [any ImportFormat] = [
    Format(
      "json-lines", "JSON Lines", lines(LooseJSONHistory.init), scoring: LooseJSONHistory.score,
      nature: .lines),
    Format(
      "json", "JSON", document(LooseJSONHistory.init), [40: [.check(LooseJSONHistory.isDocument)]]),
    TableFormat.csv, TableFormat.tsv,
  ]

  private static func signs(_ signs: [FormatSign]) -> Format.Companion {
    { sample, _ in signs.allSatisfy { $0.fits(sample) } }
  }

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

  /// Reads a program's list of prompts, whose first line has a key, and other files as sessions. Files named
  /// after their session are not looked at.
  private static func listed(
    having key: String, _ list: @escaping Format.Reading, or sessions: @escaping Format.Reading
  ) -> Format.Reading {
    { file, options in
      let isSession = file.name.hasPrefix("rollout-") || ClaudeCodeHistory.isID(String(file.name.prefix(36)))
      return !isSession && file.beginsWithRecord(having: key) ? list(file, options) : sessions(file, options)
    }
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

  private static func named(
    _ names: [String], _ reading: @escaping Format.Reading, or other: @escaping Format.Reading
  ) -> Format.Reading {
    { file, options in
      let isNamed = names.contains { AssistantPlace.fits(file.name, $0) }
      return isNamed ? reading(file, options) : other(file, options)
    }
  }
}

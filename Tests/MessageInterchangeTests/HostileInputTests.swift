import Foundation
import MessageInterchange
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

/// Files that are damaged, or made to do damage.
@Suite struct HostileInputTests {
  /// A file of each format, with the zone of its times.
  static let files = [
    ("line", "line/[LINE] Chat history with Ann.txt"), ("sms", "sms/sms-20240301.xml"),
    ("google-chat", "google-chat/Takeout/Google Chat/Groups/Space AAA/messages.json"),
    ("signal", "signal/Ann (+491511).json"), ("signal-export", "signal-export/Tea friends/data.json"),
    ("signal-chat", "signal-chat/Harbour crew/chat.md"), ("signal-backup", "signal-backup/message.csv"),
    ("zulip", "zulip/export/messages-000001.json"),
    ("zulip-archive", "zulip-archive/7-general/Tee.20.C3.BCber.20alles.json"),
    ("matrix", "matrix/matrix - Tea - Chat Export - 2024-03-01T10-00-00.000Z.json"),
    ("matrix-html", "matrix-html/2024/messages.html"), ("matrix-html", "matrix-html/2021/index.html"),
    ("imessage", "imessage/chat.db"), ("imessage", "imessage/edited/chat.db"),
    ("discord-html", "discord-html/tea.html"), ("slackdump", "slackdump/slackdump.sqlite"),
    ("hangouts", "hangouts/Takeout/Hangouts/Hangouts.json"),
    ("adium", "adium/AIM.me/ann/ann (2007-03-25T12.31.28-0400).chatlog"),
    ("discord-csv", "discord-csv/House - Rooms - tea [2].csv"), ("slack-events", "slack-events/events.jsonl"),
    ("whatsapp-android", "whatsapp-android/2024/Databases/msgstore.db"),
    ("whatsapp-android", "whatsapp-android/2016/msgstore.db"),
    ("whatsapp-ios", "whatsapp-ios/ChatStorage.sqlite"),
    ("signal-jsonl", "signal-jsonl/main.jsonl"), ("skype", "skype/messages.json"),
    ("twitch", "twitch/v1.json"),
    ("discord-package", "discord-package/messages/c1/messages.json"),
    ("discord-package", "discord-package/messages/c2/messages.csv"),
    ("telegram-html", "telegram-html/messages.html"), ("telegram-html", "telegram-html/messages2.html"),
    ("cursor", "cursor/globalStorage/state.vscdb"), ("cursor", "cursor/workspaceStorage/w1/state.vscdb"),
    (
      "cursor",
      "cursor/projects/home-ann-tea/agent-transcripts/7c7c7c7c-0000-4000-8000-000000000002/7c7c7c7c-0000-4000-8000-000000000002.jsonl"
    ),
    (
      "antigravity",
      "antigravity/brain/ab12/.system_generated/logs/transcript_full.jsonl"
    ),
    ("open-webui", "open-webui/webui.db"), ("open-webui", "open-webui/chat-export-1768089999.json"),
    ("sillytavern", "sillytavern/chats/Seraphina/Seraphina - 2024-2-29@12h34m56s.jsonl"),
    ("crush", "crush/tea/crush.db"), ("lm-studio", "lm-studio/1768085964080.conversation.json"),
    ("gemini-takeout", "gemini-takeout/Takeout/My Activity/Gemini Apps/MyActivity.json"),
    ("character-ai", "character-ai/Seraphina.json"), ("character-ai", "character-ai/turns.json"),
    ("deepseek", "deepseek/conversations.json"), ("grok", "grok/prod-grok-backend.json"),
    ("gemini-cli", "gemini-cli/79b6/chats/session-2026-03-01T12-00-9e000001.jsonl"),
    ("aider", "aider/tea/.aider.chat.history.md"),
    ("cline", "cline/tasks/1772359200000/api_conversation_history.json"),
    ("cline", "cline/tasks/1772370000000/ui_messages.json"),
    ("copilot", "copilot/session-state/7c1c7a10-0000-4000-8000-000000000001/events.jsonl"),
    (
      "copilot-chat",
      "copilot-chat/workspaceStorage/h1/chatSessions/0fb1b9c7-0000-4000-8000-000000000001.json"
    ),
    (
      "copilot-chat",
      "copilot-chat/workspaceStorage/h1/chatSessions/0fb1b9c7-0000-4000-8000-000000000002.jsonl"
    ),
    (
      "pi",
      "pi/agent/sessions/--home-ann-tea--/2026-03-01T10-00-00-000Z_019c0000-0000-7000-8000-000000000001.jsonl"
    ),
    ("amp", "amp/threads/T-5b1c7a10-0000-4000-8000-000000000001.json"),
    (
      "kimi",
      "kimi/sessions/0c7a1e5b9d3f4a6e8b2c4d6e8f0a1b2c/8d1c7a10-0000-4000-8000-000000000001/wire.jsonl"
    ),
    ("hermes", "hermes/state.db"),
    (
      "grok-build",
      "grok-build/sessions/home-ann-tea/a51c7a10-0000-4000-8000-000000000001/chat_history.jsonl"
    ), ("kiro", "kiro/data.sqlite3"),
    ("vibe", "vibe/logs/session/session_20260301_100000_5b1c7a10/messages.jsonl"),
    ("gptme", "gptme/logs/2026-03-01-warm-cup/conversation.jsonl"),
    ("specstory", "specstory/2026-03-01_10-00-01Z-how-is-matcha-whisked.md"),
    ("openhands", "openhands/conversations/0a1c7a10000040008000000000000001/base_state.json"),
    ("droid", "droid/sessions/-home-ann-tea/d01c7a10-0000-4000-8000-000000000001.jsonl"),
    ("librechat", "librechat/Warm cups.json"),
    ("continue", "continue/sessions/c01c7a10-0000-4000-8000-000000000001.json"),
    ("zed", "zed/threads/threads.db"), ("goose", "goose/sessions/sessions.db"),
    ("goose", "goose/old/20250901_100000.jsonl"),
    ("qwen-code", "qwen-code/projects/-home-ann-tea/chats/9e1c7a10-0000-4000-8000-000000000001.jsonl"),
    ("discord-history-tracker", "discord-history-tracker/tea.dht"),
    ("discord-history-tracker", "discord-history-tracker/old.dht"),
    ("teams", "teams/Ann and Ben.json"), ("teams", "teams/tea.jsonl"), ("beeper", "beeper/index.db"),
    ("beeper", "beeper/old/index.db"),
    ("irc-meetbot", "irc/meetbot/tea-meeting.2013-06-18-19.00.log.html"),
    ("irc-irclog2html", "irc/irclog2html/tea.2009-01-05.log.html"),
    ("telegram", "telegram/result.json"), ("discord", "discord/House - Rooms - tea [2].json"),
    ("rocketchat", "rocketchat/rocketchat_message.json"), ("rocketchat", "rocketchat/api/history.json"),
    ("chatlab", "chatlab/tea.jsonl"), ("chatlab", "chatlab/class.json"),
    ("kakaotalk", "kakaotalk/KakaoTalk_20240301_group.txt"), ("kakaotalk", "kakaotalk/Talk_2024.3.1.txt"),
    ("discord-txt", "discord-txt/House - Rooms - tea [2].txt"),
    ("twitch-html", "twitch-html/2024-03-01 short.html"), ("twitter", "twitter/data/direct-messages.js"),
    ("messenger-html", "messenger-html/messages/inbox/ann_123/message_1.html"),
    ("google-voice", "google-voice/Ann Bee - Text - 2022-07-01T01_06_39Z.html"),
    ("google-voice", "google-voice/Ann Bee - Voicemail - 2018-07-23T16_23_31Z.html"),
    ("pipermail", "pipermail/harbour-tea/2013-June/000001.html"),
  ]

  @Test(arguments: files)
  func `a file that is cut anywhere gives no more than the whole one`(format: String, name: String) throws {
    let whole = try Array(Data(contentsOf: URL(filePath: Fixture.path(name))))
    let count = try ImportPicture([Fixture.path(name)]).messages.count
    try Fixture.withFolder { folder in
      for cut in stride(from: 1, to: whole.count, by: max(whole.count / (isLong ? 40 : 8), 1)) {
        try Fixture.write(whole.prefix(cut), to: folder + "/cut.json")
        let picture = try ImportPicture([folder], ImportOptions(format: format, timeZone: .gmt))
        #expect(picture.messages.count <= count)
      }
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 10 : 3))
  func `bytes changed at random never crash a reader`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for (format, name) in Self.files {
      var bytes = try Array(Data(contentsOf: URL(filePath: Fixture.path(name))))
      for _ in 0..<20 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      try Fixture.withFolder { folder in
        try Fixture.write(bytes, to: folder + "/changed")
        let picture = try ImportPicture([folder], ImportOptions(format: format, timeZone: .gmt))
        #expect(picture.progress.messageCount == picture.messages.count)
      }
    }
  }

  @Test(arguments: [
    "telegram", "slack", "discord", "messenger", "mattermost", "google-chat", "matrix", "signal",
    "signal-export", "zulip", "zulip-archive", "jsonl", "json-lines", "json", "hangouts", "slackdump",
    "slack-events", "signal-jsonl", "skype", "discord-package", "twitch", "open-webui", "sillytavern",
    "lm-studio", "gemini-takeout", "character-ai", "cline", "copilot", "copilot-chat", "pi", "amp",
    "kimi", "grok-build", "vibe", "gptme", "droid", "librechat", "continue", "goose", "qwen-code", "teams",
    "rocketchat",
    "chatlab",
    "twitter",
    "deepseek", "grok",
  ])
  func `values lying too deep in each other are skipped`(format: String) throws {
    let deep = String(repeating: "[", count: isLong ? 100_000 : 30_000)
    try Fixture.withFolder { folder in
      for (number, start) in ["", "{\"messages\":", "{\"messages\":[{\"text\":", "[{\"a\":"].enumerated() {
        try Fixture.write(Array((start + deep).utf8), to: "\(folder)/\(number).json")
      }
      let picture = try ImportPicture([folder], ImportOptions(format: format, timeZone: .gmt))
      #expect(picture.messages.isEmpty)
      #expect(!picture.skipped.isEmpty)
    }
  }

  @Test func `a file that expands without end is left when that is clear`() throws {
    let picture = try ImportPicture(
      [Fixture.path("archives/bomb.zst.zst")], ImportOptions(format: "irc-ubuntu", timeZone: .gmt))
    #expect(picture.messages.isEmpty)
    #expect(picture.skipped.map(\.reason) == ["it expands to more than 2000 times its size"])
  }

  @Test func `a line of a hundred megabytes is skipped, and the lines around it are read`() throws {
    try Fixture.withFolder { folder in
      var bytes = Array("[10:00] <ann> before\n[10:01] <ann> ".utf8)
      bytes += [UInt8](repeating: UInt8(ascii: "a"), count: 100 << 20)
      bytes += Array("\n[10:02] <ann> after\n".utf8)
      try Fixture.write(bytes, to: folder + "/tea.2024-02-29.txt")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.body) == ["before", "after"])
      #expect(picture.skipped.map(\.line) == [2])
    }
  }

  @Test func `a message of Discord's pages that is too long is skipped, and the next one is read`() throws {
    try Fixture.withFolder { folder in
      func message(_ id: String, _ text: [UInt8]) -> [UInt8] {
        let start =
          "<div id=chatlog__message-container-\(id)><div class=\"chatlog__content x\">"
          + "<span class=chatlog__markdown-preserve>"
        return Array(start.utf8) + text + Array("</span></div></div>\n".utf8)
      }
      var bytes = Array("<html><div class=chatlog__message>".utf8)
      bytes += message("1212545395752960100", [UInt8](repeating: UInt8(ascii: "a"), count: 9 << 20))
      bytes += message("1212545399947264200", Array("after".utf8))
      try Fixture.write(bytes, to: folder + "/tea.html")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.body) == ["after"])
      #expect(picture.skipped.first?.reason == "it is longer than 4 MB")
    }
  }

  @Test(.enabled(if: isLong, "takes long"))
  func `values of seventy megabytes are skipped, and what is around them is read`() throws {
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 70 << 20)
    try Fixture.withFolder { folder in
      let json = (
        #"[{"conversationId":"c","sent_at":1709164800000,"body":"before"},{"body":""#,
        #""},{"conversationId":"c","sent_at":1709164800000,"body":"after"}]"#
      )
      try Fixture.write(Array(json.0.utf8) + long + Array(json.1.utf8), to: folder + "/Ann.json")
      let xml = (
        #"<smses><sms date="1709164800000" type="1" address="1" body="before"/><sms body=""#,
        #""/><sms date="1709164800000" type="1" address="1" body="after"/></smses>"#
      )
      try Fixture.write(Array(xml.0.utf8) + long + Array(xml.1.utf8), to: folder + "/sms.xml")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.body) == ["before", "after", "before", "after"])
      #expect(picture.skipped.map(\.scope) == [.record, .record])
    }
  }

  @Test func `halves of characters, NULs and illegal escapes leave the other messages alone`() throws {
    try Fixture.withFolder { folder in
      let lines = [
        #"[{"conversationId":"c","sent_at":1709164800001,"body":"half \ud83d of one"}"#,
        #"{"conversationId":"c","sent_at":1709164800002,"body":"illegal \q escape"}"#,
        #"{"conversationId":"c","sent_at":1709164800003,"body":"a \u0000 and a real "# + "\0" + #""}"#,
        #"{"conversationId":"c","sent_at":99999999999999999999,"body":"no such number"}"#,
        #"{"conversationId":"c","sent_at":-9223372036854775808,"body":"long before everything"}]"#,
      ]
      try Fixture.write(Array(lines.joined(separator: ",\n").utf8), to: folder + "/Ann.json")
      let picture = try ImportPicture([folder])
      #expect(
        picture.messages.map(\.body) == [
          "half \u{FFFD} of one", "a \0 and a real \0", "long before everything",
        ])
      #expect(picture.skipped.map(\.reason) == ["a string has an illegal escape", "it has no time"])
    }
  }

  @Test func `an hour that comes twice, and one that does not come, are placed as the clock showed them`()
    throws
  {
    try Fixture.withFolder { folder in
      let text = """
        [LINE] Chat history with Ann
        2024/03/31(Sun)
        01:59\tAnn\tbefore the gap
        02:30\tAnn\tin the gap
        2024/10/27(Sun)
        02:59\tAnn\tonce
        02:00\tAnn\ttwice
        03:00\tAnn\tafter

        """
      try Fixture.write(Array(text.utf8), to: folder + "/a.txt")
      let picture = try ImportPicture([folder], .berlin)
      let minutes = picture.messages.map { ($0.time.utc.hour, $0.time.utc.minute) }
      #expect(minutes.map { "\($0):\($1)" } == ["0:59", "1:30", "0:59", "1:0", "2:0"])
    }
  }

  @Test func `a database of something else is said to be one`() throws {
    try Fixture.withFolder { folder in
      var bytes = Array("SQLite format 3\0".utf8)
      bytes += [UInt8](repeating: 0, count: 4_096)
      try Fixture.write(bytes, to: folder + "/chat.db")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.isEmpty)
      #expect(picture.skipped.map(\.scope) == [.file])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["chat.db"])
    }
  }
}

import Foundation
import MessageInterchange
import MessageModel
import Testing

/// Formats whose files are one large JSON document.
@Suite struct JSONHistoryTests {
  @Test(
    arguments: [
      "telegram", "discord", "slack", "messenger", "mattermost", "line", "sms", "google-chat", "signal",
      "signal-export", "signal-chat", "signal-backup", "zulip", "zulip-archive", "matrix", "matrix-html",
      "imessage",
      "discord-html", "slackdump", "slack-events", "hangouts", "adium", "discord-csv", "claude-code", "codex",
      "chatgpt", "claude-ai", "gemini-cli", "llm", "opencode", "cursor", "open-webui", "sillytavern", "crush",
      "lm-studio", "gemini-takeout", "character-ai",
      "whatsapp-android",
      "whatsapp-ios", "signal-jsonl", "skype", "discord-package", "telegram-html", "twitch",
      "aider", "cline", "copilot", "copilot-chat", "pi", "amp", "kimi", "hermes", "kiro", "specstory",
      "openhands",
      "droid", "librechat", "continue", "zed", "goose", "qwen-code", "discord-history-tracker",
      "teams", "beeper",
      "rocketchat", "chatlab", "kakaotalk", "discord-txt", "twitch-html", "twitter", "messenger-html",
      "google-voice", "pipermail", "deepseek", "grok",
    ] + Set(ImportFormats.assistants.filter(\.isOfLines).map(\.format)).subtracting(["cursor"]).sorted())
  func `an export gives its messages with all that is known of them`(format: String) throws {
    let picture = try ImportPicture([Fixture.path(format)])
    #expect(Set(picture.files.map(\.format)) == [format])
    let lines = String(decoding: exported(picture.messages, by: JSONLinesExport()), as: UTF8.self)
    let references = picture.messages.compactMap { line in
      line.details?.replyTo.map { "\(line.details?.source?.id ?? "") answers \($0)\n" }
    }
    let edited = picture.messages.filter { $0.details?.isEdited == true }.map { "edited \($0.body)\n" }
    try expectGolden(
      picture.text + lines + (references + edited).joined() + picture.directness, "\(format).golden")
  }

  @Test(arguments: [
    (
      "mattermost", "a.jsonl",
      #"{"type":"post","post":{"team":"t","channel":"c","user":"ann","message":"x","create_at":1709164800000}}"#
    ),
    ("json-lines", "a.jsonl", #"{"id":"1","time":"2024-05-01T10:00:00Z","text":"x"}"#),
    ("csv", "a.csv", "id,time,sender,text\n1,2024-05-01 10:00,ann,x"),
    ("zulip-archive", "a.json", #"[{"id":1,"sender_full_name":"Ann","timestamp":1700000000,"content":"x"}]"#),
  ])
  func `ids that are made up, or that nobody warrants, are known to be doubtful`(
    format: String, name: String, text: String
  ) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)")
      let picture = try ImportPicture([folder])
      #expect(picture.files.map(\.format) == [format])
      #expect(picture.messages.map { $0.details?.hasDoubtfulID } == [true])
    }
  }

  @Test func `of a folder, too, the names of Slack's users are found beside the channels`() throws {
    try Fixture.withFolder { folder in
      let users = #"[{"id":"U1","name":"ann"}]"#
      let day = #"[{"type":"message","user":"U1","text":"hello","ts":"1709164800.000100"}]"#
      try Fixture.write(Array(users.utf8), to: folder + "/users.json")
      try Fixture.write(Array(day.utf8), to: folder + "/tea/2024-02-29.json")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.text) == ["2024-2-29 0:0:0 millisecond tea text <ann> |hello|"])
      #expect(picture.skipped.map(\.scope) == [.ignored])
    }
  }

  @Test(arguments: [
    (
      "telegram",
      #"{"type":"personal_chat","id":1,"messages":[{"id":1,"type":"message","date_unixtime":"1709164800","#
        + #""edited_unixtime":"1709164900","from":"Ann","from_id":"user1","text":"new"}]}"#
    ),
    (
      "slack",
      #"[{"type":"message","user":"U1","text":"new","ts":"1709164800.1","edited":{"user":"U1","ts":"1"}}]"#
    ),
    (
      "discord",
      #"{"guild":{},"channel":{"name":"tea"},"messages":[{"id":"1","timestamp":"2024-02-29T00:00:00Z","#
        + #""timestampEdited":"2024-02-29T00:01:00Z","content":"new"}]}"#
    ),
    (
      "mattermost",
      #"{"type":"post","post":{"channel":"tea","message":"new","create_at":1709164800000,"edit_at":1709164900000}}"#
    ),
  ])
  func `a message whose older texts are not exported is known to be edited`(format: String, file: String)
    throws
  {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(file.utf8), to: folder + "/tea.json")
      let picture = try ImportPicture([folder], ImportOptions(format: format, timeZone: .gmt))
      #expect(picture.messages.map(\.body) == ["new"])
      #expect(picture.messages.map { $0.details?.isEdited } == [true])
    }
  }

  @Test(arguments: ["telegram/result.json", "discord/House - Rooms - tea [2].json"])
  func `a file that is cut anywhere gives what came before and says so`(name: String) throws {
    let whole = try Array(Data(contentsOf: URL(filePath: Fixture.path(name))))
    let format = String(name.prefix { $0 != "/" })
    let all = try ImportPicture([Fixture.path(name)]).messages.map(\.text)
    try Fixture.withFolder { folder in
      for cut in stride(from: 1, to: whole.count - 2, by: 37) {
        try Fixture.write(whole.prefix(cut), to: folder + "/cut.json")
        let picture = try ImportPicture([folder], ImportOptions(format: format, timeZone: .gmt))
        #expect(all.starts(with: picture.messages.map(\.text)))
        #expect(picture.skipped.last?.scope == .file)
      }
    }
  }
}

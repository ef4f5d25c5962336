import Foundation
import MessageModel
import TestSupport
import Testing

@testable import MessageInterchange

/// A format is told by the keys of its first records, however long their texts are.
@Suite struct LongFirstRecordTests {
  /// A history with a word of its first long text, behind which there will be more.
  struct History: CustomTestStringConvertible, Sendable {
    let format: String
    let path: String
    let word: String
    /// Whether the format is told by the file's name, too, which a pipe has not.
    let isNamed: Bool

    init(_ format: String, _ path: String, _ word: String, isNamed: Bool = false) {
      (self.format, self.path, self.word, self.isNamed) = (format, path, word, isNamed)
    }

    var testDescription: String { path }

    func bytes(_ paddedBy: Int) throws -> Data {
      let data = try Data(contentsOf: URL(filePath: Fixture.path(path)))
      let place = try #require(data.firstRange(of: Data(word.utf8)), "\(path) has no '\(word)'")
      let padding = Data(String(repeating: " tea", count: paddedBy / 4).utf8)
      return data[..<place.upperBound] + padding + data[place.upperBound...]
    }
  }

  private static let session = "5b1c7a10-0000-4000-8000-000000000001"

  private static let histories = [
    History("amp", "amp/threads/T-\(session).json", "Warm the cup first."),
    History("character-ai", "character-ai/Seraphina.json", "Keeper of tea"),
    History("chatgpt", "chatgpt/conversations-000.json", "Cups on a tray"),
    History("claude-ai", "claude-ai/conversations.json", "How are scones made?"),
    History(
      "claude-code", "claude-code/-home-ann-tea/6c2d8b20-0000-4000-8000-000000000002.jsonl", "Tea at night"),
    History("cline", "cline/tasks/1772370000000/ui_messages.json", "Look at this"),
    History(
      "cline", "cline/roo/tasks/\(session)/api_conversation_history.json", "Boil the water.", isNamed: true),
    History(
      "codex", "codex/2026/03/01/rollout-2026-03-01T11-00-00-019cb000-0000-7000-8000-000000000001.jsonl",
      "You are"),
    History(
      "copilot", "copilot/session-state/7c1c7a10-0000-4000-8000-000000000001/events.jsonl", "copilot-agent"),
    History(
      "copilot-chat",
      "copilot-chat/workspaceStorage/h1/chatSessions/0fb1b9c7-0000-4000-8000-000000000001.json",
      "Warm the cup first."),
    History("deepseek", "deepseek/conversations.json", "How is a kettle descaled?"),
    History("discord", "discord/House - Rooms - tea [2].json", "Joined the server."),
    History("gemini-cli", "gemini-cli/79b6/chats/session-2026-03-01T12-00-9e000000.json", "Update available"),
    History(
      "gemini-cli", "gemini-cli/79b6/chats/session-2026-03-01T12-00-9e000001.jsonl", "A line for each message"
    ),
    History(
      "gemini-takeout", "gemini-takeout/Takeout/My Activity/Gemini Apps/MyActivity.json",
      "Prompted And what is this?"),
    History(
      "google-chat", "google-chat/Takeout/Google Chat/Groups/Space AAA/messages.json", #""text":"first"#),
    History("grok", "grok/prod-grok-backend.json", "How strong is hemp?"),
    History("hangouts", "hangouts/Takeout/Hangouts/Hangouts.json", "Tea people"),
    History("jsonl", "jsonl/canonical.jsonl", #""text":"hello"#),
    History("json-lines", "tables/loose.jsonl", "an object as the user"),
    History(
      "kimi",
      "kimi/sessions/0c7a1e5b9d3f4a6e8b2c4d6e8f0a1b2c/8d1c7a10-0000-4000-8000-000000000001/wire.jsonl",
      "Why is the kettle cold?"),
    History(
      "qwen-code", "qwen-code/projects/-home-ann-tea/chats/9e1c7a10-0000-4000-8000-000000000001.jsonl",
      "How long does sencha steep?"),
    History("goose", "goose/old/20250901_100000.jsonl", "Are old leaves good?"),
    History("librechat", "librechat/Warm cups.json", "How are cups warmed?"),
    History(
      "droid", "droid/sessions/-home-ann-tea/d01c7a10-0000-4000-8000-000000000001.jsonl",
      "Is the teapot whole?"),
    History("specstory", "specstory/2026-03-01_10-00-01Z-how-is-matcha-whisked.md", "How is matcha whisked?"),
    History("lm-studio", "lm-studio/1768085964080.conversation.json", "You know tea."),
    History(
      "matrix", "matrix/matrix - Tea - Chat Export - 2024-03-01T10-00-00.000Z.json", #""body":"frist"#),
    History("mattermost", "mattermost/import.jsonl", "a question"),
    History("messenger", "messenger/inbox/ann_1/message_1.json", "Ann left the group."),
    History("open-webui", "open-webui/chat-export-1768089999.json", "Which time is it?"),
    History(
      "pi", "pi/openclaw/agents/main/sessions/6d1c7a10-0000-4000-8000-000000000001.jsonl",
      "Remind me of the tea."),
    History("rocketchat", "rocketchat/rocketchat_message.json", "who has the key"),
    History("signal", "signal/Ann (+491511).json", #""body":"👍 hi"#),
    History("signal-jsonl", "signal-jsonl/main.jsonl", #""mediaRootBackupKey":"CQkJ"#),
    History(
      "sillytavern", "sillytavern/chats/Seraphina/Seraphina - 2024-2-29@12h34m56s.jsonl",
      "Welcome to the tea house."),
    History("skype", "skype/messages.json", "at the <b>tea house"),
    History("slack", "slack/C2.json", "a question"),
    History("slack-events", "slack-events/events.jsonl", "helo"),
    History("teams", "teams/tea.jsonl", "What to buy"),
    History("telegram", "telegram/result.json", "Here is the data you requested."),
    History("twitch", "twitch/v1.json", "Is the kettle on?"),
    History("zulip", "zulip/export/messages-000001.json", "@**Ann** see"),
    History("zulip-archive", "zulip-archive/7-general/Tee.20.C3.BCber.20alles.json", "One &lt;tag&gt;"),
    History("adium", "adium/AIM.me/ann/ann (2007-03-25T12.31.28-0400).chatlog", "cake", isNamed: true),
    History("aider", "aider/tea/.aider.chat.history.md", "Warm the cup first."),
    History("discord-csv", "discord-csv/House - Rooms - tea [2].csv", #","two"#),
    History("discord-html", "discord-html/tea.html", "chatlog__markdown-preserve>hi"),
    History("discord-package", "discord-package/messages/c1/messages.json", "It is, <@1>."),
    History("line", "line/tea.txt", "from a computer", isNamed: true),
    History("matrix-html", "matrix-html/2024/messages.html", "Tea &amp; biscuits?"),
    History("telegram-html", "telegram-html/messages.html", "</strong> on?"),
    History("mbox", "mail/harbour.mbox", "hello"),
    History("sms", "sms/sms-20240301.xml", "two halves"),
    History("whatsapp", "whatsapp/old.txt", "an en dash"),
  ]

  private struct Reading: Equatable {
    var formats: [String]
    var messageCount: Int
    var skipped: [String]

    init(_ picture: ImportPicture) {
      formats = picture.files.map(\.format)
      messageCount = picture.messages.count
      skipped = picture.skipped.map(\.reason)
    }
  }

  private func reading(of bytes: Data, _ path: String) throws -> Reading {
    try Fixture.withFolder { folder in
      try Fixture.write(bytes, to: "\(folder)/\(path)")
      return Reading(try ImportPicture([folder]))
    }
  }

  /// Of pages, longer messages are skipped.
  private static let longestOfPages = 4 << 20

  /// Each history with a long text, and in the short form of the tests each third one and the pages with one that is longer than
  /// all that is looked at.
  private static let texts: [(History, Int)] = histories.enumerated().flatMap { number, history in
    let isLongest = isLong || number % 3 == 0 || history.path.hasSuffix(".html")
    return [20_000, 70_000].map { (history, $0) } + (isLongest ? [(history, 5_000_000)] : [])
  }

  @Test(arguments: texts)
  func `a history that begins with a long text is known as what it is`(
    history: History, byteCount: Int
  ) throws {
    let bytes = try history.bytes(byteCount)
    let plain = try reading(of: try history.bytes(0), history.path)
    #expect(plain.formats == [history.format])
    let isSkipped = byteCount > Self.longestOfPages && history.path.hasSuffix(".html")
    let long = try reading(of: bytes, history.path)
    #expect(isSkipped ? long.formats == plain.formats : long == plain)
    try Fixture.withFolder { folder in
      let archive = StoredArchive(of: bytes, named: history.path)
      try Fixture.write(archive.bytes, to: "\(folder)/export.zip")
      #expect(Reading(try ImportPicture(["\(folder)/export.zip"])) == long)
    }
    guard !history.isNamed else { return }
    #expect(Reading(try piped(bytes)).formats == plain.formats)
  }

  private func piped(_ bytes: Data) throws -> ImportPicture {
    // A reader that gives up early must not end the process that writes.
    signal(SIGPIPE, SIG_IGN)
    let pipe = Pipe()
    let writer = pipe.fileHandleForWriting
    Thread.detachNewThread {
      try? writer.write(contentsOf: bytes)
      try? writer.close()
    }
    var options = ImportOptions.utc
    options.standardInput = pipe.fileHandleForReading.fileDescriptor
    defer { try? pipe.fileHandleForReading.close() }
    return try ImportPicture(["-"], options)
  }

  @Test func `a first record of 64 MB is told without being kept`() throws {
    let text = String(repeating: "tea ", count: 16_000_000)
    let record =
      #"{"type":"user","message":{"role":"user","content":"\#(text)"},"uuid":"u1","sessionId":"s"}"#
    try Fixture.withFolder { folder in
      try Fixture.write(Data(record.utf8), to: "\(folder)/a.jsonl")
      let source = ByteSource(try FileProducer(path: "\(folder)/a.jsonl"))
      let file = InputFile(path: "a.jsonl", components: ["a.jsonl"], byteCount: nil, source: source)
      var sample = try FormatSample(file)
      #expect(try ImportFormats.best(for: &sample, of: file)?.name == "claude-code")
      #expect(source.buffered.count <= 1 << 17 && sample.text.count < 1_024)
    }
  }

  @Test func `long lists before the messages hide no format`() throws {
    let people = (0..<50_000).map { #"{"name":"P\#($0)"}"# }.joined(separator: ",")
    let text =
      #"{"participants":[\#(people)],"messages":[{"sender_name":"Ann","timestamp_ms":1777629600000,"content":"tea"}],"title":"Tea","thread_path":"inbox/tea_1"}"#
    #expect(try reading(of: Data(text.utf8), "message_1.json").formats == ["messenger"])
  }

  @Test func `half a record of a program that died does not hide the next ones`() throws {
    let half = #"{"type":"user","message":{"role":"user","content":"cut"#
    let whole =
      #"{"parentUuid":null,"sessionId":"\#(Self.session)","type":"user","message":{"role":"user","content":"tea"},"uuid":"u1","timestamp":"2026-05-01T10:00:00.000Z"}"#
    let other = #"{"type":"note","text":"\#(String(repeating: "tea ", count: 20_000))"}"#
    let text = [half, other, whole].joined(separator: "\n") + "\n"
    #expect(try reading(of: Data(text.utf8), "a.jsonl").formats == ["claude-code"])
  }

  @Test func `a day of an export is never read as anybody's JSON`() throws {
    let days = [
      "2024-05-01.json": #"[{"user":"U1","text":"no kind","ts":"1714557600.000100"}]"#,
      "2024-05-02.json": #"[{"type":"message","user":"U1","text":"tea","ts":"1714644000.000100"}]"#,
    ]
    try Fixture.withFolder { folder in
      for (name, text) in days { try Fixture.write(Data(text.utf8), to: "\(folder)/tea/\(name)") }
      #expect(try ImportPicture([folder]).files.map(\.format) == ["slack", "slack"])
      let chosen = ImportOptions(timeZone: .gmt, columns: ["time": "ts"])
      #expect(try ImportPicture(["\(folder)/tea/2024-05-01.json"], chosen).files.map(\.format) == ["json"])
    }
  }
}

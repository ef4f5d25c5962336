import MessageInterchange
import MessageModel
import Testing

/// Times in the words of a language, and pages and logs without a whole time.
@Suite struct LineTimeTests {
  private func picture(_ name: String, _ text: String, _ options: ImportOptions = .utc) throws
    -> ImportPicture
  {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)")
      return try ImportPicture([folder], options)
    }
  }

  @Test(arguments: [
    "2024년 2월 29일 오후 3:05", "2024년 2월 29일 15:05", "2024. 2. 29. 오후 3:05", "2024-02-29 오후 3:05",
    "February 29, 2024, 3:05 PM", "Feb 29, 2024 at 15:05", "Feb 29, 2024 at 3:05\u{202F}PM",
    "2024年2月29日 午後3:05", "2024年2月29日 下午3:05", "29. Februar 2024 um 15:05", "29 févr. 2024 à 15:05",
    "29 февр. 2024 г., 15:05",
  ])
  func `a line of KakaoTalk has its time in any language`(time: String) throws {
    let found = try picture("KakaoTalk.txt", "KakaoTalk Chats with Bo\n\(time), Ann : hello: you\n")
    #expect(found.files.map(\.format) == ["kakaotalk"])
    #expect(found.messages.map(\.text) == ["2024-2-29 15:5:0 minute Bo text <Ann> |hello: you|"])
  }

  @Test(arguments: [
    "at 3:05, Ann : x", "2024, 3:05, Ann : x", "the 29 of it, 3:05, Ann : x", "3:05, Ann : x",
  ])
  func `a sentence that has a time in it goes on with the message before`(line: String) throws {
    let found = try picture(
      "KakaoTalk.txt", "KakaoTalk Chats with Bo\nFeb 29, 2024 at 15:05, Ann : hello\n\(line)\n")
    #expect(found.messages.map(\.body) == ["hello\n\(line)"])
  }

  @Test(arguments: [
    "Feb 29, 2024 3:05 pm", "Feb 29, 2024, 3:05 PM", "Feb 29, 2024 3:05pm", "29.02.2024, 15:05",
    "29 lut 2024 15:05",
    "29 févr. 2024 15:05", "2月 29, 2024 3:05 PM",
  ])
  func `a page of Messenger has its time in any language`(time: String) throws {
    let page =
      #"<html><head><title>Bo</title></head><div class="pam _3-95 _2ph- _a6-g uiBoxWhite noborder"><h2 class="_3-95 _2pim _a6-h _a6-i">Ann</h2>"#
      + #"<div class="_3-95 _a6-p"><div><div></div><div>hello</div></div></div><div class="_3-94 _a6-o">\#(time)</div></div></html>"#
    let found = try picture("inbox/bo_1/message_1.html", page)
    #expect(found.messages.map(\.text) == ["2024-2-29 15:5:0 minute Bo text <Ann> |hello|"])
  }

  @Test func `a page of Twitch has the day that is given, and none of its own`() throws {
    let page =
      #"<pre class="comment-root">[0:00:05] <span class="comment-author">Ann</span><span class="comment-message">: hi </span></pre>"#
    let undated = try picture("lamps.html", page)
    #expect(undated.messages.isEmpty)
    #expect(undated.skipped.map(\.reason).first == "no day for this time (give it with --date)")
    var options = ImportOptions.utc
    options.day = CivilTime(year: 2024, month: 2, day: 29)
    let dated = try picture("lamps.html", page, options)
    #expect(dated.messages.map(\.text) == ["2024-2-29 0:0:0 day lamps text <Ann> |hi|"])
  }

  @Test func `a log of IRCCloud says the same after it has grown`() throws {
    let lines = [
      "[2019-10-27 03:13:07] <ann> hello", "[2019-10-27 03:13:09] * bo waves",
      "[2019-10-27 03:14:00] → cy joined (~cy@quay.example)", "[2019-10-27 03:15:00] — cy sits down",
      "[2019-10-27 03:16:00] ⇐ cy quit (~cy@quay.example): Ping timeout: 240 seconds",
      "[2019-10-27 03:17:00] * bo → bo_away",
    ]
    let whole = try picture("#tea.txt", lines.joined(separator: "\n") + "\n")
    #expect(whole.messages.map(\.kind) == [.text, .action, .join, .action, .quit, .nick])
    #expect(whole.messages.map(\.sender) == ["ann", "bo", "cy", "cy", "cy", "bo"])
    for count in 1..<lines.count {
      let part = try picture("#tea.txt", lines.prefix(count).joined(separator: "\n") + "\n")
      #expect(part.messages.map(\.text) == whole.messages.prefix(count).map(\.text))
      #expect(part.files.map(\.format) == ["irc-bot"])
    }
  }

  @Test(arguments: [
    "rocketchat", "chatlab", "kakaotalk", "discord-txt", "twitch-html", "twitter", "messenger-html",
    "google-voice",
    "pipermail",
  ])
  func `no message is empty`(format: String) throws {
    let found = try ImportPicture([Fixture.path(format)])
    #expect(!found.messages.isEmpty)
    for message in found.messages {
      let hasParts = message.details.map { !$0.attachments.isEmpty || !$0.reactions.isEmpty } ?? false
      #expect(hasParts || !message.body.isEmpty, "\(message.text)")
    }
  }
}

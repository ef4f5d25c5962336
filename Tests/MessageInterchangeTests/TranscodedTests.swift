import Foundation
import MessageInterchange
import MessageModel
import Testing

/// Real conversations that were put into the containers of many programs, with the truth beside them.
@Suite(.enabled(if: Fixture.hasShared("transcoded"), "needs the shared transcoded histories"))
struct TranscodedTests {
  @Test(arguments: [
    ("irc/weechat-old", "Europe/Berlin"), ("irc/weechat-new", "Europe/Berlin"),
    ("irc/irssi", "Europe/Berlin"),
    ("irc/znc", "Europe/Berlin"), ("irc/eggdrop", "Europe/Berlin"), ("irc/limnoria", "Europe/Berlin"),
    ("irc/energymech", "Europe/Berlin"), ("irc/hexchat", "Europe/Berlin"), ("irc/mirc", "Europe/Berlin"),
  ])
  func `each program's log of IRC gives what was said`(container: String, zone: String) throws {
    let truth = try Truth.read("transcoded/truth-lines.jsonl")
    let options = ImportOptions(timeZone: try #require(TimeZone(identifier: zone)))
    let picture = try ImportPicture([Fixture.shared("transcoded/\(container)")], options)
    let said = picture.messages.filter { $0.kind == .text }.stablySortedByTime()
    #expect(picture.skipped.isEmpty)
    #expect(!picture.messages.contains { $0.kind == .unknown })
    expectSame(said, truth)
  }

  @Test(arguments: [
    ("ios-en-us", "America/New_York"), ("ios-de", "Europe/Berlin"), ("android-en-us", "America/New_York"),
    ("android-de", "Europe/Berlin"), ("android-es", "Europe/Berlin"), ("android-en-gb", "Europe/Berlin"),
  ])
  func `each language of WhatsApp gives what was said`(language: String, zone: String) throws {
    let options = ImportOptions(timeZone: try #require(TimeZone(identifier: zone)))
    let picture = try ImportPicture([Fixture.shared("transcoded/whatsapp/\(language)")], options)
    #expect(picture.skipped.isEmpty)
    #expect(picture.conversations == ["Test"] || picture.conversations == [language])
    let said = picture.messages.filter { $0.kind == .text }
    expectSame(said, try Truth.read("transcoded/truth.jsonl"))
    #expect(said.count { $0.details?.isEdited == true } == 11)
  }

  @Test(arguments: ["single", "illegal-escape", "full"])
  func `Telegram gives what was said`(export: String) throws {
    let picture = try ImportPicture([Fixture.shared("transcoded/telegram/\(export)")])
    let said = picture.messages.filter { $0.kind == .text && $0.conversation == "Test" }
    var truth = try Truth.read("transcoded/truth.jsonl")
    if export == "illegal-escape", let changed = said.firstIndex(where: { $0.body == "ok\u{1}" }) {
      truth[changed].text = "ok\u{1}"
    }
    expectSame(said, truth)
    #expect(picture.skipped.count == 1)
    #expect(picture.kinds[.system] == 1)
    #expect(said.filter { $0.details?.replyTo != nil }.count == 31)
  }

  @Test(arguments: ["full", "parts"]) func `Discord gives what was said`(export: String) throws {
    let picture = try ImportPicture([Fixture.shared("transcoded/discord/\(export)")])
    var ids: Set<String> = []
    let said = picture.messages.filter { ids.insert($0.details?.source?.id ?? "").inserted }
    #expect(picture.skipped.isEmpty)
    #expect(picture.conversations == ["test"])
    expectSame(said, try Truth.read("transcoded/truth.jsonl"))
    #expect(said.filter { $0.details?.replyTo != nil }.count == 31)
  }

  @Test func `Slack gives what was said`() throws {
    let picture = try ImportPicture([Fixture.shared("transcoded/slack-export.zip")])
    var said = picture.messages.filter { $0.conversation == "test" }.stablySortedByTime()
    var truth = try Truth.read("transcoded/truth.jsonl")
    #expect(picture.conversations.count == 3)
    #expect(picture.skipped.allSatisfy { $0.scope == .ignored })
    for index in truth.indices {
      // The fraction is a serial number, and some users are missing from the list.
      said[index].time = said[index].time.rounded(to: .second)
      truth[index].time = truth[index].time.rounded(to: .second)
      if said[index].sender?.hasPrefix("U000") == true { truth[index].sender = said[index].sender ?? "" }
    }
    expectSame(said, truth)
  }

  @Test(.enabled(if: Fixture.hasShared("slack"), "needs the shared exports of Slack"))
  func `real exports of Slack give every message`() throws {
    let picture = try ImportPicture([Fixture.shared("slack")])
    #expect(picture.messages.count == 8_682)
    #expect(picture.skipped.allSatisfy { $0.scope == .ignored })
  }

  @Test(arguments: ["inbox", "e2ee"]) func `Messenger gives what was said`(export: String) throws {
    let picture = try ImportPicture([Fixture.shared("transcoded/messenger/\(export)")])
    #expect(picture.skipped.isEmpty)
    #expect(picture.conversations == [export == "inbox" ? "Tést" : "Test_1"])
    expectSame(picture.messages.stablySortedByTime(), try Truth.read("transcoded/truth.jsonl"))
  }

  @Test func `Mattermost gives what was said`() throws {
    let picture = try ImportPicture([Fixture.shared("transcoded/mattermost")])
    #expect(picture.skipped.isEmpty)
    #expect(Set(picture.messages.compactMap { $0.details?.source?.id }).count == 400)
    expectSame(picture.messages.stablySortedByTime(), try Truth.read("transcoded/truth.jsonl"))
  }

  @Test(arguments: [
    ("line", "Europe/Berlin"), ("sms-backup-restore", "UTC"), ("google-chat", "UTC"),
    ("signal/sigtop", "UTC"),
    ("signal/sigexport", "Europe/Berlin"), ("signal/sigexport/Test/chat.md", "Europe/Berlin"),
    ("zulip", "UTC"), ("matrix", "UTC"), ("imessage", "UTC"),
  ])
  func `the archives of other services give what was said`(container: String, zone: String) throws {
    let options = ImportOptions(timeZone: try #require(TimeZone(identifier: zone)))
    let picture = try ImportPicture([Fixture.shared("transcoded/\(container)")], options)
    var said = picture.messages.filter { $0.kind == .text }.stablySortedByTime()
    for index in said.indices {
      said[index].sender = said[index].sender?.replacing("@example.invalid", with: "")
    }
    #expect(picture.skipped.allSatisfy { $0.scope == .ignored })
    #expect(
      picture.messages.allSatisfy {
        container == "sms-backup-restore" || $0.conversation.hasPrefix("Test")
          || $0.conversation.hasPrefix("test > topic ")
      })
    expectSame(said, try Truth.read("transcoded/truth.jsonl"))
  }

  @Test(.enabled(if: Fixture.hasShared("discord-html"), "needs the shared pages of Discord"))
  func `real pages of Discord give every message`() throws {
    let picture = try ImportPicture([Fixture.shared("discord-html")])
    #expect(picture.messages.count == 4_453)
    #expect(picture.skipped.isEmpty)
  }

  @Test(.enabled(if: Fixture.hasShared("zulip-api"), "needs the shared archive of a Zulip"))
  func `a real archive of a Zulip gives every message`() throws {
    let picture = try ImportPicture([Fixture.shared("zulip-api/lean-sample.tar.xz")])
    #expect(picture.messages.count == 22_177)
    #expect(picture.skipped.isEmpty)
  }

  @Test func `of a Discord file that is cut everything before the cut is given`() throws {
    let picture = try ImportPicture([Fixture.shared("transcoded/discord/cut")])
    let truth = try Truth.read("transcoded/truth.jsonl")
    #expect(picture.messages.count > 250)
    expectSame(picture.messages, Array(truth.prefix(picture.messages.count)))
    #expect(picture.skipped.map(\.scope) == [.file])
  }

  @Test(arguments: [
    ("generic/messages.csv", "truth.jsonl"), ("generic/messages.tsv", "truth-lines.jsonl"),
    ("generic/messages.jsonl", "truth.jsonl"), ("discord/csv", "truth.jsonl"),
    ("mbox", "truth.jsonl"),
  ])
  func `tables and mails give what was said`(container: String, name: String) throws {
    let picture = try ImportPicture([Fixture.shared("transcoded/\(container)")])
    #expect(picture.skipped.isEmpty)
    expectSame(picture.messages, try Truth.read("transcoded/\(name)"))
  }

  private func expectSame(_ said: [ImportPicture.Line], _ truth: [Truth]) {
    #expect(said.count == truth.count)
    let differences = zip(said, truth).filter { line, truth in
      line.body != truth.text || line.sender != truth.sender
        || line.time != truth.time.rounded(to: line.precision)
    }
    #expect(differences.isEmpty, "\(differences.prefix(3).map { "\($0.text) instead of \($1)" })")
  }
}

extension [ImportPicture.Line] {
  /// The messages as a store orders them: files named after days need not come in the days' order.
  fileprivate func stablySortedByTime() -> Self {
    enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }
}

/// A message as it was before it was put into a container.
struct Truth: Equatable {
  var time: Timestamp
  var sender: String
  var text: String

  static func read(_ name: String) throws -> [Truth] {
    try String(contentsOfFile: Fixture.shared(name), encoding: .utf8).split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let time = try Date(#require(object?["time"] as? String), strategy: style)
      return Truth(
        time: Timestamp(millisecondsSince1970: Int64((time.timeIntervalSince1970 * 1_000).rounded())),
        sender: try #require(object?["sender"] as? String), text: try #require(object?["text"] as? String))
    }
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

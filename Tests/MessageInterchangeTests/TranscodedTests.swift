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
    var said = picture.messages.filter { $0.kind == .text }
    for index in said.indices {
      said[index].body = said[index].body.replacing(" \u{200E}<This message was edited>", with: "")
    }
    expectSame(said, try Truth.read("transcoded/truth.jsonl"))
  }

  @Test(arguments: [
    ("generic/messages.csv", "truth.jsonl"), ("generic/messages.tsv", "truth-lines.jsonl"),
    ("generic/messages.jsonl", "truth.jsonl"), ("discord/csv", "truth.jsonl"),
  ])
  func `tables give what was said`(container: String, name: String) throws {
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

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
    try ImportPicture(
      [Fixture.shared(name)], ImportOptions(format: "jsonl", conversation: "c", timeZone: .gmt)
    )
    .messages.map { Truth(time: $0.time, sender: $0.sender ?? "", text: $0.body) }
  }
}

import Foundation
import MessageModel
import Testing

@testable import MessageInterchange

/// Exports of Element, Teams and Beeper, beside what can be counted in them without reading them.
@Suite struct BridgeTests {
  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: Fixture.path(name), encoding: .utf8)
  }

  private func count(_ word: String, in text: String) -> Int { text.components(separatedBy: word).count - 1 }

  @Test(arguments: [
    ("matrix-html/2024/messages.html", "<div class=\"mx_Export_EventWrapper\""),
    ("matrix-html/2024/messages2.html", "<div class=\"mx_Export_EventWrapper\""),
    ("matrix-html/2021/index.html", "<div class=\"mx_Export_EventWrapper\""),
    ("teams/Ann and Ben.json", "\"messageType\""), ("teams/tea.jsonl", "\"messageType\""),
  ])
  func `each message of an export is read, or named with the reason`(file: String, word: String) throws {
    let picture = try ImportPicture([Fixture.path(file)])
    #expect(picture.messages.count + picture.skipped.count == count(word, in: try text(file)))
    #expect(!picture.messages.isEmpty)
  }

  @Test(arguments: [
    ("Thu, Feb 29, 2024", "Thu, Feb 29 2024 17:03:32"),
    ("Do., 29. Feb. 2024", "Do., 29. Feb. 2024, 17:03:32"),
    ("jeu. 29 févr. 2024", "jeu. 29 févr. 2024 17:03:32"), ("jue, 29 feb 2024", "jue, 29 feb 2024, 17:03:32"),
    ("чт, 29 февр. 2024 г.", "чт, 29 февр. 2024 г., 17:03:32"), ("2024年2月29日(木)", "2024年2月29日(木) 17:03:32"),
  ])
  func `days of Element's pages are read in the language of who exported`(day: String, title: String) {
    var clock = MatrixPageClock(zone: .gmt)
    clock.learnDay(day)
    let expected = Timestamp(utc: CivilTime(year: 2024, month: 2, day: 29, hour: 17, minute: 3))
    let (short, whole) = (
      clock.moment(title: nil, clock: "17:03"), clock.moment(title: title, clock: "17:03")
    )
    #expect(short?.time == expected && short?.precision == .minute)
    #expect(whole?.time == expected.advanced(byMilliseconds: 32_000) && whole?.precision == .second)
  }

  @Test(arguments: ["Tue, Feb 30, 2024", "", "today", "Thu, 2024", "99"])
  func `a day that makes no sense dates nothing`(day: String) {
    var clock = MatrixPageClock(zone: .gmt)
    clock.learnDay(day)
    let moments = [
      clock.moment(title: nil, clock: "17:03"), clock.moment(title: "\(day) 17:03:32", clock: ""),
    ]
    #expect(moments.allSatisfy { $0 == nil })
  }

  @Test func `what was said in a room is known by the same ids as HTML and as JSON`() throws {
    try Fixture.withFolder { folder in
      let events = (Array(1...13) + Array(18...22)).map {
        #"{"type":"m.room.message","room_id":"!tea:example.org","event_id":"$\#($0)","sender":"@ann:example.org","origin_server_ts":1709200800000,"content":{"msgtype":"m.text","body":"x"}}"#
      }
      let json = #"{"room_name":"Tea & more","messages":[\#(events.joined(separator: ","))]}"#
      try Fixture.write(Array(json.utf8), to: "\(folder)/tea.json")
      let ids = try [Fixture.path("matrix-html/2024/messages.html"), "\(folder)/tea.json"].map { path in
        Set(try ImportPicture([path]).messages.compactMap { $0.details?.source })
      }
      #expect(ids[0] == ids[1] && ids[0].count == 18)
    }
  }

  @Test(arguments: [
    ("mxc://beeper.com/x", "media/beeper.com/x"), ("mxc://beeper.com/x?encryption=1", "media/beeper.com/x"),
    ("localmxc://local-signal/x", "media/localhostlocal-signal/x"),
    ("https://example.org/x?y", "https://example.org/x?y"),
  ])
  func `files that Beeper keeps are found beside its database`(address: String, path: String) {
    #expect(BeeperMessage.path(address) == path)
  }

  @Test(arguments: [
    ("like", "👍"), ("1f375_teacup", "🍵"), ("1f44d-1f3fd_thumbsup", "👍🏽"), ("a_b", "a_b"),
    ("beef_stew", "beef_stew"), ("dead_line", "dead_line"),
  ])
  func `reactions of Teams are emoji where their names have numbers`(key: String, emoji: String) {
    #expect(SkypeContent.emoji(key) == emoji)
  }
}

import Foundation
import MessageModel
import Testing

@testable import MessageInterchange

/// Histories with the times of a clock that is set back and forward, for every reader of such times.
@Suite struct ClockChangeTests {
  /// A form of history, and how it writes a message at a time of a day.
  struct Form: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    var start = ""
    let line: @Sendable (_ day: String, _ time: String) -> String

    var testDescription: String { name }

    /// A history of these times, each as hour, minute and second.
    func history(on day: String, _ times: [String]) -> String {
      start + times.map { line(day, $0) + "\n" }.joined()
    }
  }

  private static func minute(_ time: String) -> Substring { time.prefix(5) }
  private static func dayMonthYear(_ day: String, _ separator: String) -> String {
    day.split(separator: "-").reversed().joined(separator: separator)
  }

  private static let forms: [Form] = [
    Form(name: "signal-export", file: "Tea/data.json") {
      """
      {"date": "\($0)T\($1)", "sender": "Ann", "body": "\($1)", "quote": "", "sticker": null, "reactions": [], \
      "attachments": [], "deleted": false, "call": false, "missed": false}
      """
    },
    Form(name: "signal-chat", file: "Tea/chat.md") { "[\($0) \($1)] Ann: \($1)\n" },
    Form(name: "jsonl", file: "tea.jsonl") {
      #"{"conversation":"tea","time":"\#($0)T\#($1)","sender":"ann","text":"\#($1)"}"#
    },
    Form(name: "a table", file: "tea.csv", start: "time,sender,text\n") { "\($0) \($1),ann,\($1)" },
    Form(name: "lines of JSON of any program", file: "tea.ndjson") {
      #"{"timestamp":"\#($0) \#($1)","author":"ann","content":"\#($1)"}"#
    },
    Form(name: "whatsapp", file: "WhatsApp Chat with Ann.txt") {
      "[\(dayMonthYear($0, ".")), \($1)] Ann: \($1)"
    },
    Form(name: "line", file: "tea.txt", start: "[LINE] Chat history with Ann\n2024/10/27(Sun)\n") {
      "\(minute($1))\tAnn\t\($1)"
    },
    Form(name: "weechat", file: "irc.libera.#tea.weechatlog") { "\($0) \($1)\tann\t\($1)" },
    Form(name: "irssi", file: "#tea.log", start: "--- Log opened Sun Oct 27 00:00:00 2024\n") {
      "\($1) <ann> \($1)"
    },
    Form(
      name: "telegram-html", file: "messages.html",
      start: """
        <html><div class="page_wrap"><div class="page_header"><div class="text bold">Tea</div></div>\
        <div class="history">
        """
    ) {
      """
      <div class="message default clearfix" id="message\($1.filter(\.isNumber))"><div class="body">\
      <div class="pull_right date details" title="\(dayMonthYear($0, ".")) \($1)">\(minute($1))</div>\
      <div class="from_name">Ann</div><div class="text">\($1)</div></div></div>
      """
    },
    Form(
      name: "matrix-html", file: "messages.html",
      start: """
        <html><head><script src="js/script.js"></script><title>Exported Data</title></head><body>\
        <div id="matrixchat"><div class="mx_MatrixChat_wrapper"><main class="mx_RoomView">\
        <div class="mx_RoomHeader"><div class="mx_RoomHeader_nametext" title="Tea">Tea</div></div>\
        <ol class="mx_RoomView_MessageList"><li><div class="mx_DateSeparator" role="separator" aria-label="Sun, Oct 27, 2024"></div></li>
        """
    ) {
      """
      <div class="mx_Export_EventWrapper" id="$\($1.filter(\.isNumber))"><li class="mx_EventTile" data-event-id="$\($1.filter(\.isNumber))">\
      <div class="mx_DisambiguatedProfile"><span class="mx_DisambiguatedProfile_displayName">Ann</span></div>\
      <div class="mx_EventTile_line"><a href="https://matrix.to/#/!tea:example.org/$1"><span class="mx_MessageTimestamp">\(minute($1))</span></a>\
      <div class="mx_MTextBody mx_EventTile_content"><span class="mx_EventTile_body">\($1)</span></div></div></li></div>
      """
    },
  ]

  /// The times in UTC at which the messages of a history in Berlin were written.
  private func moments(of form: Form, on day: String, _ times: [String]) throws -> [String] {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(form.history(on: day, times).utf8), to: "\(folder)/\(form.file)")
      let picture = try ImportPicture([folder], .berlin)
      #expect(picture.skipped.isEmpty)
      return picture.messages.map { Self.clock($0.time.utc) }
    }
  }

  private static func clock(_ time: CivilTime) -> String {
    "\(time.hour):\(time.minute < 10 ? "0" : "")\(time.minute)"
  }

  @Test(arguments: forms) func `of an hour that comes twice the second is meant once time runs backwards`(
    form: Form
  ) throws {
    let times = ["01:30:00", "02:10:00", "02:59:45", "02:00:05", "02:40:00", "03:20:00"]
    #expect(
      try moments(of: form, on: "2024-10-27", times) == ["23:30", "0:10", "0:59", "1:00", "1:40", "2:20"])
  }

  @Test(arguments: forms.filter { !["line", "matrix-html", "irssi"].contains($0.name) })
  func `a time that the clock skips is as much later as the clock skips`(form: Form) throws {
    let times = ["01:59:00", "02:30:00", "03:45:00"]
    #expect(try moments(of: form, on: "2024-03-31", times) == ["0:59", "1:30", "1:45"])
  }

  @Test func `with the newest first the second of the two hours is meant until time runs on`() throws {
    let table = try #require(Self.forms.first { $0.file == "tea.csv" })
    let times = [
      "04:00:00", "03:30:00", "03:20:00", "02:40:00", "02:00:05", "02:59:45", "02:10:00", "01:30:00",
    ]
    #expect(
      try moments(of: table, on: "2024-10-27", times) == [
        "3:00", "2:30", "2:20", "1:40", "1:00", "0:59", "0:10", "23:30",
      ])
  }

  @Test func `lines of a log that are a little out of order are of the same hour`() throws {
    let log = try #require(Self.forms.first { $0.name == "weechat" })
    let times = ["02:10:00", "02:09:58", "02:30:00", "02:01:00"]
    #expect(try moments(of: log, on: "2024-10-27", times) == ["0:10", "0:09", "0:30", "1:01"])
  }

  @Test(arguments: [
    // The clock is set back at 03:00 to 02:00. An edit is behind its message, whichever way the file goes.
    (["02:10:00", "02:50:00"], "02:55:00", "2024-10-27T00:55:00Z"),
    (["02:50:00", "02:10:00"], "02:20:00", "2024-10-27T01:20:00Z"),
    (["02:50:00"], "02:10:00", "2024-10-27T01:10:00Z"),
    (["04:00:00", "03:30:00", "03:10:00", "02:50:00"], "02:55:00", "2024-10-27T01:55:00Z"),
    (["12:00:00"], "13:00:00", "2024-10-27T12:00:00Z"),
  ])
  func `the time of an edit is read in the zone of the import, behind that of its message`(
    times: [String], edit: String, moment: String
  ) throws {
    let messages = times.enumerated().map { number, time in
      let edited = number == times.count - 1 ? #""timestampEdited":"2024-10-27T\#(edit)","# : ""
      return #"{"id":"\#(number)","timestamp":"2024-10-27T\#(time)",\#(edited)"content":"x"}"#
    }
    let file =
      #"{"guild":{},"channel":{"name":"tea"},"messages":[\#(messages.joined(separator: ","))]}"#
    try Fixture.withFolder { folder in
      try Fixture.write(Array(file.utf8), to: folder + "/tea.json")
      let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
      let picture = try ImportPicture([folder], ImportOptions(format: "discord", timeZone: zone))
      let edits = picture.messages.compactMap { $0.details?.editedAt }
      let seconds = ISO8601DateFormatter().date(from: moment)?.timeIntervalSince1970
      #expect(edits.map { Double($0.millisecondsSince1970) / 1_000 } == [seconds])
    }
  }
}

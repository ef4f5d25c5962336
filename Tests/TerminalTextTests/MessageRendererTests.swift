import Foundation
import MessageModel
import TerminalText
import Testing

struct MessageRendererTests {
  private func message(
    _ text: String, from name: String? = "alice", kind: Message.Kind = .text,
    precision: TimePrecision = .minute
  ) -> Message {
    Message(
      id: Message.ID(time: Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1, hour: 12, minute: 34))),
      conversation: Conversation.ID(rawValue: 1),
      sender: name.map { Sender(id: Sender.ID(rawValue: 1), name: $0) }, kind: kind, precision: precision,
      text: text)
  }

  private func picture(
    _ message: Message, columns: Int = 60, foldRows: Int = 16, quoting quoted: Message? = nil
  ) -> String {
    var renderer = MessageRenderer(LayoutSettings(columns: columns, zone: .gmt, foldRows: foldRows))
    return renderer.rows(of: message, quoting: quoted).map(\.plainText).joined(separator: "\n")
  }

  @Test func `text hangs from its column`() {
    #expect(
      picture(message("The text hangs from its column however long it is.")) == """
           12:34        alice  The text hangs from its column
                               however long it is.
        """)
  }

  @Test(arguments: [
    ("\u{3}04red\u{3} \u{3}4,12both\u{3}, \u{3}123", "red both, 3"),
    ("\u{2}bold\u{F} \u{1D}slanted\u{1D}", "bold slanted"),
    ("\u{4}FF0000,00FF00hex \u{4}beef", "hex beef"), ("\u{3}1,text \u{16}x\u{1F}y\u{1E}z\u{11}", ",text xyz"),
    ("\u{3}", ""), ("\u{7}\u{3}5\u{1B}[31m", "␇␛[31m"), ("a\u{2}\nb", "a\n                       b"),
  ])
  func `codes of IRC clients are left out, and nothing else is`(text: String, shown: String) {
    let expected = "   12:34        alice" + (shown.isEmpty ? "" : "  \(shown)")
    #expect(picture(message(text)) == expected)
  }

  @Test func `a narrow screen puts the name into the text`() {
    #expect(
      picture(message("hello there, everybody"), columns: 20) == """
          12:34 alice: hello
                there,
                everybody
        """)
  }

  @Test func `wide letters count twice`() {
    #expect(
      picture(message("日本語日本語日本語日本語日本語日本語日本語", from: "太郎")) == """
           12:34         太郎  日本語日本語日本語日本語日本語日本語
                               日本語
        """)
  }

  @Test(arguments: [
    (Message.Kind.action, "waves", "   12:34            *  alice waves"),
    (.join, "has joined", "   12:34           --  alice has joined"),
    (.notice, "mind the gap", "   12:34      -alice-  mind the gap"),
  ])
  func `each kind has its shape`(kind: Message.Kind, text: String, row: String) {
    #expect(picture(message(text, kind: kind)) == row)
  }

  @Test func `a line that nobody wrote has no name`() {
    #expect(picture(message("???", from: nil, kind: .unknown)) == "   12:34            ?  ???")
  }

  @Test func `a message known to the day shows no time`() {
    #expect(picture(message("hi", precision: .day)) == "                alice  hi")
  }

  @Test func `tabs go to the next stop`() {
    #expect(picture(message("a\tb\tc")) == "   12:34        alice  a       b       c")
  }

  @Test func `a long message is folded and says how much is left`() {
    let text = String(repeating: "word ", count: 1_000)
    #expect(
      picture(message(text), foldRows: 2) == """
           12:34        alice  word word word word word word word
                               word word word word word word word
                               … 4,931 more characters
        """)
  }

  @Test func `folded lines are counted`() {
    let text = (1...40).map { "line \($0)" }.joined(separator: "\n")
    #expect(
      picture(message(text), foldRows: 2) == """
           12:34        alice  line 1
                               line 2
                               … 38 more lines
        """)
  }

  @Test(arguments: [
    (Message.Kind.thinking, "a lamp", "   12:34        alice  [thinking] a lamp"),
    (.tool, "Bash\n  command: ls -la", "   12:34        alice  ▸ Bash ls -la · 2 lines"),
    (.result, "\n\n\u{1B}[2Jone\ntwo\nthree", "   12:34        alice  [result] ␛[2Jone two three · 3 lines"),
    (
      .result, String(repeating: "word ", count: 20),
      "   12:34        alice  [result] word word … · 100 characters"
    ),
  ])
  func `what an assistant thinks and does is a row that says how long it is`(
    kind: Message.Kind, text: String, shown: String
  ) {
    #expect(picture(message(text, kind: kind)) == shown)
    var renderer = MessageRenderer(LayoutSettings(columns: 60, zone: .gmt))
    #expect(renderer.rows(of: message(text, kind: kind))[0].isFold == shown.contains(" · "))
  }

  @Test func `a step of which the store holds only the beginning says how many bytes it has`() {
    var cut = message("beginning", kind: .result)
    cut.textByteCount = 1 << 20
    #expect(picture(cut) == "   12:34        alice  [result] beginning · 1.0 MB")
    #expect(picture(cut, columns: 20) == "  12:34 alice: [res…")
  }

  @Test func `steps are shown whole where that is wanted`() {
    var settings = LayoutSettings(columns: 60, zone: .gmt)
    settings.foldsSteps = false
    var renderer = MessageRenderer(settings)
    let rows = renderer.rows(of: message("Bash\ncommand: ls", kind: .tool))
    #expect(
      rows.map(\.plainText) == ["   12:34        alice  [tool] Bash", "                       command: ls"])
  }

  private func rows(
    _ message: Message, followedBy next: Message? = nil, hits: [String] = [], folds: Bool = true
  ) -> [Row] {
    var settings = LayoutSettings(columns: 60, zone: .gmt, hits: hits)
    settings.foldsSteps = folds
    var renderer = MessageRenderer(settings)
    return renderer.rows(of: message, result: StepResult(of: message, followedBy: next))
  }

  @Test func `a call is a row with the size of its result, and says where that failed`() {
    let call = message("Bash\ncommand: swift build\ndescription: Builds", kind: .tool)
    var result = message("Compiling", from: "Bash", kind: .result)
    result.textByteCount = 3_200
    #expect(
      rows(call, followedBy: result).map(\.plainText)
        == ["   12:34        alice  ▸ Bash swift build descript… · 3.2 KB"])
    #expect(
      rows(message("Bash", kind: .tool), followedBy: message("failed: no", kind: .result)).map(\.plainText)
        == ["   12:34        alice  ▸ Bash · failed, 10 bytes"])
    #expect(rows(call, followedBy: message("and", kind: .text)).map(\.plainText)[0].hasSuffix(" · 3 lines"))
    #expect(StepResult(of: result, followedBy: result) == nil)
  }

  @Test func `a step in which something is looked for that its row does not show is whole`() {
    let call = message("Bash\ncommand: swift build\ndescription: Builds the kettle", kind: .tool)
    #expect(rows(call, hits: ["swift"]).count == 1)
    #expect(
      rows(call, hits: ["KETTLE"]).map(\.plainText).last?.hasSuffix("description: Builds the kettle") == true)
    #expect(rows(call, hits: ["cup"]).count == 1)
  }

  @Test func `lines that a diff adds and takes away have colours, and those of no diff have none`() {
    func styles(_ text: String, _ kind: Message.Kind) -> [Style.Color?] {
      rows(message(text, kind: kind), folds: false).map { $0.spans.last?.style.color }
    }
    let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same"
    #expect(styles(diff, .result) == [.standard, .standard, .place, .removed, .added, .standard])
    #expect(styles(diff, .text) == styles(diff, .result))
    #expect(styles("+1 for tea\n- and cake", .text).allSatisfy { $0 == .standard })
    #expect(styles("- a list\n+ of things", .result) == [.standard, .standard])
  }

  @Test func `a call that puts a text in the place of another shows a diff`() {
    let edit = message(
      "Edit\nfile_path: x.swift\nold_string: let a\n  = 1\nnew_string: let b\nreplace_all: true", kind: .tool)
    let shown = rows(edit, folds: false)
    #expect(
      shown.dropFirst().map { $0.plainText.trimmingCharacters(in: .whitespaces) }
        == ["file_path: x.swift", "- let a", "-   = 1", "+ let b", "replace_all: true"])
    #expect(
      shown.map { $0.spans.last?.style.color } == [
        .standard, .standard, .removed, .removed, .added, .standard,
      ])
  }

  @Test func `a message cut by the store says how much is left`() {
    var cut = message("beginning")
    cut.textByteCount = 13_000_000
    #expect(
      picture(cut) == """
           12:34        alice  beginning
                               … 12 MB more
        """)
  }

  @Test func `edits, reactions, files and replies are shown`() {
    var full = message("yes")
    full.isEdited = true
    full.replyTo = Message.ID(rawValue: 1)
    full.reactions = [Message.Reaction(emoji: "👍", senders: ["bob", "carol"])]
    full.attachments = [Message.Attachment(name: "a.jpg", mediaType: "image/jpeg", byteCount: 1_234_567)]
    #expect(
      picture(full, quoting: message("shall we?", from: "bob")) == """
           12:34        alice  ↪ bob: shall we?
                               yes (edited)
                               [file] a.jpg · image/jpeg · 1.2 MB
                               👍 2
        """)
  }

  @Test func `a deleted message says by whom and when, also where it is quoted`() {
    var deleted = message("")
    let time = deleted.time.advanced(byMilliseconds: 86_400_000)
    deleted.deletion = Message.Deletion(at: time, by: SenderKey(name: "bob\u{7}"))
    var reply = message("yes")
    reply.replyTo = deleted.id
    #expect(picture(deleted) == "   12:34        alice  deleted by bob␇ on 2024-05-02")
    #expect(
      picture(reply, quoting: deleted) == """
           12:34        alice  ↪ alice: deleted by bob␇
                               yes
        """)
    deleted.deletion = Message.Deletion(at: time)
    #expect(picture(deleted).hasSuffix("alice  deleted on 2024-05-02"))
  }

  @Test func `names with escape sequences are as harmless as texts`() {
    let rows = picture(message("\u{1B}[2Jgone", from: "\u{1B}]0;title\u{7}"))
    #expect(rows == "   12:34   ␛]0;title␇  ␛[2Jgone")
  }

  @Test func `the same name has the same colour in each run`() {
    #expect(Style.sender("alice").color == .sender(8_856_083))
  }

  @Test func `links lead where they say`() {
    var renderer = MessageRenderer(LayoutSettings(columns: 60, zone: .gmt))
    let rows = renderer.rows(of: message("see https://example.org/a, ok"))
    #expect(rows[0].spans.compactMap(\.link) == ["https://example.org/a"])
  }

  @Test func `hits stand out whatever their case`() {
    let settings = LayoutSettings(columns: 60, zone: .gmt, hits: ["HELLO"])
    var renderer = MessageRenderer(settings)
    let rows = renderer.rows(of: message("oh hello, Hello"))
    #expect(rows[0].spans.filter { $0.style == .hit }.map(\.text) == ["hello", "Hello"])
  }

  @Test(arguments: [10, 20, 39, 40, 59, 60, 200])
  func `no row is wider than the screen`(columns: Int) {
    var all = message(
      "日本語 👨‍👩‍👧‍👦 and some words\tand\u{1B}tabs https://example.org/", from: "someone with a long name")
    all.replyTo = Message.ID(rawValue: 1)
    all.isEdited = true
    all.attachments = [Message.Attachment(name: "a very long name of a file.jpg", byteCount: 1)]
    all.reactions = [Message.Reaction(emoji: "a long name of an emoji of its own", senders: ["bob"])]
    var renderer = MessageRenderer(LayoutSettings(columns: columns, zone: .gmt))
    let rows = renderer.rows(of: all, quoting: all) + [renderer.daySeparator(0), renderer.unreadSeparator()]
    #expect(rows.allSatisfy { $0.columns <= columns }, "\(rows.map(\.plainText))")
  }

  @Test func `a day is that of the zone, but a date is the same everywhere`() throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    var renderer = MessageRenderer(LayoutSettings(columns: 60, zone: tokyo))
    var late = message("late")
    late.id = Message.ID(time: Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1, hour: 20)))
    let day = CivilTime(year: 2024, month: 5, day: 1).daysSince1970
    #expect(renderer.day(of: late) == day + 1)
    late.precision = .day
    #expect(renderer.day(of: late) == day)
    #expect(renderer.daySeparator(day).plainText.hasPrefix("── Wednesday, 2024-05-01 ──"))
  }
}

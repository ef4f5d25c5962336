import ChatSession
import Testing

struct ScriptSessionTests {
  /// What a script prints, complaints after `!`, and how it ends.
  private func transcript(
    _ script: String, count: Int = 100, keepsGoing: Bool = false
  ) throws -> (text: String, status: ChatSession.ExitStatus) {
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    let paper = StoreFixture.Printer.Paper()
    let fixture = try StoreFixture(minutely: count)
    var session = try Session(
      try fixture.context(), write: { paper.add($0) }, complain: { paper.add("! \($0)\n") })
    let status = withExtendedLifetime(fixture) {
      session.run(lines: { lines.popFirst() }, keepsGoing: keepsGoing)
    }
    return (paper.take(), status)
  }

  @Test func `commands from a pipe print plain lines`() throws {
    let answer = try transcript(
      """
      /top
      /newer 2

      /goto 50%
      /older 2
      /goto 2024-05-01 13:00
      /goto +10m
      /goto 12:30
      /bottom
      /newer
      /quit
      /not reached
      """)
    #expect(
      answer.text == """
        2024-05-01 12:00:00  alice  message 1
        2024-05-01 12:01:00  bob  message 2
        2024-05-01 12:02:00  alice  message 3
        2024-05-01 12:50:00  alice  message 51
        2024-05-01 12:48:00  alice  message 49
        2024-05-01 12:49:00  bob  message 50
        2024-05-01 13:00:00  alice  message 61
        2024-05-01 13:10:00  alice  message 71
        2024-05-01 12:30:00  alice  message 31
        2024-05-01 13:39:00  bob  message 100

        """)
    #expect(answer.status == .done)
  }

  @Test func `older without a place begins at the newest`() throws {
    #expect(
      try transcript("/older 2").text == """
        2024-05-01 13:38:00  alice  message 99
        2024-05-01 13:39:00  bob  message 100

        """)
  }

  @Test(arguments: [
    ("hello", "line 1: commands start with /", ChatSession.ExitStatus.wrongUsage),
    ("\n/golo", "line 2: there is no command '/golo'\n  try: /goto", .wrongUsage),
    ("/goto someday", "line 1: /goto cannot use 'someday'", .wrongUsage),
    ("/o", "line 1: '/o' could be /older, /open", .wrongUsage),
    (
      "/older -5", "line 1: /older takes a number from 1 to 10,000, not '-5'\n  try: /older [N]",
      .wrongUsage
    ),
    ("/goto", "line 1: /goto needs a place", .wrongUsage),
    ("/reply #7", "line 1: /reply needs a message and a text\n  try: /reply LETTER TEXT", .wrongUsage),
    ("/react a", "line 1: /react needs a message and an emoji", .wrongUsage),
    ("/save a", "line 1: /save needs a message and a folder", .wrongUsage),
    ("/reply Word", "line 1: /reply cannot use 'Word'", .wrongUsage),
    ("/quit now", "line 1: /quit cannot use 'now'", .wrongUsage),
    ("/open genral", "line 1: no conversation 'genral' — did you mean 'general'?", .nothingFound),
    ("/goto #1", "line 1: message #1 is not in this conversation", .nothingFound),
    ("/view #1", "line 1: there is no message #1", .nothingFound),
    ("/view a", "line 1: letters work only in the window", .wrongUsage),
    ("/back", "line 1: there is nothing to go back to", .nothingFound),
    ("/freeze on", "line 1: this takes a window", .wrongUsage),
    ("/set colour", "line 1: there is no setting 'colour'", .wrongUsage),
    ("/set time-zone Mars", "line 1: unknown time zone 'Mars'", .wrongUsage),
  ])
  func `a line that fails says its number, why, and the way out`(
    script: String, complaint: String, status: ChatSession.ExitStatus
  ) throws {
    let answer = try transcript(script + "\n/top")
    #expect(answer.text.contains("! " + complaint), "\(answer.text)")
    #expect(answer.status == status && !answer.text.hasSuffix("message 1\n"))
  }

  @Test func `a script that keeps going runs the rest and keeps the code`() throws {
    let answer = try transcript("/nosuch\n/top", keepsGoing: true)
    #expect(answer.text.hasSuffix("alice  message 1\n") && answer.status == .wrongUsage)
  }

  @Test func `two slashes append a text that begins with one`() throws {
    #expect(try transcript("//shrug\n/bottom").text.hasSuffix("carol  /shrug\n"))
  }

  @Test func `other conversations, names and zones can be chosen`() throws {
    let answer = try transcript("/open random\n//hi\n/set me\n/set time-zone Asia/Tokyo\n/open general\n/top")
    #expect(
      answer.text == """
        me = carol
        time-zone = Asia/Tokyo (in this script alone)
        2024-05-01 21:00:00  alice  message 1

        """)
  }

  @Test func `an empty conversation has no place to go to`() throws {
    #expect(try transcript("/older 5\n/top\n/bottom", count: 0).text == "")
    #expect(try transcript("/goto 50%", count: 0).status == .nothingFound)
  }

  @Test func `help tells of every command`() throws {
    let help = try transcript("/help").text
    for name in ["older", "newer", "top", "bottom", "goto", "open", "set", "quit", "reply", "view"] {
      #expect(help.contains("/\(name)"))
    }
    #expect(try transcript("/help goto").text.contains("/goto -24h"))
  }
}

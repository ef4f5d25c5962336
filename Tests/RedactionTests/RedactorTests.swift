import MessageSourceTesting
import Testing

@testable import Redaction

/// Rules, and texts in which what they name is replaced.
@Suite struct RedactorTests {
  private func redactor(_ rules: String, senders: [String] = []) throws -> Redactor {
    // Expressions of these tests are words.
    try Redactor(RedactionRules(rules), senders: senders) { pattern in
      { text in
        pattern == "costly" ? nil : text.ranges(of: pattern).map { Self.bytes($0, in: text) }
      }
    }
  }

  private static func bytes(_ range: Range<String.Index>, in text: String) -> Range<Int> {
    let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    return start..<start + text.utf8.distance(from: range.lowerBound, to: range.upperBound)
  }

  @Test func `a file of rules is read, and what is wrong in it is said with its line`() throws {
    let rules = try RedactionRules(
      """
      # For the report
      name Ann Smith, Ann => Witness A
      word bluebird
      regex a => b+ => number

      senders
      times
      """)
    #expect(rules.words.map(\.spellings) == [["Ann Smith", "Ann"], ["bluebird"]])
    #expect(rules.words.map(\.standIn) == ["Witness A", nil] && rules.words.map(\.line) == [2, 3])
    #expect(rules.expressions == [.init(line: 4, pattern: "a => b+", label: "number")])
    #expect(rules.replacesSenders && rules.givesDays && !rules.dropsIDs && !rules.findsSecrets)
    for (text, line, reason) in [
      ("name Ann\nnoun x", 2, "a rule begins with"), ("name", 1, "name needs a name"),
      ("\n\nword , ,", 3, "word needs"),
      ("times 5", 1, "'times' stands alone"), ("# nothing", 0, "it has no rule"), ("regex", 1, "regex needs"),
    ] {
      let fault = #expect(throws: RedactionRules.Fault.self) { try RedactionRules(text) }
      #expect(fault?.line == line && fault?.reason.hasPrefix(reason) == true, "\(text)")
    }
  }

  @Test func `names are whole words in any case, words are found in others, both however they are written`()
    throws
  {
    let redactor = try redactor("name Ann, Émile => E.\nname Bob\nword blue")
    #expect(redactor.text("Ann's ANN, annual @ann_b <ann>") == "E.'s E., annual @E._b <E.>")
    #expect(redactor.text("e\u{301}mile ÉMILE émile") == "E. E. E.")
    #expect(redactor.text("Bluebird, BLUE: bob") == "[word 3]bird, [word 3]: person 1")
    #expect(redactor.text("nothing") == "nothing")
  }

  @Test func `a name in a script without spaces is found beside its letters`() throws {
    #expect(try redactor("name 田中 => T").text("昨日田中さんが") == "昨日Tさんが")
  }

  @Test func `of what overlaps no part is left`() throws {
    let redactor = try redactor("name Ann Smith => N\nregex Smith 555\nword 5 and => W")
    #expect(redactor.text("call Ann Smith 555 and go") == "call N go")
  }

  @Test func `the same thing has the same stand-in, and others have others`() throws {
    let redactor = try redactor(
      "regex 12\nregex 34 => number\nsecrets\nsenders", senders: ["Ann", "Bob", "x"])
    #expect(
      redactor.text("12 34 12 Bob x") == "[match of line 1 1] [number 1] [match of line 1 1] person 1 x")
    #expect(redactor.sender("Ann") == "person 2")
    #expect(redactor.sender("bob", id: "U2") == "person 1")
    // Who changes the name stays the same.
    #expect(redactor.sender("Robert", id: "U2") == "person 1")
    #expect(redactor.text("ann") == "person 2")
    let (one, two) = (
      "ghp_" + String(repeating: "a1B2c3D4e5F6", count: 3),
      "ghp_" + String(repeating: "z9Y8x7W6v5U4", count: 3)
    )
    #expect(
      redactor.text("\(one) \(two) \(one)")
        == "[secret 1: github-token] [secret 2: github-token] [secret 1: github-token]")
    #expect(redactor.report.first { $0.what == "[secret 1: github-token]" }?.count == 2)
  }

  @Test func `a text that an expression takes too long for is left out`() throws {
    #expect(try redactor("regex costly").text("Ann").hasPrefix("[left out"))
  }

  @Test func `what is looked at has no words that touch a hidden place, and gets no number`() throws {
    let redactor = try redactor("word blue => [sky]\nname Ann\nsecrets")
    let token = "ghp_" + String(repeating: "a1B2c3D4e5F6", count: 3)
    let shown = redactor.look(at: "bluebird, Ann! \(token) tea")
    #expect(shown.text == "[sky]bird, person! [secret: github-token] tea" && shown.isRedacted)
    let words = shown.words.split { !$0.isLetter }.map(String.init)
    #expect(words.last == "tea" && !words.contains("bird") && !words.contains("Ann"))
    #expect(redactor.look(at: "tea") == ShownText(plain: "tea"))
    // What was looked at leaves no trace: the first that is shown is the first.
    #expect(redactor.text("Ann \(token)") == "person 1 [secret 1: github-token]")
    #expect(redactor.look(at: token).text == "[secret 1: github-token]")
    #expect(redactor.isStandIn("Person 1") && redactor.isStandIn("secret 1: github-token"))
    #expect(!redactor.isStandIn("person") && !redactor.isStandIn("[]"))
  }

  @Test(arguments: UInt64(0)..<40) func `a check finds a word however what is written is cut`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let redactor = try redactor("name Ann Smith\nword bluebird")
    let filler = ["x", "annual ", "Ann ", "blue", "Smith", "\n", "é", "Ann Smithe "]
    var text = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
      filler.randomElement(using: &random) ?? ""
    }.joined()
    let clean = text
    let word = Bool.random(using: &random) ? "\nann smith\n" : "BlueBird"
    let places = Array(text.indices) + [text.endIndex]
    text.insert(contentsOf: word, at: places.randomElement(using: &random) ?? text.endIndex)
    func leak(_ text: String) -> Bool {
      var check = LeakCheck(redactor)
      var bytes = Array(text.utf8)[...]
      do {
        while !bytes.isEmpty {
          let part = bytes.prefix(Int.random(in: 1...9, using: &random))
          try check.take(part)
          bytes = bytes.dropFirst(part.count)
        }
        try check.finish()
        return false
      } catch { return true }
    }
    #expect(leak(text))
    #expect(leak(clean) == Self.hasWord(clean.lowercased()))
  }

  /// The same, found in another way.
  private static func hasWord(_ text: String) -> Bool {
    let bytes = text.unicodeScalars
    return text.contains("bluebird")
      || text.ranges(of: "ann smith").contains { range in
        let before = range.lowerBound > text.startIndex ? bytes[bytes.index(before: range.lowerBound)] : " "
        let behind = range.upperBound < text.endIndex ? bytes[range.upperBound] : " "
        return ![before, behind].contains { $0.isASCII && $0.properties.isAlphabetic }
      }
  }
}

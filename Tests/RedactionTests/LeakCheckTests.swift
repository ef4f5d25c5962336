import Foundation
import MessageSourceTesting
import Testing

@testable import Redaction

/// The look at all that is written, and at files.
@Suite struct LeakCheckTests {
  private static let token = "ghp_" + String(repeating: "a1B2c3D4e5F6", count: 3)
  private static let name = "Zoë Quintwall"

  /// Expressions by Foundation: what matters is where they are looked for.
  private static func redactor(_ rules: String, senders: [String] = []) throws -> Redactor {
    try Redactor(RedactionRules(rules), senders: senders) { pattern in
      let expression = try NSRegularExpression(pattern: pattern)
      return { text in
        expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
          guard let range = Range(match.range, in: text) else { return nil }
          let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
          return start..<start + text[range].utf8.count
        }
      }
    }
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  /// Returns what is found in a text that is written in pieces of some bytes.
  private static func leak(_ text: String, _ check: LeakCheck, by count: Int = 10_000) -> LeakCheck.Leak? {
    var check = check
    var rest = Array(text.utf8)[...]
    do {
      while !rest.isEmpty {
        try check.take(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      try check.finish()
      return nil
    } catch { return error }
  }

  private static func leak(_ text: String, _ rules: String) throws -> LeakCheck.Leak? {
    leak(text, LeakCheck(try redactor(rules)))
  }

  // MARK: What is found

  @Test(arguments: [
    token, #"{"text":"use \#(token) now"}"#, base64("the key is \(token) now"), "token%3D\(token)",
    "<p>API_KEY=9f8aK2mQzL0pXv7TbR4s</p>",
    #"{"text":"\#("the password is hunter2")"}"#, "\u{1B}[32m\(token)\u{1B}[0m",
    "Cookie: session=9f8aK2mQzL0pXv7TbR4s", "machine example.org login ann password hunter2x",
    "-----BEGIN PRIVATE KEY-----\n\(String(repeating: "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\\n", count: 30))-----END PRIVATE KEY-----",
  ])
  func `a secret that was not replaced is not written, in whatever form`(text: String) throws {
    let leak = try #require(try Self.leak("2024-05-01  Bob  tea\n\(text)\n", "secrets"))
    #expect(leak.kind == .secret)
    // What is told of it is no secret.
    #expect(SecretFinder.standard.secrets(in: leak.text).isEmpty && !leak.text.contains("hunter"))
    #expect(try Self.leak("2024-05-01  Bob  tea\n\(text)\n", "word bluebird") == nil)
    // As the name of a file.
    #expect(throws: LeakCheck.Leak.self) { try LeakCheck(Self.redactor("secrets")).look(at: "plan \(text)") }
  }

  @Test(arguments: [
    "call 555-1234 now", #"{"text":"555-1234"}"#, #"["a",["555-1234",1]]"#, "<p>555-1234</p>", "a,555-1234,b",
    #"{"words":{"555-1234":"0"}}"#,
    "５５５-1234", "555%2D1234", base64("call 555-1234 now"), "**Bob** 10:00  \n555-1234",
  ])
  func `what an expression matches is not written`(text: String) throws {
    #expect(try Self.leak(text, "regex \\d{3}-\\d{4}")?.kind == .match)
    #expect(throws: LeakCheck.Leak.self) {
      try LeakCheck(Self.redactor("regex \\d{3}-\\d{4}")).look(at: "call \(text).txt")
    }
  }

  @Test func `the name of a sender is not given to a file`() throws {
    let check = LeakCheck(try Self.redactor("senders", senders: ["Mira"]))
    #expect(throws: LeakCheck.Leak.self) { try check.look(at: "letter of Mira.txt") }
    try check.look(at: "letter of Miranda.txt")
  }

  // MARK: What is not

  private static let texts = [
    "call 555-1234 or 555-9999", "use \(token) for it",
    "machine example.org login ann password hunter2x and 7",
    "Cookie: a=9f8aK2mQzL0pXv7TbR4s; gh=\(token); c=Zk3v8sQp1LmNt0Rw5xyz",
    "the password is hunter2, or kettle42!", "curl -u ann:k3T9vQ https://x",
    "Zo&euml; Quintwall and \(name) & Co",
    "https://ann:\(token)@github.com/x and API_KEY=9f8aK2mQzL0pXv7TbR4s", "password=\(token)-and-more",
    "Authorization: Bearer 7fK2mQ9zL0pXv4TbR8s", "/msg NickServ identify ann correcthorse",
    "/msg NickServ identify ann \(token)", "sshpass -p tr0ub4dor ssh ann@h, wifi password: kettle42!",
    "tea at 5 with \(name)? 12", "a -----BEGIN PRIVATE KEY----- and nothing more",
    "---- here ----- and there -----",
    base64("call 555-1234 now"), base64("use \(token) now"), "plain",
  ]

  /// The ways in which formats write texts.
  private static let manners: [@Sendable (String) -> String] = [
    { $0 },
    {
      String(decoding: (try? JSONEncoder().encode(["sender": "Bob", "text": $0])) ?? Data(), as: UTF8.self)
    },
    {
      "<p dir=\"auto\">"
        + $0.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
        + "</p>"
    },
    { text in text.map { "\\`*_[]#<>&".contains($0) ? "\\\($0)" : String($0) }.joined() },
    { "7022866009247744,\"\($0.replacing("\"", with: "\"\""))\",,text" },
  ]

  @Test(arguments: [
    "secrets", "secrets\nregex \\d{3}-\\d{4} => number", "name Zoë Quintwall\nregex \\d",
    "secrets\nregex \\d+ => a & 7",
    "regex \\w*\\d\\w* => [x_1]\nsecrets", "word tea\nregex ^call\nregex \\S+ more$\nsecrets",
    "regex (?i)password\\S* => secret word\nsecrets",
  ])
  func `what was replaced is written in every manner, stand-ins too`(rules: String) throws {
    let redactor = try Self.redactor(rules)
    for text in Self.texts {
      let redacted = redactor.text(text)
      for manner in Self.manners.indices {
        let lines = (0..<3).map { _ in Self.manners[manner](redacted) }.joined(separator: "\n")
        let leak = Self.leak(lines, LeakCheck(redactor))
        #expect(leak == nil, "\(manner): \(lines)")
      }
      #expect(throws: Never.self) { try LeakCheck(redactor).look(at: redacted) }
    }
  }

  @Test func `an expression that a format matches itself is looked for in names alone`() throws {
    let redactor = try Self.redactor("regex 20\\d\\d\nregex bird")
    var check = LeakCheck(redactor)
    check.expect(Array(#"{"time":"2024-05-01T12:34:56.789Z","text":""}"#.utf8))
    #expect(Self.leak(#"{"time":"2023-05-01T12:34:56.789Z","text":"tea"}"#, check) == nil)
    #expect(Self.leak(#"{"time":"2023-05-01T12:34:56.789Z","text":"bird"}"#, check)?.text == "bird")
    #expect(throws: LeakCheck.Leak.self) { try check.look(at: "plan of 2023.txt") }
  }

  @Test func `ids and checksums have any digits`() throws {
    let sum = String(repeating: "0471147111abcdef", count: 4)
    let line =
      #"{"id":"7022864711247744","sha256":"\#(sum)","byteCount":4711,"path":"files/04711d3f7a7daa48-x.png","text":"tea"}"#
    #expect(try Self.leak(line, "regex 4711") == nil)
    #expect(try Self.leak(line.replacing("tea", with: "tea 4711"), "regex 4711") != nil)
  }

  // MARK: Windows

  private static let size = 8 << 10

  /// Forms that take more bytes than windows overlap.
  private static let longForms: [(rules: String, text: String)] = [
    ("name Zoë Quintwall", "Zo" + String(repeating: "\u{200B}", count: 1_000) + "ë Quintwall"),
    ("name Zoë Quintwall", "Zo" + String(repeating: "%E2%80%8B", count: 400) + "ë Quintwall"),
    ("name Zoë Quintwall", "Z" + String(repeating: "\u{1B}[31m", count: 700) + "oë Quintwall"),
    ("name Zoë Quintwall", base64("Zo" + String(repeating: "\u{200B}", count: 1_000) + "ë Quintwall")),
    (
      "name Zoë Quintwall",
      base64(base64(String(repeating: "tea ", count: 300) + name + String(repeating: " tea", count: 300)))
    ),
    (
      "secrets",
      base64(
        base64(
          base64(
            "-----BEGIN PRIVATE KEY-----\n"
              + String(repeating: "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n", count: 16)
              + "-----END PRIVATE KEY-----\n")))
    ),
    ("regex bluebird", "blue" + String(repeating: "&shy;", count: 700) + "bird"),
  ]

  @Test(arguments: longForms.indices, 0...3)
  func `what is encoded in more bytes than windows overlap is found wherever a window ends`(
    index: Int, step: Int
  ) throws {
    let (rules, text) = Self.longForms[index]
    let redactor = try Self.redactor(rules)
    // The first window ends before it, within it, and behind.
    let before = Self.size - text.utf8.count - 1_500 + step * (text.utf8.count + 1_600) / 3
    let filler = String(repeating: "tea\n", count: max(before, 0) / 4)
    let whole = filler + "\n\(text)\n" + String(repeating: "tea\n", count: 3_000)
    #expect(Self.leak(whole, LeakCheck(redactor, windowSize: Self.size), by: 500) != nil)
    #expect(Self.content(of: whole, redactor) == .redacted)
    let clean = whole.replacing("Quintwall", with: "Quincewall").replacing("bird", with: "bell")
    if clean != whole {
      #expect(Self.leak(clean, LeakCheck(redactor, windowSize: Self.size), by: 500) == nil)
      #expect(Self.content(of: clean, redactor) == .clean)
    }
  }

  private static func content(of text: String, _ redactor: Redactor) -> ContentCheck.Content {
    var check = ContentCheck(redactor, windowSize: size)
    _ = check.take(Array(text.utf8))
    return check.finish()
  }

  @Test func `a file in which more bytes may hide a word than are looked into is not taken for clean`() throws
  {
    let redactor = try Self.redactor("word bluebird")
    for (count, content) in [(5_000, ContentCheck.Content.redacted), (50_000, .unread)] {
      let text = "blue\(String(repeating: "\u{200B}", count: count))bird"
      #expect(Self.content(of: text, redactor) == content)
    }
    #expect(Self.content(of: String(repeating: "tea with cake\n", count: 10_000), redactor) == .clean)
  }

  @Test(arguments: UInt64(0)..<8) func `in windows the same is found as in the whole`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let redactor = try Self.redactor("secrets\nname Zoë Quintwall\nregex 555-\\d{4}")
    let parts = [
      "tea ", "x", "\n", "%20", "&amp;", "**", "é", "田", "aGVsbG8gd29ybGQgYW5kIHRlYQ==", "ghp_a1B2",
      "Quintwall ", "555-",
      "token = ", "password: ", "\\u00e9", "\u{200B}", "=\n", "+", "-----", "eyJ",
    ]
    var text = ""
    while text.utf8.count < 30_000 { text += parts.randomElement(using: &random) ?? "" }
    let whole = Self.leak(text, LeakCheck(redactor))
    #expect((Self.leak(text, LeakCheck(redactor, windowSize: Self.size), by: 999) == nil) == (whole == nil))
    let hidden = Self.leaked(text, with: [Self.token, Self.name, "555-1234"], &random)
    #expect(Self.leak(hidden, LeakCheck(redactor, windowSize: Self.size), by: 777) != nil)
  }

  private static func leaked(_ text: String, with things: [String], _ random: inout SeededGenerator) -> String
  {
    let bytes = Array(text.utf8)
    let place = Int.random(in: 0...bytes.count, using: &random)
    let thing = "\n" + (things.randomElement(using: &random) ?? "") + "\n"
    return String(decoding: bytes[..<place] + Array(thing.utf8) + bytes[place...], as: UTF8.self)
  }

  // MARK: Bytes

  @Test func `bytes that are no text hide nothing`() throws {
    let redactor = try Self.redactor("word bluebird\nsecrets")
    for text in ["bluebird", Self.token] {
      var check = LeakCheck(redactor)
      #expect(throws: LeakCheck.Leak.self) {
        try check.take([0xC3, 0x28, 0x20, 0xFF] + Array(text.utf8) + [0x20, 0xE2])
        try check.finish()
      }
    }
  }

  @Test func `Base64 of UTF-16 is read`() throws {
    let redactor = try Self.redactor("name Zoë Quintwall")
    for text in ["tea with Zoë Quintwall at noon", "Zoë Quintwall", "\u{FEFF}чай: Zoë Quintwall 🫖"] {
      for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
        let encoded = try #require(text.data(using: encoding)).base64EncodedString()
        let redacted = redactor.text("a \(encoded) b")
        #expect(redacted.contains("person 1") && redacted != "a \(encoded) b", "\(text) \(redacted)")
        #expect(Self.leak(encoded, LeakCheck(redactor)) != nil)
      }
    }
    let noise = Data((0..<300).map { UInt8(truncatingIfNeeded: $0 * 7 % 5) }).base64EncodedString()
    #expect(redactor.text(noise) == noise)
  }
}

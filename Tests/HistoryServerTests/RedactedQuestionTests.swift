import Foundation
import HistoryQueries
import MessageModel
import MessageSourceTesting
import MessageStorage
import Redaction
import TestSupport
import Testing

/// No redacted answer depends on what it hides (docs/redact.md): two stores that differ in that alone answer every question alike, to
/// browsers and to agents.
@Suite(.waiting) struct RedactedQuestionTests {
  /// What is hidden.
  struct Hidden: Sendable {
    var name: String
    var word: String
    var token: String
  }

  private static let one = Hidden(
    name: "mira", word: "kettle", token: "ghp_" + String(repeating: "a1B2c3D4e5F6", count: 3))
  private static let other = Hidden(
    name: "zacharias", word: "wren", token: "ghp_" + String(repeating: "z9Y8x7W6v5U4", count: 3))

  /// A history in which what is hidden stands wherever something can stand.
  private static func lines(_ hidden: Hidden) -> String {
    let (name, word, token) = (hidden.name, hidden.word, hidden.token)
    func line(_ minute: Int, _ conversation: String, _ sender: String, _ text: String, _ rest: String = "")
      -> String
    {
      let time = "2024-05-01T10:\(minute < 10 ? "0" : "")\(minute):00.000Z"
      return
        #"{"conversation":"\#(conversation)","time":"\#(time)","sender":"\#(sender)","text":"\#(text)"\#(rest)}"#
    }
    return [
      line(1, "harbour", "bob", "tea at noon"),
      line(2, "harbour", name, "the \(word) of \(name) boils", #","senderID":"U-\#(name)""#),
      line(3, "harbour", "bob", "the key is \(token) keep it"),
      line(4, "harbour", "carol", "see https://example.org/\(word)/\(token) soon"),
      line(5, "harbour", "carol", "see https://example.org/open today"),
      line(6, "plans of \(word)", "bob", "lamp and tea", #","attachments":[{"name":"\#(word) plan.pdf"}]"#),
      line(
        7, "plans of \(word)", name, "tea again",
        #","reactions":[{"emoji":"👍","senders":["\#(name)","bob"]}]"#),
      line(8, "quay", "carol", "\(token)"),
      line(9, "quay", "bob", "anchor tea \(word)anchor", #","attachments":[{"name":"tide.pdf"}]"#),
      line(10, name, name, "alone with the lamp"),
    ].map { $0 + "\n" }.joined()
  }

  private static func rules(_ hidden: Hidden) -> String {
    "name \(hidden.name)\nword \(hidden.word)\nsecrets\n"
  }

  /// A store that is served by HTTP and asked by agents.
  private final class World {
    let fixture: ServerFixture
    let rules: String

    init(_ hidden: Hidden) throws {
      let redactor = try Redactor(RedactionRules(RedactedQuestionTests.rules(hidden))) { pattern in
        let finder = try ExpressionFinder(pattern)
        return { finder.ranges(in: $0) }
      }
      fixture = try ServerFixture(holding: RedactedQuestionTests.lines(hidden), redactor: redactor)
      try fixture.shell.run(["people", "link", "Friend", hidden.name])
      try fixture.shell.run(["filters", "save", "kept", "from:\(hidden.name) \(hidden.word)"])
      rules = fixture.shell.folder.appending(path: "rules.txt").path
      try RedactedQuestionTests.rules(hidden).write(toFile: rules, atomically: true, encoding: .utf8)
    }

    /// Returns the status, the fields and the body of an answer, without what tells stores apart that hold the same.
    func get(_ path: String) throws -> String {
      let answer = try fixture.get("api/" + path)
      // The number of the store alone has more or fewer digits.
      #expect(answer["Content-Length"] == "\(answer.body.count)")
      let fields = ["ETag", "Content-Type"].map { answer[$0] ?? "-" }.joined(separator: " ")
      return same("\(answer.status) \(fields)\n" + String(decoding: answer.body, as: UTF8.self))
    }

    /// Returns the answers of an agent's server to calls, in order.
    func call(_ calls: [(tool: String, arguments: [String: Any])]) throws -> [String] {
      let lines = try calls.enumerated().map { index, call in
        let request: [String: Any] = [
          "jsonrpc": "2.0", "id": index, "method": "tools/call",
          "params": ["name": call.tool, "arguments": call.arguments],
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
      }
      var answers: [String] = []
      // So many may wait.
      for part in stride(from: 0, to: lines.count, by: 32) {
        let input = lines[part..<min(lines.count, part + 32)].map { $0 + "\n" }.joined()
        let output = try fixture.shell.run(["mcp", "--redact", rules], input: input).output
        answers += output.split(separator: "\n").map { same(String($0)) }
      }
      return answers
    }

    /// Removes the marks of a store and its place.
    private func same(_ answer: String) -> String {
      answer.replacing(fixture.shell.folder.path, with: "FOLDER")
        .replacing(fixture.shell.folder.path.replacing("/", with: "\\/"), with: "FOLDER")
        .replacing(#/\\?"origin\\?":[0-9]+/#, with: "ORIGIN")
        .replacing(#/"version":"[^"]*"/#, with: "VERSION").replacing(
          #/\\"version\\":\\"[^"]*"/#, with: "VERSION"
        )
    }
  }

  /// All that somebody may guess of what is hidden.
  private static var guesses: [String] {
    [one, other].flatMap { hidden in
      [
        hidden.name, hidden.word, hidden.token, String(hidden.token.prefix(5)), "^\(hidden.token.prefix(6))",
        "\(hidden.name.prefix(2))*", "\(hidden.word.prefix(3))*", "\(hidden.word)anchor", "U-\(hidden.name)",
        "\(hidden.name.dropLast())x", "*\(hidden.word)*", "\(hidden.word).*pdf",
      ]
    }
  }

  /// All that somebody may know.
  private static var known: [String] {
    [
      "tea", "lamp", "bob", "harbour", "quay", "kept", "Friend", "person 1", "[word 2]", "secret",
      "2024-05-01",
      "plans of [word 2]", "*.pdf", "anchor", ".", "^s", "(?i)GHP", "nobody",
    ] + MessageQuery.things + MessageQuery.states + MessageQuery.kinds
  }

  private static var values: [String] { guesses + known }

  /// Every term of the language with some values.
  private static func terms(_ values: [String]) -> [String] {
    func quoted(_ value: String) -> String { "\"\(value)\"" }
    let terms = QueryTerm.Key.allCases.flatMap { key in values.map { "\(key.rawValue):\(quoted($0))" } }
    return terms + values.map(quoted) + values.filter { !$0.contains(":") }
  }

  /// Every term with every value, plain and left out, and with guesses beside other words, too; in the short form some of those
  /// that are more than a guess alone.
  private static func queries() -> [String] {
    let guessed = terms(guesses)
    let others =
      terms(known).flatMap { [$0, "-\($0)"] } + guessed.flatMap { ["-\($0)", "tea OR \($0)", "tea -\($0)"] }
    var dice = SeededGenerator(seed: 61)
    return guessed + some(others, by: &dice)
  }

  /// In the short form of the tests some of many, by chance, else all.
  private static func some<T>(_ all: [T], by dice: inout SeededGenerator) -> [T] {
    isLong ? all : all.filter { _ in dice.next() % 5 == 0 }
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  @Test func `over HTTP every term of the language is answered alike, whatever is hidden`() throws {
    let (first, second) = (try World(Self.one), try World(Self.other))
    for query in Self.queries() {
      let path = "hits?counts=true&words=\(Self.escaped(query))"
      let (a, b) = (try first.get(path), try second.get(path))
      #expect(a == b, "\(query)")
      if a != b { return }
    }
  }

  private static let paths = [
    "page?limit=5&filter.matching=", "page?limit=0&filter.matching=",
    "page?at=oldest&limit=2&filter.matching=", "groups?by=sender&filter.matching=",
    "groups?by=hour&filter.matching=", "shared?filter.matching=", "shared?sort=files&filter.matching=",
    "best?words=", "page?filter.regex=", "hits?regex=",
    "senders?named=", "conversations?named=", "people?named=", "sessions?words=",
    "hits?words=tea&conversations=",
    "hits?words=tea&person=", "days?person=", "page?filter.senders=", "page?filter.saved=",
    "conversation?conversation=", "conversation?conversation=quay&knownAs=",
    "conversations?newest=true&after=",
  ]

  @Test func `over HTTP every question is answered alike, whatever is hidden`() throws {
    let (first, second) = (try World(Self.one), try World(Self.other))
    var dice = SeededGenerator(seed: 62)
    for path in Self.paths {
      let isQuery = path.hasSuffix("matching=") || path.hasSuffix("words=")
      let others = Self.known + (isQuery ? Self.values.map { "-\"\($0)\"" } : [])
      for value in Self.guesses + Self.some(others, by: &dice) {
        let asked = path + Self.escaped(value)
        let (a, b) = (try first.get(asked), try second.get(asked))
        #expect(a == b, "\(path)\(value)")
        #expect(!a.contains("is not one of its parameters"), "the test is of something: \(a)")
        if a != b { return }
      }
    }
  }

  @Test func `lists are alike, whatever is hidden`() throws {
    let (first, second) = (try World(Self.one), try World(Self.other))
    for path in [
      "page", "page?detail=whole", "conversations?order=name", "conversations?newest=true&order=newest",
      "senders",
      "senders?order=newest", "people", "days", "groups?by=sender", "groups?by=person",
      "groups?by=conversation",
      "statistics", "filters", "threads", "sessions", "usage", "usage?by=project", "shared",
      "shared?sort=files",
      "anniversaries?day=2030-05-01",
      "page?marks=true", "hits?words=tea&marks=true&context=2",
    ] {
      let (a, b) = (try first.get(path), try second.get(path))
      #expect(a == b, "\(path)")
      for hidden in [Self.one, Self.other] {
        for text in [hidden.name, hidden.word, hidden.token] {
          #expect(!a.contains(text), "\(path): \(text)")
        }
      }
    }
  }

  @Test func `agents are answered alike, whatever is hidden`() throws {
    let (first, second) = (try World(Self.one), try World(Self.other))
    var calls: [(tool: String, arguments: [String: Any])] = []
    // What the terms mean is the same for both: `over HTTP every term …` has their combinations.
    var dice = SeededGenerator(seed: 63)
    for query in Self.some(Self.terms(Self.guesses).flatMap({ [$0, "-\($0)"] }), by: &dice) {
      calls.append(("search_messages", ["words": query]))
    }
    for value in Self.guesses + Self.some(Self.known, by: &dice) {
      calls += [
        ("search_messages", ["regex": value]), ("answer_question", ["words": value]),
        ("count_messages", ["by": "sender", "filter": ["matching": value]]),
        ("read_messages", ["filter": ["matching": value]]),
        ("read_messages", ["filter": ["senders": [value]]]),
        ("list_shared", ["sort": "links", "filter": ["regex": value]]), ("list_senders", ["named": value]),
        ("list_conversations", ["named": value]), ("list_people", ["named": value]),
        ("list_sessions", ["words": value]), ("list_days", ["person": value]),
        ("find_file_changes", ["file": value]), ("find_failures", ["error": value]),
        ("add_up_usage", ["words": value]),
        ("read_messages", ["conversations": [value]]), ("list_threads", ["conversations": [value]]),
      ]
    }
    calls += [
      ("list_conversations", [:]), ("list_senders", [:]), ("get_statistics", [:]), ("read_messages", [:]),
    ]
    let (a, b) = (try first.call(calls), try second.call(calls))
    #expect(a.count == calls.count && b.count == calls.count)
    for (index, call) in calls.enumerated() where a[index] != b[index] {
      Issue.record("\(call): \(a[index]) and \(b[index])")
      return
    }
  }

  // MARK: Bisection

  /// Returns as much of a text as somebody finds out letter by letter, by whether the answer to one guess is unlike all others.
  private func found(
    after start: String, of letters: String, _ answers: ([String]) throws -> [String]
  ) throws -> String {
    var known = start
    while known.count < start.count + 6 {
      let guesses = letters.map { known + String($0) }
      let told = zip(guesses, try answers(guesses)).map { $1.replacing($0, with: "GUESS") }
      let counts = Dictionary(told.map { ($0, 1) }, uniquingKeysWith: +)
      let rare = zip(letters, told).filter { counts[$1] == 1 }
      guard rare.count == 1, counts.count == 2, let letter = rare.first?.0 else { break }
      known.append(letter)
    }
    return String(known.dropFirst(start.count))
  }

  @Test func `nothing is found out letter by letter`() throws {
    let world = try World(Self.one)
    let letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"
    let names = letters.lowercased().filter(\.isLetter)
    let oracles: [(start: String, letters: String, question: (String) -> String)] = [
      ("^ghp_", letters, { "hits?counts=true&regex=\($0)" }),
      ("ghp_", letters, { "page?limit=0&regex=\($0)" }),
      ("ghp_", letters, { "hits?words=-regex%3A\($0)" }), ("", names, { "hits?words=from%3A\($0)" }),
      ("", names, { "hits?words=from%3A\($0)*" }), ("", names, { "hits?counts=true&words=\($0)*" }),
      ("", names, { "best?words=\($0)" }), ("", names, { "senders?named=\($0)*" }),
      ("", names, { "conversations?named=plans*of*\($0)*" }), ("", names, { "hits?words=file%3A\($0)*" }),
      ("plans of ", names, { "conversations?after=\(Self.escaped($0))" }),
    ]
    for oracle in oracles {
      let found = try found(after: oracle.start, of: oracle.letters) { guesses in
        try guesses.map { try world.get(oracle.question($0)) }
      }
      let hidden = [Self.one.name, Self.one.word, String(Self.one.token.dropFirst(4))]
      #expect(!hidden.contains { !found.isEmpty && $0.hasPrefix(found) }, "\(oracle.question("?")): \(found)")
    }
    let agents = try found(after: "^ghp_", of: letters) { guesses in
      try world.call(guesses.map { ("search_messages", ["regex": $0]) })
    }
    #expect(agents == "")
  }

  // MARK: What is shown

  /// The texts that a query finds, newest first, and how many there are.
  private func hits(_ query: String, _ world: World) throws -> (texts: [String], total: Int) {
    let answer = try world.fixture.get("api/hits?counts=true&words=\(Self.escaped(query))")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    let hits = try #require(object["hits"] as? [[String: Any]], "\(object)")
    return (hits.compactMap { $0["text"] as? String }, object["total"] as? Int ?? -1)
  }

  /// Queries, and how many messages each finds.
  private static let shown = [
    ("tea", 4), ("lamp tea", 1), ("tea OR lamp", 5), ("from:bob tea", 3), ("from:\"person 1\"", 3),
    ("tea from:\"person 1\"", 1), ("person 1", 1), ("\"person 1\" boils", 1), ("[word 2]", 3),
    ("has:link", 2),
    ("regex:open", 1), ("regex:github-token", 3), ("file:tide*", 1), ("has:attachment", 2),
    ("in:\"plans of [word 2]\"", 2),
    ("in:\"person 1\"", 1),
    // A text that hides nothing may be without a word; of one that does it is not known.
    ("-tea", 2), ("-regex:tea", 2), ("lamp -tea", 1), ("-regex:^ghp_a", 5), ("anchor", 1), ("-from:bob", 6),
    ("kettle", 0), ("regex:kettle", 0), ("kettle*", 0), ("ghp*", 0), ("is:starred", 0),
  ]

  @Test func `visible words, stand-ins and names of stand-ins are found and counted`() throws {
    let world = try World(Self.one)
    // What has been shown has numbers.
    _ = try world.get("page")
    for (query, count) in Self.shown {
      let found = try hits(query, world)
      #expect(found.texts.count == count && found.total == count, "\(query): \(found)")
    }
  }
}

import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

#if PCRE2
  @Suite struct PatternTextTests {
    @Test(arguments: [
      ("error [0-9]+", "error"), ("[#e]rror", "rror"), ("fo+bar", "bar"), ("foob?ar", "foo"),
      (#"\bkettle\b"#, "kettle"), ("kettle{0,2}", "kettl"), ("kettle{2}", "kettl"), ("x{0}kettle", "kettle"),
      ("(?i)Kettle", "Kettle"), ("(?i)straße", "stra"), ("straße", "straße"), ("(?<=kettle) tea", "tea"),
      ("(kettle|lighthouse)s", "kettle lighthouse"), ("(?<a>tea+pot)?kettle", "kettle"),
      (#"ket\.tle"#, "ket"), (#"[\]a]kettle[^]x]"#, "kettle"), ("[[:alpha:]]kettle", "kettle"),
      (#"\p{Lu}\pL[\p{Lu}]kettle"#, "kettle"), ("kettle|teapot", "kettle teapot"), ("kettle 日本語", "kettle"),
      ("日本語|tea", "日本語 tea"), ("a{3}kettle*?", "kettl"), ("(((tea)))+", "tea"), ("(?>tea)", "tea"),
    ])
    func `what an expression must find is read from it`(pattern: String, expected: String) {
      #expect(PatternTexts.of(pattern)?.map(\.text).joined(separator: " ") == expected)
    }

    @Test(arguments: [
      "", "te", "te|kettle", "kettle|", "(kettle)?", "(kettle){0,3}", "[kettle]+", "(?=kettle)x",
      "(?!kettle)",
      #"\Qkettle\E"#, "(?x)ket tle", "kettle(?i)x", #"ke\x74tle"#, "(*UTF)kettle", "(?#x)kettle", "日x",
      "(?i)日本",
      "kettle(?1)", "(?|kettle)", "(?(1)kettle)", "kettle{,3}", "kettle)", "(kettle", "[kettle", "(?i)привет",
      String(repeating: "(", count: 40) + "kettle" + String(repeating: ")", count: 40),
      (1...9).map { "kettle\($0)" }.joined(separator: "|"),
    ])
    func `what is not surely understood requires nothing`(pattern: String) {
      #expect(PatternTexts.of(pattern) == nil)
    }

    @Test func `signs that are the same letter in any case are the same word of the index`() throws {
      let all = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init).filter { $0.value > 0 }
      let text = String(String.UnicodeScalarView(all))
      for sign in "abcdefghijklmnopqrstuvwxyz0123456789" {
        let found = TextPattern.alike(try TextPattern("(?i)\(sign)"), in: text)
        #expect(found.count >= (sign.isNumber ? 1 : 2))
        for other in found {
          #expect(try MarkingTable.shared.get().words(of: other) == [String(sign)], "\(sign) \(other)")
        }
      }
    }
  }

  extension TextPattern {
    fileprivate static func alike(_ pattern: TextPattern, in text: String) -> [String] {
      pattern.ranges(in: text).map { range in
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        return String(text[start..<text.utf8.index(start, offsetBy: range.count)])
      }
    }
  }
#endif

@Suite struct PatternCandidateTests {
  private static let words = [
    "kettle", "Kettle", "KETTLE", "kétTle", "straße", "STRASSE", "привет", "Привет", "ПРИВЕТ", "ёлка", "елка",
    "日本語", "日本", "本語", "カタカナ", "ไทยคำ", "한국어", "ﬁsh", "fish", "ſun", "sun", "\u{212A}elvin", "Kelvin", "naïve",
    "nai\u{308}ve", "x1y2", "foo_bar", "don't", "क्षि", "अनुच्छेद", "İstanbul", "ıstanbul", "\u{E000}kettle", "שלום",
    "سلام",
  ]
  private static let gaps = ["", "", " ", " ", ", ", "-", "_", "\n", "。", "\u{301}", "\u{93F}"]

  private static func text(_ dice: inout Dice) -> String {
    (0...Int.random(in: 0...4, using: &dice)).map { _ in
      (words.randomElement(using: &dice) ?? "") + (gaps.randomElement(using: &dice) ?? "")
    }.joined()
  }

  /// A part of a word, as an expression for it.
  private static func literal(_ dice: inout Dice) -> String {
    let signs = Array((words.randomElement(using: &dice) ?? "").unicodeScalars)
    let start = Int.random(in: 0..<signs.count, using: &dice)
    let part = signs[start..<Int.random(in: start..<signs.count, using: &dice) + 1]
    return String(String.UnicodeScalarView(part))
  }

  private static func pattern(_ dice: inout Dice, depth: Int = 2) -> String {
    let parts = (0...Int.random(in: 0...3, using: &dice)).map { _ in
      switch Int.random(in: 0...11, using: &dice) {
      case 0...4: literal(&dice)
      case 5:
        [".", ".*", #"\b"#, #"\w+"#, "[a-z]", "[^x]", "^", "$", #"\s"#, "[[:alpha:]]"].randomElement(
          using: &dice) ?? ""
      case 6: literal(&dice) + (["?", "*", "+", "{2}", "{0,1}", "+?"].randomElement(using: &dice) ?? "")
      case 7 where depth > 0: "(\(pattern(&dice, depth: depth - 1))|\(literal(&dice)))"
      case 8 where depth > 0: "(?:\(pattern(&dice, depth: depth - 1)))?"
      case 9 where depth > 0: "(?=\(pattern(&dice, depth: depth - 1)))"
      default: literal(&dice)
      }
    }
    return parts.joined()
  }

  private static func store(_ dice: inout Dice, kinds: [Message.Kind]) throws -> TemporaryStore {
    let temporary = try TemporaryStore(
      options: StoreOptions(durability: .process, readerCount: 3), clock: minute(0))
    var batch = ImportBatch()
    for number in 0..<400 {
      batch.add(
        text(&dice), at: minute(number), in: "room \(number % 3)",
        kind: kinds.randomElement(using: &dice) ?? .text)
    }
    batch.add(String(repeating: "y", count: 40_000) + "kettle", at: minute(400), in: "room 0")
    batch.add(String(repeating: "日 ", count: 70_000) + "kettle", at: minute(401), in: "room 1")
    try temporary.store.load([batch])
    let room = try #require(try temporary.store.conversation(named: "room 0")).id
    try temporary.store.append((0..<20).map { _ in NewMessage(text(&dice)) }, to: room)
    return temporary
  }

  @Test(arguments: UInt64(0)..<(isLong ? 40 : 4))
  func `an expression finds the same with the index as by a look at each text`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let kinds: [Message.Kind] = seed % 2 == 0 ? [.text, .text, .action, .join, .quit] : [.text]
    let temporary = try Self.store(&dice, kinds: kinds)
    let store = temporary.store
    let messages = try store.messages(pageSize: 1_000)
    let texts = try messages.map { try store.text(of: $0.id) ?? $0.text }
    let room = try #require(try store.conversation(named: "room 1")).id
    var helpedCount = 0
    for _ in 0..<(isLong ? 200 : 60) {
      let pattern = (Int.random(in: 0...2, using: &dice) == 0 ? "(?i)" : "") + Self.pattern(&dice)
      guard let finder = try? ExpressionFinder(pattern) else { continue }
      let expected = zip(messages, texts).filter { finder.matches($0.1) == true }.map(\.0)
      if try store.reading("", { try store.senderNames.candidates.of(.regex(pattern), in: $0) }) != nil {
        helpedCount += 1
      }
      for selection in [
        .everything, Selection(room), Selection(.all, where: .kind([.text, .join])),
        Selection(.all, where: .ids(messages[100].id...messages[300].id)),
      ] {
        let wanted = expected.filter(selection.contains).map(\.id)
        var found: [Message.ID] = []
        try store.search(for: .regex(pattern), in: selection) { hits in
          found += hits.map(\.id)
          return true
        }
        #expect(found == wanted.reversed(), "\(pattern) in \(selection)")
        let page = try store.hits(.regex(pattern), in: selection, limit: 10)
        #expect(page.hits.map(\.id) == Array(wanted.suffix(10).reversed()), "\(pattern) in \(selection)")
        #expect(try store.hitCount(.regex(pattern), in: selection) == wanted.count, "\(pattern)")
      }
    }
    #if PCRE2
      #expect(helpedCount > 5)
    #endif
  }

  @Test(arguments: 0...2)
  func `letters that no word has are in long texts at most`(longCount: Int) throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let long = String(repeating: "y", count: 40_000) + "kettle"
    let ids = try store.append((0..<3).map { NewMessage($0 < longCount ? long : "tea") }, to: room)
    for pattern in ["[k]?ettle", "lighthouse"] {
      let expected = pattern == "lighthouse" ? [] : Array(ids.prefix(longCount).reversed())
      var found: [Message.ID] = []
      try store.search(for: .regex(pattern)) { hits in
        found += hits.map(\.id)
        return true
      }
      #expect(found == expected)
      #expect(try store.hits(.regex(pattern)).hits.map(\.id) == expected)
    }
  }

  @Test func `the words of an index are read from its pages, however many segments it has`() throws {
    var dice = Dice(seed: 1)
    let temporary = try Self.store(&dice, kinds: [.text])
    let store = temporary.store
    let room = try #require(try store.conversation(named: "room 2")).id
    for number in 0..<40 {
      try store.append((0..<30).map { NewMessage("w\(number)x\($0) " + Self.text(&dice)) }, to: room)
      try store.reading("") { db in
        for table in SearchTable.allCases {
          try WordBeginnings.makeList(of: table, in: db)
          let expected = try RawStatement(db, "SELECT DISTINCT term FROM temp.words_of_\(table.name)").map {
            $0.text(0)
          }
          var words: Set<String> = []
          try SegmentWords(table: table, db: db).each { words.insert(String(decoding: $0, as: UTF8.self)) }
          #expect(words == Set(expected))
        }
      }
    }
  }
}

import MessageModel
import MessageSourceTesting
import MessageStorage

/// Searches, within the library and as whole processes against ripgrep over the same history as text.
struct SearchScenarios {
  let setting: Setting
  private let store: SynchronousMessageStore
  private let words: (rare: String, common: String, spaceless: String)

  init(setting: Setting) throws {
    self.setting = setting
    store = try SynchronousMessageStore(path: try setting.store(), options: StoreOptions(access: .readOnly))
    words = try Self.words(of: store, size: setting.size)
  }

  func run() throws -> [Finding] {
    let hits = [
      try newestHits("newest 50 hits of a common word", words.common),
      try newestHits("newest 50 hits of a rare word", words.rare),
      try newestHits("newest 50 hits of two characters of a script without spaces", words.spaceless),
      try newestHits("newest 50 hits of words that begin with a letter", "\(words.common.prefix(1))*"),
      try newestHits("newest 50 hits of a phrase", try phrase()),
    ]
    return hits + (try inSmallConversation()) + [try ripgrep(), try expression()]
  }

  /// The rarest and the commonest of some words that stand somewhere in the history, and two characters of Chinese or
  /// Japanese.
  private static func words(
    of store: SynchronousMessageStore, size: Int
  ) throws -> (rare: String, common: String, spaceless: String) {
    var dice = SeededGenerator(seed: 3)
    var counted: [(word: String, count: Int)] = []
    var spaceless: String?
    // A common word of a vast history is counted for seconds.
    let countedDraws = size > Setting.textLimit ? 12 : 120
    for draw in 0..<2_000 where draw < countedDraws || spaceless == nil {
      let ordinal = Int(dice.next() % UInt64(max(size, 1)))
      let page = try store.page(
        PageRequest(.everything, anchor: .ordinal(ordinal), fetchLimit: 1, wantsCounts: false))
      let words = page.messages.first?.text.split { !$0.isLetter } ?? []
      spaceless =
        spaceless ?? words.first { $0.count > 3 && $0.allSatisfy(\.isSpaceless) }.map { "\($0.prefix(2))" }
      let plain = words.filter { $0.utf8.count > 3 && $0.utf8.allSatisfy { $0 < 128 } }
      guard draw < countedDraws, let word = plain.randomElement(using: &dice) else { continue }
      counted.append((String(word), try store.hitCount(.matching(String(word)))))
    }
    let ordered = counted.filter { $0.count > 0 }.sorted { $0.count < $1.count }
    guard let rare = ordered.first, let common = ordered.last, let spaceless else {
      throw StoreError(.notFound, "there is no word to search for")
    }
    print(
      toStandardError:
        "rare: \(rare.word) (\(rare.count)), common: \(common.word) (\(common.count)), \(spaceless)")
    return (rare.word, common.word, spaceless)
  }

  /// The words that stand most often beside each other where the common one does.
  private func phrase() throws -> String {
    let hits = try store.page(
      PageRequest(Selection.everything.matching(words.common), fetchLimit: 1_000, wantsCounts: false))
    var counts: [String: Int] = [:]
    for message in hits.messages {
      let words = message.text.lowercased().split { !$0.isLetter }
      for (word, next) in zip(words, words.dropFirst()) { counts["\"\(word) \(next)\"", default: 0] += 1 }
    }
    guard let phrase = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else {
      throw StoreError(.notFound, "there is no phrase to search for")
    }
    return phrase.key
  }

  private func newestHits(_ name: String, _ word: String) throws -> Finding {
    var ours = Measurement()
    let selection = Selection.everything.matching(word)
    for _ in 0..<setting.depth.times(201) {
      _ = try ours.time { try store.page(PageRequest(selection, fetchLimit: 50, wantsCounts: false)) }
    }
    return Finding(name: name, ours: ours)
  }

  private func inSmallConversation() throws -> [Finding] {
    guard (setting.size >= 100_000 && !setting.isVast) || setting.depth == .trial else { return [] }
    let many = try SynchronousMessageStore(
      path: try setting.store(conversations: 1_000), options: StoreOptions(access: .readOnly))
    guard
      let smallest = try many.conversations().filter({ $0.messageCount > 0 }).min(by: {
        $0.messageCount < $1.messageCount
      })
    else { return [] }
    return try [("common", words.common), ("rare", words.rare)].map { name, word in
      var ours = Measurement()
      let selection = Selection(smallest.id).matching(word)
      for _ in 0..<setting.depth.times(201) {
        _ = try ours.time { try many.page(PageRequest(selection, fetchLimit: 50, wantsCounts: false)) }
      }
      return Finding(
        name: "newest 50 hits of a \(name) word in a small one of 1,000 conversations", ours: ours)
    }
  }

  private func ripgrep() throws -> Finding {
    try compare("search of a rare word, whole process", [words.rare], pattern: words.rare, flags: "-iw")
  }

  private func expression() throws -> Finding {
    let pattern = "[\(words.rare.prefix(1))#]" + words.rare.dropFirst() + "[a-z]*"
    return try compare(
      "search of a regular expression, whole process", ["--regex", pattern], pattern: pattern, flags: "-i")
  }

  private func compare(_ name: String, _ words: [String], pattern: String, flags: String) throws -> Finding {
    var ours = Program(setting.scrollback, arguments: ["search", "--store", try setting.store()] + words)
    ours.output = setting.path("ours.txt")
    guard !setting.isVast else { return try Program.measure(name, ours, times: setting.depth.times(3)) }
    let text = try setting.text()
    var theirs = Program.installed("rg").map { Program($0, flags, pattern, text) }
    theirs?.output = setting.path("theirs.txt")
    return try Program.compare(
      name, ours, with: theirs, named: "ripgrep over the text",
      times: setting.depth.times(setting.size > 1_000_000 ? 5 : 11))
  }
}

extension Selection {
  /// Returns those of the messages in which a word stands.
  fileprivate func matching(_ word: String) -> Selection {
    Selection(conversations, where: .matching(word))
  }
}

extension Character {
  /// Whether it is a kana or one of the common Chinese characters, which stand without spaces between words.
  fileprivate var isSpaceless: Bool {
    unicodeScalars.allSatisfy { "\u{3040}"..."\u{30FF}" ~= $0 || "\u{4E00}"..."\u{9FFF}" ~= $0 }
  }
}

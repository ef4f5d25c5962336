internal import GRDB
internal import MessageModel
internal import WordForms

struct QuestionWord {
  /// Folded as in the index.
  let text: String
  var forms: [String]
  /// Whether it is of a script without spaces.
  var isRun = false
  var senders: Set<Int64> = []
  /// Whether the store has no form of it, and ``forms`` are the nearest words.
  var isRespelt = false

  /// Also finds words that begin with the stem.
  func query(beginningWith stem: String) -> SearchQuery {
    let beginning = String(zip(text, stem).prefix { $0 == $1 }.map(\.0))
    guard !isRun, beginning.count >= StemmedWords.leastBeginning else { return query }
    return .any(forms.map { SearchQuery.phrase($0, isPrefix: false) } + [.phrase(beginning, isPrefix: true)])
  }

  var query: SearchQuery {
    let parts = (isRun ? [text] : forms).map { SearchQuery.phrase($0, isPrefix: false) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }
}

/// The words of a question, except common ones.
struct QuestionWords {
  let language: WordLanguage
  private(set) var words: [QuestionWord] = []
  /// The common words, which bring no candidates.
  private(set) var common: [QuestionWord] = []
  let time: QuestionTime?
  /// Whether the question asks for a time.
  let asksWhen: Bool

  static let limit = 32
  private static let partLimit = 400
  private static let timeLimit = 2_000

  /// - Parameter language: `nil` to recognise it by common words.
  init(
    _ text: String, language: WordLanguage?, now: Timestamp, in db: Database, names: SenderNames
  ) throws {
    let (plain, runs) = try Self.parts(of: text)
    let stems = names.stems
    self.language =
      try language ?? .toldByCommonWords(among: plain) ?? Self.language(of: plain, stems, in: db)
    time = QuestionTime(String(text.prefix(Self.timeLimit)), self.language, now: now)
    asksWhen = Self.asksWhen(text, self.language, now: now)
    try take(plain, runs) { [language = self.language] in try stems.forms(of: $0, language, in: db) }
    addSenders(try Self.names(in: db))
    for (index, word) in words.enumerated() where !word.isRun && word.senders.isEmpty {
      let near = try stems.spellings(of: word.text, word.forms, self.language, in: db)
      if !near.isEmpty { (words[index].forms, words[index].isRespelt) = (near, true) }
    }
  }

  /// Does not use the store's words.
  init(_ text: String, language: WordLanguage?, now: Timestamp, senders: [SenderSummary]) throws {
    let (plain, runs) = try Self.parts(of: text)
    self.language = language ?? .told(by: plain)
    time = QuestionTime(String(text.prefix(Self.timeLimit)), self.language, now: now)
    asksWhen = Self.asksWhen(text, self.language, now: now)
    let stemmer = Stemmer(self.language)
    take(plain, runs) { ([$0] + stemmer.irregularForms(of: $0)) }
    addSenders(
      senders.prefix(Self.senderLimit).map { summary in
        let id = summary.sender.id.rawValue
        return SenderName(
          sender: id, name: summary.sender.name, group: summary.aliasOf?.rawValue ?? id)
      })
  }

  /// The words that the store has in place of some of the question, which it does not have.
  var respelt: [String: [String]] {
    Dictionary(
      words.filter(\.isRespelt).map { ($0.text, $0.forms) }, uniquingKeysWith: { first, _ in first })
  }

  private static func asksWhen(_ text: String, _ language: WordLanguage, now: Timestamp) -> Bool {
    let first = text.split(maxSplits: 3) { !$0.isLetter && !$0.isNumber }.prefix(3)
    return TimePhrase(first.map { FoldedLetters.folded(String($0)) }, language, now: now).asksWhen
  }

  /// Finds the words in texts, the common ones last.
  var finder: QuestionWordFinder {
    QuestionWordFinder(words, common: common, dates: asksWhen ? TimePhrase.dates(in: language) : [])
  }

  mutating func setForms(_ forms: [String], of index: Int) { words[index].forms = forms }

  private static func parts(of text: String) throws -> (plain: [String], runs: [String]) {
    var (plain, runs): ([String], [String]) = ([], [])
    for part in text.split(whereSeparator: \.isWhitespace).prefix(partLimit) {
      let (rest, signs) = parted(part)
      runs += signs.filter { !runs.contains($0) }
      for word in try MarkingTable.shared.get().words(of: rest).sorted() where !plain.contains(word) {
        plain.append(word)
      }
    }
    return (plain, runs)
  }

  private mutating func take(
    _ plain: [String], _ runs: [String], forms: (String) throws -> [String]
  ) rethrows {
    let common = CommonWords.of(language)
    let telling = plain.filter { !common.contains($0) }
    // If all words are common, they are searched for.
    let asked = telling.isEmpty && runs.isEmpty ? plain : telling
    var seen: Set<String> = []
    for word in asked where words.count < Self.limit && !seen.contains(word) {
      let forms = try forms(word)
      seen.formUnion(forms)
      words.append(QuestionWord(text: word, forms: forms))
    }
    let rest = plain.filter { common.contains($0) && !asked.contains($0) }
    self.common = rest.prefix(max(0, Self.limit - words.count - runs.count)).map {
      QuestionWord(text: $0, forms: [$0])
    }
    words += runs.prefix(Self.limit - words.count).map { QuestionWord(text: $0, forms: [], isRun: true) }
  }

  /// The number of words that decide on the language.
  private static let tellingWords = 6

  /// For questions without common words: returns the language in which the store has other forms of the most
  /// words, or else English.
  private static func language(
    of words: [String], _ stems: StemmedWords, in db: Database
  ) throws -> WordLanguage {
    var best: (language: WordLanguage, count: Int)?
    // English comes first.
    for language in WordLanguage.known {
      let count = try words.prefix(tellingWords).count { try stems.forms(of: $0, language, in: db).count > 1 }
      if count > best?.count ?? -1 { best = (language, count) }
    }
    return best?.language ?? .english
  }

  /// Splits off scripts without spaces: their word boundaries are unknown, so adjacent pairs are searched.
  private static func parted(_ part: Substring) -> (rest: String, signs: [String]) {
    var (rest, run, pairs) = ("", [Character](), [String]())
    func end() {
      if run.count == 1 { pairs.append(String(run)) }
      for index in run.indices.dropLast() { pairs.append(String(run[index...(index + 1)])) }
      run = []
    }
    for character in part {
      let isSign = character.unicodeScalars.allSatisfy(UnspacedScripts.contains)
      if isSign, character.unicodeScalars.first?.isOfWords == true {
        run.append(character)
      } else {
        end()
        rest.append(isSign ? " " : character)
      }
    }
    end()
    return (rest, pairs)
  }

  private static let senderLimit = 20_000

  /// A name of a sender, with the group of senders who are the same: an account's names, a person's accounts.
  private struct SenderName {
    var sender: Int64
    var name: String
    var group: Int64
  }

  private static func names(in db: Database) throws -> [SenderName] {
    let own = try RawStatement(
      db, "SELECT id, name, ifnull(alias_of, id) FROM sender ORDER BY id LIMIT ?1", senderLimit
    ).map { SenderName(sender: $0.int(0), name: $0.text(1), group: $0.int(2)) }
    let people = try RawStatement(
      db,
      """
      SELECT sender.id, person.name, person.id FROM sender CROSS JOIN person_account AS account
        ON account.external = sender.external AND account.name = iif(sender.external = '', sender.name, '')
        CROSS JOIN person ON person.id = account.person
      """
    ).map { SenderName(sender: $0.int(0), name: $0.text(1), group: -$0.int(2)) }
    guard !people.isEmpty else { return own }
    let names = Dictionary(own.map { ($0.sender, $0.name) }, uniquingKeysWith: { first, _ in first })
    return own + people
      + people.compactMap { linked in
        names[linked.sender].map { SenderName(sender: linked.sender, name: $0, group: linked.group) }
      }
  }

  /// Messages by a sender whose name is in the question are candidates and count as matches, under any of the
  /// sender's names.
  private mutating func addSenders(_ names: [SenderName]) {
    var indexes: [String: Int] = [:]
    for (index, word) in words.enumerated() where !word.isRun {
      indexes[FoldedLetters.folded(word.text)] = index
    }
    guard !indexes.isEmpty else { return }
    let letters = FoldedLetters()
    var named: [Int64: UInt32] = [:]
    for name in names {
      for word in Self.parts(ofName: name.name, letters) {
        if let index = indexes[word] { named[name.group, default: 0] |= 1 << UInt32(index) }
      }
    }
    guard !named.isEmpty else { return }
    for name in names {
      guard let bits = named[name.group] else { continue }
      for index in words.indices where bits & 1 << UInt32(index) != 0 {
        words[index].senders.insert(name.sender)
      }
    }
  }

  /// The words of a name, and their parts: `HeatherTurner42` is also `heather`, `turner` and `heatherturner`.
  private static func parts(ofName name: String, _ letters: FoldedLetters) -> [String] {
    var parts = QuestionWordFinder.words(of: name, letters)
    for word in parts {
      let bare = word.prefix { !$0.isNumber }
      if bare.count < word.count, bare.count >= leastPart { parts.append(String(bare)) }
    }
    let humps = name.split { !$0.isLetter }.flatMap(humps)
    return parts + humps.filter { $0.count >= leastPart }.map(FoldedLetters.folded)
  }

  private static let leastPart = 3

  /// The parts of a word that begin with a capital after a small letter; none if it has one part only.
  private static func humps(of word: Substring) -> [String] {
    var humps: [String] = [""]
    var before: Character = "A"
    for letter in word {
      if letter.isUppercase, before.isLowercase { humps.append("") }
      humps[humps.count - 1].append(letter)
      before = letter
    }
    return humps.count > 1 ? humps : []
  }
}

internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

/// A query as somebody types it, asked of a small store: it is answered or refused, and its answers agree with each
/// other, with those to its contrary, and with what plain words mean.
final class FuzzedQuery: Sendable {
  static let shared = FuzzedQuery()

  private let store: SynchronousMessageStore
  private let all: [Message]

  private init() {
    let path = SampleStore.place()
    guard let store = try? SampleStore.opened(path, .readWrite),
      let page = try? store.page(PageRequest(.everything, anchor: .oldest, fetchLimit: 1_000))
    else { mistake("The sample cannot be opened.") }
    self.store = store
    all = page.messages
  }

  func ask(_ text: String) {
    checkWords(text)
    guard let query = read(text) else { return }
    checkReadingAgain(query)
    var compiler = QueryCompiler(store, now: SampleStore.now, clock: WallClock(zone: .gmt))
    guard let predicate = attempt({ try compiler.predicate(query) }) else { return }
    guard let found = answer(predicate) else { return }
    checkSearch(predicate, found)
    let contrary = answer(.not(predicate))
    // What takes too long on a message is in neither.
    guard store.takeCostlyMessages().isEmpty, let contrary else { return }
    expect(found.isDisjoint(with: contrary), "A message is found by a query and by its contrary.")
    expect(found.count + contrary.count == all.count, "A message is found neither so nor so.")
  }

  /// A query can be written down and read again, but for quotation marks: a value cannot hold them.
  private func checkReadingAgain(_ query: MessageQuery) {
    guard let again = read(query.text), let twice = read(again.text) else {
      return expect(query.text.contains("\"\""), "'\(query.text)' is no query any more.")
    }
    expect(
      again.text == query.text || query.expression.hasQuotes, "'\(query.text)' is read as '\(again.text)'.")
    expect(again == twice, "'\(again.text)' is read as '\(twice.text)'.")
  }

  private func read(_ text: String) -> MessageQuery? { attempt { try MessageQuery(reading: text) } ?? nil }

  /// Returns what a predicate lets through, asked for in several ways; `nil` if that is refused.
  private func answer(_ predicate: MessagePredicate) -> Set<Message.ID>? {
    let selection = Selection(.all, where: predicate)
    guard let whole = pages(of: selection, limit: 1_000), let parts = pages(of: selection, limit: 7) else {
      return nil
    }
    expect(whole == parts, "In parts it is something else.")
    expect(whole == whole.sorted() && Set(whole).count == whole.count, "It is out of order.")
    for place in whole.indices where place.isMultiple(of: 5) {
      let request = PageRequest(selection, anchor: .ordinal(place), fetchLimit: 1, olderShare: 0)
      guard let page = attempt({ try store.page(request) }) else { continue }
      expect(
        page.messages.first?.id == whole[place] || page.counts?.isExact == false, "A number is another's.")
    }
    return Set(whole)
  }

  private func pages(of selection: Selection, limit: Int) -> [Message.ID]? {
    var ids: [Message.ID] = []
    var anchor = PageAnchor.oldest
    // More pages than there can be would be a loop.
    for _ in 0...all.count {
      let request = PageRequest(selection, anchor: anchor, fetchLimit: limit)
      guard let page = attempt({ try store.page(request) }) else { return nil }
      ids += page.messages.map(\.id)
      guard page.hasNewer else { return ids }
      guard let next = page.nextAnchor ?? page.messages.last.map({ .after($0.id) }) else {
        mistake("There is more, but nobody knows where.")
      }
      anchor = next
    }
    mistake("It has no end.")
  }

  /// A search finds what a filter lets through, and marks places that are there.
  private func checkSearch(_ predicate: MessagePredicate, _ found: Set<Message.ID>) {
    guard let page = attempt({ try store.hits(predicate, limit: 1_000, isCancelled: { false }) }) else {
      return
    }
    if store.takeCostlyMessages().isEmpty, page.nextAnchor == nil {
      expect(Set(page.hits.map(\.id)) == found, "A search finds something else.")
      let count = attempt { try store.hitCount(predicate, isCancelled: { false }) }
      expect(count == nil || count == found.count, "It is counted otherwise.")
    }
    for hit in page.hits {
      var end = 0
      for match in hit.matches {
        expect(
          match.lowerBound >= end && match.upperBound <= hit.message.text.utf8.count, "Nothing is there.")
        end = match.upperBound
      }
    }
  }

  // MARK: Plain words

  /// Words alone: nothing typed is a mistake, and what they find is known without an index.
  private func checkWords(_ text: String) {
    guard let found = answer(.matching(text)) else { return }
    guard let query = (try? QueryExpression.reading(text, .words)) ?? nil else {
      return expect(found.isEmpty, "Nothing was asked for, and something was found.")
    }
    // How other letters are folded is for FTS5 to say.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return }
    let meant = all.filter { message in
      guard let whole = attempt({ try store.text(of: message.id) }) ?? nil else { return false }
      return PlainWords.hold(query, for: message.kind.isSearched ? PlainWords.tokens(of: whole) : [])
    }
    expect(
      Set(meant.map(\.id)) == found,
      "'\(text)' finds \(found.count) messages, and plain words find \(meant.count).")
  }
}

extension QueryExpression {
  /// Whether a part of it has a quotation mark in it.
  fileprivate var hasQuotes: Bool {
    switch self {
    case .phrase(let text, _): text.contains("\"")
    case .term(let term): term.value.contains("\"")
    case .not(let inner): inner.hasQuotes
    case .all(let parts), .any(let parts): parts.contains(where: \.hasQuotes)
    }
  }
}

/// What words mean, by looking at each word of a text.
enum PlainWords {
  /// Whether words are what a query asks for.
  static func hold(_ query: QueryExpression, for words: [String]) -> Bool {
    switch query {
    case .phrase(let text, let isPrefix): contains(words, tokens(of: text), isPrefix)
    case .term: mistake("Words have no terms.")
    case .all(let parts): parts.allSatisfy { hold($0, for: words) }
    case .any(let parts): parts.contains { hold($0, for: words) }
    case .not(let inner): !hold(inner, for: words)
    }
  }

  private static func contains(_ words: [String], _ wanted: [String], _ isPrefix: Bool) -> Bool {
    guard !wanted.isEmpty else { return true }
    guard wanted.count <= words.count else { return false }
    return (0...(words.count - wanted.count)).contains { start in
      zip(words[start...], wanted).enumerated().allSatisfy { index, pair in
        isPrefix && index == wanted.count - 1 ? pair.0.hasPrefix(pair.1) : pair.0 == pair.1
      }
    }
  }

  /// The words of a text, case and accents folded, characters of scripts without spaces by themselves.
  static func tokens(of text: String) -> [String] {
    var tokens: [String] = []
    var word = ""
    func end() {
      if !word.isEmpty { tokens.append(word) }
      word = ""
    }
    for scalar in text.folding(options: .diacriticInsensitive, locale: nil).lowercased().unicodeScalars {
      if scalar.value >= 0x2E80, scalar.value < 0xD800 {
        end()
        tokens.append(String(Character(scalar)))
      } else if scalar.isOfWords {
        word.unicodeScalars.append(scalar)
      } else {
        end()
      }
    }
    end()
    return tokens
  }
}

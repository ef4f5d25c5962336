internal import MessageModel
internal import MessageStorage
internal import Redaction

/// A message with what its text shows to others.
struct LookedAtMessage {
  var message: Message
  var text: ShownText
}

/// A condition that is asked of what is shown of messages, by three values (Kleene's): where a hidden place might make it hold, it is
/// unknown, and so is its opposite. It holds for a message whatever stands in the hidden places of that.
struct ShownCondition {
  /// The truth of a condition.
  enum Truth {
    case holds, fails, unknown

    var opposite: Truth {
      switch self {
      case .holds: .fails
      case .fails: .holds
      case .unknown: .unknown
      }
    }
  }

  private indirect enum Part {
    /// By facts that nothing hides: who wrote it where and when, what it has.
    case fact(MessagePredicate)
    case thread(Message.ID)
    case link
    case file(ExpressionFinder)
    case words(PhraseFinder)
    case expression(ExpressionFinder)
    case not(Part)
    case all([Part])
    case any([Part])
  }

  private let part: Part
  /// The messages of the store among which all are for which the condition holds.
  let candidates: MessagePredicate
  /// Whether the candidates are those that the condition itself finds in the original.
  let isProposal: Bool
  /// Whether hidden places do not matter to it.
  let isOfFacts: Bool
  private let redactor: Redactor
  private let original: SynchronousMessageStore

  /// - Throws: ``StoreError`` of kind `invalidRequest` if an expression is wrong, or if there is nothing to look for.
  init(
    _ predicate: MessagePredicate, of original: SynchronousMessageStore, _ redactor: Redactor
  ) throws(StoreError) {
    let read = try Reading(redactor).read(predicate)
    (part, candidates, isOfFacts) = (read.part, read.candidates ?? .everything, read.isOfFacts)
    (self.redactor, self.original, isProposal) = (redactor, original, candidates == predicate)
  }

  /// Returns for which messages the condition holds.
  func holds(for messages: [LookedAtMessage]) throws(StoreError) -> [Bool] {
    try truths(of: part, for: messages).map { $0 == .holds }
  }

  // MARK: Reading

  /// Reads predicates.
  private struct Reading {
    let redactor: Redactor

    init(_ redactor: Redactor) { self.redactor = redactor }

    typealias Result = (part: Part, candidates: MessagePredicate?, isOfFacts: Bool)

    func read(_ predicate: MessagePredicate) throws(StoreError) -> Result {
      switch predicate {
      case .everything: return (.fact(predicate), nil, true)
      case .sender, .conversation, .kind, .ids, .written, .has(.attachment), .has(.reply), .has(.edit),
        .has(.star):
        return (.fact(predicate), predicate, true)
      case .thread(let id): return (.thread(id), predicate, true)
      case .has(.link): return (.link, predicate, false)
      case .file(let pattern): return (.file(try ExpressionFinder(pattern)), .has(.attachment), false)
      // What an expression finds is not what the original has.
      case .regex(let pattern): return (.expression(try ExpressionFinder(pattern)), nil, false)
      case .matching(let text):
        let words = try words(SynchronousMessageStore.wordQuery(text))
        return (words.part, words.findsStandIns ? nil : predicate, false)
      case .not(let inner):
        let read = try read(inner)
        return (.not(read.part), read.isOfFacts ? predicate : nil, read.isOfFacts)
      case .and(let parts):
        let read = try parts.map { part throws(StoreError) in try self.read(part) }
        let candidates = read.compactMap(\.candidates)
        return (
          .all(read.map(\.part)), candidates.isEmpty ? nil : .all(of: candidates),
          read.allSatisfy(\.isOfFacts)
        )
      case .or(let parts):
        let read = try parts.map { part throws(StoreError) in try self.read(part) }
        let candidates = read.compactMap(\.candidates)
        return (
          .any(read.map(\.part)), candidates.count == read.count ? .or(candidates) : nil,
          read.allSatisfy(\.isOfFacts)
        )
      }
    }

    private typealias Words = (part: Part, findsStandIns: Bool)

    private func words(_ query: QueryExpression) throws(StoreError) -> Words {
      switch query {
      case .phrase(let text, let isPrefix):
        let words = Part.words(PhraseFinder(text, isPrefix: isPrefix))
        guard redactor.isStandIn(text) else { return (words, false) }
        let shown = try ExpressionFinder(ExactText.pattern(finding: text, isPrefix: isPrefix))
        return (.any([words, .expression(shown)]), true)
      case .term(let term): return (.words(PhraseFinder(term.value, isPrefix: false)), false)
      case .not(let inner):
        let read = try words(inner)
        return (.not(read.part), read.findsStandIns)
      case .all(let parts):
        let read = try joined(parts).map { part throws(StoreError) in try words(part) }
        return (.all(read.map(\.part)), read.contains(where: \.findsStandIns))
      case .any(let parts):
        let read = try parts.map { part throws(StoreError) in try words(part) }
        return (.any(read.map(\.part)), read.contains(where: \.findsStandIns))
      }
    }

    /// Words in a row that are a stand-in (`person 3`) as one.
    private func joined(_ parts: [QueryExpression]) -> [QueryExpression] {
      var rest = parts[...]
      var joined: [QueryExpression] = []
      while let first = rest.first {
        let run = rest.prefix(Self.longestStandIn).map { part -> String? in
          if case .phrase(let text, false) = part { text } else { nil }
        }
        let texts = run.prefix { $0 != nil }.compactMap(\.self)
        let length = (2...max(texts.count, 2)).reversed().first { length in
          length <= texts.count && redactor.isStandIn(texts.prefix(length).joined(separator: " "))
        }
        if let length {
          joined.append(.phrase(texts.prefix(length).joined(separator: " "), isPrefix: false))
          rest = rest.dropFirst(length)
        } else {
          joined.append(first)
          rest = rest.dropFirst()
        }
      }
      return joined
    }

    /// The most words of a stand-in that are typed without quotes.
    private static let longestStandIn = 6
  }

  // MARK: Asking

  private func truths(of part: Part, for messages: [LookedAtMessage]) throws(StoreError) -> [Truth] {
    switch part {
    case .fact(let predicate): return messages.map { predicate.holds(for: $0.message) ? .holds : .fails }
    case .thread(let id):
      return try messages.map { looked throws(StoreError) in
        try original.threadStart(of: looked.message.id) == id ? .holds : .fails
      }
    case .link:
      return messages.map { looked in
        truth(
          ["http://", "https://"].contains { looked.text.words.contains($0) }, looked.text.isRedacted)
      }
    case .file(let finder): return messages.map { truth(of: finder, forFilesOf: $0.message) }
    case .words(let phrase):
      let found = try phrase.places(in: messages.map(\.text.words))
      return messages.enumerated().map { index, looked in
        guard looked.message.kind.isSearched else { return .fails }
        return truth(found.contains(index), looked.text.isRedacted)
      }
    case .expression(let finder):
      return messages.map { truth(finder.matches($0.text.text), $0.text.isRedacted) }
    case .not(let inner): return try truths(of: inner, for: messages).map(\.opposite)
    case .all(let parts):
      return try joined(parts, for: messages, startingWith: .holds, deciding: .fails)
    case .any(let parts):
      return try joined(parts, for: messages, startingWith: .fails, deciding: .holds)
    }
  }

  private func truth(_ isFound: Bool?, _ isRedacted: Bool) -> Truth {
    isFound == true ? .holds : isRedacted || isFound == nil ? .unknown : .fails
  }

  private func truth(of finder: ExpressionFinder, forFilesOf message: Message) -> Truth {
    let names = message.attachments.map { redactor.look(at: $0.name) }
    return truth(names.contains { finder.matches($0.text) == true }, names.contains(where: \.isRedacted))
  }

  /// Joins parts of which one that is `decisive` decides.
  private func joined(
    _ parts: [Part], for messages: [LookedAtMessage], startingWith start: Truth, deciding decisive: Truth
  ) throws(StoreError) -> [Truth] {
    var truths = messages.map { _ in start }
    for part in parts {
      let open = truths.indices.filter { truths[$0] != decisive }
      if open.isEmpty { break }
      let found = try self.truths(of: part, for: open.map { messages[$0] })
      for (index, truth) in zip(open, found) where truth != start {
        truths[index] = truth == decisive ? decisive : .unknown
      }
    }
    return truths
  }
}

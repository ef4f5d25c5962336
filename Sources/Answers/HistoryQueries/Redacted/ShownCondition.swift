internal import MessageModel
internal import MessageStorage
internal import Redaction

struct LookedAtMessage {
  var message: Message
  var text: ShownText
}

/// A condition on redacted messages in Kleene's three-valued logic. Where hidden text might decide, the
/// condition and its negation are unknown. It holds only if it holds whatever the hidden text is.
struct ShownCondition {
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
    /// Facts that are never hidden: sender, time, place, features.
    case fact(MessagePredicate)
    case thread(Message.ID)
    case link
    case file(ExpressionFinder)
    case forwarded(ExpressionFinder)
    case words(PhraseFinder)
    case expression(ExpressionFinder)
    case not(Part)
    case all([Part])
    case any([Part])
  }

  private let part: Part
  /// The messages of the store that include all matches.
  let candidates: MessagePredicate
  /// Whether the candidates are exactly the condition's matches in the original.
  let isProposal: Bool
  /// Whether hidden text cannot influence it.
  let isOfFacts: Bool
  private let redactor: Redactor
  private let original: SynchronousMessageStore

  /// Throws `invalidRequest` for an invalid or empty expression.
  init(
    _ predicate: MessagePredicate, of original: SynchronousMessageStore, _ redactor: Redactor
  ) throws(StoreError) {
    let read = try Reading(redactor).read(predicate)
    (part, candidates, isOfFacts) = (read.part, read.candidates ?? .everything, read.isOfFacts)
    (self.redactor, self.original, isProposal) = (redactor, original, candidates == predicate)
  }

  func holds(for messages: [LookedAtMessage]) throws(StoreError) -> [Bool] {
    try truths(of: part, for: messages).map { $0 == .holds }
  }

  // MARK: Reading

  private struct Reading {
    let redactor: Redactor

    init(_ redactor: Redactor) { self.redactor = redactor }

    typealias Result = (part: Part, candidates: MessagePredicate?, isOfFacts: Bool)

    func read(_ predicate: MessagePredicate) throws(StoreError) -> Result {
      switch predicate {
      case .everything: return (.fact(predicate), nil, true)
      case .sender, .conversation, .kind, .ids, .written, .has(.attachment), .has(.reply), .has(.edit),
        .has(.star), .has(.forward):
        return (.fact(predicate), predicate, true)
      case .thread(let id): return (.thread(id), predicate, true)
      case .has(.link): return (.link, predicate, false)
      case .file(let pattern): return (.file(try ExpressionFinder(pattern)), .has(.attachment), false)
      case .forwarded(let pattern):
        return (.forwarded(try ExpressionFinder(pattern)), .has(.forward), false)
      // An expression matches other messages in redacted form.
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

    /// Joins the words of a stand-in (`person 3`) into a phrase.
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

    /// The most words of a stand-in typed without quotation marks.
    private static let longestStandIn = 6
  }

  // MARK: Evaluating

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
    case .forwarded(let finder):
      return messages.map { truth(of: finder, in: $0.message.forward?.names ?? []) }
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
    truth(of: finder, in: message.attachments.map(\.name))
  }

  private func truth(of finder: ExpressionFinder, in names: [String]) -> Truth {
    let names = names.map { redactor.look(at: $0) }
    return truth(names.contains { finder.matches($0.text) == true }, names.contains(where: \.isRedacted))
  }

  /// Joins parts, any one of which decides the result if it is `decisive`.
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

package import MessageModel
internal import Synchronization

/// Replaces what rules name, each thing by the same stand-in everywhere.
///
/// Overlapping findings are replaced together, so that no part of them remains. Memory grows with the
/// replaced things and the known names.
package final class Redactor: Sendable {
  /// The ranges that an expression matches, in bytes; `nil` if matching would take too long.
  package typealias Matcher = @Sendable (String) -> [Range<Int>]?

  package let rules: RedactionRules
  let matchers: [Matcher]
  private let words: WordFinder
  /// ``words`` has them after the rules' keys.
  private let senderNames: [String]
  /// For comparison.
  private let knownSenders: Set<String>
  let state = Mutex(State())

  struct State {
    var standIns: [Thing: String] = [:]
    var personCount = 0
    var secretCount = 0
    var matchCounts: [Int: Int] = [:]
    var persons: [String: Thing] = [:]
    var counts: [String: Int] = [:]
    /// Stand-ins assigned since the last ``standInFinder()``.
    var newStandIns = [Redactor.unread]
    var standInFinder = WordFinder()
  }

  enum Thing: Hashable {
    case rule(Int)
    case sender(String)
    case secret(String)
    case match(Int, String)
    /// Data encoded deeper than is decoded.
    case unread
  }

  struct Span {
    var range: Range<Int>
    var thing: Thing
    var kind: String?
  }

  static let unread = "[left out: an expression would take too long here]"
  static let unreadPart = "[left out: encoded too deeply]"
  /// Shorter names are not searched in texts, unless a rule names them.
  private static let shortestName = 2
  private static let longestName = 200
  /// Shorter stand-ins may be parts of anything.
  private static let shortestStandIn = 2

  /// - Parameters:
  ///   - senders: All senders' names, to replace in texts if the rules replace senders.
  ///   - compile: Creates an expression's matcher.
  /// - Throws: The error of `compile`.
  package init(
    _ rules: RedactionRules, senders: [String] = [], compile: (String) throws -> Matcher
  ) throws {
    self.rules = rules
    matchers = try rules.expressions.map { try compile($0.pattern) }
    var words = WordFinder()
    for (key, rule) in rules.words.enumerated() {
      for spelling in rule.spellings { words.add(spelling, isWhole: rule.isName, key: key) }
    }
    senderNames = rules.replacesSenders ? senders.filter { $0.count >= Self.shortestName } : []
    knownSenders = rules.replacesSenders ? Set(senders.map(Self.folded)) : []
    for (index, name) in senderNames.enumerated() {
      words.add(name, isWhole: true, key: rules.words.count + index)
    }
    self.words = words
  }

  /// Whether anything in texts is replaced.
  package var replacesTexts: Bool { rules.findsSecrets || !words.isEmpty || !matchers.isEmpty }

  /// Whether senders' names are replaced.
  package var replacesNames: Bool { rules.replacesSenders || rules.words.contains(where: \.isName) }

  // MARK: Texts

  /// The redacted text.
  ///
  /// - Complexity: O(bytes), and the time of expressions.
  package func text(_ text: String) -> String {
    guard replacesTexts || !knownSenders.isEmpty, !text.isEmpty else { return text }
    // A conversation may have a person's one-letter name.
    if isSender(text) { return sender(text) }
    var text = text
    guard let spans = spans(in: &text) else {
      count(Self.unread)
      return Self.unread
    }
    guard !spans.isEmpty else { return text }
    return text.withUTF8 { bytes in
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var place = 0
      for span in spans {
        result += bytes[place..<span.range.lowerBound]
        result += standIn(for: span).utf8
        place = span.range.upperBound
      }
      result += bytes[place...]
      return String(decoding: result, as: UTF8.self)
    }
  }

  func isSender(_ text: String) -> Bool {
    text.utf8.count <= Self.longestName && knownSenders.contains(Self.folded(text))
  }

  /// The spans to replace, in order and disjoint; `nil` if they cannot be determined.
  func spans(in text: inout String) -> [Span]? {
    guard var spans = ownSpans(in: &text) else { return nil }
    var isKnown = true
    let unread = text.withUTF8 { bytes in
      NormalForm.each(of: bytes) { form, isUnmarked in
        guard let found = self.spans(in: form, isUnmarked: isUnmarked) else {
          isKnown = false
          return
        }
        for var span in found {
          span.range = form.origin(of: span.range)
          spans.append(span)
        }
      }
    }
    guard isKnown else { return nil }
    spans += unread.map { Span(range: $0, thing: .unread) }
    guard !spans.isEmpty else { return [] }
    for index in spans.indices { spans[index].range = text.wholeCharacters(spans[index].range) }
    return Self.joined(spans)
  }

  func spans(in form: NormalText, isUnmarked: Bool) -> [Span]? {
    // Marks are part of secrets and of what expressions match, so unmarked forms are searched for words only.
    let found: [Span]?
    if isUnmarked {
      found = form.bytes.withUnsafeBufferPointer { wordSpans(in: $0) }
    } else {
      var text = NormalForm.text(of: form.bytes)
      found = ownSpans(in: &text)
    }
    return found?.filter { !$0.range.isEmpty }
  }

  private func ownSpans(in text: inout String) -> [Span]? {
    var spans: [Span] = []
    for (index, matcher) in matchers.enumerated() {
      guard let ranges = matcher(text) else { return nil }
      spans += ranges.map { Span(range: $0, thing: .match(index, String(text.part($0)))) }
    }
    text.withUTF8 { bytes in
      if rules.findsSecrets {
        for found in SecretFinder.standard.secrets(asWrittenIn: bytes) {
          let secret = String(decoding: bytes[found.range], as: UTF8.self)
          spans.append(Span(range: found.range, thing: .secret(secret), kind: found.kind))
        }
      }
      spans += wordSpans(in: bytes)
    }
    return spans
  }

  private func wordSpans(in bytes: UnsafeBufferPointer<UInt8>) -> [Span] {
    guard !words.isEmpty else { return [] }
    var spans: [Span] = []
    var place = 0
    while place < bytes.count {
      guard let found = words.word(at: place, in: bytes) else {
        place += 1
        continue
      }
      spans.append(Span(range: place..<found.end, thing: thing(ofKey: found.key)))
      place = found.end
    }
    return spans
  }

  func senderName(in text: String) -> String? {
    guard !senderNames.isEmpty else { return nil }
    var text = text
    for span in spans(in: &text) ?? [] {
      if case .sender = span.thing { return String(text.part(span.range)) }
    }
    return nil
  }

  private func thing(ofKey key: Int) -> Thing {
    key < rules.words.count ? .rule(key) : .sender(Self.folded(senderNames[key - rules.words.count]))
  }

  /// Joins overlapping spans under the first one's name.
  private static func joined(_ spans: [Span]) -> [Span] {
    guard spans.count > 1 else { return spans }
    let sorted = spans.sorted {
      ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
    }
    var joined: [Span] = []
    for span in sorted {
      if let last = joined.last, span.range.lowerBound < last.range.upperBound {
        let end = max(last.range.upperBound, span.range.upperBound)
        joined[joined.count - 1].range = last.range.lowerBound..<end
      } else {
        joined.append(span)
      }
    }
    return joined
  }

  // MARK: Senders

  /// The name to show for a sender.
  ///
  /// - Parameter id: The sender's id on its platform; a sender who changes the name keeps the stand-in.
  package func sender(_ name: String, id: String? = nil) -> String {
    guard rules.replacesSenders || rule(naming: name) != nil else { return text(name) }
    let own = thing(ofSender: name)
    let thing = state.withLock { state in
      guard let id else { return own }
      if let known = state.persons[id] { return known }
      state.persons[id] = own
      return own
    }
    return standIn(for: Span(range: 0..<0, thing: thing))
  }

  /// The deletion to show: the person who deleted is hidden as a sender is.
  package func deletion(_ deletion: Message.Deletion) -> Message.Deletion {
    var deletion = deletion
    deletion.sender = deletion.sender.map { sender($0, id: deletion.senderID) }
    deletion.senderID = replacesNames ? nil : deletion.senderID.map(text)
    return deletion
  }

  /// The origin to show of a forwarded message: its author is hidden as a sender is.
  package func forward(_ forward: Message.Forward) -> Message.Forward {
    var forward = forward
    forward.author = forward.author.map { sender($0, id: forward.authorID) }
    forward.authorID = replacesNames ? nil : forward.authorID.map(text)
    forward.chat = forward.chat.map(text)
    return forward
  }

  private func rule(naming name: String) -> Int? {
    let folded = Self.folded(name)
    return rules.words.firstIndex { rule in
      rule.isName && rule.spellings.contains { Self.folded($0) == folded }
    }
  }

  func thing(ofSender name: String) -> Thing {
    rule(naming: name).map(Thing.rule) ?? .sender(Self.folded(name))
  }

  private static func folded(_ name: String) -> String {
    NormalForm.folded(name)
  }

  /// Counts omitted things, such as `attachments`.
  package func count(_ what: String, times: Int = 1) {
    state.withLock { $0.counts[what, default: 0] += times }
  }

  // MARK: Stand-ins

  private func standIn(for span: Span) -> String {
    state.withLock { state in
      let standIn = state.standIns[span.thing] ?? newStandIn(for: span, &state)
      if state.standIns.updateValue(standIn, forKey: span.thing) == nil { state.newStandIns.append(standIn) }
      state.counts[standIn, default: 0] += 1
      return standIn
    }
  }

  private func newStandIn(for span: Span, _ state: inout State) -> String {
    switch span.thing {
    case .rule(let index):
      let rule = rules.words[index]
      if let standIn = rule.standIn { return standIn }
      return rule.isName ? nextPerson(&state) : "[word \(index + 1)]"
    case .sender: return nextPerson(&state)
    case .secret:
      state.secretCount += 1
      return "[secret \(state.secretCount): \(span.kind ?? "key")]"
    case .unread: return Self.unreadPart
    case .match(let index, _):
      state.matchCounts[index, default: 0] += 1
      let number = state.matchCounts[index] ?? 1
      return
        "[\(rules.expressions[index].label ?? "match of line \(rules.expressions[index].line)") \(number)]"
    }
  }

  private func nextPerson(_ state: inout State) -> String {
    state.personCount += 1
    return "person \(state.personCount)"
  }

  func standInFinder() -> WordFinder {
    state.withLock { state in
      for standIn in state.newStandIns {
        for form in [standIn, Self.bare(standIn)] where form.utf8.count >= Self.shortestStandIn {
          state.standInFinder.add(form, isWhole: true, key: 0)
        }
      }
      state.newStandIns = []
      return state.standInFinder
    }
  }

  /// How often each thing was replaced or omitted, the most frequent first.
  package var report: [(what: String, count: Int)] {
    state.withLock { state in
      state.counts.map { (what: $0.key, count: $0.value) }.sorted {
        ($1.count, $0.what) < ($0.count, $1.what)
      }
    }
  }
}

extension String {
  fileprivate mutating func wholeCharacters(_ range: Range<Int>) -> Range<Int> {
    let mayCut = withUTF8 { bytes in
      bytes[range.lowerBound] >= 0x80 || range.upperBound < bytes.count && bytes[range.upperBound] >= 0x80
    }
    guard mayCut else { return range }
    let start = characterStart(at: range.lowerBound)
    let end = utf8.index(startIndex, offsetBy: range.upperBound)
    let last = characterStart(at: range.upperBound)
    guard last != end, end < endIndex else { return offset(of: start)..<range.upperBound }
    return offset(of: start)..<offset(of: index(after: last))
  }

  private func characterStart(at offset: Int) -> Index {
    let place = utf8.index(startIndex, offsetBy: offset)
    guard place < endIndex else { return endIndex }
    // An index within a character counts as that character's.
    return index(before: index(after: place))
  }

  private func offset(of index: Index) -> Int { utf8.distance(from: startIndex, to: index) }
}

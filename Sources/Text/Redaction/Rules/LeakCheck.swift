/// Checks all output for what should have been redacted, with the same search as in texts: words, names,
/// secrets, expressions.
package struct LeakCheck: Sendable {
  private let redactor: Redactor
  private let words: WordFinder
  private let spellings: [String]
  /// Expressions that match the output format itself.
  private var ownExpressions: Set<Int> = []
  private var windows: TextWindows

  /// A format escapes texts in any form once more.
  private static let depth = NormalForm.depth + 1

  /// Something found in the output.
  package struct Leak: Error, Hashable {
    package enum Kind: Sendable {
      case word, secret, match
    }

    package let kind: Kind
    /// The word, the masked secret, or the match.
    package let text: String
  }

  /// Creates a check for a redactor's rules.
  package init(_ redactor: Redactor, windowSize: Int = TextWindows.size) {
    windows = TextWindows(depth: Self.depth, size: windowSize)
    var words = WordFinder()
    var spellings: [String] = []
    for rule in redactor.rules.words {
      for spelling in rule.spellings {
        words.add(spelling, isWhole: rule.isName, key: spellings.count)
        spellings.append(spelling)
      }
    }
    (self.redactor, self.words, self.spellings) = (redactor, words, spellings)
  }

  private var isEmpty: Bool { words.isEmpty && !redactor.replacesTexts }

  /// Expressions that match `frame`, the format's own output without texts, are not searched in output.
  package mutating func expect(_ frame: [UInt8]) {
    guard !redactor.rules.expressions.isEmpty else { return }
    let frame = TextWindows.Window(whole: frame, depth: Self.depth)
    for index in redactor.rules.expressions.indices
    where match(of: [index], in: frame, hidden(in: frame), isName: false) != nil {
      ownExpressions.insert(index)
    }
  }

  /// Checks the next part of the output.
  ///
  /// - Throws: ``Leak`` if it contains something to redact in any form, even if that began in an earlier
  ///   part.
  package mutating func take(_ bytes: some Collection<UInt8>) throws(Leak) {
    guard !isEmpty else { return }
    if let leak = windows.take(bytes, leak) { throw leak }
  }

  /// Checks the rest.
  package mutating func finish() throws(Leak) {
    guard !isEmpty else { return }
    if let leak = windows.finish(leak) { throw leak }
  }

  /// Checks a text on its own, such as a file's name.
  package func look(at text: String) throws(Leak) {
    let window = TextWindows.Window(whole: Array(text.utf8), depth: Self.depth)
    let expressions = Array(redactor.rules.expressions.indices)
    if let leak = leak(in: window) ?? match(of: expressions, in: window, hidden(in: window), isName: true) {
      throw leak
    }
    // Senders' names may be words of formats, but not in a file's name.
    if let name = redactor.senderName(in: text) { throw Leak(kind: .word, text: name) }
  }

  private func leak(in window: TextWindows.Window) -> Leak? {
    if let word = word(in: window) { return word }
    let expressions = redactor.rules.expressions.indices.filter { !ownExpressions.contains($0) }
    guard redactor.rules.findsSecrets || !expressions.isEmpty else { return nil }
    let hidden = hidden(in: window)
    return secret(in: window, hidden) ?? match(of: expressions, in: window, hidden, isName: false)
  }

  private func hidden(in window: TextWindows.Window) -> HiddenStandIns {
    HiddenStandIns(of: window, redactor.standInFinder())
  }

  private func word(in window: TextWindows.Window) -> Leak? {
    guard !words.isEmpty else { return nil }
    for form in window.forms {
      let found = form.text.bytes.withUnsafeBufferPointer { bytes -> Int? in
        for place in bytes.indices {
          if let found = words.word(at: place, in: bytes), window.counts(place..<found.end, in: form.text) {
            return found.key
          }
        }
        return nil
      }
      if let found { return Leak(kind: .word, text: spellings[found]) }
    }
    return nil
  }

  private func secret(in window: TextWindows.Window, _ hidden: HiddenStandIns) -> Leak? {
    guard redactor.rules.findsSecrets else { return nil }
    for form in window.forms where !form.isUnmarked {
      // Values beginning with `*` are known not to be secrets.
      let bytes = hidden.bytes(of: form.text, sign: UInt8(ascii: "*"))
      let found = bytes.withUnsafeBufferPointer { SecretFinder.standard.secrets(asWrittenIn: $0) }
      if let secret = found.first(where: { window.counts($0.range, in: form.text) }) {
        let text = String(decoding: bytes[secret.range], as: UTF8.self)
        return Leak(kind: .secret, text: MaskedSecret.text(of: text[...]))
      }
    }
    return nil
  }

  private func match(
    of expressions: [Int], in window: TextWindows.Window, _ hidden: HiddenStandIns, isName: Bool
  ) -> Leak? {
    guard !expressions.isEmpty else { return nil }
    for form in window.forms where !form.isUnmarked {
      var bytes = hidden.bytes(of: form.text, sign: WrittenParts.sign)
      if !isName { WrittenParts.hideNumbers(in: &bytes) }
      let parts = isName ? [bytes.indices] : WrittenParts.all(of: bytes)
      for part in parts {
        // A part's end need not be an end of the text.
        let text = NormalForm.text(of: [WrittenParts.sign] + bytes[part] + [WrittenParts.sign])
        for index in expressions {
          guard let ranges = redactor.matchers[index](text) else {
            return Leak(kind: .match, text: redactor.rules.expressions[index].pattern)
          }
          for range in ranges where !range.isEmpty {
            let match = text.part(range)
            guard match.utf8.contains(where: { $0 != WrittenParts.sign }) else { continue }
            let start = part.lowerBound + range.lowerBound - 1
            if window.counts(start..<start + range.count, in: form.text) {
              return Leak(kind: .match, text: String(match))
            }
          }
        }
      }
    }
    return nil
  }
}

/// The places of stand-ins in a window, in any encoding; findings there are ignored.
private struct HiddenStandIns {
  private let isHidden: [Bool]

  init(of window: TextWindows.Window, _ standIns: WordFinder) {
    guard !standIns.isEmpty else {
      isHidden = []
      return
    }
    var isHidden = [Bool](repeating: false, count: window.bytes.count)
    for form in window.forms {
      form.text.bytes.withUnsafeBufferPointer { bytes in
        var place = 0
        while place < bytes.count {
          guard let found = standIns.word(at: place, in: bytes) else {
            place += 1
            continue
          }
          for hidden in form.text.origin(of: place..<found.end) { isHidden[hidden] = true }
          place = found.end
        }
      }
    }
    self.isHidden = isHidden
  }

  func bytes(of form: NormalText, sign: UInt8) -> [UInt8] {
    guard !isHidden.isEmpty else { return form.bytes }
    var bytes = form.bytes
    for place in bytes.indices where isHidden[form.start(of: place)] { bytes[place] = sign }
    return bytes
  }
}

/// Checks a file for text to redact.
package struct ContentCheck: Sendable {
  /// The result of a check.
  package enum Content: Sendable {
    case clean, redacted
    /// It contains encoded data that is too long to decode.
    case unread
  }

  private let redactor: Redactor
  private var windows: TextWindows
  private var isFound = false

  /// Creates a check for the beginning of a text.
  package init(_ redactor: Redactor, windowSize: Int = TextWindows.size) {
    (self.redactor, windows) = (redactor, TextWindows(size: windowSize))
  }

  /// Checks the next part, in UTF-8; returns whether to continue.
  package mutating func take(_ bytes: some Collection<UInt8>) -> Bool {
    if !isFound { isFound = windows.take(bytes, found) != nil }
    return !isFound
  }

  /// Checks the rest.
  package mutating func finish() -> Content {
    let isCut = windows.isCut
    return isFound || windows.finish(found) != nil ? .redacted : isCut ? .unread : .clean
  }

  private func found(in window: TextWindows.Window) -> Bool? {
    guard window.unread.isEmpty else { return true }
    let isFound = window.forms.contains { form in
      guard let spans = redactor.spans(in: form.text, isUnmarked: form.isUnmarked) else { return true }
      return spans.contains { window.counts($0.range, in: form.text) }
    }
    return isFound ? true : nil
  }
}

/// Typed letters that a name has in the same order: `per6` finds `perl6`.
///
/// Names are ranked as fzf ranks them: letters at the beginnings of words and beside each other count more, gaps
/// count less; of equal names the shorter is first. Words may come in any order. Case is ignored.
///
/// Signs at a word are those of fzf: `'log` has these letters in a row, `^log` begins the name, `log$` ends it, `!log` is
/// not in it.
package struct FuzzyName: Sendable {
  /// The letters of names and of typed words that are compared.
  private static let letterLimit = 200

  private let typed: String
  private let words: [Word]

  /// A typed word without its signs.
  private struct Word {
    var letters: [UInt32]
    /// Whether the letters are in a row.
    var isWhole = false
    var isAtBeginning = false
    var isAtEnd = false
    var isInverted = false

    init(_ text: some StringProtocol) {
      var rest = Substring(text)
      func takes(_ sign: String) -> Bool { rest.count > 1 && rest.hasPrefix(sign) }
      if takes("!") {
        rest.removeFirst()
        (isInverted, isWhole) = (true, true)
      }
      if takes("'") {
        rest.removeFirst()
        isWhole = true
      } else if takes("^") {
        rest.removeFirst()
        (isAtBeginning, isWhole) = (true, true)
      }
      if rest.count > 1, rest.hasSuffix("$") {
        rest.removeLast()
        (isAtEnd, isWhole) = (true, true)
      }
      letters = rest.unicodeScalars.prefix(FuzzyName.letterLimit).map(FuzzyName.small)
    }
  }

  package init(_ typed: some StringProtocol) {
    self.typed = typed.lowercased()
    words = typed.split(whereSeparator: \.isWhitespace).map { Word($0) }
  }

  package var isEmpty: Bool { words.isEmpty }

  /// Returns the rank of a name: the better, the lower; `nil` if it lacks a letter.
  ///
  /// - Complexity: O(letters of the name × typed letters), of names with all letters; else O(letters of the name).
  package func rank(of name: String) -> UInt32? {
    guard !isEmpty else { return 0 }
    let room = min(name.utf8.count, Self.letterLimit)
    return withUnsafeTemporaryAllocation(of: Letter.self, capacity: room) { memory in
      let letters = Self.letters(of: name, in: memory)
      var total = 0
      for word in words {
        if word.isWhole, Self.has(word, in: letters) == word.isInverted { return nil }
        if word.isInverted { continue }
        guard let score = Self.score(of: word.letters, in: letters) else { return nil }
        total += Int(score)
      }
      return UInt32(0xFFFF - min(total, 0xFFFF)) << 16 | UInt32(letters.count)
    }
  }

  /// Returns the places of the matching names, the best first.
  package func places(among names: [String]) -> [Int] {
    names.indices.compactMap { place in rank(of: names[place]).map { (rank: $0, place: place) } }
      .sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.place)
  }

  /// Returns the names that may be meant, the best first: the only one that contains what is typed, else all that
  /// have its letters.
  package func meant(among names: [String]) -> [String] {
    guard !isEmpty else { return [] }
    let containing = names.filter { $0.lowercased().contains(typed) }
    return containing.count == 1 ? containing : places(among: names).map { names[$0] }
  }
}

// MARK: Ranking
// The figures and steps of fzf: https://github.com/junegunn/fzf/blob/master/src/algo/algo.go (FuzzyMatchV2).

extension FuzzyName {
  private struct Letter {
    var scalar: UInt32
    /// What a match here counts more.
    var bonus: Int32
    /// The best score of the typed letters so far that end here or before.
    var score: Int32 = 0
    /// The number of neighbouring matches that end here.
    var run: Int32 = 0
  }

  private enum Points {
    static let match: Int32 = 16
    static let gapStart: Int32 = -3
    static let gapExtension: Int32 = -1
    static let boundary: Int32 = 8
    static let neighbour: Int32 = 4
  }

  private enum Kind: Int32 {
    case space, other, delimiter, small, capital, letter, number

    init(_ scalar: Unicode.Scalar) {
      self =
        switch scalar.value {
        case 0x61...0x7A: .small
        case 0x41...0x5A: .capital
        case 0x30...0x39: .number
        // / , : ; |
        case 0x2F, 0x2C, 0x3A, 0x3B, 0x7C: .delimiter
        case 0x20, 0x09: .space
        case 0..<0x80: .other
        case _: Kind(scalar.properties)
        }
    }

    private init(_ properties: Unicode.Scalar.Properties) {
      self =
        if properties.isLowercase {
          .small
        } else if properties.isUppercase {
          .capital
        } else if properties.isAlphabetic {
          .letter
        } else if properties.numericType != nil {
          .number
        } else {
          properties.isWhitespace ? .space : .other
        }
    }

    func bonus(after before: Kind) -> Int32 {
      if rawValue > Kind.other.rawValue {
        switch before {
        case .space: return Points.boundary + 2
        case .delimiter: return Points.boundary + 1
        case .other: return Points.boundary
        case .small, .capital, .letter, .number: break
        }
      }
      if before == .small && self == .capital || before != .number && self == .number {
        return Points.boundary + Points.gapExtension
      }
      return switch self {
      case .other, .delimiter: Points.boundary
      case .space: Points.boundary + 2
      case .small, .capital, .letter, .number: 0
      }
    }
  }

  private static func small(_ scalar: Unicode.Scalar) -> UInt32 {
    switch scalar.value {
    case 0x41...0x5A: scalar.value | 0x20
    case 0..<0x80: scalar.value
    case _: scalar.properties.lowercaseMapping.unicodeScalars.first?.value ?? scalar.value
    }
  }

  private static func letters(
    of name: String, in memory: UnsafeMutableBufferPointer<Letter>
  ) -> UnsafeMutableBufferPointer<Letter> {
    var (count, before) = (0, Kind.space)
    for scalar in name.unicodeScalars {
      guard count < letterLimit else { break }
      let kind = Kind(scalar)
      memory.initializeElement(at: count, to: Letter(scalar: small(scalar), bonus: kind.bonus(after: before)))
      (before, count) = (kind, count + 1)
    }
    return UnsafeMutableBufferPointer(rebasing: memory[..<count])
  }

  /// Whether a name has a word's letters in a row, at an end of the name if the word says so.
  private static func has(_ word: Word, in letters: UnsafeMutableBufferPointer<Letter>) -> Bool {
    let last = letters.count - word.letters.count
    guard last >= 0 else { return false }
    return (0...last).contains { start in
      guard !word.isAtBeginning || start == 0, !word.isAtEnd || start == last else { return false }
      return word.letters.indices.allSatisfy { letters[start + $0].scalar == word.letters[$0] }
    }
  }

  /// Returns the best score of a word's letters in their order; `nil` if one is missing.
  private static func score(of word: [UInt32], in letters: UnsafeMutableBufferPointer<Letter>) -> Int32? {
    var (first, best) = (0, Int32(0))
    for (row, wanted) in word.enumerated() {
      while first < letters.count, letters[first].scalar != wanted { first += 1 }
      guard first < letters.count else { return nil }
      best = extend(letters, by: wanted, from: first, isFirst: row == 0)
      first += 1
    }
    return best
  }

  /// Adds a typed letter to the scores, whose first match is at a place.
  private static func extend(
    _ letters: UnsafeMutableBufferPointer<Letter>, by wanted: UInt32, from first: Int, isFirst: Bool
  ) -> Int32 {
    // What ends before a letter, without the letter added.
    var before: (score: Int32, run: Int32) =
      isFirst ? (0, 0) : (letters[first - 1].score, letters[first - 1].run)
    var (best, left, isGap) = (Int32(0), Int32(0), false)
    for place in first..<letters.count {
      let above = isFirst ? (0, 0) : (letters[place].score, letters[place].run)
      let skipped = left + (isGap ? Points.gapExtension : Points.gapStart)
      var (score, run) = (Int32(0), Int32(0))
      if letters[place].scalar == wanted {
        var bonus = letters[place].bonus
        run = before.run + 1
        if run > 1 {
          let start = letters[place - Int(run) + 1].bonus
          if bonus >= Points.boundary, bonus > start {
            run = 1
          } else {
            bonus = max(bonus, start, Points.neighbour)
          }
        }
        score = before.score + Points.match + (isFirst ? 2 * bonus : bonus)
      }
      isGap = score < skipped
      left = max(score, skipped, 0)
      letters[place].score = left
      letters[place].run = isGap ? 0 : run
      best = max(best, left)
      before = above
    }
    return best
  }
}

import MessageModel

/// A step of a check: a change, or a question whose replies are compared.
///
/// Messages are numbered modulo their current count, so that a sequence keeps its meaning when steps are
/// removed.
enum SourceOperation {
  case append(text: String, conversation: Int)
  case insert(text: String, milliseconds: Int64, conversation: Int)
  case delete(numbers: [Int])
  case edit(number: Int, text: String)
  case markRead(number: Int)
  /// Between two messages of a conversation, or from one to an end.
  case setGap(from: Int, to: Int?, token: String?)
  case removeGaps(from: Int, to: Int?)
  case read(Question)

  struct Question {
    var conversations: [Int]
    var predicate: Predicate
    var order: PageRequest.Order
    var anchor: AnchorPick
    var limit: Int
    var offset: Int
    var olderShare: Int?
    var wantsCounts: Bool
    var stopsAtGaps = false
  }

  /// A place, relative to a message that exists, was deleted, or never existed.
  enum AnchorPick {
    case newest
    case oldest
    case before(number: Int, off: Int64)
    case after(number: Int, off: Int64)
    case around(number: Int, off: Int64)
    case time(milliseconds: Int64)
    case timeOf(number: Int, off: Int64)
    case ordinal(Int)
    case percent(Double)
    case firstUnread
  }

  /// Conditions on which model and store agree.
  enum Predicate {
    case everything
    case edited
    case word(String)
    case span(Int, Int)
    case wordOutside(String, Int, Int)
  }
}

extension SourceOperation {
  static let words = ["amber", "birch", "cedar"]

  static func random(using generator: inout SeededGenerator) -> SourceOperation {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<4: .append(text: text(using: &generator), conversation: .random(in: 0..<3, using: &generator))
    case 4..<8:
      .insert(
        text: text(using: &generator), milliseconds: .random(in: -20...40, using: &generator),
        conversation: .random(in: 0..<3, using: &generator))
    case 8, 9:
      .delete(numbers: (0..<Int.random(in: 1...3, using: &generator)).map { _ in number(using: &generator) })
    case 10: .edit(number: number(using: &generator), text: text(using: &generator))
    case 11: note(number(using: &generator))
    default: .read(Question.random(using: &generator))
    }
  }

  private static func note(_ number: Int) -> SourceOperation {
    let other = number % 3 == 0 ? nil : number / 7
    return switch number % 4 {
    case 0, 1: .markRead(number: number)
    case 2: .setGap(from: number, to: other, token: number % 5 < 2 ? "\(number)" : nil)
    default: .removeGaps(from: number, to: other)
    }
  }

  private static func text(using generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...3, using: &generator))
      .map { _ in words[Int.random(in: words.indices, using: &generator)] }
      .joined(separator: " ")
  }

  static func number(using generator: inout SeededGenerator) -> Int {
    .random(in: 0..<1_000, using: &generator)
  }
}

extension SourceOperation.Question {
  static func random(using generator: inout SeededGenerator) -> SourceOperation.Question {
    let isSenseless = Int.random(in: 0..<30, using: &generator) == 0
    let limit = [0, 1, 2, 3, 7, 50][Int.random(in: 0..<6, using: &generator)]
    let (wrongLimit, wrongOffset) = Bool.random(using: &generator) ? (-1, 0) : (limit, -3)
    let anchor = SourceOperation.AnchorPick.random(using: &generator)
    let order: PageRequest.Order = Bool.random(using: &generator) ? .oldestFirst : .newestFirst
    let skips = Int.random(in: 0..<4, using: &generator) == 0
    let share: Int? =
      Bool.random(using: &generator) ? nil : .random(in: 0...max(limit - 1, 0), using: &generator)
    return SourceOperation.Question(
      conversations: (0..<3).filter { _ in Int.random(in: 0..<3, using: &generator) > 0 },
      predicate: .random(using: &generator), order: order, anchor: anchor,
      limit: isSenseless ? wrongLimit : limit,
      offset: isSenseless ? wrongOffset : skips ? .random(in: 1...12, using: &generator) : 0,
      olderShare: share,
      wantsCounts: Int.random(in: 0..<4, using: &generator) > 0,
      stopsAtGaps: (share ?? limit).isMultiple(of: 2))
  }
}

extension SourceOperation.AnchorPick {
  static func random(using generator: inout SeededGenerator) -> SourceOperation.AnchorPick {
    let number = SourceOperation.number(using: &generator)
    let off = Int64.random(in: -1...1, using: &generator)
    return switch Int.random(in: 0..<11, using: &generator) {
    case 0: .newest
    case 1: .oldest
    case 2: .before(number: number, off: off)
    case 3: .after(number: number, off: off)
    case 4: .around(number: number, off: off)
    case 5: .time(milliseconds: .random(in: -25...45, using: &generator))
    case 6: .ordinal(.random(in: -2...60, using: &generator))
    case 7: .percent(Double(Int.random(in: -5...21, using: &generator)) * 5)
    case 8: .percent(.random(in: -10...110, using: &generator))
    case 9: .timeOf(number: number, off: off)
    default: .firstUnread
    }
  }
}

extension SourceOperation.Predicate {
  static func random(using generator: inout SeededGenerator) -> SourceOperation.Predicate {
    let word = SourceOperation.words[Int.random(in: 0..<3, using: &generator)]
    let bounds = [Int.random(in: -20...40, using: &generator), .random(in: -20...40, using: &generator)]
      .sorted()
    return switch Int.random(in: 0..<8, using: &generator) {
    case 0: .edited
    case 1: .word(word)
    case 2: .span(bounds[0], bounds[1])
    case 3: .wordOutside(word, bounds[0], bounds[1])
    default: .everything
    }
  }

  var predicate: MessagePredicate {
    switch self {
    case .everything: .everything
    case .edited: .has(.edit)
    case .word(let word): .matching(word)
    case .span(let start, let end): Self.span(start, end)
    case .wordOutside(let word, let start, let end): .and([.matching(word), .not(Self.span(start, end))])
    }
  }

  private static func span(_ start: Int, _ end: Int) -> MessagePredicate {
    .time(
      from: Timestamp(millisecondsSince1970: Int64(start)),
      until: Timestamp(millisecondsSince1970: Int64(end)))
  }
}

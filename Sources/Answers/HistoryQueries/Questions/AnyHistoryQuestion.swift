internal import MessageModel

/// Any question: in JSON the keys of the question beside `"question"`, which has its word.
public struct AnyHistoryQuestion: Sendable {
  /// The question.
  public var question: any HistoryQuestion

  /// Creates it of a question.
  public init(_ question: any HistoryQuestion) { self.question = question }
}

extension AnyHistoryQuestion: Codable {
  private enum Key: CodingKey {
    case question
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let type = HistoryQuestions.named(try container.decode(String.self, forKey: .question)) else {
      throw DecodingError.told(
        "there are " + HistoryQuestions.all.map { $0.word }.joined(separator: ", "),
        at: container.codingPath + [Key.question])
    }
    question = try type.init(from: decoder)
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(type(of: question).word, forKey: .question)
    try question.encode(to: encoder)
  }
}

/// Any answer, or why there is none: in JSON the keys of the answer behind `"answer"`, which has its word.
public struct AnyHistoryAnswer: Sendable {
  private let word: String
  /// The answer; an ``ErrorAnswer`` if there is none.
  public let answer: any HistoryAnswer

  /// Creates it of the answer to a question.
  public init<Question: HistoryQuestion>(_ answer: Question.Answer, to question: Question) {
    (word, self.answer) = (Question.word(of: answer), answer)
  }

  /// Creates it of an error.
  public init(_ error: ErrorAnswer) { (word, answer) = (ErrorAnswer.word, error) }
}

extension AnyHistoryAnswer: Codable {
  private enum Key: CodingKey {
    case answer
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    word = try container.decode(String.self, forKey: .answer)
    guard let type = HistoryQuestions.answer(named: word) else {
      throw DecodingError.told("there is no such answer", at: container.codingPath + [Key.answer])
    }
    answer = try type.init(from: decoder)
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(word, forKey: .answer)
    try answer.encode(to: encoder)
  }
}

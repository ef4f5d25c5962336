internal import Foundation
public import MessageModel

/// Any question: in JSON the keys of the question and `"question"` with its word.
public struct AnyHistoryQuestion: Sendable {
  /// The question.
  public var question: any HistoryQuestion

  /// Wraps a question.
  public init(_ question: any HistoryQuestion) { self.question = question }
}

extension AnyHistoryQuestion: Codable {
  private enum Key: CodingKey {
    case question
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let type = HistoryQuestions.named(try container.decode(String.self, forKey: .question)) else {
      throw DecodingError.told(
        "there are " + HistoryQuestions.all.map { $0.word }.joined(separator: ", "),
        at: container.codingPath + [Key.question])
    }
    question = try type.init(from: decoder)
  }

  /// Writes it as docs/json.md describes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(type(of: question).word, forKey: .question)
    try question.encode(to: encoder)
  }
}

/// Any answer or error: in JSON `"answer"` with its word, followed by the keys of the answer.
public struct AnyHistoryAnswer: Sendable {
  private let word: String
  /// The answer, or an ``ErrorAnswer``.
  public let answer: any HistoryAnswer

  /// Creates the answer to a question.
  public init<Question: HistoryQuestion>(_ answer: Question.Answer, to question: Question) {
    (word, self.answer) = (Question.word(of: answer), answer)
  }

  /// Creates an error.
  public init(_ error: ErrorAnswer) { (word, answer) = (ErrorAnswer.word, error) }
}

extension AnyHistoryAnswer: Codable {
  private enum Key: CodingKey {
    case answer
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    word = try container.decode(String.self, forKey: .answer)
    guard let type = HistoryQuestions.answer(named: word) else {
      throw DecodingError.told("there is no such answer", at: container.codingPath + [Key.answer])
    }
    answer = try type.init(from: decoder)
  }

  /// Writes it as docs/json.md describes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(word, forKey: .answer)
    try answer.encode(to: encoder)
  }
}

extension AnyHistoryQuestion {
  /// The longest accepted question, in bytes.
  public static let maxByteCount = 1 << 20

  /// Parses a question in JSON.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` with the place of the mistake.
  public init(json: String) throws(StoreError) {
    guard json.utf8.count <= Self.maxByteCount else {
      throw Self.error("it has more than \(Self.maxByteCount) bytes")
    }
    do {
      self = try JSONDecoder().decode(AnyHistoryQuestion.self, from: Data(json.utf8))
    } catch let error as DecodingError {
      throw Self.error(Self.cause(of: error))
    } catch {
      throw Self.error("it is not JSON")
    }
  }

  private static func error(_ cause: String) -> StoreError {
    StoreError(
      .invalidRequest, "cannot read the question", cause: cause,
      remedy: #"{"question":"conversations"}; docs/json.md lists all"#)
  }

  /// Returns the mistake in a question and its place, without the leading keys.
  package static func cause(of error: DecodingError, below keys: [String] = []) -> String {
    if let sentence = error.sentence, case .dataCorrupted(let context) = error {
      return "\(place(context, keys))\(sentence)"
    }
    return switch error {
    case .keyNotFound(let key, let context): "\(place(context, keys))no '\(key.stringValue)' is there"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(place(context, keys))it is of another type"
    case .dataCorrupted(let context):
      // Foundation's description would not help.
      context.codingPath.isEmpty ? "it is not JSON" : "\(place(context, keys))it is not understood"
    @unknown default: "it is not understood"
    }
  }

  private static func place(_ context: DecodingError.Context, _ above: [String]) -> String {
    var path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    if path.starts(with: above) { path.removeFirst(above.count) }
    return path.isEmpty ? "" : "'\(path.joined(separator: "."))': "
  }
}

/// Why a question has no answer.
public struct ErrorAnswer: HistoryAnswer {
  static let word = "error"

  /// The kind, for programs to branch on.
  public var kind: StoreError.Kind
  /// The failed action and its object, for people.
  public var summary: String
  /// The reason, if known.
  public var cause: String?
  /// The remedy, if there is one.
  public var remedy: String?
  /// Similar names, for clients whose error sentences contain no names.
  package var nearest: [String]?

  /// Creates an answer that does not mention commands.
  public init(_ error: StoreError) { self.init(error, in: \.description) }

  /// Creates an answer with the remedy in the words of a front end.
  package init(_ error: StoreError, in words: (Remedy) -> String) {
    kind = error.kind
    summary = AddressText.withoutPasswords(in: error.summary)
    cause = error.cause.map(AddressText.withoutPasswords)
    remedy = error.remedy.map { AddressText.withoutPasswords(in: words($0)) }
    nearest = error.nearest.isEmpty ? nil : error.nearest
  }
}

internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import Redaction

/// Redacted answers of a server: they have stand-ins for what a redactor replaces, and may be asked for by them (docs/redact.md).
struct ServedRedaction: Sendable {
  let redactor: Redactor

  /// Returns a question with what its stand-ins stand for, and without what would not be true of texts that are shown otherwise.
  func meant(_ question: HistoryQuestion) throws(StoreError) -> HistoryQuestion {
    do {
      let bytes = redactor.restored(try AnswerEncoder.bytes(of: question))
      return try JSONDecoder().decode(HistoryQuestion.self, from: Data(bytes)).withoutMarks
    } catch {
      throw StoreError(.invalidRequest, "cannot read the question")
    }
  }

  /// Returns an answer as it is shown.
  func bytes(of answer: HistoryAnswer) throws -> [UInt8] {
    redactor.json(try AnswerEncoder.bytes(of: answer.withoutMatches))
  }

  /// Returns an error that names nothing which is not shown.
  func shown(_ error: StoreError) -> StoreError {
    var error = error
    error.summary = redactor.text(error.summary)
    error.cause = error.cause.map(redactor.text)
    return error
  }

  /// Whether a file may be given: what is text could have any word in it.
  static func mayGive(_ type: String) -> Bool {
    ["image/", "audio/", "video/"].contains(where: type.hasPrefix) && type != "image/svg+xml"
  }
}

extension HistoryQuestion {
  /// The question without how parts of texts look: the places of those are others.
  fileprivate var withoutMarks: HistoryQuestion {
    switch self {
    case .page(let question): .page(Self.unmarked(\.marks, of: question))
    case .message(let question): .message(Self.unmarked(\.marks, of: question))
    case .messages(let question): .messages(Self.unmarked(\.marks, of: question))
    case .hits(let question): .hits(Self.unmarked(\.marks, of: question))
    case .conversations, .conversation, .best, .shared, .threads, .sessions, .senders, .people, .days,
      .groups,
      .anniversaries, .statistics, .filters, .imports:
      self
    }
  }

  private static func unmarked<Question>(
    _ key: WritableKeyPath<Question, Bool?>, of question: Question
  ) -> Question {
    var question = question
    question[keyPath: key] = nil
    return question
  }
}

extension HistoryAnswer {
  /// The answer without where words stand in texts.
  fileprivate var withoutMatches: HistoryAnswer {
    guard case .hits(var found) = self else { return self }
    for index in found.hits.indices {
      found.hits[index].found.matches = nil
      found.hits[index].found.snippet.matches = []
    }
    return .hits(found)
  }
}

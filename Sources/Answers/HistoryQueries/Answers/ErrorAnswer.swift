public import MessageModel

/// Why a question has no answer.
public struct ErrorAnswer: HistoryAnswer {
  static let word = "error"

  /// The kind, for programs to branch on.
  public var kind: StoreError.Kind
  /// The action that failed, and its object, for people.
  public var summary: String
  /// Why it could not be done, if that is known.
  public var cause: String?
  /// The way out, if there is one.
  public var remedy: String?
  /// Names that are there and may be meant, for who is told no names in sentences.
  package var nearest: [String]?

  /// Creates an answer that names no command.
  public init(_ error: StoreError) { self.init(error, in: \.description) }

  /// Creates an answer in the words of a surface.
  ///
  /// - Parameter words: Returns how a way out is said there.
  package init(_ error: StoreError, in words: (Remedy) -> String) {
    kind = error.kind
    summary = AddressText.withoutPasswords(in: error.summary)
    cause = error.cause.map(AddressText.withoutPasswords)
    remedy = error.remedy.map { AddressText.withoutPasswords(in: words($0)) }
    nearest = error.nearest.isEmpty ? nil : error.nearest
  }
}

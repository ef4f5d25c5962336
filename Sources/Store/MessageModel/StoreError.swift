public import Foundation

/// An error that says what could not be done and to what, why, and the way out.
///
/// As a `LocalizedError` it has these in the places where alerts look for them: `alert(isPresented:error:)` of SwiftUI shows them as
/// they are.
public protocol ExplainedError: LocalizedError, CustomStringConvertible {
  /// The action that failed, and its object: `cannot open 'notes.txt'`.
  var summary: String { get }
  /// The reason, if it is known.
  var cause: String? { get }
  /// The way out, if anything helps.
  var remedy: Remedy? { get }
}

extension ExplainedError {
  /// Summary, cause and way out on up to three lines, without commands of any program.
  public var description: String { description(in: \.description) }

  /// ``summary``.
  public var errorDescription: String? { summary }
  /// ``cause``.
  public var failureReason: String? { cause }
  /// ``remedy`` as half a sentence, without commands of any program.
  public var recoverySuggestion: String? { remedy?.description }

  /// Returns the same in the words of a surface.
  ///
  /// - Parameter words: Returns how a way out is said there.
  package func description(in words: (Remedy) -> String) -> String {
    let (question, reason) = Self.parted(cause.map(AddressText.withoutPasswords))
    // A path may have line feeds in it.
    let summary = VisibleText.of(AddressText.withoutPasswords(in: summary))
    var lines = [question.map { "\(summary) — \($0)" } ?? summary]
    if let reason { lines.append("  cause: \(reason)") }
    if let remedy { lines.append("  try: \(AddressText.withoutPasswords(in: words(remedy)))") }
    return lines.joined(separator: "\n")
  }

  /// Parts a question, which stands beside what failed, from the reason behind it: `did you mean 'from:'? there are …`.
  private static func parted(_ cause: String?) -> (question: String?, reason: String?) {
    guard let cause, cause.hasPrefix("did you mean "), let end = cause.lastIndex(of: "?") else {
      return (nil, cause)
    }
    let reason = cause[cause.index(after: end)...].drop { $0 == " " || $0 == ";" }
    return (String(cause[...end]), reason.isEmpty ? nil : String(reason))
  }
}

/// An error of a store: the action that failed, the reason, and the way out.
public struct StoreError: ExplainedError, Hashable {
  /// A kind of error, for code to branch on; the texts are for people.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// There is no file at the path.
    case noSuchStore
    /// A file that was named, to be attached for example, is not there.
    case noSuchFile
    /// The file is something else than a store, or of a version that this program does not know.
    case notAStore
    /// The store's content contradicts itself or cannot be read.
    case damaged
    /// The file may not be read or written by this user.
    case notPermitted
    /// The store was opened for reading only.
    case readOnly
    /// Another process held the store for longer than a writer waits.
    case busy
    /// The store has let go of its file for now, as the app asked it to, and answers nothing until it is resumed.
    case suspended
    /// The file and its name have parted: it was deleted, moved or replaced while it was open, or has two names.
    case displaced
    /// The disk is full, or a read or write failed.
    case inputOutput
    /// There is not enough room on the disk for what was asked.
    case noSpace
    /// The file cannot be made.
    case cannotCreate
    /// No conversation, sender, message or batch of that name or id.
    case notFound
    /// The name is taken.
    case alreadyExists
    /// The request makes no sense.
    case invalidRequest
    /// The work was stopped on request.
    case cancelled
  }

  /// The kind, for code to branch on.
  public var kind: Kind
  /// The action that failed, and its object.
  public var summary: String
  /// Why, if that is known.
  public var cause: String?
  /// The way out, if there is one.
  public var remedy: Remedy?
  /// Names that are there and may be meant, the nearest first, where they stand apart from the sentences.
  package var nearest: [String] = []
  /// The statement at which SQLite failed, without the values that were bound to it: for whoever looks for the reason.
  package var statement: String?

  /// Whether the work was stopped because its task was cancelled, or on request: nothing to show to anybody.
  ///
  /// Calls that are awaited throw a `CancellationError` instead.
  public var isCancellation: Bool { kind == .cancelled }

  /// Creates an error.
  public init(_ kind: Kind, _ summary: String, cause: String? = nil, remedy: Remedy? = nil) {
    self.kind = kind
    self.summary = summary
    self.cause = cause
    self.remedy = remedy
  }
}

extension Error {
  /// The error as those see it who awaited what failed: `CancellationError` for work that was cancelled, also within a store, any
  /// other as it is.
  package var awaited: any Error {
    (self as? StoreError)?.isCancellation == true ? CancellationError() : self
  }
}

extension StoreError {
  /// Creates the error of a page that a source could not give, whatever it threw: the way back from ``Swift/Error/awaited``.
  package init(ofSource error: any Error) {
    let summary = "cannot read a page"
    switch error {
    case let error as StoreError: self = error
    case is CancellationError: self.init(.cancelled, summary)
    case let error as any ExplainedError:
      self.init(.inputOutput, error.summary, cause: error.cause, remedy: error.remedy)
    default: self.init(.inputOutput, summary, cause: "\(error)")
    }
  }
}

public import Foundation

/// An error that says what failed and to what, why, and the way out.
///
/// As a `LocalizedError` it provides them to alerts such as SwiftUI's `alert(isPresented:error:)`.
public protocol ExplainedError: LocalizedError, CustomStringConvertible {
  /// What failed, and to what: `cannot open 'notes.txt'`.
  var summary: String { get }
  /// Why, if known.
  var cause: String? { get }
  /// The way out, if there is one.
  var remedy: Remedy? { get }
}

extension ExplainedError {
  /// Summary, cause and way out on up to three lines, without a program's commands.
  public var description: String { description(in: \.description) }

  /// ``summary``.
  public var errorDescription: String? { summary }
  /// ``cause``.
  public var failureReason: String? { cause }
  /// ``remedy`` as a phrase, without a program's commands.
  public var recoverySuggestion: String? { remedy?.description }

  /// Returns the description for a user interface.
  ///
  /// - Parameter words: Returns the way out in that interface's words.
  package func description(in words: (Remedy) -> String) -> String {
    let (question, reason) = Self.parted(cause.map(AddressText.withoutPasswords))
    // A path may contain line feeds.
    let summary = VisibleText.of(AddressText.withoutPasswords(in: summary))
    var lines = [question.map { "\(summary) — \($0)" } ?? summary]
    if let reason { lines.append("  cause: \(reason)") }
    if let remedy { lines.append("  try: \(AddressText.withoutPasswords(in: words(remedy)))") }
    return lines.joined(separator: "\n")
  }

  /// Splits a question, which belongs beside what failed, from the reason after it: `did you mean 'from:'?
  /// there are …`.
  private static func parted(_ cause: String?) -> (question: String?, reason: String?) {
    guard let cause, cause.hasPrefix("did you mean "), let end = cause.lastIndex(of: "?") else {
      return (nil, cause)
    }
    let reason = cause[cause.index(after: end)...].drop { $0 == " " || $0 == ";" }
    return (String(cause[...end]), reason.isEmpty ? nil : String(reason))
  }
}

/// An error of a store: what failed, why, and the way out.
public struct StoreError: ExplainedError, Hashable {
  /// A kind of error, for code; the texts are for people.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// No file exists at the path.
    case noSuchStore
    /// A named file, such as one to attach, does not exist.
    case noSuchFile
    /// The file is not a store, or of an unknown version.
    case notAStore
    /// The store's content is contradictory or unreadable.
    case damaged
    /// This user may not read or write the file.
    case notPermitted
    /// The store was opened read-only.
    case readOnly
    /// Another process held the store for longer than the timeout.
    case busy
    /// The store has released its file at the app's request, until it is resumed.
    case suspended
    /// The open file was deleted, moved or replaced, or has several names.
    case displaced
    /// The disk is full, or a read or write failed.
    case inputOutput
    /// The disk has too little space for the request.
    case noSpace
    /// The file cannot be created.
    case cannotCreate
    /// No conversation, sender, message or import has that name or id.
    case notFound
    /// The name is taken.
    case alreadyExists
    /// The request is invalid.
    case invalidRequest
    /// The work was cancelled.
    case cancelled
  }

  /// The kind, for code.
  public var kind: Kind
  /// What failed, and to what.
  public var summary: String
  /// Why, if known.
  public var cause: String?
  /// The way out, if there is one.
  public var remedy: Remedy?
  /// Existing names that were perhaps meant, most similar first. The texts do not mention them.
  package var nearest: [String] = []
  /// The SQL statement that failed, without its bound values, for diagnosis.
  package var statement: String?

  /// Whether the work was cancelled, so that there is nothing to report to people.
  ///
  /// Awaited calls throw a `CancellationError` instead.
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
  /// The error as thrown by awaited calls: `CancellationError` for cancelled work, else itself.
  package var awaited: any Error {
    (self as? StoreError)?.isCancellation == true ? CancellationError() : self
  }
}

extension StoreError {
  /// Converts any error of a source, reversing ``Swift/Error/awaited``.
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

/// Failures of SQLite that users encounter, in plain words.
package enum DatabaseFault: Hashable, Sendable {
  case notPermitted, busy, readOnly, full, inputOutput, damaged

  /// Creates a fault from a primary or extended result code of SQLite (<https://sqlite.org/rescode.html>).
  /// `nil` for other codes: SQLite's own message for them is clearer.
  package init?(resultCode: Int32) {
    // A full disk has no room for the index of the log: SQLITE_IOERR_SHMSIZE.
    if resultCode == 10 | 19 << 8 {
      self = .full
      return
    }
    switch resultCode & 0xFF {
    case 3, 14, 23: self = .notPermitted
    case 5, 6: self = .busy
    case 8: self = .readOnly
    case 10: self = .inputOutput
    case 11: self = .damaged
    case 13: self = .full
    default: return nil
    }
  }

  /// - Parameter message: SQLite's own message, added where it is more specific.
  package func sentence(_ message: String) -> String {
    switch self {
    case .notPermitted: "you may not open this file, or the files next to it"
    case .busy: "another process has been writing to it for too long"
    case .readOnly: "you may not write this file"
    case .full: "the disk is full"
    case .inputOutput: "the disk reports an error: \(message)"
    case .damaged: "the file is damaged: \(message)"
    }
  }
}

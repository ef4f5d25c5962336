internal import Foundation
internal import MessageInterchange
internal import MessageModel

/// What a command says to the program that ran it.
public struct ExitStatus: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int32

  /// Creates a status from an exit code.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let done = ExitStatus(rawValue: 0)
  /// Nothing was found (search, show).
  public static let nothingFound = ExitStatus(rawValue: 1)
  /// Done, but records were skipped or problems found.
  public static let incomplete = ExitStatus(rawValue: 3)
  public static let wrongUsage = ExitStatus(rawValue: 64)
  /// The input cannot be read as what it is said to be.
  public static let unreadableInput = ExitStatus(rawValue: 65)
  public static let noSuchFile = ExitStatus(rawValue: 66)
  public static let cannotCreate = ExitStatus(rawValue: 73)
  public static let inputOutput = ExitStatus(rawValue: 74)
  public static let busy = ExitStatus(rawValue: 75)
  public static let notPermitted = ExitStatus(rawValue: 77)
  public static let interrupted = ExitStatus.ended(by: SIGINT)

  /// What a shell makes of a signal that has ended a program.
  public static func ended(by signal: Int32) -> ExitStatus { ExitStatus(rawValue: 128 + signal) }

  /// The status that tells of an error.
  public init(_ error: any Error) {
    switch error {
    case let error as StoreError: self.init(error.kind)
    case let error as InterchangeError: self.init(error.kind)
    case let error as UsageError: self = error.status
    default: self = .inputOutput
    }
  }

  private init(_ kind: StoreError.Kind) {
    switch kind {
    case .noSuchStore, .noSuchFile: self = .noSuchFile
    case .notAStore, .damaged: self = .unreadableInput
    case .notPermitted, .readOnly: self = .notPermitted
    case .busy: self = .busy
    case .inputOutput, .displaced: self = .inputOutput
    case .cannotCreate: self = .cannotCreate
    case .notFound: self = .nothingFound
    case .alreadyExists, .invalidRequest: self = .wrongUsage
    case .cancelled: self = .interrupted
    }
  }

  private init(_ kind: InterchangeError.Kind) {
    switch kind {
    case .noSuchFile: self = .noSuchFile
    case .notPermitted: self = .notPermitted
    case .unreadable: self = .unreadableInput
    case .unknownFormat, .invalidOption: self = .wrongUsage
    case .inputOutput: self = .inputOutput
    }
  }
}

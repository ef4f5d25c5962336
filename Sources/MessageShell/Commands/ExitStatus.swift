internal import MessageInterchange
public import MessageModel

/// What a command says to the program that ran it.
public enum ExitStatus: Int32, Sendable {
  case done = 0
  /// Nothing was found (search, show).
  case nothingFound = 1
  /// Done, but records were skipped or problems found.
  case incomplete = 3
  case wrongUsage = 64
  /// The input cannot be read as what it is said to be.
  case unreadableInput = 65
  case noSuchFile = 66
  case cannotCreate = 73
  case inputOutput = 74
  case busy = 75
  case notPermitted = 77
  case interrupted = 130

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

/// A command was asked for something that makes no sense.
public struct UsageError: ExplainedError, Hashable {
  public var summary: String
  public var cause: String?
  public var remedy: String?
  public var status: ExitStatus

  /// Creates an error.
  public init(
    _ summary: String, cause: String? = nil, remedy: String? = nil, status: ExitStatus = .wrongUsage
  ) {
    self.summary = summary
    self.cause = cause
    self.remedy = remedy
    self.status = status
  }

  /// Creates an error that tells what another one tells.
  init(_ error: any Error) {
    let explained = error as? any ExplainedError
    self.init(
      explained?.summary ?? "\(error)", cause: explained?.cause, remedy: explained?.remedy,
      status: ExitStatus(error))
  }
}

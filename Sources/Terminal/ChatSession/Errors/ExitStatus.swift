internal import Foundation
internal import MessageInterchange
internal import MessageModel

/// A command's exit status.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let done = ExitStatus(rawValue: 0)
  /// Nothing was found (search, show).
  package static let nothingFound = ExitStatus(rawValue: 1)
  /// Done, but records were skipped or problems found.
  package static let incomplete = ExitStatus(rawValue: 3)
  package static let wrongUsage = ExitStatus(rawValue: 64)
  /// The input does not have the stated format.
  package static let unreadableInput = ExitStatus(rawValue: 65)
  package static let noSuchFile = ExitStatus(rawValue: 66)
  package static let cannotCreate = ExitStatus(rawValue: 73)
  package static let inputOutput = ExitStatus(rawValue: 74)
  package static let busy = ExitStatus(rawValue: 75)
  package static let notPermitted = ExitStatus(rawValue: 77)
  package static let interrupted = ExitStatus.ended(by: SIGINT)

  package static let meanings = [
    ("0", "done"), ("1", "nothing found (search, show)"),
    (
      "3",
      "done, but records were skipped (import), problems found (check), attached files missing (export, save), damage met, or something missing or doubtful (salvage)"
    ),
    ("64", "wrong usage"), ("65", "input that is not in the named format"),
    ("66", "no such file or store"), ("73", "cannot create"), ("74", "read or write error, disk full"),
    ("75", "the store is busy"), ("77", "no permission"),
    ("130", "stopped by Ctrl-C, or you answered no"),
    ("143, 129", "the window was ended by SIGTERM, SIGHUP"),
  ]

  /// As shells report a process ended by a signal.
  package static func ended(by signal: Int32) -> ExitStatus { ExitStatus(rawValue: 128 + signal) }

  package init(_ error: any Error) {
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
    case .busy, .suspended: self = .busy
    case .inputOutput, .displaced, .noSpace: self = .inputOutput
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

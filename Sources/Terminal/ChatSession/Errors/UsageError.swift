internal import Foundation
internal import MessageInterchange
package import MessageModel
internal import TerminalText

package struct UsageError: ExplainedError, Hashable {
  package var summary: String
  package var cause: String?
  package var remedy: Remedy?
  package var status: ExitStatus

  package init(
    _ summary: String, cause: String? = nil, remedy: Remedy? = nil, status: ExitStatus = .wrongUsage
  ) {
    self.summary = summary
    self.cause = cause
    self.remedy = remedy
    self.status = status
  }

  init(_ error: any Error) {
    let explained = error as? any ExplainedError
    self.init(
      explained?.summary ?? "\(error)", cause: explained?.cause, remedy: explained?.remedy,
      status: ExitStatus(error))
  }
}

extension Remedy {
  /// The remedy as a shell command.
  package var typed: String {
    switch way {
    case .words(let text): text
    case .checkStore: "scrollback check"
    case .repairStore: "scrollback check --repair"
    case .makeStore: "scrollback import FILE, which makes it"
    case .importOrSalvage: "scrollback import FILE; if it was a store, scrollback salvage FILE -o NEW"
    case .exportAndImport: "scrollback export --format jsonl, and import that into a new store"
    case .importWithFiles: "scrollback import, with the files beside the history"
    case .openStore:
      """
      scrollback -s FILE opens it; export -s FILE --format jsonl writes what import reads; restore puts a backup in the \
      place of a store
      """
    case .openAnotherStore: "another --store"
    case .openLocalStore: "a --store on a disk of this computer"
    case .goWithoutBackup: "--no-backup"
    case .writeIntoNewFolder: "-o with a new folder"
    case .searchMessages: "scrollback search WORD"
    case .showMessage(let id): "scrollback show \(ShellWord.quoted("#\(id)"))"
    case .mergeConversations: "scrollback conversations merge FROM INTO"
    case .listConversations: "scrollback conversations"
    case .listSenders: "scrollback senders"
    case .listPeople: "scrollback people"
    case .listFilters: "scrollback filters"
    case .listImports: "scrollback imports"
    case .listSources: "scrollback sources"
    case .changeAndPublish: "change the store that it comes from, then: scrollback publish"
    case .publish: "scrollback publish, or another database"
    case .mapColumns: "--map time=NAME or, where no row names the columns, --map time=1,sender=2,text=3"
    }
  }
}

extension ExplainedError {
  /// Summary, cause and remedy on up to three lines, with shell commands.
  package var typed: String { description(in: \.typed) }
}

/// Reports messages skipped because a regular expression took too long on them.
package enum CostlyMessages {
  private static let namedCount = 20

  /// `nil` if there are none.
  package static func error(_ ids: [Message.ID]) -> UsageError? {
    guard !ids.isEmpty else { return nil }
    let names = ids.prefix(namedCount).map { "#\($0)" }.joined(separator: ", ")
    let others = ids.count > namedCount ? " and \(NumberText.grouped(ids.count - namedCount)) more" : ""
    return UsageError(
      "skipped \(NumberText.counted(ids.count, "message"))",
      cause: "the regular expression takes too long on \(names)\(others)",
      remedy: "an expression without nested repetition", status: .incomplete)
  }
}

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

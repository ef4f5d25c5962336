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
    switch self {
    case .words(let text): text
    case .checkStore: "scrollback check"
    case .repairStore: "scrollback check --repair"
    case .makeStore: "scrollback import FILE, which makes it"
    case .importOrSalvage: "scrollback import FILE; if it was a store, scrollback salvage FILE -o NEW"
    case .exportAndImport: "scrollback export --format jsonl from it, and import that"
    case .importWithFiles: "scrollback import, with the files beside"
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
      remedy: "an expression that repeats nothing within a repetition", status: .incomplete)
  }
}

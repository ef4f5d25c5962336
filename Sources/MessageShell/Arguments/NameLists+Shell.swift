package import HistoryQueries

extension NameLists {
  /// As commands of the shell.
  package static let ofTheShell = NameLists(
    senders: "scrollback senders", conversations: "scrollback conversations", filters: "scrollback filters")
}

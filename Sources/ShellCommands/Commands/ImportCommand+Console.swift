internal import MessageShell
internal import MessageStorage

extension ImportCommand {
  /// Reads everything and says at the end what became of it; the first Ctrl-C stops it at a whole record.
  ///
  /// - Parameter open: Opens the store. It is asked when the first messages come: input of which nothing can be read
  ///   makes no store.
  func run(_ console: Console, into open: @escaping () throws -> MessageStore) throws -> ExitStatus {
    let outcome = try load(
      into: open, note: { console.note($0) }, redraw: { console.redraw($0) },
      isCancelled: { Interruption.isAskedFor })
    for line in outcome.skipped { console.note(line) }
    console.note(outcome.summary)
    return outcome.status
  }
}

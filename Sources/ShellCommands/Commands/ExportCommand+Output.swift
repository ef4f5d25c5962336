internal import MessageInterchange
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

extension ExportCommand {
  /// Writes to ``output`` or, without one, to the console.
  ///
  /// Ctrl-C stops a file at a whole message; one that would have been replaced stays as it was.
  ///
  /// - Returns: ``ExitStatus/interrupted`` if it was stopped, ``ExitStatus/incomplete`` if attached files
  ///   are missing, or not all of a damaged store could be read.
  func run(
    _ store: MessageStore, format: any ExportFormat, _ console: Console, in shell: Shell
  ) throws -> ExitStatus {
    guard let output else {
      let outcome = try run(store, format: format, note: console.note) { bytes in
        format is PrintedText ? console.write(bytes) : console.write(data: bytes)
      }
      console.flush()
      return DamageReport.status(Self.status(of: outcome, store, console), after: store, console)
    }
    let file = try OutputFile(path: output, sparing: store.files)
    shell.listenForInterruption()
    do {
      let outcome = try run(
        store, format: format, isCancelled: { Interruption.isAskedFor }, note: console.note,
        write: { try file.write(file.isTerminal ? VisibleText.lines($0) : $0) })
      guard outcome.isStopped else {
        try file.finish()
        return DamageReport.status(Self.status(of: outcome, store, console), after: store, console)
      }
      file.discard()
      let count = NumberText.counted(outcome.messageCount, "message")
      console.note(file.isReplaced ? "stopped: nothing is written to '\(output)'" : "stopped after \(count)")
      return .interrupted
    } catch {
      file.discard()
      throw error
    }
  }

  private static func status(
    of outcome: Outcome, _ store: MessageStore, _ console: Console
  ) -> ExitStatus {
    let status = CostlyMessages.tell(of: store, console, else: .done)
    guard outcome.failedFileCount > 0 else { return status }
    let error = UsageError(
      "\(NumberText.counted(outcome.failedFileCount, "attachment")) could not be written",
      cause: "what is attached is missing from the store, or damaged", remedy: "scrollback check")
    console.complain("scrollback: \(error.description)")
    return .incomplete
  }
}

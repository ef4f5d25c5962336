package import MessageModel
internal import Synchronization

extension Session where R == PrintingReader {
  /// - Parameters:
  ///   - terminal: The terminal; `nil` for a script.
  ///   - write: Receives whole lines of data.
  ///   - complain: Receives error sentences.
  package init(
    _ context: ReplContext, isReadOnly: Bool = false, at terminal: PrintingReader.Terminal? = nil,
    write: @escaping @Sendable (String) -> Void, complain: @escaping @Sendable (String) -> Void
  ) throws(StoreError) {
    let reader = PrintingReader(at: terminal, write: write, complain: complain)
    try self.init(context, reader, isReadOnly: isReadOnly)
  }

  /// Runs commands until `/quit`, the end or, unless `keepsGoing`, the first failure.
  ///
  /// - Parameter lines: Returns the next line, `nil` at the end; an error it throws ends the script.
  /// - Returns: The status of the last failed command.
  package mutating func run(lines: () throws -> String?, keepsGoing: Bool = false) -> ExitStatus {
    var status: ExitStatus?
    var number = 0
    var leaves = false
    do {
      _ = try goToStart()
      while !leaves, let line = try lines() {
        number += 1
        do {
          leaves = try runToItsEnd(line)
        } catch {
          status = ExitStatus(error)
          reader.complain("line \(number): \(PrintingReader.sentence(about: error))")
          if !keepsGoing { break }
        }
      }
    } catch {
      status = ExitStatus(error)
      reader.complain(error)
    }
    return status ?? reader.mildStatus
  }

  /// Returns whether the line leaves. Skipped messages do not end a script, but determine its status.
  private mutating func runToItsEnd(_ line: String) throws -> Bool {
    defer {
      if let error = costlyMessages(inNewLine: true) {
        reader.complain(error)
        reader.mildStatus = error.status
      }
    }
    guard let command = try CommandParser.command(in: line) else { return false }
    guard line.hasPrefix("/") else {
      throw UsageError(
        "commands start with /", cause: "plain text on standard input is never sent",
        remedy: "scrollback append, for lines that are messages")
    }
    let leaves = try runToItsEnd(command)
    return try runSourcedToTheirEnd() || leaves
  }

  private mutating func runSourcedToTheirEnd() throws -> Bool {
    var leaves = false
    while !leaves, !sourcing.lines.isEmpty {
      let line = sourcing.lines.removeFirst()
      do {
        guard let command = try command(sourced: line) else { continue }
        sourcing.depth = line.depth
        defer { sourcing.depth = 0 }
        leaves = try runToItsEnd(command)
      } catch {
        sourcing.lines = []
        throw Self.error(error, at: line)
      }
    }
    return leaves
  }

  private mutating func runToItsEnd(_ command: TypedCommand) throws -> Bool {
    let effects = try carryOut(command)
    var jobs = effects.jobs[...]
    while let job = jobs.popFirst() {
      Interruption.listen()
      for report in job.reports(isCancelled: { Interruption.isAskedFor }) {
        let next = try emit(take(report))
        jobs += next.jobs
      }
    }
    return effects.leaves
  }
}

extension Job {
  fileprivate func reports(isCancelled: @escaping @Sendable () -> Bool) -> [Report] {
    let reports = ReportBox()
    run(
      report: { report in
        if case .progress = report { return }
        reports.add(report)
      }, isCancelled: isCancelled)
    return reports.all
  }
}

private final class ReportBox: Sendable {
  private let reports = Mutex<[Job.Report]>([])

  var all: [Job.Report] { reports.withLock { $0 } }

  func add(_ report: Job.Report) { reports.withLock { $0.append(report) } }
}

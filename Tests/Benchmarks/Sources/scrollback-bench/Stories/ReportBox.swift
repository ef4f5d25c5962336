import ChatSession
import Synchronization

/// Collects what background work tells.
final class ReportBox: Sendable {
  private let reports = Mutex<[Job.Report]>([])

  func add(_ report: Job.Report) { reports.withLock { $0.append(report) } }

  var all: [Job.Report] { reports.withLock { $0 } }
}

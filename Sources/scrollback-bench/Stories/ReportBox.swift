import MessageShell
import Synchronization

/// Collects what background work tells.
final class ReportBox: Sendable {
  private let reports = Mutex<[BackgroundWork.Report]>([])

  func add(_ report: BackgroundWork.Report) { reports.withLock { $0.append(report) } }

  var all: [BackgroundWork.Report] { reports.withLock { $0 } }
}

import MessageShell
import Synchronization

/// Collects what background work tells.
final class Reports: Sendable {
  private let reports = Mutex<[BackgroundWork.Report]>([])

  func add(_ report: BackgroundWork.Report) { reports.withLock { $0.append(report) } }

  var all: [BackgroundWork.Report] { reports.withLock { $0 } }
}

extension BackgroundWork {
  /// Does the work on this thread and returns what it tells.
  func reports(isCancelled: Bool = false) -> [Report] {
    let reports = Reports()
    run(report: { reports.add($0) }, isCancelled: { isCancelled })
    return reports.all
  }
}

import ChatSession
import Synchronization

/// Collects what background work tells.
final class Reports: Sendable {
  private let reports = Mutex<[Job.Report]>([])

  func add(_ report: Job.Report) { reports.withLock { $0.append(report) } }

  var all: [Job.Report] { reports.withLock { $0 } }
}

extension Job {
  /// Does the work on this thread and returns what it tells.
  func reports(isCancelled: Bool = false) -> [Report] {
    let reports = Reports()
    run(report: { reports.add($0) }, isCancelled: { isCancelled })
    return reports.all
  }
}

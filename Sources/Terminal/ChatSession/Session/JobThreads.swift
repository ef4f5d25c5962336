internal import Foundation
internal import Synchronization

/// Runs a session's jobs on a thread per lane.
package final class JobThreads: Sendable {
  private final class Stop: Sendable {
    let isAskedFor = Atomic<Bool>(false)
  }

  private let notify: @Sendable () -> Void
  private let reports = Mutex<[Job.Report]>([])
  private let stops = Mutex<[Job.Lane: [Stop]]>([:])
  private let queues: [Job.Lane: DispatchQueue]

  /// - Parameter notify: Called on any thread when there are reports to take.
  package init(notify: @escaping @Sendable () -> Void) {
    self.notify = notify
    queues = Job.Lane.allCases.reduce(into: [:]) {
      $0[$1] = DispatchQueue(label: "scrollback.\($1)")
    }
  }

  /// Queues a job behind others of its lane; cancels them if they become obsolete.
  package func start(_ job: Job) {
    if job.lane.isOfTheLast { stop([job.lane]) }
    let stop = Stop()
    stops.withLock { $0[job.lane, default: []].append(stop) }
    queues[job.lane]?.async { @Sendable [self] in
      job.run(
        report: { self.take($0) }, isCancelled: { stop.isAskedFor.load(ordering: .relaxed) })
      stops.withLock { $0[job.lane]?.removeAll { $0 === stop } }
    }
  }

  private func take(_ report: Job.Report) {
    reports.withLock { $0.append(report) }
    notify()
  }

  package func takeReports() -> [Job.Report] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports
    }
  }

  package func stop(_ lanes: Set<Job.Lane>) {
    stops.withLock { stops in
      for lane in lanes {
        for stop in stops[lane] ?? [] { stop.isAskedFor.store(true, ordering: .relaxed) }
      }
    }
  }

  /// Stops all jobs and waits until they have cleaned up.
  package func finish() {
    stop(Set(Job.Lane.allCases))
    for queue in queues.values { queue.sync {} }
  }
}

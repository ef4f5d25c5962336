internal import Foundation
internal import Synchronization

/// Does the long work of a session: a thread for each lane, and one work of a lane after the other.
package final class JobThreads: Sendable {
  private final class Stop: Sendable {
    let isAskedFor = Atomic<Bool>(false)
  }

  private let notify: @Sendable () -> Void
  private let reports = Mutex<[Job.Report]>([])
  private let stops = Mutex<[Job.Lane: [Stop]]>([:])
  private let queues: [Job.Lane: DispatchQueue]

  /// Creates threads that call `notify`, on any of them, when there is something to take.
  package init(notify: @escaping @Sendable () -> Void) {
    self.notify = notify
    queues = Job.Lane.allCases.reduce(into: [:]) {
      $0[$1] = DispatchQueue(label: "scrollback.\($1)")
    }
  }

  /// Begins work when that before it in the same lane has ended, or has been called off where nobody waits for it.
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

  /// Returns what was reported since.
  package func takeReports() -> [Job.Report] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports
    }
  }

  /// Asks all work of these lanes to stop.
  package func stop(_ lanes: Set<Job.Lane>) {
    stops.withLock { stops in
      for lane in lanes {
        for stop in stops[lane] ?? [] { stop.isAskedFor.store(true, ordering: .relaxed) }
      }
    }
  }

  /// Stops all work and waits until it has put away what it had in hand.
  package func finish() {
    stop(Set(Job.Lane.allCases))
    for queue in queues.values { queue.sync {} }
  }
}

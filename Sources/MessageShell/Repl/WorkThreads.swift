internal import Foundation
internal import Synchronization

/// Does the long work of a session: a thread for each lane, and one work of a lane after the other.
public final class WorkThreads: Sendable {
  private final class Stop: Sendable {
    let isAskedFor = Atomic<Bool>(false)
  }

  private let notify: @Sendable () -> Void
  private let reports = Mutex<[BackgroundWork.Report]>([])
  private let stops = Mutex<[BackgroundWork.Lane: [Stop]]>([:])
  private let queues: [BackgroundWork.Lane: DispatchQueue]

  /// Creates threads that call `notify`, on any of them, when there is something to take.
  public init(notify: @escaping @Sendable () -> Void) {
    self.notify = notify
    queues = BackgroundWork.Lane.allCases.reduce(into: [:]) {
      $0[$1] = DispatchQueue(label: "scrollback.\($1)")
    }
  }

  /// Begins work when that before it in the same lane has ended. A new search calls off the one before.
  public func start(_ work: BackgroundWork) {
    if work.lane == .search || work.lane == .typing { stop([work.lane]) }
    let stop = Stop()
    stops.withLock { $0[work.lane, default: []].append(stop) }
    queues[work.lane]?.async { @Sendable [self] in
      work.run(
        report: { self.take($0) }, isCancelled: { stop.isAskedFor.load(ordering: .relaxed) })
      stops.withLock { $0[work.lane]?.removeAll { $0 === stop } }
    }
  }

  private func take(_ report: BackgroundWork.Report) {
    reports.withLock { $0.append(report) }
    notify()
  }

  /// Returns what was reported since.
  public func takeReports() -> [BackgroundWork.Report] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports
    }
  }

  /// Asks all work of these lanes to stop.
  public func stop(_ lanes: Set<BackgroundWork.Lane>) {
    stops.withLock { stops in
      for lane in lanes {
        for stop in stops[lane] ?? [] { stop.isAskedFor.store(true, ordering: .relaxed) }
      }
    }
  }

  /// Stops all work and waits until it has put away what it had in hand.
  public func finish() {
    stop(Set(BackgroundWork.Lane.allCases))
    for queue in queues.values { queue.sync {} }
  }
}

internal import Foundation
internal import MessageShell
internal import Synchronization

/// Does the long work of a session: a thread for each lane, and one work of a lane after the other.
final class WorkThreads: Sendable {
  private final class Stop: Sendable {
    let isAskedFor = Atomic<Bool>(false)
  }

  private let wake: WakePipe
  private let reports = Mutex<[BackgroundWork.Report]>([])
  private let stops = Mutex<[BackgroundWork.Lane: [Stop]]>([:])
  private let queues: [BackgroundWork.Lane: DispatchQueue]

  /// Creates threads that wake the loop when there is something to take.
  init(wake: WakePipe) {
    self.wake = wake
    queues = BackgroundWork.Lane.allCases.reduce(into: [:]) {
      $0[$1] = DispatchQueue(label: "scrollback.\($1)")
    }
  }

  /// Begins work when that before it in the same lane has ended. A new search calls off the one before.
  func start(_ work: BackgroundWork) {
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
    wake.wake(WakePipe.reported)
  }

  /// Returns what was reported since.
  func takeReports() -> [BackgroundWork.Report] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports
    }
  }

  /// Asks all work of these lanes to stop.
  func stop(_ lanes: Set<BackgroundWork.Lane>) {
    stops.withLock { stops in
      for lane in lanes {
        for stop in stops[lane] ?? [] { stop.isAskedFor.store(true, ordering: .relaxed) }
      }
    }
  }

  /// Stops all work and waits until it has put away what it had in hand.
  func finish() {
    stop(Set(BackgroundWork.Lane.allCases))
    for queue in queues.values { queue.sync {} }
  }
}

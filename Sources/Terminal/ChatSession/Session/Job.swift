internal import Foundation
package import HistoryModel
package import MessageModel
package import MessagePictures
package import MessageStorage
package import MessageWindows
internal import Synchronization
package import TerminalText

/// Work too long for a keystroke: the terminal's owner runs it on another thread, and passes its reports to
/// the session. A script awaits it.
package struct Job: Sendable {
  /// Jobs of a lane run one after the other.
  package enum Lane: Hashable, Sendable, CaseIterable {
    /// Searching text by text for a hit. New work cancels the present.
    case search
    /// Searching for what is being typed. New work cancels the present.
    case typing
    /// Counting hits. New work cancels the present.
    case count
    /// Counting the hits of a list. New work cancels the present.
    case listCount
    /// Counting the matches of a saved filter.
    case filter
    /// Reading the neighbouring hits.
    case ahead
    /// Reading the hits of a list.
    case hits
    /// Importing and exporting.
    case transfer
    /// Opening a link.
    case opening
    /// Drawing a picture.
    case picture
    /// Reading again around the reader.
    case refresh
    /// Reading pages ahead.
    case pages
    /// Saving read marks.
    case marks
    /// Looking up the first unread message of several conversations.
    case unread
    /// Looking up a person's linked accounts.
    case person
    /// Counting the unread messages of each timeline.
    case news
    /// Renewing what covers the messages.
    case cover
  }

  package enum Report: Hashable, Sendable {
    /// A search's first hit, if any.
    case hit(Message.ID?, search: Int)
    /// A page for a window of hits.
    case hits(Result<Page, StoreError>, for: MessageWindow.Request, window: Int)
    /// The number of hits; `nil` if counting failed.
    case hitCount(Int?, search: Int)
    /// The approximate number of hits while counting.
    case hitEstimate(Int, search: Int)
    /// The number of hits older than the one where counting began.
    case olderHits(Int?, search: Int)
    /// The number of a list's hits older than one of them; `nil` if counting failed.
    case hitRank(Int?, of: Message.ID, search: Int)
    /// The renewed lines, or the map, of a command.
    case cover(Listing?, TimeMap?, of: ReplCommand)
    /// A saved filter's matches have been counted.
    case filterCounted
    /// Read marks were saved, or could not be.
    case marked(ReadPositions, isDone: Bool)
    /// The first unread message now, and when the timeline was opened; `nil` if there is none.
    case firstUnread(Message.ID?, whenOpened: Message.ID?, view: Int)
    /// A person's timeline by the accounts linked now; `nil` if neither the person nor the name exists.
    case person(PersonTimeline?, inPlaceOf: Person.ID)
    /// What is unread in each timeline; `nil` if unknown.
    case news(TimelineNews?)
    /// A message of mine was written.
    case written(NewMessage, as: Message.ID, in: Conversation.ID)
    /// The progress of a transfer.
    case progress(String)
    /// Background work is done.
    case done(String)
    /// A transfer has ended.
    case ended(Reply)
    /// The user stopped a lane's work.
    case stopped(Lane)
    /// A lane's work failed.
    case failed(UsageError, Lane)
    /// A drawn picture; `nil` if it could not be drawn.
    case picture(PictureKey, DrawnPicture?)
    /// A page that a view has requested.
    case page(Result<Page, StoreError>, for: MessageWindow.Request, view: Int)
  }

  package let lane: Lane
  private let body:
    @Sendable (_ report: @escaping @Sendable (Report) -> Void, _ isCancelled: @escaping @Sendable () -> Bool)
      throws -> Void

  init(
    _ lane: Lane,
    _ body:
      @escaping @Sendable (
        _ report: @escaping @Sendable (Report) -> Void, _ isCancelled: @escaping @Sendable () -> Bool
      ) throws -> Void
  ) {
    self.lane = lane
    self.body = body
  }

  /// Runs the job on this thread.
  ///
  /// - Parameters:
  ///   - report: Called on any thread.
  ///   - isCancelled: Whether to stop.
  package func run(
    report: @escaping @Sendable (Report) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) {
    do {
      try body(report, isCancelled)
    } catch let error as StoreError where error.kind == .cancelled {
      report(.stopped(lane))
    } catch {
      report(.failed(UsageError(error), lane))
    }
  }
}

extension Job.Lane {
  /// Whether new work of the lane makes earlier work obsolete.
  var isOfTheLast: Bool {
    switch self {
    case .search, .typing, .count, .listCount: true
    case .filter, .ahead, .hits, .transfer, .opening, .picture, .refresh, .pages, .marks, .unread,
      .person, .news, .cover:
      false
    }
  }
}

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

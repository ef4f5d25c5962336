package import MessageModel
package import MessagePictures
package import MessageStorage
package import MessageWindows
package import TerminalText

/// Work that takes too long for the path of a keystroke: the owner of the terminal has it done on another thread, and
/// gives the session its reports. A script awaits it.
package struct Job: Sendable {
  /// Work of one lane is done one after the other.
  package enum Lane: Hashable, Sendable, CaseIterable {
    /// Looking for a hit by reading one message after the other. New work calls off what is under way.
    case search
    /// Looking for what is being typed. New work calls off what is under way.
    case typing
    /// Counting hits. New work calls off what is under way.
    case count
    /// Counting what a list of hits has. New work calls off what is under way.
    case listCount
    /// Counting what a filter lets through that was saved.
    case filter
    /// Reading the hits next to the reader.
    case ahead
    /// Reading what a list of hits shows.
    case hits
    /// Importing and exporting.
    case transfer
    /// Having a link opened.
    case opening
    /// Drawing a picture.
    case picture
    /// Reading again what is around the reader.
    case refresh
    /// Reading pages that the reader may want next.
    case pages
    /// Writing how far was read.
    case marks
    /// Looking for the first unread message of several conversations.
    case unread
    /// Looking up who is linked to the person whose messages are shown.
    case person
    /// Counting what is unread in everything and with each person.
    case news
    /// What covers the messages is made again.
    case cover
  }

  /// A report of a job.
  package enum Report: Hashable, Sendable {
    /// A search has found a message, or nothing.
    case hit(Message.ID?, search: Int)
    /// A page that a window of hits needs.
    case hits(Result<Page, StoreError>, for: MessageWindow.Request, window: Int)
    /// A search has so many hits; `nil` if they could not be counted.
    case hitCount(Int?, search: Int)
    /// About how many hits there are, as long as they are being counted.
    case hitEstimate(Int, search: Int)
    /// The number of hits that are older than the one at which counting began.
    case olderHits(Int?, search: Int)
    /// The number of hits of a list that are older than one of them; `nil` if they could not be counted.
    case hitRank(Int?, of: Message.ID, search: Int)
    /// The lines, or the picture of time, that a command makes by now.
    case cover(Listing?, TimeMap?, of: ReplCommand)
    /// The messages that a saved filter lets through have been counted.
    case filterCounted
    /// It was written how far was read, or could not be.
    case marked(ReadPositions, isDone: Bool)
    /// The first message that is unread, and the one that was when the timeline was opened; `nil` if there is none.
    case firstUnread(Message.ID?, whenOpened: Message.ID?, view: Int)
    /// The messages of a person as the accounts are linked by now; `nil` if the person is gone, and nobody has the name.
    case person(PersonTimeline?, inPlaceOf: Person.ID)
    /// The news in everything and of each person; `nil` if they could not be looked up.
    case news(TimelineNews?)
    /// A message of mine was written.
    case written(NewMessage, as: Message.ID, in: Conversation.ID)
    /// The progress of a transfer.
    case progress(String)
    /// Something was done that nobody waits for.
    case done(String)
    /// A transfer has ended, and this is to be told of it.
    case ended(Reply)
    /// Work of a lane was stopped, as somebody wanted.
    case stopped(Lane)
    /// Work of a lane could not be done, for this reason.
    case failed(UsageError, Lane)
    /// A picture has been drawn; `nil` if it could not be.
    case picture(PictureKey, DrawnPicture?)
    /// A page that a view has ordered.
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

  /// Does the work on this thread.
  ///
  /// - Parameters:
  ///   - report: Takes what there is to tell, on any thread.
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
  /// Whether nobody waits for work of the lane any more once there is other work of it.
  var isOfTheLast: Bool {
    switch self {
    case .search, .typing, .count, .listCount: true
    case .filter, .ahead, .hits, .transfer, .opening, .picture, .refresh, .pages, .marks, .unread,
      .person, .news, .cover:
      false
    }
  }
}

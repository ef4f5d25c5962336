@preconcurrency internal import Dispatch
internal import Foundation
public import MessageInterchange
public import MessageModel
public import MessageStorage
internal import Synchronization

extension MessageStore {
  /// Returns what happens while histories are followed: what is there comes in, and then what is added to it.
  ///
  /// ```swift
  /// for try await event in store.followHistory(at: [logs]) {
  ///   if case .took(_, let path, let added, _) = event { print(added, "from", path) }
  /// }
  /// ```
  ///
  /// It reads while somebody waits for the next event, and no further; what it has reported is in the store. Leaving the
  /// loop ends it, and the next one goes on from there. The store remembers the paths and how far they were read; the command
  /// follows the same sources, one after the other or at the same time.
  ///
  /// - Parameters:
  ///   - paths: Files and folders of this computer.
  ///   - options: The options that all of them are read with, and formats from outside.
  ///   - maker: Makes the small pictures of what comes in; `nil` to leave them.
  public func followHistory(
    at paths: [String], options: ImportOptions = ImportOptions(),
    makingPicturesBy maker: (any PictureMaker)? = nil
  ) -> FollowedHistory {
    FollowedHistory(store: self, paths: paths, options: options, maker: maker)
  }
}

/// The events of histories that are followed, without an end.
public struct FollowedHistory: AsyncSequence, Sendable {
  public typealias Element = FollowEvent
  public typealias Failure = any Error

  let store: MessageStore
  let paths: [String]
  let options: ImportOptions
  let maker: (any PictureMaker)?

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Follows for one loop.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Element = FollowEvent
    public typealias Failure = any Error

    private let history: FollowedHistory
    private var work: FollowerWork?
    private var events: ArraySlice<FollowEvent> = []

    init(_ history: FollowedHistory) { self.history = history }

    /// Waits until something has happened and returns it; `nil` once the store is closed.
    ///
    /// - Throws: ``StoreError`` if the store can take nothing any more, `CancellationError` if the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> FollowEvent? {
      do {
        while events.isEmpty {
          if let work { await work.wait() }
          let (work, history) = (work, history)
          let (present, news) = try await history.store.loading { store in
            let present = if let work { work } else { try FollowerWork(history, in: store) }
            return (present, try present.step())
          }
          self.work = present
          events = news[...]
        }
        return events.removeFirst()
      } catch {
        guard history.store.synchronous.hasBeenClosed else { throw error }
        return nil
      }
    }
  }
}

/// A follower that one thread after the other has go on.
private final class FollowerWork: Sendable {
  private let follower: Mutex<Follower>
  private let events: EventList

  /// The events since they were taken last.
  private final class EventList: Sendable {
    private let events = Mutex<[FollowEvent]>([])

    func add(_ event: FollowEvent) { events.withLock { $0.append(event) } }

    func taken() -> [FollowEvent] {
      events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  private static let mostSeconds = 86_400.0

  /// Begins to follow paths.
  ///
  /// - Throws: ``StoreError``, also if a path is not there or the options make no sense.
  init(_ history: FollowedHistory, in store: SynchronousMessageStore) throws(StoreError) {
    let events = EventList()
    do {
      // It says what is wrong with paths and options.
      _ = try ImportReader(history.paths, options: history.options)
      let sources = try history.paths.map { path in
        let place = URL(fileURLWithPath: path).standardizedFileURL.path
        return (source: try store.addSource(place, settings: [:]), options: history.options)
      }
      follower = Mutex(
        try Follower(sources, in: store, makingPicturesBy: history.maker) { events.add($0) })
    } catch {
      throw StoreError(error, doing: "cannot follow into '\(store.path)'")
    }
    self.events = events
  }

  /// Does what is due, and returns what has happened.
  func step() throws(StoreError) -> [FollowEvent] {
    do {
      try follower.withLock { try $0.step { SynchronousMessageStore.isCalledOff } }
    } catch {
      throw StoreError(error, doing: "cannot follow")
    }
    return events.taken()
  }

  /// Waits until something is due or the task is cancelled.
  func wait() async {
    let (descriptor, seconds) = follower.withLock { ($0.descriptor, $0.timeToNext()) }
    let events = descriptor.flatMap(Self.readable)
    // Where the process has no descriptor left, it is looked whether something has happened.
    let most = descriptor != nil && events == nil ? FollowTiming.look : Self.mostSeconds
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: .seconds(min(seconds, most))) }
      if let events {
        group.addTask { for await _ in events { return } }
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// Returns what yields when a descriptor can be read.
  private static func readable(_ descriptor: Int32) -> AsyncStream<Void>? {
    // The system lets go of a source some time after whoever wants it no more: it has a descriptor of its own until then.
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { return nil }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { events in
      let source = DispatchSource.makeReadSource(fileDescriptor: own, queue: .global(qos: .utility))
      source.setEventHandler {
        events.yield()
        // It can be read until somebody does.
        events.finish()
      }
      source.setCancelHandler { close(own) }
      events.onTermination = { _ in source.cancel() }
      source.activate()
    }
  }
}

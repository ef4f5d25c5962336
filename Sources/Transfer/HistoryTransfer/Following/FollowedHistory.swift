@preconcurrency internal import Dispatch
internal import Foundation
public import MessageInterchange
internal import MessageModel
public import MessageStorage
internal import Synchronization

extension MessageStore {
  /// Returns the events of following histories: their present content is imported, then whatever is added.
  ///
  /// ```swift
  /// for try await event in store.followHistory(at: [logs]) {
  ///   if case .took(_, let path, let added, _) = event { print(added, "from", path) }
  /// }
  /// ```
  ///
  /// It reads only while the caller awaits the next event; reported messages are in the store. Leaving the
  /// loop ends it, and the next one continues from there. The store remembers paths and positions; the
  /// command `follow` shares them, at the same time or later.
  ///
  /// - Parameters:
  ///   - paths: Files and folders of this computer.
  ///   - options: The options for reading all of them, with custom formats.
  ///   - maker: Makes thumbnails and previews of imported pictures; `nil` for none.
  public func followHistory(
    at paths: [String], options: ImportOptions = ImportOptions(),
    makingPicturesBy maker: (any PictureMaker)? = nil
  ) -> FollowedHistory {
    FollowedHistory(store: self, paths: paths, options: options, maker: maker)
  }
}

/// An endless sequence of events of followed histories.
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

    /// Waits for the next event; returns `nil` once the store is closed.
    ///
    /// - Throws: ``StoreError`` if the store can no longer be written, `CancellationError` if the task is
    ///   cancelled.
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

private final class FollowerWork: Sendable {
  private let follower: Mutex<Follower>
  private let events: EventList

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

  init(_ history: FollowedHistory, in store: SynchronousMessageStore) throws(StoreError) {
    let events = EventList()
    do {
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

  func step() throws(StoreError) -> [FollowEvent] {
    do {
      try follower.withLock { try $0.step { SynchronousMessageStore.isCalledOff } }
    } catch {
      throw StoreError(error, doing: "cannot follow")
    }
    return events.taken()
  }

  func wait() async {
    let (descriptor, seconds) = follower.withLock { ($0.descriptor, $0.timeToNext()) }
    let events = descriptor.flatMap(Self.readable)
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

  private static func readable(_ descriptor: Int32) -> AsyncStream<Void>? {
    // The system releases a cancelled dispatch source later: it has a descriptor of its own until then.
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { return nil }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { events in
      let source = DispatchSource.makeReadSource(fileDescriptor: own, queue: .global(qos: .utility))
      source.setEventHandler {
        events.yield()
        // The descriptor stays readable until it is read.
        events.finish()
      }
      source.setCancelHandler { close(own) }
      events.onTermination = { _ in source.cancel() }
      source.activate()
    }
  }
}

/// An event of followed sources.
public enum FollowEvent: Sendable {
  /// Messages of a file were added or updated.
  case took(StoredSource, path: String, added: Int, updated: Int)
  /// Records of a file were skipped; `first` describes the first one, with its place and the reason.
  case skipped(StoredSource, path: String, count: Int, first: String)
  /// A path cannot be followed at present. Reported once, until it can be.
  case trouble(StoredSource, path: String, reason: String)
  /// A source that could not be followed can be followed again.
  case back(StoredSource, path: String)
  /// The store cannot be written at present. Reported once, until it can be.
  case storeTrouble(String)
  /// All present content was imported.
  case caughtUp
}

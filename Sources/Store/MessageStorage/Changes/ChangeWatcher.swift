internal import Dispatch
internal import Foundation
internal import GRDB
internal import MessageModel
internal import Synchronization

/// Notices commits: our own when they are made, those of other processes by an event on the log file and, at worst
/// 200 ms later, by a look at `PRAGMA data_version`.
///
/// It watches only while somebody listens. Whether something has changed is judged by the counters of the whole
/// store, so that a commit of our own, already told of, is not told of again when the file event comes.
final class ChangeWatcher: Sendable {
  private let file: StoreFile
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "scrollback.changes", qos: .userInitiated)

  private struct Listener {
    var notices: AsyncStream<SourceChange>.Continuation
    /// Whether commits are told that moved no counter: positions that were read, marks, checksums.
    var hearsAll: Bool
  }

  private struct State {
    var listeners: [UUID: Listener] = [:]
    var published = SourceVersion()
    var sensor: ChangeSensor?
    /// The place of the file as it was opened last.
    var place: StorePlace
    var isSuspended = false
  }

  init(_ file: StoreFile, _ place: StorePlace) {
    self.file = file
    state = Mutex(State(place: place))
  }

  /// Tells listeners of a commit of ours, after which the counters stand at `version`.
  func ownCommit(_ version: SourceVersion) {
    publish(version)
  }

  /// Whether anybody listens.
  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// Tells listeners to look again although nothing was committed: a count has become exact, or the file is gone.
  func announce() {
    for listener in state.withLock({ Array($0.listeners.values) }) {
      listener.notices.yield(SourceChange())
    }
  }

  /// Returns a stream of notices; see ``MessageSource/changes()``. Its first element comes when nothing that is
  /// committed later can be missed.
  func changes() -> AsyncStream<SourceChange> { stream(hearsAll: false) }

  /// Returns a stream of notices after each commit, though it may have moved no counter.
  func commits() -> AsyncStream<SourceChange> { stream(hearsAll: true) }

  private func stream(hearsAll: Bool) -> AsyncStream<SourceChange> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let key = UUID()
      continuation.onTermination = { [self] _ in forget(key) }
      state.withLock { $0.listeners[key] = Listener(notices: continuation, hearsAll: hearsAll) }
      queue.async { [self] in
        startSensing()
        continuation.yield(SourceChange())
      }
    }
  }

  /// Ends all streams.
  func stop() {
    let (listeners, sensor) = state.withLock { state in
      defer {
        state.sensor = nil
        state.listeners = [:]
      }
      return (state.listeners.values.map { $0 }, state.sensor)
    }
    sensor?.cancel()
    for listener in listeners { listener.notices.finish() }
  }

  /// Lets go of the file; those who listen are told nothing until ``resume(at:)``.
  func suspend() {
    // Where it is looked at: nothing of it is under way when this returns.
    queue.sync {
      let sensor = state.withLock { state in
        defer { state.sensor = nil }
        state.isSuspended = true
        return state.sensor
      }
      sensor?.cancel()
      sensor?.close()
    }
  }

  /// Watches the file again, and has those who listen look.
  func resume(at place: StorePlace) {
    state.withLock { state in
      state.isSuspended = false
      state.place = place
    }
    queue.async { [self] in
      startSensing()
      announce()
    }
  }

  private func forget(_ key: UUID) {
    let unused = state.withLock { state -> ChangeSensor? in
      state.listeners[key] = nil
      guard state.listeners.isEmpty else { return nil }
      defer { state.sensor = nil }
      return state.sensor
    }
    unused?.cancel()
  }

  private func startSensing() {
    let (isNeeded, place) = state.withLock { state in
      (state.sensor == nil && !state.listeners.isEmpty && !state.isSuspended, state.place)
    }
    guard isNeeded else { return }
    let sensor = ChangeSensor(file, place, queue: queue) { [weak self] in
      self?.announce()
    } report: { [weak self] version in
      self?.publish(version)
    }
    guard let sensor else {
      // It may have gone before anybody looked.
      if (try? place.check()) == nil { announce() }
      return
    }
    state.withLock { $0.sensor = sensor }
    sensor.look()
  }

  private func publish(_ version: SourceVersion) {
    let listeners = state.withLock { state in
      let isKnown = version == state.published
      state.published = version
      return state.listeners.values.filter { $0.hearsAll || !isKnown }
    }
    for listener in listeners { listener.notices.yield(SourceChange()) }
  }
}

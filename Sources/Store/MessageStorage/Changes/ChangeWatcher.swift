internal import Dispatch
internal import Foundation
internal import GRDB
internal import MessageModel
internal import Synchronization

/// Notices commits: its own store's at once, those of other processes by an event on the log file and, at
/// worst 200 ms later, by polling `PRAGMA data_version`. It watches only while there are listeners. Changes
/// are recognised by the store's counters, so that the file event for an own commit causes no second notice.
final class ChangeWatcher: Sendable {
  private let file: StoreFile
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "scrollback.changes", qos: .userInitiated)

  private struct Listener {
    var notices: AsyncStream<Void>.Continuation
    /// Whether to report commits that moved no counter: read marks, checksums.
    var hearsAll: Bool
  }

  private struct State {
    var listeners: [UUID: Listener] = [:]
    var published = SourceVersion()
    var sensor: ChangeSensor?
    var place: StorePlace
    var isSuspended = false
  }

  init(_ file: StoreFile, _ place: StorePlace) {
    self.file = file
    state = Mutex(State(place: place))
  }

  func ownCommit(_ version: SourceVersion) {
    publish(version)
  }

  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// Makes listeners read again without a commit: a count has become exact, or the file is missing.
  func announce() {
    for listener in state.withLock({ Array($0.listeners.values) }) {
      listener.notices.yield()
    }
  }

  /// See ``MessageSource/changes()``. The first element comes when no later commit can be missed.
  func changes() -> AsyncStream<Void> { stream(hearsAll: false) }

  func commits() -> AsyncStream<Void> { stream(hearsAll: true) }

  private func stream(hearsAll: Bool) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let key = UUID()
      continuation.onTermination = { [self] _ in forget(key) }
      state.withLock { $0.listeners[key] = Listener(notices: continuation, hearsAll: hearsAll) }
      queue.async { [self] in
        startSensing()
        continuation.yield()
      }
    }
  }

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

  /// Releases the file; there are no notices until ``resume(at:)``.
  func suspend() {
    // On the queue, so that nothing is in progress when this returns.
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
      // The file may have been gone before.
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
    for listener in listeners { listener.notices.yield() }
  }
}

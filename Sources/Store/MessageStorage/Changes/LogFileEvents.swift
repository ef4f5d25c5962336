@preconcurrency internal import Dispatch
internal import Foundation
internal import Synchronization

/// Events of one file: inotify on Linux, kqueue on Apple's systems. The file may come and go, since SQLite
/// removes its log with the last connection. ``watch()`` starts over when it exists again.
final class LogFileEvents: Sendable {
  private let path: String
  private let queue: DispatchQueue
  private let state = Mutex(State())

  private struct State {
    var source: (any DispatchSourceProtocol)?
    var handler: @Sendable () -> Void = {}
  }

  init(path: String, queue: DispatchQueue) {
    self.path = path
    self.queue = queue
  }

  func onChange(_ handler: @escaping @Sendable () -> Void) {
    state.withLock { $0.handler = handler }
  }

  /// Does nothing if the file is missing or watched already.
  func watch() {
    guard state.withLock({ $0.source == nil }), let source = makeSource() else { return }
    state.withLock { $0.source = source }
    source.activate()
  }

  func cancel() {
    state.withLock { state in
      state.source?.cancel()
      state.source = nil
    }
  }

  private func fire() { state.withLock { $0.handler }() }

  #if os(Linux)
    private func makeSource() -> (any DispatchSourceProtocol)? {
      guard let events = SystemEvents(),
        events.watch(path, for: IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF) != nil
      else { return nil }
      let source = DispatchSource.makeReadSource(fileDescriptor: events.descriptor, queue: queue)
      source.setEventHandler { [weak self] in
        var hasGone = false
        events.takeAll { if $0.isOfWhatIsGone { hasGone = true } }
        if hasGone { self?.cancel() }
        self?.fire()
      }
      // The descriptor must stay open until then.
      source.setCancelHandler { withExtendedLifetime(events) {} }
      return source
    }
  #else
    private func makeSource() -> (any DispatchSourceProtocol)? {
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename], queue: queue)
      source.setEventHandler { [weak self] in
        if !source.data.isDisjoint(with: [.delete, .rename]) { self?.cancel() }
        self?.fire()
      }
      source.setCancelHandler { close(descriptor) }
      return source
    }
  #endif
}

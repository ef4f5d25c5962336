internal import Synchronization

/// A cache of contents within a limit of bytes; the least recently used go first. Callers share its arrays,
/// so that each content is in memory once.
final class ContentCache: Sendable {
  private let limit: Int
  private let state = Mutex(State())

  private struct State {
    var entries: [ContentKey: (bytes: [UInt8], use: Int)] = [:]
    var byteCount = 0
    var clock = 0
    var hitCount = 0
    var missCount = 0
  }

  init(byteLimit: Int) { limit = byteLimit }

  func bytes(of key: ContentKey) -> [UInt8]? {
    state.withLock { state in
      state.clock += 1
      guard let entry = state.entries[key] else {
        state.missCount += 1
        return nil
      }
      state.hitCount += 1
      state.entries[key]?.use = state.clock
      return entry.bytes
    }
  }

  /// Skips contents of more than a quarter of the limit.
  func hold(_ bytes: [UInt8], of key: ContentKey) {
    guard bytes.count <= limit / 4 else { return }
    state.withLock { state in
      state.clock += 1
      state.byteCount += bytes.count - (state.entries[key]?.bytes.count ?? 0)
      state.entries[key] = (bytes, state.clock)
      while state.byteCount > limit, let oldest = state.entries.min(by: { $0.value.use < $1.value.use }) {
        state.byteCount -= oldest.value.bytes.count
        state.entries[oldest.key] = nil
      }
    }
  }

  func release(_ key: ContentKey) {
    state.withLock { state in
      state.byteCount -= state.entries.removeValue(forKey: key)?.bytes.count ?? 0
    }
  }

  func releaseAll() {
    state.withLock { state in
      state.entries = [:]
      state.byteCount = 0
    }
  }

  var statistics: ContentCacheStatistics {
    state.withLock { state in
      ContentCacheStatistics(
        byteCount: state.byteCount, byteLimit: limit, contentCount: state.entries.count,
        hitCount: state.hitCount,
        missCount: state.missCount)
    }
  }
}

package struct ContentCacheStatistics: Hashable, Sendable {
  package var byteCount: Int
  package var byteLimit: Int
  package var contentCount: Int
  package var hitCount: Int
  package var missCount: Int
}

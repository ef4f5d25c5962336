internal import Synchronization

/// Contents that were looked at, as long as they fit into a number of bytes; the ones used longest ago go first.
///
/// It holds the very array that it hands out, so a content is in memory once, however many look at it.
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

  /// Returns a content that is held.
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

  /// Holds a content, unless it alone would fill more than a quarter of the limit.
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

  /// Lets go of a content.
  func release(_ key: ContentKey) {
    state.withLock { state in
      state.byteCount -= state.entries.removeValue(forKey: key)?.bytes.count ?? 0
    }
  }

  /// Lets go of everything.
  func releaseAll() {
    state.withLock { state in
      state.entries = [:]
      state.byteCount = 0
    }
  }

  /// The contents it holds, and how often it had what was asked for, in figures.
  var statistics: ContentCacheStatistics {
    state.withLock { state in
      ContentCacheStatistics(
        byteCount: state.byteCount, byteLimit: limit, contentCount: state.entries.count,
        hitCount: state.hitCount,
        missCount: state.missCount)
    }
  }
}

/// The contents that a store holds in memory, in figures.
package struct ContentCacheStatistics: Hashable, Sendable {
  /// The bytes held.
  package var byteCount: Int
  /// The most bytes that are ever held.
  package var byteLimit: Int
  /// The number of contents.
  package var contentCount: Int
  /// The number of times that a content was asked for and held.
  package var hitCount: Int
  /// The number of times that one had to be read.
  package var missCount: Int
}

internal import Foundation
internal import GRDB
public import MessageModel
internal import Synchronization

extension StoreReading {
  /// Returns a whole content, from memory if it was read lately.
  ///
  /// It stays in memory, within the store's limit for contents, until other contents need the
  /// space. Use it for thumbnails and the like, and ``SynchronousMessageStore/streamContent(_:_:)`` for large
  /// contents.
  ///
  /// - Throws: As ``SynchronousMessageStore/streamContent(_:_:)``.
  public func content(_ sha256: String) throws(StoreError) -> [UInt8] {
    if let key = ContentKey(sha256), let held = store.contentCache.bytes(of: key) { return held }
    let content = try store.openContent(sha256)
    let bytes = try content.read(at: 0, count: content.byteCount)
    guard bytes.count == content.byteCount else { throw content.isTooShort() }
    if store.openWrite == nil { store.contentCache.hold(bytes, of: content.key) }
    return bytes
  }
}

extension SynchronousMessageStore {
  /// Calls `body` with the pieces of a content, in order, until it returns `false`.
  ///
  /// One piece is in memory at a time: at most 256 KiB, or 4 MiB of a content in the database that is large
  /// enough for a file.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if the store does not have the content, `damaged` if its
  ///   file is missing or too short, `inputOutput`.
  public func streamContent(
    _ sha256: String, _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let content = try openContent(sha256)
    var offset = 0
    while offset < content.byteCount {
      let piece = try content.read(at: offset, count: ContentIntake.chunkByteCount)
      guard !piece.isEmpty else { throw content.isTooShort() }
      guard try piece.lend(body) else { return }
      offset += piece.count
    }
  }

  /// Opens a content for reading at any place, for as long as the value lives.
  ///
  /// - Throws: As ``streamContent(_:_:)``.
  public func openContent(_ sha256: String) throws(StoreError) -> StoredContent {
    let doing = "cannot read content \(sha256.prefix(12))"
    guard let key = ContentKey(sha256) else {
      throw StoreError(.invalidRequest, doing, cause: "this is not a SHA-256")
    }
    return try reading(doing, archived: { archive in throw archive.withoutContents(doing) }) { db in
      guard let row = try ContentRow(key, in: db) else {
        throw StoreError(.notFound, doing, cause: "the store does not have it")
      }
      return try StoredContent(key, row, of: self, in: db, doing: doing)
    }
  }

  /// Releases a content held in memory.
  package func releaseContent(_ sha256: String) {
    if let key = ContentKey(sha256) { contentCache.release(key) }
  }

  /// Releases all contents held in memory.
  package func releaseContents() { contentCache.releaseAll() }

  /// The contents held in memory, in figures.
  package var contentCacheStatistics: ContentCacheStatistics { contentCache.statistics }
}

/// A content of a store, open for reading.
///
/// It is read, not mapped: a file that another process truncates gives an error, where a mapping would end
/// the process.
public final class StoredContent {
  /// Its size in bytes.
  public let byteCount: Int
  /// The media type according to its first bytes.
  public let mediaType: String
  /// The path of its file; `nil` if it is in the database.
  public let path: String?
  let key: ContentKey
  private let descriptor: Int32
  private var bytes: [UInt8]
  private var start = 0
  private let doing: String
  private let store: SynchronousMessageStore
  private let row: Int64

  /// The bytes read at once of a content in the database: to find a place, SQLite walks all pages before it.
  private static let runByteCount = 4 << 20

  fileprivate init(
    _ key: ContentKey, _ row: ContentRow, of store: SynchronousMessageStore, in db: Database, doing: String
  ) throws {
    self.key = key
    self.doing = doing
    self.store = store
    self.row = row.id
    byteCount = row.byteCount
    mediaType = row.type
    if row.hasData {
      (descriptor, path) = (-1, nil)
      bytes = try Self.data(of: row.id, at: 0, count: min(row.byteCount, Self.runByteCount), in: db)
      return
    }
    bytes = []
    let file = store.contents.file(of: key)
    path = file
    guard let opened = ContentFile.open(file) else {
      let reason =
        stat(at: file)?.strangeKind.map { "\($0) lies in its place" }
        ?? "its file is gone: \(String(cString: strerror(errno)))"
      throw StoreError(.damaged, doing, cause: reason, remedy: .checkStore)
    }
    descriptor = opened
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns up to `count` bytes from an offset on, fewer only at the end.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput` for a content in the database. An
  ///   unreadable file gives fewer bytes.
  public func read(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
    if descriptor >= 0 {
      return RandomRead.bytes(of: descriptor, at: offset, count: min(count, byteCount - offset)) ?? []
    }
    let wanted = min(count, byteCount - offset)
    guard wanted > 0 else { return [] }
    if offset < start || offset + wanted > start + bytes.count {
      let run = max(wanted, min(Self.runByteCount, byteCount - offset))
      bytes = try store.reading(doing) { [row] db in try Self.data(of: row, at: offset, count: run, in: db) }
      start = offset
    }
    return Array(bytes.dropFirst(offset - start).prefix(wanted))
  }

  private static func data(of row: Int64, at offset: Int, count: Int, in db: Database) throws -> [UInt8] {
    guard count > 0 else { return [] }
    return try IncrementalBlob(db, table: "content_data", column: "data", row: row, isWriting: false)
      .read(at: offset, count: count)
  }

  func isTooShort() -> StoreError {
    StoreError(.damaged, doing, cause: "its file has become shorter", remedy: .checkStore)
  }
}

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

internal import CSQLiteShim
internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// The memory that a store uses.
package struct StoreMemory: Hashable, Sendable {
  /// The pages of the database that its connections keep.
  package var pageCacheByteCount: Int
  /// The bytes that SQLite has allocated in this process, those for pages and searches included.
  package var databaseByteCount: Int
  /// The part of these bytes that holds no pages: lists in use by searches, prepared statements, the schema.
  package var searchByteCount: Int { max(0, databaseByteCount - processPageByteCount) }
  /// The pages that all connections of this process keep.
  var processPageByteCount: Int
  /// The cached contents of attachments.
  package var contents: ContentCacheStatistics
}

extension SynchronousMessageStore {
  /// Returns the memory of this process; unknown if it could reveal hidden data.
  package func processMemory() -> ProcessMemory { source.hidesMemory ? .unknown : .now() }

  /// Returns the memory that the store uses now; zeros if they could reveal hidden data.
  ///
  /// - Complexity: O(1), after waiting for a write in progress.
  package func memory() -> StoreMemory {
    if source.hidesMemory {
      return StoreMemory(
        pageCacheByteCount: 0, databaseByteCount: 0, processPageByteCount: 0,
        contents: contentCache.statistics)
    }
    var pages = (try? gate.whileOpen { try database.read { db in Self.cachedByteCount(db) } }) ?? 0
    if let writer = database as? any DatabaseWriter, options.access != .readOnly {
      pages +=
        (try? gate.whileOpen { writer.writeWithoutTransaction { db in Self.cachedByteCount(db) } }) ?? 0
    }
    return StoreMemory(
      pageCacheByteCount: pages, databaseByteCount: Int(sqlite3_memory_used()),
      processPageByteCount: max(pages, Self.processPageByteCount),
      contents: contentCache.statistics)
  }

  /// Makes SQLite allocate without counting, for which all threads of a process wait for each other: an
  /// import, which writes rows on one thread and the search index on another, takes a quarter less time.
  ///
  /// ``StoreMemory/databaseByteCount`` is 0 afterwards. Call it before the process opens its first database;
  /// later it does nothing.
  package static func forgoMemoryFigures() { _ = csqlite_forgo_memory_figures() }

  /// Pages are on the heap, since no memory is set aside
  /// (<https://sqlite.org/c3ref/c_status_malloc_count.html>).
  private static var processPageByteCount: Int {
    var (now, most): (sqlite3_int64, sqlite3_int64) = (0, 0)
    sqlite3_status64(SQLITE_STATUS_PAGECACHE_OVERFLOW, &now, &most, 0)
    return Int(now)
  }

  private static func cachedByteCount(_ db: Database) -> Int {
    var (now, most): (Int32, Int32) = (0, 0)
    sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_USED, &now, &most, 0)
    return Int(now)
  }
}

package struct ProcessMemory: Hashable, Sendable {
  /// Bytes in physical memory; 0 if unknown.
  package var residentByteCount: Int
  /// The peak of bytes in physical memory.
  package var peakByteCount: Int

  package static let unknown = ProcessMemory(residentByteCount: 0, peakByteCount: 0)

  package static func now() -> ProcessMemory {
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      let peak = Int(usage.ru_maxrss) * 1_024
      let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
      let pages = statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      let resident = pages * Int(sysconf(Int32(_SC_PAGESIZE)))
      return ProcessMemory(residentByteCount: resident, peakByteCount: max(peak, resident))
    #else
      getrusage(RUSAGE_SELF, &usage)
      return ProcessMemory(residentByteCount: Int(usage.ru_maxrss), peakByteCount: Int(usage.ru_maxrss))
    #endif
  }
}

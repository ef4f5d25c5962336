internal import GRDB
package import MessageModel

/// What a store answers from: its file, or an archive in place of one.
///
/// Every question is put with both answers (``SynchronousMessageStore/reading(_:archived:_:)``); the source
/// chooses. A question without an answer of an archive reads the file, which an archive refuses.
protocol HistorySource: Sendable {
  func answer<Value>(
    _ doing: () -> String, archived: (any HistoryArchive) throws -> Value,
    filed: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value
  /// Throws if there is no file to read.
  func checkReadable(_ doing: () -> String) throws(StoreError)
  /// Throws if there is no file to write to.
  func checkWritable(_ doing: () -> String) throws(StoreError)
  func checkPlace(_ place: StorePlace) throws(StoreError)
  func changes(_ watcher: ChangeWatcher) -> AsyncStream<Void>
  /// Opens another store over the same archive; `nil` for a file.
  func another() throws(StoreError) -> SynchronousMessageStore?
  /// Whether the memory used could reveal something hidden.
  var hidesMemory: Bool { get }
  func close()
}

struct FileSource: HistorySource {
  func answer<Value>(
    _ doing: () -> String, archived: (any HistoryArchive) throws -> Value,
    filed: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value { try filed() }

  func checkReadable(_ doing: () -> String) {}
  func checkWritable(_ doing: () -> String) {}
  func checkPlace(_ place: StorePlace) throws(StoreError) { try place.check() }
  func changes(_ watcher: ChangeWatcher) -> AsyncStream<Void> { watcher.changes() }
  func another() -> SynchronousMessageStore? { nil }
  var hidesMemory: Bool { false }
  func close() {}
}

struct ArchiveSource: HistorySource {
  let archive: any HistoryArchive
  let endsArchive: Bool

  func answer<Value>(
    _ doing: () -> String, archived: (any HistoryArchive) throws -> Value,
    filed: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    do { return try archived(archive) } catch { throw StoreError(error, doing: doing()) }
  }

  func checkReadable(_ doing: () -> String) throws(StoreError) { throw archive.unanswered(doing()) }

  func checkWritable(_ doing: () -> String) throws(StoreError) {
    throw StoreError(
      .readOnly, doing(), cause: "'\(archive.place)' is a published archive, which is only read",
      remedy: .changeAndPublish)
  }

  func checkPlace(_ place: StorePlace) {}
  func changes(_ watcher: ChangeWatcher) -> AsyncStream<Void> { archive.changes() }

  func another() throws(StoreError) -> SynchronousMessageStore? {
    try SynchronousMessageStore(reading: archive, endsArchive: false)
  }

  var hidesMemory: Bool { archive.hidesMemory }

  func close() { if endsArchive { archive.close() } }
}

extension SynchronousMessageStore {
  /// Another store over the same archive, for work beside this one; closing it leaves the archive open. `nil`
  /// for a store in a file.
  package func anotherOfArchive() throws(StoreError) -> SynchronousMessageStore? { try source.another() }

  /// Answers from the file by `body`, and from an archive by `archived`.
  func reading<Value>(
    _ doing: @autoclosure () -> String, archived: (any HistoryArchive) throws -> Value,
    _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    try source.answer(doing, archived: archived) { () throws(StoreError) in try reading(doing(), body) }
  }

  /// Reads from the file what is not published; an archive has `value`.
  func reading<Value>(
    _ doing: @autoclosure () -> String, unpublished value: Value, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    try reading(doing(), archived: { _ in value }, body)
  }
}

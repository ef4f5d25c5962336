internal import Foundation
internal import GRDB
internal import GRDBSQLite
package import MessageModel

/// Receives a content in pieces, before anything refers to it.
///
/// Contents up to the limit for the database stay in memory. Longer ones go to a temporary file, which is
/// removed unless the content is finished and referred to.
package final class ContentIntake {
  private let folder: ContentFolder
  private let limit: Int
  let doing: String
  private var hash = ContentHash()
  private var memory: [UInt8] = []
  /// The first bytes, which show the media type: reading back from a disk may return something else.
  private var start: [UInt8] = []
  private(set) var file: TemporaryFile?
  package private(set) var byteCount = 0

  var key: ContentKey { hash.key() }

  static let chunkByteCount = 1 << 18

  init(_ folder: ContentFolder, memoryLimit: Int, doing: String) {
    self.folder = folder
    limit = min(memoryLimit, 1 << 20)
    self.doing = doing
  }

  /// After an error the intake is useless.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    hash.add(bytes)
    start.append(contentsOf: bytes.prefix(MediaType.sampleByteCount - start.count))
    byteCount += bytes.count
    if file == nil, byteCount > limit {
      let new = try folder.temporaryFile(doing: doing)
      try memory.lend { (held) throws(StoreError) in try new.write(held, doing: doing) }
      memory = []
      file = new
      try step(.made)
    }
    if let file { try file.write(bytes, doing: doing) } else { memory.append(contentsOf: bytes) }
  }

  /// Ends the content, which is then in memory or synced to disk, and can be referred to. After an error the
  /// intake is useless.
  ///
  /// - Parameter claimedType: The sender's media type; used only where it is more exact than what the bytes
  ///   show.
  package func finish(claimedType: String? = nil) throws(StoreError) -> StagedContent {
    try step(.copied)
    try file?.sync(doing: doing)
    try step(.synced)
    let place: StagedContent.Place = file.map { .file($0) } ?? .memory(memory)
    let content = StagedContent(
      hash.key(), place, start: start, byteCount: byteCount, claimedType: claimedType)
    content.compare(with: folder)
    return content
  }

  private func step(_ step: AttachmentStep) throws(StoreError) {
    do { try step.pass() } catch { throw StoreError(error, doing: doing) }
  }

  /// - Throws: ``StoreError`` of kind `noSuchFile`, `notPermitted`, `invalidRequest` unless it is a regular
  ///   file, and `inputOutput` if it changes during the read.
  func write(fileAt path: String) throws(StoreError) {
    // A pipe would block until there is a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw StoreError(errno: errno, doing, "'\(path)'") }
    defer { close(descriptor) }
    guard let facts = ContentFileFacts(descriptor: descriptor) else {
      throw StoreError(
        .invalidRequest, doing, cause: "'\(path)' is not a file but a folder, a pipe or a device")
    }
    try step(.opened)
    var count = 0
    while true {
      let chunk = try Self.chunk(of: descriptor, path, doing)
      if chunk.isEmpty { break }
      count += chunk.count
      try chunk.lend(write)
    }
    guard count == facts.byteCount, ContentFileFacts(descriptor: descriptor) == facts else {
      throw StoreError(
        .inputOutput, doing, cause: "'\(path)' has changed while it was read",
        remedy: "run it again when it is complete")
    }
  }

  private static func chunk(of descriptor: Int32, _ path: String, _ doing: String) throws(StoreError)
    -> [UInt8]
  {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: chunkByteCount) { buffer, filled in
      filled = 0
      repeat {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        failure = count < 0 ? errno : 0
        filled = max(count, 0)
      } while failure == EINTR
    }
    guard failure == 0 else { throw StoreError(errno: failure, doing, "'\(path)'") }
    return bytes
  }
}

/// A complete content before anything refers to it. When released unused, it leaves nothing behind.
package final class StagedContent {
  package let key: ContentKey
  package let byteCount: Int
  /// The media type according to the first bytes.
  package let sniffedType: String
  /// The stored media type: ``sniffedType``, or the sender's more exact one.
  package let mediaType: String
  /// A picture's size according to its header.
  package let pixelSize: PixelSize?
  /// The duration of a sound or film, if it is cheap to determine.
  package let durationMilliseconds: Int?

  enum Place {
    case memory([UInt8])
    case file(TemporaryFile)
  }

  private let place: Place
  private var known: ContentFileFacts?

  /// A JPEG's size follows its metadata.
  private static let headerByteCount = 1 << 18

  init(_ key: ContentKey, _ place: Place, start: [UInt8], byteCount: Int, claimedType: String?) {
    self.key = key
    self.place = place
    self.byteCount = byteCount
    let read = { (offset: Int, count: Int) in Self.bytes(of: place, at: offset, count: count) }
    sniffedType = MediaType.sniffed(start)
    mediaType = MediaType.refined(sniffedType, by: claimedType)
    pixelSize = sniffedType.hasPrefix("image/") ? PixelSize(header: read(0, Self.headerByteCount)) : nil
    durationMilliseconds = MediaDuration(type: sniffedType, byteCount: byteCount, read: read).milliseconds
  }

  private static func bytes(of place: Place, at offset: Int, count: Int) -> [UInt8] {
    switch place {
    case .memory(let bytes): Array(bytes.dropFirst(offset).prefix(count))
    case .file(let file): file.read(at: offset, count: count)
    }
  }

  func compare(with folder: ContentFolder) {
    guard let facts = folder.facts(of: key), facts.byteCount == byteCount else { return }
    guard ContentFile.key(of: folder.file(of: key)) == key else { return }
    known = facts
  }

  func put(into db: Database, _ folder: ContentFolder, inlineLimit: Int, doing: String) throws {
    let row = try ContentRow(key, in: db)
    if let row, row.hasData { return }
    if byteCount > inlineLimit, case .file(let file) = place {
      if known == nil || known != folder.facts(of: key) { try folder.install(file, as: key, doing: doing) }
      if row == nil { try insert(into: db) }
    } else if row == nil || folder.facts(of: key)?.byteCount != byteCount {
      let id = try row?.id ?? insert(into: db)
      try writeData(id, into: db)
    }
    try AttachmentStep.written.pass()
  }

  @discardableResult
  private func insert(into db: Database) throws -> Int64 {
    try RawStatement.run(
      db,
      "INSERT INTO content(sha256, bytes, type, width, height, duration) VALUES (?, ?, ?, ?, ?, ?)",
      key.description, byteCount, sniffedType, pixelSize.map { Int64($0.width) },
      pixelSize.map { Int64($0.height) }, durationMilliseconds.map { Int64($0) })
    try AttachmentStep.described.pass()
    return db.lastInsertedRowID
  }

  /// In pieces, so that a large content is never in memory.
  private func writeData(_ id: Int64, into db: Database) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO content_data VALUES (?1, zeroblob(?2))", id, Int64(byteCount))
    guard byteCount > 0 else { return }
    let blob = try IncrementalBlob(db, table: "content_data", column: "data", row: id, isWriting: true)
    var offset = 0
    while offset < byteCount {
      let piece = Self.bytes(
        of: place, at: offset, count: min(ContentIntake.chunkByteCount, byteCount - offset))
      guard !piece.isEmpty else { throw StoreError(.inputOutput, "cannot read a temporary file") }
      try blob.write(piece, at: offset)
      offset += piece.count
    }
  }
}

/// A value read and written in pieces (<https://sqlite.org/c3ref/blob_open.html>).
final class IncrementalBlob {
  private var handle: OpaquePointer?
  private let db: Database
  let byteCount: Int

  init(_ db: Database, table: String, column: String, row: Int64, isWriting: Bool) throws {
    self.db = db
    let code = sqlite3_blob_open(db.sqliteConnection, "main", table, column, row, isWriting ? 1 : 0, &handle)
    guard code == SQLITE_OK, let handle else { throw Self.failure(code, db) }
    byteCount = Int(sqlite3_blob_bytes(handle))
  }

  deinit { sqlite3_blob_close(handle) }

  func write(_ bytes: [UInt8], at offset: Int) throws {
    let code = sqlite3_blob_write(handle, bytes, Int32(bytes.count), Int32(offset))
    guard code == SQLITE_OK else { throw Self.failure(code, db) }
  }

  func read(at offset: Int, count: Int) throws -> [UInt8] {
    let wanted = max(0, min(count, byteCount - offset))
    var code = SQLITE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      code = sqlite3_blob_read(handle, buffer.baseAddress, Int32(wanted), Int32(offset))
      filled = code == SQLITE_OK ? wanted : 0
    }
    guard code == SQLITE_OK else { throw Self.failure(code, db) }
    return bytes
  }

  private static func failure(_ code: Int32, _ db: Database) -> DatabaseError {
    let message = sqlite3_errmsg(db.sqliteConnection).map { String(cString: $0) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
  }
}

extension [UInt8] {
  /// Unlike the standard library's method, keeps the error's type.
  func lend<Value>(
    _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let result = withUnsafeBytes { bytes in
      Result<Value, StoreError> { () throws(StoreError) in try body(bytes) }
    }
    return try result.get()
  }
}

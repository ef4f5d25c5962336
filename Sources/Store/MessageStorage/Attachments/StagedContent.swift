internal import GRDB
internal import GRDBSQLite
package import MessageModel

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

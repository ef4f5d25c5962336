internal import CSQLiteShim

/// Streams a value of a database, so that a long one is never in memory as a whole.
final class SQLiteValue: ByteProducer {
  private let value: OpaquePointer
  private let file: SQLiteFile
  private var position = 0
  let byteCount: Int

  init(_ value: OpaquePointer, of file: SQLiteFile) {
    self.value = value
    self.file = file
    byteCount = Int(sqlite3_blob_bytes(value))
  }

  deinit { sqlite3_blob_close(value) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InterchangeError) -> Int {
    let count = min(buffer.count, byteCount - position)
    guard count > 0 else { return 0 }
    guard sqlite3_blob_read(value, buffer.baseAddress, Int32(count), Int32(position)) == SQLITE_OK else {
      throw file.failure()
    }
    position += count
    return count
  }

  func goBack(_ count: Int) -> Bool {
    guard count <= position else { return false }
    position -= count
    return true
  }
}

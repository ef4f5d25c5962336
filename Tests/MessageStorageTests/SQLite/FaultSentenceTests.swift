import GRDB
import MessageModel
import Testing

@testable import MessageStorage

/// What people are told where SQLite fails.
@Suite struct FaultSentenceTests {
  @Test(arguments: [
    (ResultCode.SQLITE_READONLY, StoreError.Kind.readOnly, "you may not write this file"),
    (.SQLITE_READONLY_DIRECTORY, .readOnly, "you may not write this file"),
    (.SQLITE_FULL, .inputOutput, "the disk is full"),
    (.SQLITE_IOERR_SHMSIZE, .inputOutput, "the disk is full"),
    (.SQLITE_CANTOPEN, .notPermitted, "you may not open this file, or the files next to it"),
    (.SQLITE_IOERR_READ, .inputOutput, "the disk reports an error: its own words"),
    (.SQLITE_CORRUPT_INDEX, .damaged, "the file is damaged: its own words"),
    (.SQLITE_BUSY, .busy, "another process has been writing to it for too long"),
  ])
  func `an error of SQLite is told in plain words`(code: ResultCode, kind: StoreError.Kind, cause: String) {
    let error = StoreError(DatabaseError(resultCode: code, message: "its own words"), doing: "cannot do it")
    #expect(error.kind == kind)
    #expect(error.cause == cause)
  }
}

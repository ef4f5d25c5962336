import GRDB
import Testing

@testable import MessageStorage

@Suite struct NumberRowsTests {
  @Test(arguments: [0, 1, 31, 32, 33, 64, 100])
  func `rows are written once each, and added to those that are there`(count: Int) throws {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: "CREATE TABLE part(a INTEGER, b INTEGER, c INTEGER, count INTEGER, PRIMARY KEY(a, b, c))")
      for _ in 0..<2 {
        var rows = NumberRows(db, into: "part", onConflict: "SET count = count + excluded.count")
        for number in 0..<Int64(count) { try rows.add(number % 3, -number, number, number) }
        try rows.write()
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM part") == count)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM part WHERE count <> 2 * c OR b <> -c") == 0)
    }
  }
}

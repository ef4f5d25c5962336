package import MessageModel

extension PostgresArchive {
  /// Returns, by place, the messages of a selection that were written at another time than that of their
  /// place.
  package func ownTimes(of selection: Selection) throws(StoreError) -> [OwnTime] {
    try ask { connection throws(StoreError) in
      guard try ArchivePages.haveOwnTimes(numbers, connection) else { return [] }
      let scope = try ArchiveScope(selection, numbers, haveOwnTimes: true)
      let time = ArchivePredicate.time(of: "m")
      let rows = try connection.run(
        """
        SELECT m.id, \(time), m.precision FROM unnest($1::bigint[]) AS c(number) CROSS JOIN LATERAL (
          SELECT * FROM message m WHERE \(scope.rows(of: "c.number"))\(scope.andCondition)
            AND m.id BETWEEN \(scope.ids.lowerBound) AND \(scope.ids.upperBound)
            AND m.features & \(ArchiveFeature.writtenAt) <> 0) m ORDER BY m.id
        """, [PostgresValue(scope.counted)])
      return rows.indices.map { row in
        OwnTime(
          id: Message.ID(rawValue: rows.int(row, 0)),
          time: Timestamp(millisecondsSince1970: rows.int(row, 1)),
          precision: TimePrecision(rawValue: Int(rows.int(row, 2))) ?? .millisecond)
      }
    }
  }
}

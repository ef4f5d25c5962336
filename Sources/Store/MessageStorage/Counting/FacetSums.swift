internal import GRDB

struct FacetSums {
  let db: Database
  let scope: Int64

  func counts(of aspect: Facet.Aspect) throws -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    // In the order of the table's key, so that the sums need no temporary table.
    let settled = try RawStatement(
      db,
      """
      SELECT facet / 8, sum(count) FROM superpart WHERE scope = ?1 AND facet % 8 = \(aspect.rawValue)
        GROUP BY facet
      """, scope)
    try settled.each { row in counts[row.int(0)] = row.count(1) }
    let newest = try RawStatement(
      db,
      """
      SELECT facet / 8, count FROM part WHERE scope = ?1 AND facet % 8 = \(aspect.rawValue)
        AND first_id >= (SELECT max(first_id) FROM superblock WHERE scope = ?1)
      """, scope)
    try newest.each { row in counts[row.int(0), default: 0] = row.count(1).adding(counts[row.int(0)] ?? 0) }
    return counts
  }
}

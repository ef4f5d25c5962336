internal import MessageModel

/// Ordinals as SQL expressions: the number of messages before an id, and the id at an ordinal. $1 is the
/// array of counted conversations. Both cost O(super-blocks + blocks of one + messages of a block); for a
/// facet, O(blocks that contain it).
struct ArchiveOrdinals {
  let scope: ArchiveScope

  func ordinal(of id: String) -> String {
    let (first, last) = (scope.ids.lowerBound, scope.ids.upperBound)
    var inside = id
    if first > .lowest { inside = "greatest(\(inside), \(first)::bigint)" }
    if last < .highest { inside = "least(\(inside), \(last.successor)::bigint)" }
    let outside = first > .lowest ? " - \(unbounded("\(first)::bigint"))" : ""
    return "(\(unbounded(inside))\(outside))"
  }

  var total: String {
    if scope.isEmpty { return "0::bigint" }
    let (first, last) = (scope.ids.lowerBound, scope.ids.upperBound)
    guard first > .lowest || last < .highest else { return all }
    let upper = last < .highest ? unbounded("\(last.successor)::bigint") : all
    return first > .lowest ? "(\(upper) - \(unbounded("\(first)::bigint")))" : upper
  }

  private var all: String {
    let source =
      scope.facets.map { "part WHERE \(ArchivePredicate.any("facet", $0)) AND " } ?? "superblock WHERE "
    return "coalesce((SELECT sum(count) FROM \(source)conversation = ANY ($1::bigint[])), 0)::bigint"
  }

  private func unbounded(_ id: String) -> String {
    let inBlock = """
      (SELECT count(*) FROM message m WHERE \(scope.rows(of: "mid.conversation")) AND m.id >= mid.first_id
        AND m.id < x.id\(scope.andCondition))
      """
    if let facets = scope.facets {
      return """
        (SELECT coalesce((SELECT sum(CASE WHEN mid.last_id < x.id THEN mid.count ELSE \(inBlock) END)
          FROM part mid WHERE mid.conversation = ANY ($1::bigint[]) AND \(ArchivePredicate.any("mid.facet", facets))
            AND mid.first_id < x.id\(Self.onceEach(facets))), 0)::bigint FROM (SELECT \(id) AS id OFFSET 0) x)
        """
    }
    return """
      (SELECT coalesce((SELECT sum(CASE WHEN up.last_id < x.id THEN up.count ELSE
          (SELECT sum(CASE WHEN mid.last_id < x.id THEN mid.count ELSE \(inBlock) END) FROM block mid
            WHERE mid.conversation = up.conversation AND mid.first_id >= up.first_id
              AND mid.first_id <= up.last_id AND mid.first_id < x.id) END)
        FROM superblock up WHERE up.conversation = ANY ($1::bigint[]) AND up.first_id < x.id), 0)::bigint
        FROM (SELECT \(id) AS id OFFSET 0) x)
      """
  }

  /// Where a block contains several facets, its rows are counted once, not once per facet.
  private static func onceEach(_ facets: [Int64]) -> String {
    facets.count < 2
      ? ""
      : """
       AND (mid.last_id < x.id OR NOT EXISTS (SELECT 1 FROM part other WHERE other.conversation = mid.conversation
        AND \(ArchivePredicate.any("other.facet", facets)) AND other.first_id = mid.first_id AND other.facet < mid.facet))
      """
  }

  func id(at ordinal: String) -> String {
    let first = scope.ids.lowerBound
    let place = first > .lowest ? "(\(ordinal) + \(unbounded("\(first)::bigint")))" : "(\(ordinal))"
    return scope.isSingle ? single(place) : joint(place)
  }

  /// In one order of time: descends to the super-block, block and row at which the running count exceeds
  /// `place`.
  private func single(_ place: String) -> String {
    let number = "($1::bigint[])[1]"
    let row = """
      (SELECT m.id FROM message m WHERE \(scope.rows(of: number)) AND m.id >= mid.first_id
        AND m.id <= mid.last_id\(scope.andCondition) ORDER BY m.id OFFSET k.k - mid.before LIMIT 1)
      """
    let block: String
    if let facets = scope.facets {
      block = Self.passing(parts(facets, "conversation = \(number)"), from: "0")
    } else {
      let superblock = Self.passing(
        "SELECT first_id, last_id, count FROM superblock WHERE conversation = \(number)", from: "0")
      let blocks = Self.passing(
        """
        SELECT first_id, last_id, count FROM block
          WHERE conversation = \(number) AND first_id >= up.first_id AND first_id <= up.last_id
        """, from: "up.before")
      block = "SELECT mid.* FROM (\(superblock)) up, LATERAL (\(blocks)) mid"
    }
    return """
      (SELECT (SELECT \(row) FROM (\(block)) mid) FROM (SELECT \(place)::bigint AS k OFFSET 0) k WHERE k.k >= 0)
      """
  }

  /// The first entry at which the running count exceeds `k`, and the count before it. The index is read in
  /// order, and no further.
  private static func passing(_ entries: String, from base: String) -> String {
    """
    SELECT first_id, last_id, through - count AS before FROM (SELECT first_id, last_id, count,
        \(base) + sum(count::integer) OVER (ORDER BY first_id ROWS UNBOUNDED PRECEDING) AS through FROM (\(entries)) e) e
      WHERE through > k.k ORDER BY first_id LIMIT 1
    """
  }

  private func parts(_ facets: [Int64], _ condition: String) -> String {
    let rows = "FROM part WHERE \(ArchivePredicate.any("facet", facets)) AND \(condition)"
    return facets.count == 1
      ? "SELECT conversation, first_id, last_id, count \(rows)"
      : "SELECT conversation, first_id, last_id, sum(count) AS count \(rows) GROUP BY conversation, first_id, last_id"
  }

  /// In several orders of time: narrows to few super-blocks, then to few blocks, and merges their rows.
  private func joint(_ place: String) -> String {
    var steps = ""
    if let facets = scope.facets {
      steps = Self.merging(parts(facets, "conversation = ANY ($1::bigint[])"), as: "mid", from: "0")
    } else {
      let superblocks = "SELECT * FROM superblock WHERE conversation = ANY ($1::bigint[])"
      let blocks = """
        SELECT b.conversation, b.first_id, b.last_id, b.count FROM up, LATERAL (SELECT * FROM block b
          WHERE b.conversation = up.conversation AND b.first_id >= up.first_id AND b.first_id <= up.last_id) b
        """
      steps = Self.merging(superblocks, as: "up", from: "0") + ",\n"
      steps += Self.merging(blocks, as: "mid", from: "(SELECT base FROM up_bounds)")
    }
    return """
      (SELECT (WITH \(steps) SELECT m.id FROM mid, LATERAL (SELECT m.id FROM message m
          WHERE \(scope.rows(of: "mid.conversation")) AND m.id >= mid.first_id
            AND m.id <= least(mid.last_id, mid.high)\(scope.andCondition)) m
          ORDER BY m.id OFFSET k.k - (SELECT base::bigint FROM mid_bounds) LIMIT 1)
        FROM (SELECT \(place)::bigint AS k OFFSET 0) k WHERE k.k >= 0)
      """
  }

  /// The entries that may contain the message with `k` before it. At the beginning of an entry, at most all
  /// entries begun by then lie before it (`before`); at its end, at least all entries ended by then do
  /// (`through`). So the message lies between the last beginning with `before` ≤ `k` and the first end with
  /// `through` > `k`; the entries that ended earlier sum up to `base`.
  private static func merging(_ entries: String, as name: String, from base: String) -> String {
    """
    \(name)_all AS MATERIALIZED (SELECT conversation, first_id, last_id, count,
        \(base) + sum(count) OVER (ORDER BY first_id) - count AS before,
        \(base) + sum(count) OVER (ORDER BY last_id) AS through FROM (\(entries)) e),
    \(name)_bounds AS MATERIALIZED (SELECT low, high,
        \(base) + coalesce((SELECT sum(count) FROM \(name)_all WHERE last_id < low), 0) AS base
      FROM (SELECT (SELECT max(first_id) FROM \(name)_all WHERE before <= k.k) AS low,
        (SELECT min(last_id) FROM \(name)_all WHERE through > k.k) AS high) b),
    \(name) AS MATERIALIZED (SELECT a.*, b.high FROM \(name)_all a, \(name)_bounds b
      WHERE a.last_id >= b.low AND a.first_id <= b.high)
    """
  }
}

internal import MessageModel

/// Ordinals as expressions of a statement: what lies before an id, and which id has so much before it.
///
/// $1 is the conversations that are counted. Both cost as many steps as there are super-blocks, blocks in one, and messages in
/// a block; of a sort of message, as many as there are blocks that have it.
struct ArchiveOrdinals {
  let scope: ArchiveScope

  /// The number of messages that are older than an id.
  func ordinal(of id: String) -> String {
    let (first, last) = (scope.ids.lowerBound, scope.ids.upperBound)
    var inside = id
    if first > .lowest { inside = "greatest(\(inside), \(first)::bigint)" }
    if last < .highest { inside = "least(\(inside), \(last.successor)::bigint)" }
    let outside = first > .lowest ? " - \(unbounded("\(first)::bigint"))" : ""
    return "(\(unbounded(inside))\(outside))"
  }

  /// The number of all.
  var total: String {
    if scope.isEmpty { return "0::bigint" }
    let (first, last) = (scope.ids.lowerBound, scope.ids.upperBound)
    guard first > .lowest || last < .highest else { return all }
    let upper = last < .highest ? unbounded("\(last.successor)::bigint") : all
    return first > .lowest ? "(\(upper) - \(unbounded("\(first)::bigint")))" : upper
  }

  private var all: String {
    let source =
      scope.facets.map { "part WHERE facet = ANY ('{\(Self.list($0))}') AND " } ?? "superblock WHERE "
    return "coalesce((SELECT sum(count) FROM \(source)conversation = ANY ($1::bigint[])), 0)::bigint"
  }

  private static func list(_ numbers: [Int64]) -> String {
    numbers.map { String($0) }.joined(separator: ",")
  }

  /// What lies before an id, whatever ids count.
  private func unbounded(_ id: String) -> String {
    let inBlock = """
      (SELECT count(*) FROM message m WHERE \(scope.rows(of: "mid.conversation")) AND m.id >= mid.first_id
        AND m.id < x.id\(scope.andCondition))
      """
    if let facets = scope.facets {
      return """
        (SELECT coalesce((SELECT sum(CASE WHEN mid.last_id < x.id THEN mid.count ELSE \(inBlock) END)
          FROM part mid WHERE mid.conversation = ANY ($1::bigint[]) AND mid.facet = ANY ('{\(Self.list(facets))}')
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

  /// Of a block with several of the facets, the rows of which are counted together, one part stands for all where rows are.
  private static func onceEach(_ facets: [Int64]) -> String {
    facets.count < 2
      ? ""
      : """
       AND (mid.last_id < x.id OR NOT EXISTS (SELECT 1 FROM part other WHERE other.conversation = mid.conversation
        AND other.facet = ANY ('{\(list(facets))}') AND other.first_id = mid.first_id AND other.facet < mid.facet))
      """
  }

  /// The id of the message with so many before it; null if there is none.
  func id(at ordinal: String) -> String {
    let first = scope.ids.lowerBound
    let place = first > .lowest ? "(\(ordinal) + \(unbounded("\(first)::bigint")))" : "(\(ordinal))"
    return scope.isSingle ? single(place) : joint(place)
  }

  /// In one order of time, down from the super-blocks.
  private func single(_ place: String) -> String {
    let number = "($1::bigint[])[1]"
    let row = """
      (SELECT m.id FROM message m WHERE \(scope.rows(of: number)) AND m.id >= mid.first_id
        AND m.id <= mid.last_id\(scope.andCondition) ORDER BY m.id OFFSET k.k - mid.before LIMIT 1)
      """
    let blocks: String
    if let facets = scope.facets {
      blocks = """
        SELECT first_id, last_id, sum(count) AS count, 0::numeric AS base FROM part
          WHERE conversation = \(number) AND facet = ANY ('{\(Self.list(facets))}') GROUP BY first_id, last_id
        """
    } else {
      blocks = """
        SELECT b.first_id, b.last_id, b.count, up.before AS base FROM
          (SELECT * FROM (SELECT first_id, last_id, sum(count) OVER (ORDER BY first_id) - count AS before
            FROM superblock WHERE conversation = \(number)) s WHERE before <= k.k ORDER BY before DESC LIMIT 1) up,
          block b WHERE b.conversation = \(number) AND b.first_id >= up.first_id AND b.first_id <= up.last_id
        """
    }
    return """
      (SELECT (SELECT \(row) FROM (SELECT first_id, last_id, before::bigint AS before FROM (
        SELECT first_id, last_id, base + sum(count) OVER (ORDER BY first_id) - count AS before FROM (\(blocks)) b) w
        WHERE before <= k.k ORDER BY before DESC LIMIT 1) mid) FROM (SELECT \(place)::bigint AS k OFFSET 0) k WHERE k.k >= 0)
      """
  }

  /// In several orders of time: halving the ids between the first and the last until one message is left.
  private func joint(_ place: String) -> String {
    let source =
      scope.facets.map { "part WHERE facet = ANY ('{\(Self.list($0))}') AND" } ?? "superblock WHERE"
    return """
      (WITH RECURSIVE k AS (SELECT \(place)::bigint AS k), halving(low, high) AS (
        SELECT min(first_id), max(last_id) FROM \(source) conversation = ANY ($1::bigint[])
        UNION ALL
        SELECT CASE WHEN before <= k THEN middle ELSE low END, CASE WHEN before <= k THEN high ELSE middle - 1 END
          FROM (SELECT low, high, middle, k, \(unbounded("middle")) AS before
            FROM (SELECT low, high, low + (high - low + 1) / 2 AS middle, k FROM halving, k WHERE low < high OFFSET 0) h OFFSET 0) w)
        SELECT low FROM halving WHERE low = high AND (SELECT k FROM k) >= 0 LIMIT 1)
      """
  }
}

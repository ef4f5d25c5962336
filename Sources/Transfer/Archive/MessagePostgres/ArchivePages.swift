internal import MessageModel

/// Executes a page request on a server: one statement reads the rows on both sides of an id and all counts,
/// from one snapshot. Ordinals need another statement before it, which finds the id.
struct ArchivePages {
  let request: PageRequest
  let scope: ArchiveScope
  /// Whether messages written at another time than that of their place affect this request.
  private let haveOwnTimes: Bool
  let connection: PostgresConnection
  let limits: Limits
  let names: ArchiveNames?

  /// Limits for conditions that neither counts nor an index support.
  struct Limits: Sendable {
    var walk = 50_000
    var count = 50_000
  }

  /// Greater limits are reduced to it.
  static let maxLimit = 100_000

  /// Throws ``StoreError`` of kind `invalidRequest` for a negative limit or offset, or an unsupported
  /// condition.
  init(
    _ request: PageRequest, _ numbers: ArchiveNumbers, _ connection: PostgresConnection, limits: Limits,
    names: ArchiveNames? = nil
  ) throws(StoreError) {
    self.names = names
    try request.checkCounts()
    self.request = request
    self.connection = connection
    self.limits = limits
    let asks = request.anchor.isTime || request.selection.predicate.asksForTimes
    haveOwnTimes = asks ? try Self.haveOwnTimes(numbers, connection) : false
    scope = try ArchiveScope(request.selection, numbers, haveOwnTimes: haveOwnTimes)
  }

  /// Whether any message of a store was written at another time than that of its place, according to the
  /// counts.
  static func haveOwnTimes(
    _ numbers: ArchiveNumbers, _ connection: PostgresConnection
  ) throws(StoreError) -> Bool {
    let rows = try connection.run(
      "SELECT EXISTS (SELECT 1 FROM part WHERE conversation = $1::bigint AND facet = $2::bigint)",
      [PostgresValue(numbers.whole), PostgresValue(ArchiveFacet.feature(ArchiveFeature.writtenAt))],
      prepares: true)
    return rows.bool(0, 0)
  }

  private var limit: Int { min(request.fetchLimit, Self.maxLimit) }
  private var ordinals: ArchiveOrdinals {
    ArchiveOrdinals(scope: scope.isCounted ? scope : scope.unfiltered)
  }

  func page() throws(StoreError) -> Page {
    var start = try resolved()
    var reading = try read(around: start)
    if let moved = try moved(reading) {
      start.key = moved
      reading = try read(around: start)
    }
    if request.fetchOffset > 0, !reading.isEmpty {
      start = try offset(reading.start)
      reading = try read(around: start)
    }
    return page(of: reading)
  }

  private func moved(_ reading: Reading) throws(StoreError) -> Message.ID? {
    guard request.followsMoves, case .around(let id) = request.anchor else { return nil }
    if reading.newer.first?.id == id { return nil }
    return try ArchiveFormerIDs(connection, scope.numbers).present([id])[id]
  }

  // MARK: Start

  struct Start {
    var key: Message.ID
    var sides: Sides
    /// Whether an older neighbour is preferred as a substitute for a missing message.
    var prefersOlder = true
    var resolution = Page.Resolution(.exact)
    /// Whether an ordinal led to the message: then nothing substitutes for it.
    var isOfOrdinal = false
    var skipped = 0

    enum Sides { case older, newer, both }
  }

  private func resolved() throws(StoreError) -> Start {
    switch request.anchor {
    case .newest: return Start(key: .highest, sides: .older)
    case .oldest: return Start(key: .lowest, sides: .newer)
    case .before(let id): return Start(key: id, sides: .older)
    case .after(let id): return Start(key: id.successor, sides: .newer)
    case .around(let id): return Start(key: id, sides: .both)
    case .time(let time):
      if haveOwnTimes, let start = try start(at: time) { return start }
      return Start(key: Message.ID(time: time), sides: .both, prefersOlder: false)
    case .ordinal(let ordinal): return try start(at: PostgresValue(ordinal), isOutside: false)
    case .percent(let percent):
      let isOutside = !(0...100).contains(percent)
      let part = percent > 0 ? min(percent, 100) / 100 : 0
      return try start(at: PostgresValue("\(part)"), isPart: true, isOutside: isOutside)
    case .firstUnread:
      // An archive has no read marks: the whole conversation is unread.
      guard case .some(let ids) = request.selection.conversations, ids.count == 1 else {
        return Start(key: .highest, sides: .older)
      }
      return Start(key: .lowest, sides: .both, prefersOlder: false)
    }
  }

  /// Returns the first message written at or after a moment, else the last one before; `nil` if there is
  /// none.
  private func start(at moment: Timestamp) throws(StoreError) -> Start? {
    let time = ArchivePredicate.time(of: "m")
    let milliseconds = moment.millisecondsSince1970
    for (condition, order, match) in [
      (">= \(milliseconds)", "", Page.Resolution.Match.exact), ("< \(milliseconds)", " DESC", .nearestOlder),
    ] {
      let bound = match == .exact ? " AND m.id >= \(Message.ID(time: moment))" : ""
      let rows = try connection.run(
        """
        SELECT m.id FROM unnest($1::bigint[]) AS c(number) CROSS JOIN LATERAL (
          SELECT m.id, \(time) AS time FROM message m WHERE \(scope.rows(of: "c.number"))\(scope.andCondition)\(bound)
            AND \(time) \(condition) ORDER BY 2\(order), 1\(order) LIMIT 1) m ORDER BY m.time\(order), m.id\(order) LIMIT 1
        """, [PostgresValue(scope.counted)])
      guard rows.count == 1 else { continue }
      let found = Message.ID(rawValue: rows.int(0, 0))
      return Start(
        key: found, sides: .both, resolution: Page.Resolution(match, message: found), isOfOrdinal: true)
    }
    return nil
  }

  private func start(
    at place: PostgresValue, isPart: Bool = false, isOutside: Bool
  ) throws(StoreError) -> Start {
    let values = [PostgresValue(scope.counted), place]
    let rows = try connection.run(ordinalStatement(isPart: isPart), values, prepares: scope.isCounted)
    let id = rows.count == 1 ? rows.optionalInt(0, 2) : nil
    return start(at: id, isClamped: isOutside || id != nil && rows.int(0, 1) != rows.int(0, 3))
  }

  private func start(at id: Int64?, isClamped: Bool) -> Start {
    guard let id else { return Start(key: .highest, sides: .both, resolution: Page.Resolution(.nothing)) }
    let message = Message.ID(rawValue: id)
    return Start(
      key: message, sides: .both,
      resolution: Page.Resolution(isClamped ? .clamped : .exact, message: message),
      isOfOrdinal: true)
  }

  /// The statement that finds the message at ordinal or fraction $2. Its columns: total, clamped ordinal,
  /// message, requested ordinal.
  // Not inlined for the same reason as ``PostgresConnection/run(_:_:prepares:patience:)``.
  @inline(never) private func ordinalStatement(isPart: Bool) -> String {
    let total = scope.isCounted ? ordinals.total : countedTotal
    let wanted = isPart ? "floor($2::float8 * (t - 1)::float8 + 0.5)::bigint" : "$2::bigint"
    let id = scope.isCounted ? ordinals.id(at: "k") : walkedID
    return """
      SELECT t, k, CASE WHEN t > 0 THEN \(id) END AS id, wanted FROM
        (SELECT t, greatest(least(wanted, t - 1), 0) AS k, wanted FROM
          (SELECT t, \(wanted) AS wanted FROM (SELECT \(total) AS t, $1::bigint[] AS scope OFFSET 0) a OFFSET 0) b
          OFFSET 0) c
      """
  }

  private func offset(_ start: Start) throws(StoreError) -> Start {
    switch start.sides {
    case .older, .newer: return try oneSidedOffset(start)
    case .both: break
    }
    guard let pivot = start.resolution.message else { return start }
    let step = request.order == .oldestFirst ? request.fetchOffset : -request.fetchOffset
    let ordinal = scope.isCounted ? ordinals.ordinal(of: "$3::bigint") : walkedOrdinal("$3::bigint")
    let total = scope.isCounted ? ordinals.total : countedTotal
    let id = scope.isCounted ? ordinals.id(at: "k") : walkedID
    let rows = try connection.run(
      """
      SELECT \(id), k = o + $2::bigint FROM (SELECT t, o, greatest(least(o + $2::bigint, t - 1), 0) AS k FROM
        (SELECT \(ordinal) AS o, \(total) AS t, $1::bigint[] AS scope OFFSET 0) a OFFSET 0) b
      """, [PostgresValue(scope.counted), PostgresValue(step), PostgresValue(pivot.rawValue)],
      prepares: scope.isCounted)
    guard rows.count == 1, rows.optionalInt(0, 0) != nil else { return start }
    return self.start(at: rows.int(0, 0), isClamped: !rows.bool(0, 1))
  }

  /// Skips `fetchOffset` messages from an end or bound: by ordinals if counts allow, else row by row.
  private func oneSidedOffset(_ start: Start) throws(StoreError) -> Start {
    var moved = start
    guard scope.isCounted else {
      moved.skipped = request.fetchOffset
      return moved
    }
    let step = start.sides == .older ? -request.fetchOffset : request.fetchOffset
    let ordinal = start.key == .highest ? ordinals.total : ordinals.ordinal(of: "$3::bigint")
    let rows = try connection.run(
      """
      SELECT CASE WHEN k < t THEN \(ordinals.id(at: "k")) END FROM
        (SELECT t, greatest(o + $2::bigint, 0) AS k FROM (SELECT \(ordinal) AS o, \(ordinals.total) AS t,
          $1::bigint[] AS scope, $3::bigint AS key OFFSET 0) a OFFSET 0) b
      """, [PostgresValue(scope.counted), PostgresValue(step), PostgresValue(start.key.rawValue)],
      prepares: true)
    moved.key =
      rows.count == 0 ? .highest : rows.optionalInt(0, 0).map(Message.ID.init(rawValue:)) ?? .highest
    return moved
  }

  private var walked: String {
    let rows = scope.rows(of: "ANY ($1::bigint[])")
    return "FROM message m WHERE \(rows)\(bounds)\(scope.andCondition)"
  }

  private var bounds: String {
    if scope.isEmpty { return " AND false" }
    return
      (scope.ids.lowerBound > .lowest ? " AND m.id >= \(scope.ids.lowerBound)" : "")
      + (scope.ids.upperBound < .highest ? " AND m.id <= \(scope.ids.upperBound)" : "")
  }

  /// The number of matches; beyond the limit, an estimate from the rows scanned.
  private var countedTotal: String {
    "(SELECT CASE WHEN n.seen >= n.of THEN n.hits ELSE (n.hits::numeric * n.of / n.seen)::bigint END FROM \(sample) n)"
  }

  /// The number of newest messages scanned (`seen`), of all (`of`), and of hits among those scanned. With an
  /// index, all hits are counted while they are few.
  private var sample: String {
    if scope.isIndexed {
      // Counts hits up to the limit, and notes how far back they reach.
      return """
        (SELECT h.hits, CASE WHEN h.hits < \(limits.count) THEN a.all ELSE
            greatest(a.all - \(ordinals.ordinal(of: "h.oldest")), 1) END AS seen, a.all AS of
          FROM (SELECT count(*) AS hits, min(id) AS oldest FROM
            (SELECT m.id \(walked) ORDER BY m.id DESC LIMIT \(limits.count)) w) h, (SELECT \(ordinals.total) AS all) a)
        """
    }
    let rows = scope.rows(of: "ANY ($1::bigint[])")
    return """
      (SELECT count(*) FILTER (WHERE \(scope.condition ?? "true")) AS hits, greatest(count(*), 1) AS seen,
          max(a.all) AS of FROM (SELECT \(ordinals.total) AS all) a LEFT JOIN
          (SELECT m.* FROM message m WHERE \(rows)\(bounds) ORDER BY m.id DESC LIMIT \(limits.count)) m ON true)
      """
  }

  /// The message at ordinal `k` of `t`, exact if all rows were scanned, else approximate.
  private var walkedID: String {
    let about = ordinals.id(at: "(k::numeric * \(ordinals.total) / greatest(t, 1))::bigint")
    return """
      (SELECT CASE WHEN n.seen >= n.of THEN (SELECT m.id \(walked) ORDER BY m.id OFFSET k LIMIT 1)
        ELSE \(about) END FROM \(sample) n)
      """
  }

  /// Returns an expression for the number of matches before an id; approximate if not all rows were scanned.
  private func walkedOrdinal(_ id: String) -> String {
    """
    (SELECT CASE WHEN n.seen >= n.of THEN (SELECT count(*) \(walked) AND m.id < \(id))
      ELSE (n.hits::numeric * \(ordinals.ordinal(of: id)) / n.seen)::bigint END FROM \(sample) n)
    """
  }

  // MARK: Reading

  private struct Reading {
    var start: Start
    var older: [Message] = []
    var newer: [Message] = []
    var olderStop: Message.ID?
    var newerStop: Message.ID?
    var version = SourceVersion()
    var total = 0
    var ordinal = 0
    var isExact = true

    var isEmpty: Bool { older.isEmpty && newer.isEmpty }
  }

  private func read(around start: Start) throws(StoreError) -> Reading {
    let more = limit + 2
    let olderCount = start.sides == .newer ? 1 : more
    let newerCount = start.sides == .older ? 1 : more
    let sql = """
      SELECT f.*, p.* FROM (\(facts)) f LEFT JOIN (
        \(side(isOlder: true, olderCount, skipping: start.sides == .older ? start.skipped : 0))
        UNION ALL
        \(side(isOlder: false, newerCount, skipping: start.sides == .newer ? start.skipped : 0))
      ) p ON true
      """
    let rows = try connection.run(
      sql, [PostgresValue(scope.counted), PostgresValue(start.key.rawValue)], prepares: scope.isCounted)
    var reading = Reading(start: start)
    for row in rows.indices {
      if row == 0 { takeFacts(rows, &reading) }
      guard let side = rows.optionalInt(row, ArchiveRow.firstColumn - 1) else { continue }
      let message = ArchiveRow.message(rows, row, scope.numbers)
      names?.note(rows, row, ArchiveRow.conversationColumn, message.conversation)
      if side == 0 { reading.older.append(message) } else { reading.newer.append(message) }
    }
    reading.older.sort { $0.id > $1.id }
    reading.newer.sort { $0.id < $1.id }
    if scope.condition != nil, !scope.isIndexed, scope.isSingle {
      if reading.older.count < olderCount { reading.olderStop = try stop(isOlder: true, start.key) }
      if reading.newer.count < newerCount { reading.newerStop = try stop(isOlder: false, start.key) }
    }
    resolve(&reading)
    return reading
  }

  private var facts: String {
    let version = """
      coalesce(sum(inserted), 0)::bigint AS inserted, coalesce(sum(deleted), 0)::bigint AS deleted,
        coalesce(sum(changed), 0)::bigint AS changed
      """
    let wantsCounts = request.wantsCounts
    let total = !wantsCounts ? "0::bigint" : scope.isCounted ? ordinals.total : countedTotal
    let ordinal =
      !wantsCounts
      ? "0::bigint" : scope.isCounted ? ordinals.ordinal(of: "$2::bigint") : walkedOrdinal("$2::bigint")
    let isExact =
      !wantsCounts || scope.isCounted ? "true" : "(SELECT n.seen >= n.of FROM \(sample) n)"
    return """
      SELECT \(version), \(total) AS total, \(ordinal) AS ordinal, \(isExact) AS is_exact
        FROM tally WHERE conversation = ANY ($1::bigint[])
      """
  }

  private func takeFacts(_ rows: PostgresRows, _ reading: inout Reading) {
    reading.version = SourceVersion(
      inserted: Int(rows.int(0, 0)), deleted: Int(rows.int(0, 1)), changed: Int(rows.int(0, 2)))
    reading.total = Int(rows.int(0, 3))
    reading.ordinal = Int(rows.int(0, 4))
    reading.isExact = rows.bool(0, 5)
    // The key lies beyond every message: all of them precede it.
    if reading.start.key == .highest { reading.ordinal = reading.total }
  }

  private func side(isOlder: Bool, _ count: Int, skipping: Int) -> String {
    // The greatest number may itself be the anchor.
    let place = isOlder ? "m.id < $2::bigint" : "m.id >= $2::bigint"
    let order = "ORDER BY m.id \(isOlder ? "DESC" : "ASC")"
    let limit = "LIMIT \(count)" + (skipping > 0 ? " OFFSET \(skipping)" : "")
    let columns = ArchiveRow.columns
    let inner: String
    if !scope.isSingle {
      inner = """
        SELECT \(columns) FROM unnest($1::bigint[]) AS c(number), LATERAL (SELECT * FROM message m
          WHERE m.conversation = c.number AND \(place)\(bounds)\(scope.andCondition) \(order)
          LIMIT \(count.addingReportingOverflow(skipping).partialValue)) m \(order) \(limit)
        """
    } else if scope.condition != nil, !scope.isIndexed {
      inner = """
        SELECT \(columns) FROM (SELECT * FROM message m WHERE \(scope.rows(of: "($1::bigint[])[1]"))
          AND \(place)\(bounds) \(order) LIMIT \(limits.walk)) m WHERE \(scope.condition ?? "true") \(order) \(limit)
        """
    } else {
      inner = """
        SELECT \(columns) FROM message m WHERE \(scope.rows(of: "($1::bigint[])[1]"))
          AND \(place)\(bounds)\(scope.andCondition) \(order) \(limit)
        """
    }
    let isOfOne = scope.conversations?.count == 1
    let name =
      isOfOne ? "(SELECT c.name FROM conversation c WHERE c.id = ($1::bigint[])[1])" : "c.name"
    let names = isOfOne ? "" : "LEFT JOIN conversation c ON c.id = m.conversation"
    return """
      (SELECT \(isOlder ? 0 : 1) AS side, m.*, s.name, \(name) AS conversation_name
        FROM (\(inner)) m LEFT JOIN sender s ON s.id = m.sender \(names))
      """
  }

  /// Returns the first id beyond the scan limit; `nil` if all rows were scanned.
  private func stop(isOlder: Bool, _ key: Message.ID) throws(StoreError) -> Message.ID? {
    let rows = try connection.run(
      """
      SELECT m.id FROM message m WHERE \(scope.rows(of: "($1::bigint[])[1]"))
        AND \(isOlder ? "m.id < $2::bigint" : "m.id >= $2::bigint")\(bounds) AND $1::bigint[] IS NOT NULL
        ORDER BY m.id \(isOlder ? "DESC" : "ASC") OFFSET \(limits.walk) LIMIT 1
      """, [PostgresValue(scope.counted), PostgresValue(key.rawValue)])
    return rows.count == 0 ? nil : rows.optionalInt(0, 0).map(Message.ID.init(rawValue:))
  }

  private func resolve(_ reading: inout Reading) {
    guard reading.start.sides == .both else { return }
    if reading.start.isOfOrdinal, reading.newer.first?.id == reading.start.key { return }
    let match: Page.Resolution.Match
    if let first = reading.newer.first, first.id == reading.start.key || !reading.start.prefersOlder {
      match = .exact
    } else if let first = reading.older.first {
      reading.older.removeFirst()
      reading.newer.insert(first, at: 0)
      reading.ordinal -= 1
      match = .nearestOlder
    } else {
      match = .nearestNewer
    }
    // An approximate ordinal means the next message.
    let isMeant = reading.start.isOfOrdinal && reading.start.resolution.match == .clamped
    reading.start.resolution =
      reading.newer.first.map {
        Page.Resolution(isMeant ? .clamped : match, message: $0.id)
      } ?? Page.Resolution(.exact)
  }

  private func page(of reading: Reading) -> Page {
    var page: Page
    var ordinal = reading.ordinal
    switch reading.start.sides {
    case .older:
      ordinal = max(ordinal - reading.start.skipped, 0)
      let held = reading.older.prefix(limit)
      page = Page(
        messages: held.reversed(), hasOlder: reading.older.count > held.count || reading.olderStop != nil,
        hasNewer: !reading.newer.isEmpty || reading.newerStop != nil || hasSkipped(reading))
      if held.count < limit { page.nextAnchor = reading.olderStop.map { .before($0.successor) } }
      ordinal -= held.count
    case .newer:
      ordinal = min(ordinal + reading.start.skipped, max(reading.total, ordinal))
      let held = reading.newer.prefix(limit)
      page = Page(
        messages: Array(held),
        hasOlder: !reading.older.isEmpty || reading.olderStop != nil || hasSkipped(reading),
        hasNewer: reading.newer.count > held.count || reading.newerStop != nil)
      if held.count < limit { page.nextAnchor = reading.newerStop.map { .after($0.predecessor) } }
    case .both:
      page = around(reading)
      ordinal -= page.messages.firstIndex { $0.id == reading.newer.first?.id } ?? 0
    }
    page.resolution = reading.start.resolution
    if page.messages.isEmpty, !page.hasOlder, !page.hasNewer { page.resolution = Page.Resolution(.nothing) }
    page.version = reading.version
    if request.wantsCounts { page.counts = counts(ordinal, of: reading, page) }
    if request.order == .newestFirst { page.messages.reverse() }
    return page
  }

  private func hasSkipped(_ reading: Reading) -> Bool { reading.start.skipped > 0 }

  private func around(_ reading: Reading) -> Page {
    let share = min(max(request.olderShare ?? limit / 2, 0), max(limit - 1, 0))
    let newerCount = min(limit - min(share, reading.older.count), reading.newer.count)
    let olderCount = min(limit - newerCount, reading.older.count)
    var page = Page(
      messages: reading.older.prefix(olderCount).reversed() + reading.newer.prefix(newerCount),
      hasOlder: reading.older.count > olderCount || reading.olderStop != nil,
      hasNewer: reading.newer.count > newerCount || reading.newerStop != nil)
    if page.messages.count < limit {
      page.nextAnchor =
        reading.olderStop.map { .before($0.successor) } ?? reading.newerStop.map { .after($0.predecessor) }
    }
    return page
  }

  private func counts(_ ordinal: Int, of reading: Reading, _ page: Page) -> Page.Counts {
    let count = page.messages.count
    let total = max(reading.total, count)
    var first = min(max(ordinal, 0), total - count)
    if !page.hasOlder { first = 0 } else if !page.hasNewer { first = total - count }
    return Page.Counts(firstOrdinal: first, total: total, isExact: reading.isExact)
  }
}

enum ArchiveRow {
  static let firstColumn = 7
  static let conversationColumn = firstColumn + 13

  static let columns = """
    m.id, m.conversation, m.sender, m.kind, m.precision, m.text, m.bytes, m.reply_to, m.thread, m.revision,
      m.features, m.details
    """

  static func message(
    _ rows: PostgresRows, _ row: Int, _ numbers: ArchiveNumbers, at first: Int = firstColumn
  )
    -> Message
  {
    let text = rows.text(row, first + 5)
    let features = rows.int(row, first + 10)
    var message = Message(
      id: Message.ID(rawValue: rows.int(row, first)),
      conversation: numbers.conversation(rows.int(row, first + 1)),
      sender: rows.optionalInt(row, first + 2).map {
        Sender(id: numbers.sender($0), name: rows.text(row, first + 12))
      },
      kind: Message.Kind(rawValue: Int(rows.int(row, first + 3))) ?? .unknown,
      precision: TimePrecision(rawValue: Int(rows.int(row, first + 4))) ?? .millisecond, text: text,
      textByteCount: rows.optionalInt(row, first + 6).map { Int($0) },
      replyTo: rows.optionalInt(row, first + 7).map(Message.ID.init(rawValue:)),
      thread: rows.optionalInt(row, first + 8).map(Message.ID.init(rawValue:)),
      revision: Int(rows.int(row, first + 9)), isEdited: features & ArchiveFeature.edit != 0)
    if let json = rows.json(row, first + 11) { MessageDetails(json: json)?.give(to: &message) }
    return message
  }
}

extension PageAnchor {
  fileprivate var isTime: Bool {
    switch self {
    case .time: true
    case .newest, .oldest, .before, .after, .around, .ordinal, .percent, .firstUnread: false
    }
  }
}

internal import GRDB
internal import HistoryModel
internal import MessageModel

/// The records of a prompt (``TypedPrompt``) that other places brought into the store: messages of its session,
/// or of its folder, with its text and about its time.
struct PromptRecords {
  private let details: DetailLoader
  private let platform: String
  private let prompt: TypedPrompt
  private let spellings: [String]
  private let time: Timestamp

  /// `nil` if the message is no prompt or is empty.
  init?(
    of detail: ImportDetails, _ entry: ImportBatch.Entry, _ bytes: UnsafeRawBufferPointer,
    _ details: DetailLoader
  ) {
    guard let prompt = detail.prompt, let source = detail.message.source else { return nil }
    let text = String(decoding: bytes.slice(of: entry.text), as: UTF8.self)
    spellings = [text, prompt.spelling].compactMap { $0.map(Self.trimmed) }.filter { !$0.isEmpty }
    guard !spellings.isEmpty else { return nil }
    (self.details, platform, self.prompt, time) = (details, source.platform, prompt, entry.time)
  }

  /// How much later than it was typed a prompt may be recorded: it waits in a queue.
  private static let longestWait: Int64 = 2 * 3_600_000
  /// How far the times of two records of one moment may differ.
  private static let tolerance: Int64 = 10_000

  /// Returns the more complete records, the nearest in time first. `own` is the conversation of this one.
  func fuller(in own: Int64) throws -> [Message.ID] {
    let last = time.advanced(byMilliseconds: Self.longestWait)
    let first = time.advanced(byMilliseconds: -Self.tolerance)
    return try records(first...max(first, min(last, prompt.next ?? last)), around: time, in: own) {
      $0 > prompt.place
    }
  }

  /// Returns the less complete records, the nearest in time first. `own` is the conversation of this one.
  func lesser(in own: Int64) throws -> [Message.ID] {
    let typed = prompt.typedAt ?? time
    let wait = prompt.typedAt == nil ? Self.longestWait : Self.tolerance
    let times = typed.advanced(byMilliseconds: -wait)...typed.advanced(byMilliseconds: Self.tolerance)
    return try records(times, around: typed, in: own) { $0 < prompt.place }
  }

  private func records(
    _ times: ClosedRange<Timestamp>, around time: Timestamp, in own: Int64,
    where isWanted: (TypedPrompt.Place) -> Bool
  ) throws -> [Message.ID] {
    let ids = Message.ID.places(of: times)
    func distance(_ id: Message.ID) -> Int64 {
      abs(id.placeTime.millisecondsSince1970 - time.millisecondsSince1970)
    }
    var found: [Message.ID] = []
    for conversation in try conversations(own).sorted() {
      for spelling in spellings {
        for id in try messages(alike: spelling, ids, in: conversation) {
          guard let source = try details.writer.sources.source(of: id), source.platform == platform,
            isWanted(TypedPrompt.Place(ofID: source.id ?? "")),
            let stored = try SynchronousMessageStore.text(of: id, in: details.db),
            Self.isSame(Self.trimmed(stored), spelling, isNear: distance(id) <= Self.tolerance)
          else { continue }
          found.append(id)
        }
      }
    }
    return found.sorted { (distance($0), $0) < (distance($1), $1) }
  }

  private static let comparedCount = 64
  private static let searchedCount = 1_024
  /// Stands in a list for what was pasted, if that is no longer known.
  private static let mark = "[Pasted text #"

  private func messages(
    alike text: String, _ ids: ClosedRange<Message.ID>, in conversation: Int64
  ) throws -> [Message.ID] {
    try RawStatement(
      details.db,
      """
      SELECT id FROM message WHERE conversation = ?1 AND id BETWEEN ?2 AND ?3
        AND kind IN (\(Message.Kind.text.rawValue), \(Message.Kind.system.rawValue))
        AND (substr(ltrim(text, char(9, 10, 13, 32)), 1, length(?4)) = ?4
          OR instr(substr(text, 1, \(Self.searchedCount)), '\(Self.mark)') > 0)
      """, conversation, ids.lowerBound.rawValue, ids.upperBound.rawValue,
      String(Self.beforeMark(text).prefix(Self.comparedCount))
    ).map { Message.ID(rawValue: $0.int(0)) }
  }

  private static func beforeMark(_ text: String) -> Substring {
    text.firstRange(of: mark).map { text[..<$0.lowerBound] } ?? text[...]
  }

  /// Whether texts are equal or, of one moment, begin alike up to the mark that one of them has.
  private static func isSame(_ one: String, _ other: String, isNear: Bool) -> Bool {
    guard isNear, one != other else { return one == other }
    let (first, second) = (beforeMark(one), beforeMark(other))
    guard (first.endIndex == one.endIndex) != (second.endIndex == other.endIndex) else { return false }
    return first.endIndex == one.endIndex ? one.hasPrefix(second) : other.hasPrefix(first)
  }

  /// The conversations that may have other records: of the session, its branches and its folder.
  private func conversations(_ own: Int64) throws -> Set<Int64> {
    var found: Set<Int64> = [own]
    if let session = prompt.session { found.formUnion(try conversations(ofSession: session)) }
    guard let folder = prompt.folder else { return found }
    if prompt.place == .list {
      if prompt.session == nil { found.formUnion(try sessions(in: folder)) }
    } else if let identity = ConversationIdentity(platform: platform, key: TypedPrompt.key(ofFolder: folder)),
      let prompts = try ConversationKeys(db: details.db).conversation(known: identity)
    {
      found.insert(prompts)
    }
    return found
  }

  private func conversations(ofSession key: String) throws -> [Int64] {
    try RawStatement(
      details.db,
      """
      SELECT conversation FROM conversation_key WHERE platform = ?1 AND key = ?2
      UNION SELECT conversation FROM conversation_key
        WHERE platform = ?1 AND key > ?2 || '/' AND key < ?2 || '0'
      """, platform, key
    ).map { $0.int(0) }
  }

  private func sessions(in folder: String) throws -> [Int64] {
    let keys = try RawStatement(
      details.db, "SELECT DISTINCT key FROM session_note WHERE platform = ? AND folder = ?", platform, folder
    ).map { $0.text(0) }
    return try keys.flatMap { try conversations(ofSession: $0) }
  }

  private static func trimmed(_ text: String) -> String {
    let rest = text.drop(while: \.isWhitespace)
    return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
  }
}

/// Whether a store has prompts of lists or queues, to which the records of sessions are compared.
struct PromptLists {
  let db: Database

  private static let key = "prompt lists"

  func areThere() throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM meta WHERE key = '\(Self.key)'") != nil
  }

  func note() throws { try RawStatement.run(db, "INSERT OR IGNORE INTO meta VALUES ('\(Self.key)', 1)") }
}

extension Loader {
  /// Returns the message that already has a prompt of a list or queue, from a more complete record.
  mutating func fullerRecord(
    of detail: ImportDetails, _ entry: ImportBatch.Entry, in group: EntryGroup, _ conversation: Int64
  ) throws -> Message.ID? {
    guard let place = detail.prompt?.place, place < .session,
      let records = PromptRecords(of: detail, entry, group.bytes, details),
      let found = try records.fuller(in: conversation).first(where: { !state.prompts.isPaired($0) })
    else { return nil }
    state.prompts.pair(found)
    state.prompts.newestFound = detail.message.source?.id.map { ($0, found) }
    state.prompts.mayBeEmpty.insert(conversation)
    return found
  }

  /// Notes that a new message takes the place of a less complete record of its prompt.
  mutating func noteRecords(
    of detail: ImportDetails, _ entry: ImportBatch.Entry, in group: EntryGroup, as id: Message.ID,
    _ conversation: Int64
  ) throws {
    guard let external = detail.message.source?.id else { return }
    if TypedPrompt.Place(ofID: external) < .session, !state.prompts.areThere {
      try PromptLists(db: db).note()
      state.prompts.areThere = true
    }
    guard let prompt = detail.prompt, prompt.place > .list, state.prompts.areThere,
      let records = PromptRecords(of: detail, entry, group.bytes, details),
      let old = try records.lesser(in: conversation).first(where: { replaced[$0] == nil })
    else { return }
    replaced[old] = id
    if try state.prompts.isPaired(old) || isListed(old) { state.prompts.pair(id) }
    addedByKind[entry.kind.rawValue] -= 1
    state.counts.alreadyThere += 1
  }

  /// Whether all messages of a conversation after an id are prompts of lists, which know no titles.
  func isBeforeListsAlone(_ id: Message.ID, in conversation: Int64) throws -> Bool {
    guard state.prompts.areThere else { return false }
    return try RawStatement(
      db,
      """
      SELECT 1 FROM message WHERE conversation = ? AND id > ? AND NOT EXISTS (
        SELECT 1 FROM source_text
          WHERE source_text.message = message.id AND external GLOB '\(TypedPrompt.Place.list.prefix)*')
        LIMIT 1
      """, conversation, id.rawValue
    ).first { _ in true } == nil
  }

  private func isListed(_ id: Message.ID) throws -> Bool {
    let external = try details.writer.sources.source(of: id)?.id
    return external.map(TypedPrompt.Place.init(ofID:)) == .list
  }
}

extension ImportUpdater {
  /// Removes messages in whose place others came. Returns their conversations, which may be empty now.
  func replace(_ replaced: [Message.ID: Message.ID]) throws -> Set<Int64> {
    var conversations: Set<Int64> = []
    for (old, new) in replaced.sorted(by: { $0.key < $1.key }) {
      guard let conversation = try details.conversation(of: old),
        let source = try details.writer.sources.source(of: old)
      else { continue }
      conversations.insert(conversation)
      try SynchronousMessageStore.replace(old, by: new, in: db)
      // The other messages of the record, as the note of a queued prompt.
      var number = 2
      while let external = source.id,
        let part = try details.message(platform: source.platform, external: "\(external)/\(number)")
      {
        try SynchronousMessageStore.replace(part, by: new, in: db)
        number += 1
      }
    }
    return conversations
  }
}

/// What a load remembers of prompts.
struct LoadedPrompts: Sendable {
  /// Whether the store has prompts of lists or queues.
  var areThere: Bool
  /// Conversations that may have no messages, since other ones have their prompts.
  var mayBeEmpty: Set<Int64> = []
  /// The messages to which prompts of lists or queues were compared; each is one of them at most.
  private var paired: Set<Int64> = []

  /// The id of the last less complete record, and the message that it is.
  var newestFound: (external: String, id: Message.ID)?

  private static let most = 65_536

  init(_ db: Database) throws { areThere = try PromptLists(db: db).areThere() }

  mutating func noteOthers(_ db: Database) throws { areThere = try PromptLists(db: db).areThere() }

  /// Returns the message that has the record of which an id names a further part, as the note of a queued prompt.
  func message(ofPart external: String) -> Message.ID? {
    newestFound.flatMap { external.hasPrefix($0.external + "/") ? $0.id : nil }
  }

  func isPaired(_ id: Message.ID) -> Bool { paired.contains(id.rawValue) }

  mutating func pair(_ id: Message.ID) {
    if paired.count >= Self.most { paired = [] }
    paired.insert(id.rawValue)
  }

  /// Removes the conversations that no message came into.
  func removeEmpty(in db: Database) throws {
    for conversation in mayBeEmpty {
      try RawStatement.run(
        db,
        """
        DELETE FROM conversation WHERE id = ?1
          AND EXISTS (SELECT 1 FROM conversation_key WHERE conversation = ?1)
          AND NOT EXISTS (SELECT 1 FROM message WHERE conversation = ?1)
          AND NOT EXISTS (SELECT 1 FROM tombstone WHERE conversation = ?1)
          AND NOT EXISTS (SELECT 1 FROM mark WHERE conversation = ?1)
          AND \(ConversationMerge.isUntouched)
        """, conversation)
    }
  }
}

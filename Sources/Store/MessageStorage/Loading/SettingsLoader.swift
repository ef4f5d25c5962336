internal import GRDB
internal import HistoryModel
package import MessageModel

/// The outcome of importing a setting of another store.
package enum SettingFate: Hashable, Sendable {
  /// The setting was added.
  case new
  /// The store had it already.
  case known
  /// The setting was left out, or this store's own stays; the reason is half a sentence.
  case refused(String)
}

extension BulkImport {
  /// Imports settings of another store in one transaction, mapping its conversations and messages to this
  /// store's.
  ///
  /// The store's own settings win: a mark whose name is in use, an account that is another person's.
  ///
  /// - Parameter settings: Settings with the files that have them, without imports and filters.
  /// - Returns: The fate of each, in their order. After an error none is stored.
  /// - Complexity: O(log *n*) for each, and O(people) and O(sources) once if there are any among them.
  package func take(_ settings: [(file: Int, setting: StoreSetting)]) throws(StoreError) -> [SettingFate] {
    try loadCarry()
    return try changingOrigins { [store] origins, db in
      var loader = try SettingsLoader(db, store: store, origins: origins)
      let fates = try settings.map { file, setting in try loader.take(setting, of: file) }
      try loader.finish()
      return fates
    }
  }
}

private struct SettingsLoader {
  private let db: Database
  private let store: SynchronousMessageStore
  private let origins: ImportOrigins
  private let writer: MessageWriter
  private let keys: ConversationKeys
  private var people: PersonRows
  private var personIDs: [String: Int64]?
  private var sources: [StoredSource]?
  private var positions = ReadPositions()
  private var hasNewAliases = false

  init(_ db: Database, store: SynchronousMessageStore, origins: ImportOrigins) throws {
    self.db = db
    self.store = store
    self.origins = origins
    writer = try MessageWriter(db: db, previewByteCount: store.options.previewByteCount)
    keys = ConversationKeys(db: db)
    people = PersonRows(db, now: store.clock())
  }

  mutating func take(_ setting: StoreSetting, of file: Int) throws -> SettingFate {
    switch setting {
    case .conversation(let facts): try take(facts)
    case .alias(let name, let other): try takeAlias(name, of: other)
    case .person(let person): try take(person)
    case .mark(let mark): try take(mark)
    case .gap(let gap): try take(gap)
    case .followed(let source): try take(source, of: file)
    case .import, .filter: .refused("imports and filters come by other calls")
    }
  }

  func finish() throws {
    try positions.write(to: db)
    if hasNewAliases {
      try SynchronousMessageStore.noteAliases(in: db)
    } else if people.entry != nil {
      try SynchronousMessageStore.noteOtherSelections(in: db)
    }
  }

  // MARK: Conversations and messages

  private func conversation(_ place: StoreSetting.Place) throws -> Int64? {
    if let identity = place.identity { return try keys.conversation(known: identity) }
    return try writer.conversation(named: place.name) ?? writer.conversation(formerlyNamed: place.name)
  }

  private func isNotHere(_ place: StoreSetting.Place) -> SettingFate {
    .refused("its conversation '\(VisibleText.of(place.name))' is not here")
  }

  private func id(_ id: Message.ID) throws -> Message.ID {
    let new = try RawStatement.number(db, "SELECT new FROM temp.remapped WHERE old = ?", id.rawValue)
    return new.map(Message.ID.init(rawValue:)) ?? id
  }

  private mutating func take(_ facts: StoreSetting.Conversation) throws -> SettingFate {
    guard let conversation = try conversation(facts.place) else { return isNotHere(facts.place) }
    let id = Conversation.ID(rawValue: conversation)
    var isNew = try noteNames(facts, of: conversation)
    let known = try RawStatement(
      db,
      """
      SELECT read_up_to, direct, (SELECT max(id) FROM message WHERE conversation = ?1) FROM conversation WHERE id = ?1
      """, conversation
    ).first { row in (row.optionalInt(0), row.optionalInt(1).map { $0 != 0 }, row.optionalInt(2)) }
    guard let (readUpTo, isDirect, newest) = known else { return isNotHere(facts.place) }
    // Messages after it stay unread.
    if let read = try facts.readUpTo.map(self.id), let newest, min(read.rawValue, newest) > readUpTo ?? .min {
      positions.note(Message.ID(rawValue: min(read.rawValue, newest)), in: id)
      isNew = true
    }
    let marks = ReadMarkRows(db: db)
    let threads = try facts.readThreads.filter { thread, mark in
      try marks.take(self.id(mark), ofThread: self.id(thread))
    }
    if !threads.isEmpty {
      try marks.note([id])
      isNew = true
    }
    let direct = Conversation.isDirect(isDirect, and: facts.isDirect)
    if direct != isDirect {
      try writer.noteDirect(direct, of: conversation)
      isNew = true
    }
    guard let payload = facts.payload else { return isNew ? .new : .known }
    let kept = try SynchronousMessageStore.payload(of: id, in: db)
    if kept == nil { try SynchronousMessageStore.write(payload, of: id, in: db) }
    guard kept == nil || kept == payload else {
      return .refused("an app keeps other data with '\(VisibleText.of(facts.place.name))' here, which stay")
    }
    return isNew || kept == nil ? .new : .known
  }

  private func noteNames(_ facts: StoreSetting.Conversation, of conversation: Int64) throws -> Bool {
    var isNew = false
    for name in facts.formerNames where !name.isEmpty {
      let owner = try writer.conversation(named: name)
      // The present name is among them if a person chose it.
      guard owner == nil || owner == conversation && name == facts.place.name,
        try writer.conversation(formerlyNamed: name) == nil
      else { continue }
      try writer.noteFormerName(name, of: conversation)
      isNew = true
    }
    for identity in facts.otherIdentities where try keys.conversation(known: identity) == nil {
      try keys.insert(identity, conversation)
      isNew = true
    }
    return isNew
  }

  private func take(_ mark: StoreSetting.Mark) throws -> SettingFate {
    guard NamedMark.isName(mark.name) else {
      return .refused("the name of a mark is a line of up to 80 characters")
    }
    guard let conversation = try conversation(mark.place) else { return isNotHere(mark.place) }
    var new = NamedMark(
      name: mark.name, conversation: Conversation.ID(rawValue: conversation), message: try id(mark.message))
    new.view = mark.view
    guard let known = try SynchronousMessageStore.mark(named: mark.name, in: db) else {
      try SynchronousMessageStore.write(new, in: db)
      return .new
    }
    return known == new ? .known : says("the mark '\(VisibleText.of(mark.name))'")
  }

  private func says(_ what: String) -> SettingFate { .refused("\(what) is another here, which stays") }

  private func take(_ gap: StoreSetting.Gap) throws -> SettingFate {
    guard let conversation = try conversation(gap.place) else { return isNotHere(gap.place) }
    let (older, newer) = try SynchronousMessageStore.ends(
      of: MessageGap(
        in: Conversation.ID(rawValue: conversation), after: gap.after.map(id), before: gap.before.map(id)),
      in: db)
    guard older < newer else { return .refused("the gap would end before it begins") }
    let table = GapTable(db: db, conversation: conversation)
    let new = GapTable.Row(older: older, newer: newer, token: gap.token, size: gap.size)
    guard let known = try table.newest(olderThan: Message.ID(rawValue: newer)), known.newer > older else {
      try table.add(new)
      return .new
    }
    return known == new ? .known : .refused("the gap overlaps another one, which stays as it is")
  }

  // MARK: People

  private mutating func takeAlias(_ name: String, of other: String) throws -> SettingFate {
    for wanted in [name, other]
    where try SynchronousMessageStore.count(ofSendersNamed: wanted, in: db) == 0 {
      return .refused("no sender '\(VisibleText.of(wanted))' is here")
    }
    let known = try RawStatement(
      db,
      """
      SELECT DISTINCT o.name FROM sender AS s JOIN sender AS o ON o.id = s.alias_of WHERE s.name = ? LIMIT 2
      """, name
    ).map { row in row.text(0) }
    if known == [other] || name == other { return .known }
    guard known.isEmpty else { return says("'\(VisibleText.of(name))'") }
    try SynchronousMessageStore.writeAlias(name, of: other, in: db)
    hasNewAliases = true
    return .new
  }

  private mutating func take(_ person: StoreSetting.Person) throws -> SettingFate {
    do throws(StoreError) { try SynchronousMessageStore.checkName(person.name) } catch {
      return .refused(error.summary)
    }
    let key = person.name.lowercased()
    var ids = try personIDs ?? Dictionary(people.names().map { ($0.name.lowercased(), $0.id) }) { $1 }
    defer { personIDs = ids }
    var new: [SenderAccount] = []
    var refusals: [String] = []
    for wanted in person.accounts {
      let account = SenderAccount(name: wanted.name, external: wanted.senderID)
      if let reason = try refusal(of: account, to: ids[key]) {
        refusals.append(reason)
      } else if try people.person(of: account) == nil {
        new.append(account)
      }
    }
    let isKnown = new.isEmpty && (ids[key] != nil || !refusals.isEmpty)
    if !isKnown {
      let id = try ids[key] ?? people.make(person.name)
      ids[key] = id
      for account in new { try people.setPerson(of: account, to: id) }
    }
    guard let first = refusals.first else { return isKnown ? .known : .new }
    return .refused(refusals.count == 1 ? first : "\(first), and so do \(refusals.count - 1) more")
  }

  /// Returns why an account cannot be assigned to a person; an assignment made in this store stays.
  private func refusal(of account: SenderAccount, to person: Int64?) throws -> String? {
    let shown = "'\(VisibleText.of(account.text))'"
    guard !account.text.isEmpty else { return "an account of the person has no name" }
    guard let present = try people.person(of: account) else {
      return try people.wasChanged(account) ? "\(shown) was unlinked here, and stays so" : nil
    }
    guard present != person else { return nil }
    return "\(shown) is linked to '\(VisibleText.of(try people.name(of: present) ?? ""))' here, and stays so"
  }

  // MARK: Sources

  private mutating func take(_ source: StoreSetting.Source, of file: Int) throws -> SettingFate {
    guard source.path.hasPrefix("/"), !source.path.contains("\0") else {
      return .refused("what is followed has no path from the root")
    }
    var all = try sources ?? SynchronousMessageStore.sources(db)
    defer { sources = all }
    if let known = all.first(where: { $0.path == source.path }) {
      let isSame = known.settings == source.settings
      return isSame ? .known : says("how '\(VisibleText.of(PathBytes.shown(source.path)))' is followed")
    }
    var new = StoredSource(
      id: (all.last?.id ?? 0) + 1, path: source.path, settings: source.settings, addedAt: source.addedAt)
    new.formats = source.formats
    new.importNumber = origins.number(of: source.importNumber, file: file)
    try SynchronousMessageStore.write(new, db)
    all.append(new)
    return .new
  }
}

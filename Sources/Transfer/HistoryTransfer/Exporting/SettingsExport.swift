internal import HistoryQueries
internal import MessageInterchange
package import MessageModel
package import MessageStorage

/// What an export of everything contains besides messages: a header and the imports before them, all else
/// after them.
struct SettingsExport {
  private let store: SynchronousMessageStore
  private let places: [Conversation.ID: StoreSetting.Place]

  private static let pageSize = 1_000

  init(_ store: SynchronousMessageStore, of conversations: [Conversation]) throws(StoreError) {
    self.store = store
    let identities = try store.conversationIdentities()
    places = Dictionary(
      uniqueKeysWithValues: conversations.map {
        ($0.id, StoreSetting.Place(name: $0.name, identity: identities[$0.id]))
      })
  }

  func begin(messageCount: Int, to bytes: inout [UInt8]) throws {
    let imports = try store.imports()
    SettingText.writeHeader(messageCount: messageCount, importCount: imports.count, to: &bytes)
    for one in imports {
      var listed = StoreSetting.Import(number: one.id, time: one.time, name: one.description.name)
      listed.format = one.description.format
      listed.zone = one.description.zone
      listed.options = one.description.options
      listed.isFinished = one.isFinished
      listed.fileCount = one.fileCount.map { Int64($0) }
      SettingText.write(.import(listed), to: &bytes)
    }
  }

  /// Senders' names come before filters, which may refer to them.
  func finish(_ put: (StoreSetting) throws -> Void) throws {
    for facts in try store.conversationSettings() { try put(.conversation(facts)) }
    try putSenders(put)
    for filter in try store.savedFilters() { try put(.filter(name: filter.name, words: filter.words)) }
    for mark in try store.marks() {
      guard let place = places[mark.conversation] else { continue }
      try put(
        .mark(StoreSetting.Mark(name: mark.name, place: place, message: mark.message, view: mark.view)))
    }
    for (id, place) in places.sorted(by: { $0.key < $1.key }) { try putGaps(of: id, place, put) }
    for (source, _) in try store.sources() {
      try put(
        .followed(
          StoreSetting.Source(
            path: source.path, settings: source.settings, formats: source.formats, addedAt: source.addedAt,
            importNumber: source.importNumber)))
    }
  }

  private func putSenders(_ put: (StoreSetting) throws -> Void) throws {
    let senders = try store.senders()
    let names = Dictionary(senders.map { ($0.sender.id, $0.sender.name) }) { first, _ in first }
    var known: Set<[String]> = []
    for sender in senders {
      guard let other = sender.aliasOf.flatMap({ names[$0] }),
        known.insert([sender.sender.name, other]).inserted
      else { continue }
      try put(.alias(sender.sender.name, of: other))
    }
    for person in try store.people().sorted(by: { $0.id < $1.id }) {
      let accounts = person.accounts.map { one in
        switch one.account {
        case .id(let id): StoreSetting.Account(name: "", senderID: id)
        case .name(let name): StoreSetting.Account(name: name)
        }
      }
      try put(.person(StoreSetting.Person(name: person.name, accounts: accounts)))
    }
  }

  private func putGaps(
    of id: Conversation.ID, _ place: StoreSetting.Place, _ put: (StoreSetting) throws -> Void
  ) throws {
    var last: Message.ID?
    var count = Self.pageSize
    while count == Self.pageSize {
      let gaps = try store.gaps(of: id, after: last, limit: Self.pageSize)
      for gap in gaps {
        try put(
          .gap(
            StoreSetting.Gap(place, after: gap.after, before: gap.before, token: gap.token, size: gap.size)))
      }
      (last, count) = (gaps.last?.after, gaps.count)
    }
  }
}

extension SynchronousMessageStore {
  /// Returns the saved filters whose words would mean something else if read now: those with relative times
  /// such as `since:-2h`, fixed when they were saved.
  package func filtersReadAnew(at now: Timestamp, _ clock: WallClock) throws(StoreError) -> [String] {
    try savedFilters().filter { filter in
      var compiler = QueryCompiler(self, now: now, clock: clock)
      let meant = try? compiler.predicate(MessageQuery(MessageQuery.saying(filter.words)))
      return meant != filter.predicate
    }.map(\.name)
  }
}

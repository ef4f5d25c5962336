import MessageModel
import MessageSourceTesting
import Synchronization
import Testing

/// Sources that are wrong in one way each: what is wrong is reported, with the rule and the request, and nothing traps.
@Suite struct WrongSourceTests {
  @Test(arguments: Fault.allCases) func `a source that is wrong in one way is caught by the rule`(
    fault: Fault
  )
    async throws
  {
    let error = await #expect(throws: SourceDisagreement.self, "\(fault)") {
      try await checkMessageSource(patience: .milliseconds(30)) { WrongSource(fault) }
    }
    guard let error else { return }
    #expect(fault.rules.contains(error.rule), "\(fault): \(error)")
    #expect(error.description.contains(error.rule.sentence) && error.description.contains(error.request))
    #expect(!error.request.isEmpty && error.expected != error.found, "\(error)")
    // Of 200 operations those that matter are left.
    #expect(error.operations.count < 60, "\(error)")
  }

  @Test func `there are more than twenty-five of them`() {
    #expect(Fault.allCases.count > 25)
  }

  @Test func `a source that is only read is compared with what it should hold`() async throws {
    let messages = Self.sample
    try await checkMessageSource(
      ReferenceSource(messages), holding: messages.reversed(), seeds: 0..<5, patience: .seconds(86_400))
    var marked = ReferenceSource(messages)
    marked.setReadMark(messages[20].id, of: messages[20].conversation)
    try await checkMessageSource(
      marked, holding: messages, readMarks: [messages[20].conversation: messages[20].id], seeds: 0..<5,
      patience: .seconds(86_400))
    marked = ReferenceSource([])
    try await checkMessageSource(marked, holding: [], seeds: 0..<2, patience: .seconds(86_400))
  }

  @Test(arguments: Alteration.allCases) func `what such a source tells of a message is compared`(
    alteration: Alteration
  ) async throws {
    var wrong = Self.sample
    for index in wrong.indices { alteration.apply(to: &wrong[index]) }
    let error = await #expect(throws: SourceDisagreement.self) {
      try await checkMessageSource(ReferenceSource(wrong), holding: Self.sample)
    }
    #expect(error?.rule == alteration.rule)
  }

  /// What may be wrong with a message.
  enum Alteration: CaseIterable {
    case kind, sender, reply, text, edited, revision

    var rule: SourceRule {
      switch self {
      case .kind, .sender, .reply, .text: .content
      case .edited: .edited
      case .revision: .revision
      }
    }

    func apply(to message: inout Message) {
      switch self {
      case .kind: message.kind = .action
      case .sender: message.sender = Sender(id: Sender.ID(rawValue: 1), name: "somebody else")
      case .reply: message.replyTo = message.id.predecessor
      case .text: message.text += " "
      case .edited: message.isEdited.toggle()
      case .revision: message.revision += 1
      }
    }
  }

  @Test func `a source that is only read and lacks a message, or is silent, is caught`() async throws {
    let lacking = await #expect(throws: SourceDisagreement.self) {
      try await checkMessageSource(ReferenceSource(Array(Self.sample.dropFirst(7))), holding: Self.sample)
    }
    #expect(lacking.map { [.complete, .neighbours, .counts, .ends, .resolution].contains($0.rule) } == true)
    let silent = await #expect(throws: SourceDisagreement.self) {
      try await checkMessageSource(WrongSource(.silentFromTheStart), holding: [], patience: .milliseconds(30))
    }
    #expect(silent?.rule == .told)
  }

  private static let sample = (0..<60).map { number in
    Message(
      id: Message.ID(time: Timestamp(millisecondsSince1970: Int64(number) * 1_000)),
      conversation: Conversation.ID(rawValue: Int64(number % 5)),
      sender: Sender(id: Sender.ID(rawValue: 7), name: "mira"), text: "message \(number)")
  }
}

/// A way in which a source is wrong.
enum Fault: CaseIterable {
  case newerBecauseFull, olderBecauseFull, oneTooFew, oneTooMany, ignoresOrder, beforeIncludesItself,
    afterIncludesItself
  case deletedAnchorJumpsToNewest, prefersNewerNeighbour, alwaysExact, timeAfterLastIsClamped, ignoresOffset
  case offsetBeyondEndIsLastPage, offsetBeyondEndIsExact, ordinalBeyondEndIsEmpty, percentRoundedDown,
    percentNotClamped
  case acceptsNegativeLimit, refusesAsDamaged, acceptsNegativeOffset, ignoresShare, limitOfNothingIsOne,
    failsWhenEmpty
  case countsUnfiltered, ordinalOffByOne, countsUnasked, neverCounts, ignoresFilter, noneIsAll,
    leaksConversation
  case losesEdited, losesRevision, losesLength, losesLastEdit, deletesOne, versionWithoutDeletions,
    versionOfAll, versionMovesByItself
  case wildVersion, reusesID, reusesConversation, appendsBehind, insertsElsewhere, refusesDeletion
  case firstUnreadIsNewest, firstUnreadIsRead, silentFromTheStart, silentLater, endsStream, tellsTooEarly

  /// The rules that may be said to be broken.
  var rules: Set<SourceRule> {
    switch self {
    case .newerBecauseFull, .olderBecauseFull: [.ends]
    case .oneTooFew, .oneTooMany, .ordinalBeyondEndIsEmpty, .limitOfNothingIsOne: [.complete]
    case .ignoresOrder: [.ordered]
    case .ignoresOffset: [.neighbours, .complete, .ends, .resolution, .counts]
    case .beforeIncludesItself, .afterIncludesItself, .offsetBeyondEndIsLastPage:
      [.neighbours, .complete, .ends, .counts]
    case .deletedAnchorJumpsToNewest, .prefersNewerNeighbour:
      [.neighbours, .complete, .ends, .resolution, .counts]
    case .alwaysExact, .timeAfterLastIsClamped, .offsetBeyondEndIsExact, .percentNotClamped: [.resolution]
    case .percentRoundedDown: [.neighbours, .complete, .ends, .resolution, .counts]
    case .acceptsNegativeLimit, .refusesAsDamaged, .acceptsNegativeOffset: [.refused]
    case .ignoresShare: [.neighbours, .complete, .ends, .counts]
    case .failsWhenEmpty: [.answered]
    case .countsUnfiltered, .ordinalOffByOne: [.counts]
    case .countsUnasked, .neverCounts: [.counted]
    case .ignoresFilter, .noneIsAll, .leaksConversation: [.selected, .ends, .resolution, .counts]
    case .losesEdited: [.edited]
    case .losesRevision: [.revision]
    case .losesLength, .losesLastEdit: [.content]
    case .deletesOne: [.neighbours, .complete, .ends, .resolution, .counts, .version, .selected]
    case .versionWithoutDeletions, .versionOfAll, .versionMovesByItself, .wildVersion: [.version]
    case .reusesID, .reusesConversation: [.unused]
    case .appendsBehind: [.appended]
    case .insertsElsewhere: [.inserted]
    case .refusesDeletion: [.written]
    case .firstUnreadIsNewest, .firstUnreadIsRead: [.neighbours, .complete, .ends, .resolution, .counts]
    case .silentFromTheStart, .silentLater, .endsStream, .tellsTooEarly: [.told]
    }
  }
}

/// A source that is right but for one thing.
private final class WrongSource: ReadMarkingSource {
  private struct State {
    var deleted: [Message.ID] = []
    var reads = 0
  }

  private let fault: Fault
  private let base = ReferenceSource()
  private let state = Mutex(State())

  init(_ fault: Fault) { self.fault = fault }

  // MARK: Reading

  func page(_ request: PageRequest) async throws(StoreError) -> Page {
    let reads = state.withLock { state in
      state.reads += 1
      return state.reads
    }
    if fault == .refusesAsDamaged, request.fetchLimit < 0 { throw StoreError(.damaged, "cannot read") }
    var page = try base.page(asked(request))
    if fault == .failsWhenEmpty, page.resolution.match == .nothing {
      throw StoreError(.notFound, "nothing is there")
    }
    answer(request, with: &page, reads)
    return page
  }

  /// The request as it is understood.
  private func asked(_ request: PageRequest) -> PageRequest {
    var asked = request
    switch fault {
    case .ignoresOrder: asked.order = .oldestFirst
    case .beforeIncludesItself:
      if case .before(let id) = request.anchor { asked.anchor = .before(id.successor) }
    case .afterIncludesItself:
      if case .after(let id) = request.anchor { asked.anchor = .after(id.predecessor) }
    case .deletedAnchorJumpsToNewest:
      if case .around(let id) = request.anchor, !isThere(id) { asked.anchor = .newest }
    case .prefersNewerNeighbour:
      if case .around(let id) = request.anchor, !isThere(id),
        let next = base.messages.first(where: { $0.id > id && request.selection.contains($0) })
      {
        asked.anchor = .around(next.id)
      }
    case .ignoresOffset: asked.fetchOffset = min(request.fetchOffset, 0)
    case .acceptsNegativeLimit: asked.fetchLimit = max(request.fetchLimit, 0)
    case .acceptsNegativeOffset: asked.fetchOffset = max(request.fetchOffset, 0)
    case .ignoresShare: asked.olderShare = nil
    case .limitOfNothingIsOne: asked.fetchLimit = request.fetchLimit == 0 ? 1 : request.fetchLimit
    case .countsUnasked: asked.wantsCounts = true
    case .neverCounts: asked.wantsCounts = false
    case .ignoresFilter: asked.selection.predicate = .everything
    case .noneIsAll:
      if case .some([]) = request.selection.conversations { asked.selection.conversations = .all }
    case .leaksConversation:
      if case .some(let ids) = request.selection.conversations, ids.count == 2 {
        asked.selection.conversations = .all
      }
    case .percentRoundedDown:
      if case .percent(let percent) = request.anchor, (0...100).contains(percent) {
        asked.anchor = .ordinal(Int(percent / 100 * Double(max(total(request) - 1, 0))))
      }
    case .firstUnreadIsNewest: if request.anchor == .firstUnread { asked.anchor = .newest }
    default: break
    }
    return asked
  }

  private func isThere(_ id: Message.ID) -> Bool { base.messages.contains { $0.id == id } }

  private func total(_ request: PageRequest) -> Int { base.messages.count { request.selection.contains($0) } }

  /// What is said of the page.
  private func answer(_ request: PageRequest, with page: inout Page, _ reads: Int) {
    let isFull = page.messages.count == request.fetchLimit && !page.messages.isEmpty
    switch fault {
    case .newerBecauseFull: if isFull { page.hasNewer = true }
    case .olderBecauseFull: if isFull { page.hasOlder = true }
    case .oneTooFew: if isFull { page.messages.removeLast() }
    case .oneTooMany: if let last = page.messages.last { page.messages.append(last) }
    case .alwaysExact: if page.resolution.match != .nothing { page.resolution.match = .exact }
    case .timeAfterLastIsClamped:
      if case .time = request.anchor, page.resolution.match == .nearestOlder {
        page.resolution.match = .clamped
      }
    case .offsetBeyondEndIsLastPage:
      if request.fetchOffset > 0, !request.anchor.isAround, page.messages.isEmpty, request.fetchLimit > 0 {
        page.messages = Array(base.messages.filter(request.selection.contains).suffix(1))
      }
    case .offsetBeyondEndIsExact:
      if request.fetchOffset > 0, request.anchor.isAround, page.resolution.match == .clamped {
        page.resolution.match = .exact
      }
    case .ordinalBeyondEndIsEmpty:
      if case .ordinal = request.anchor, page.resolution.match == .clamped { page.messages = [] }
    case .percentNotClamped:
      if case .percent = request.anchor, page.resolution.match == .clamped { page.resolution.match = .exact }
    case .countsUnfiltered: page.counts?.total = base.messages.count
    case .ordinalOffByOne: page.counts?.firstOrdinal += 1
    case .losesEdited: for index in page.messages.indices { page.messages[index].isEdited = false }
    case .losesRevision: for index in page.messages.indices { page.messages[index].revision = 0 }
    case .losesLength: for index in page.messages.indices { page.messages[index].textByteCount = 0 }
    case .losesLastEdit:
      for index in page.messages.indices where page.messages[index].revision > 0 {
        page.messages[index].text = "as it was"
      }
    case .versionWithoutDeletions: page.version.deleted = 0
    case .versionOfAll: page.version = (try? base.page(PageRequest(.everything)).version) ?? page.version
    case .versionMovesByItself: page.version.changed += reads
    case .wildVersion:
      page.version = SourceVersion(inserted: reads == 1 ? .min : .max, deleted: .min, changed: .max)
    case .firstUnreadIsRead:
      if request.anchor == .firstUnread, let message = page.resolution.message {
        page.resolution.message = base.messages.last { $0.id < message }?.id ?? message.predecessor
      }
    default: break
    }
  }

  func changes() -> AsyncStream<Void> {
    switch fault {
    case .silentFromTheStart: AsyncStream { _ in }
    case .silentLater: AsyncStream { changes in changes.yield() }
    case .endsStream:
      AsyncStream { changes in
        changes.yield()
        changes.finish()
      }
    case .tellsTooEarly:
      AsyncStream { changes in for _ in 0..<100 { changes.yield() } }
    default: base.changes()
    }
  }

  // MARK: Writing

  func makeConversation(named name: String) -> Conversation.ID {
    fault == .reusesConversation ? Conversation.ID(rawValue: 1) : base.makeConversation(named: name)
  }

  func append(_ text: String, to conversation: Conversation.ID) -> Message.ID {
    if fault == .tellsTooEarly, text == "4" { return .highest }
    let id = base.append(text, to: conversation)
    if fault == .reusesID, let again = state.withLock({ $0.deleted.last }) { return again }
    if fault == .appendsBehind, base.messages.count > 3 { return .lowest }
    return id
  }

  func insert(_ text: String, at time: Timestamp, in conversation: Conversation.ID) throws(StoreError)
    -> Message.ID
  {
    let id = try base.insert(text, at: time, in: conversation)
    return fault == .insertsElsewhere ? .highest : id
  }

  func delete(_ ids: [Message.ID]) throws(StoreError) {
    if fault == .refusesDeletion { throw StoreError(.notFound, "cannot delete messages") }
    state.withLock { $0.deleted += ids }
    base.delete(fault == .deletesOne ? Array(ids.prefix(1)) : ids)
  }

  func edit(_ id: Message.ID, text: String) { base.edit(id, text: text) }

  func markRead(_ conversation: Conversation.ID, upTo id: Message.ID) {
    base.markRead(conversation, upTo: id)
  }
}

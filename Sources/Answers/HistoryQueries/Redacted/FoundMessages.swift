internal import MessageModel
internal import MessageStorage
internal import Redaction

/// The messages that meet a condition, newest first, as far as they were examined.
struct FoundMessages: Sendable {
  let selection: Selection
  let version: SourceVersion
  /// The number of stand-ins at that time: an expression may match a stand-in's number.
  let standInCount: Int
  private(set) var messages: [Place] = []
  /// The message before which to continue; `nil` for the newest end.
  private(set) var reached: Message.ID?
  private(set) var isWhole = false

  struct Place: Sendable {
    var id: Message.ID
    var conversation: Conversation.ID
  }

  init(_ selection: Selection, _ version: SourceVersion, standInCount: Int) {
    (self.selection, self.version, self.standInCount) = (selection, version, standInCount)
  }

  mutating func take(_ run: ShownScan.Run) {
    messages += run.places
    (reached, isWhole) = (run.stoppedAt, run.stoppedAt == nil)
  }
}

/// Examines the messages that the store proposes for those that meet a condition.
struct ShownScan {
  let condition: ShownCondition
  let conversations: Selection.Conversations
  let history: RedactedHistory

  /// The texts that one answer examines.
  ///
  /// Only messages count whose proposal also holds for their redacted form: where a scan stops reveals
  /// nothing about hidden ones.
  static let textLimit = 100_000
  private static let firstBatch = 64
  private static let largestBatch = 1_024

  /// Nearest first.
  struct Run {
    var places: [FoundMessages.Place] = []
    /// The last examined message; `nil` if it reached the end or the limit.
    var stoppedAt: Message.ID?
  }

  /// Examines messages from the oldest end and after a message towards newer ones, else towards older ones.
  /// `budget`, the number of texts it may examine, is reduced by those examined.
  func run(from anchor: PageAnchor, limit: Int, _ budget: inout Int) throws(StoreError) -> Run {
    let isTowardNewer = anchor.isTowardNewer
    let proposed = Selection(conversations, where: condition.candidates)
    let proposing = try ShownCondition(condition.candidates, of: history.original, history.redactor)
    var request = PageRequest(
      proposed, order: isTowardNewer ? .oldestFirst : .newestFirst, anchor: anchor,
      fetchLimit: Self.firstBatch, wantsCounts: false)
    var run = Run()
    guard limit > 0 else { return run }
    while true {
      let page = try history.original.page(request)
      let looked = try page.messages.map { message throws(StoreError) in
        LookedAtMessage(message: message, text: history.redactor.look(at: try history.wholeText(of: message)))
      }
      let holds = try condition.holds(for: looked)
      let counts = condition.isProposal ? holds : try proposing.holds(for: looked)
      for (index, message) in page.messages.enumerated() {
        if holds[index] {
          run.places.append(FoundMessages.Place(id: message.id, conversation: message.conversation))
          if run.places.count == limit { return run }
        }
        if counts[index] { budget -= 1 }
        if budget <= 0 {
          run.stoppedAt = message.id
          return run
        }
      }
      let last = page.messages.last.map { isTowardNewer ? PageAnchor.after($0.id) : .before($0.id) }
      guard let next = page.nextAnchor ?? ((isTowardNewer ? page.hasNewer : page.hasOlder) ? last : nil)
      else {
        return run
      }
      request.anchor = next
      request.fetchLimit = min(2 * request.fetchLimit, Self.largestBatch)
    }
  }
}

extension PageAnchor {
  var isTowardNewer: Bool {
    switch self {
    case .oldest, .after: true
    case .newest, .before, .around, .time, .ordinal, .percent, .firstUnread: false
    }
  }
}

/// The page for a request whose condition applies to redacted messages.
struct FoundPage {
  private let request: PageRequest
  private let scan: ShownScan
  private let history: RedactedHistory

  init(_ request: PageRequest, _ condition: ShownCondition, of history: RedactedHistory) {
    (self.request, self.history) = (request, history)
    scan = ShownScan(condition: condition, conversations: request.selection.conversations, history: history)
  }

  /// Returns the page; its messages are those of the store.
  func page() throws(StoreError) -> Page {
    let version = try history.original.version(of: .everything)
    var budget = ShownScan.textLimit
    guard request.wantsCounts || request.anchor.isAround else { return try run(version, &budget) }
    let found = try all(at: version, &budget)
    if found.isWhole { return try page(of: found) }
    var page = try run(version, &budget)
    if request.wantsCounts {
      page.counts = Page.Counts(firstOrdinal: 0, total: found.messages.count, isExact: false)
    }
    return page
  }

  /// Returns all messages that meet the condition, within the budget; the next request continues there.
  private func all(at version: SourceVersion, _ budget: inout Int) throws(StoreError) -> FoundMessages {
    var found = history.found(request.selection, at: version)
    if !found.isWhole {
      found.take(try scan.run(from: found.reached.map { .before($0) } ?? .newest, limit: .max, &budget))
      history.keep(found)
    }
    return found
  }

  private func page(of found: FoundMessages) throws(StoreError) -> Page {
    var asked = request
    asked.selection = Selection(request.selection.conversations)
    let one = request.selection.conversations.one
    let places = found.messages.reversed().map { Message(id: $0.id, conversation: $0.conversation, text: "") }
    var page = try Page(
      answering: asked, in: places,
      readUpTo: one.map { id throws(StoreError) in try history.original.readMark(of: id) } ?? nil,
      version: found.version)
    page.messages = try messages(page.messages.map(\.id))
    return page
  }

  /// Returns the messages beside the anchor; for one in the middle, the messages after it.
  private func run(_ version: SourceVersion, _ budget: inout Int) throws(StoreError) -> Page {
    budget = max(budget, ShownScan.textLimit)
    let anchor = try anchor(besides: request.anchor)
    let wanted = request.fetchOffset.adding(request.fetchLimit).adding(1)
    let run = try scan.run(from: anchor, limit: wanted, &budget)
    let shown = run.places.dropFirst(request.fetchOffset).prefix(request.fetchLimit)
    let isTowardNewer = anchor.isTowardNewer
    let ids = isTowardNewer == (request.order == .oldestFirst) ? shown.map(\.id) : shown.reversed().map(\.id)
    let hasMore = run.places.count == wanted || run.stoppedAt != nil
    var page = Page(
      messages: try messages(ids), hasOlder: isTowardNewer ? anchor != .oldest : hasMore,
      hasNewer: isTowardNewer ? hasMore : anchor != .newest,
      resolution: Page.Resolution(shown.isEmpty ? .nothing : .exact), version: version)
    page.nextAnchor = run.stoppedAt.map { isTowardNewer ? .after($0) : .before($0) }
    return page
  }

  private func anchor(besides anchor: PageAnchor) throws(StoreError) -> PageAnchor {
    switch anchor {
    case .newest, .oldest, .before, .after: anchor
    case .around(let id): .after(id.predecessor)
    case .time(let time): try .after(place(of: time).predecessor)
    case .ordinal, .percent, .firstUnread: .newest
    }
  }

  /// Returns the first message written at a time or later.
  private func place(of moment: Timestamp) throws(StoreError) -> Message.ID {
    let page = try history.original.page(
      PageRequest(
        Selection(request.selection.conversations), anchor: .time(moment), fetchLimit: 1, wantsCounts: false))
    guard let found = page.messages.first, found.moment >= moment else { return Message.ID(time: moment) }
    return found.id
  }

  private func messages(_ ids: [Message.ID]) throws(StoreError) -> [Message] {
    var messages: [Message] = []
    for id in ids { if let message = try history.original.message(id) { messages.append(message) } }
    return messages
  }
}

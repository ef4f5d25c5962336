internal import MessageModel
internal import MessageStorage
internal import Redaction

/// The messages that a condition was found to hold for, newest first, as far as was looked.
struct FoundMessages: Sendable {
  let selection: Selection
  let version: SourceVersion
  /// The number of stand-ins when it was looked: an expression may find the number of one.
  let standInCount: Int
  private(set) var messages: [Place] = []
  /// The message before which to go on; `nil` if that is the newest end.
  private(set) var reached: Message.ID?
  /// Whether all were looked at.
  private(set) var isWhole = false

  /// A message that was found.
  struct Place: Sendable {
    var id: Message.ID
    var conversation: Conversation.ID
  }

  init(_ selection: Selection, _ version: SourceVersion, standInCount: Int) {
    (self.selection, self.version, self.standInCount) = (selection, version, standInCount)
  }

  /// Takes in the messages behind those that are known.
  mutating func take(_ run: ShownScan.Run) {
    messages += run.places
    (reached, isWhole) = (run.stoppedAt, run.stoppedAt == nil)
  }
}

/// Looks through the messages that the store proposes for those that a condition holds for.
struct ShownScan {
  let condition: ShownCondition
  let conversations: Selection.Conversations
  let history: RedactedHistory

  /// The texts that one answer looks at.
  ///
  /// Only messages count for which what proposes them holds as they are shown: where a scan stops does not tell what others hide.
  static let textLimit = 100_000
  private static let firstBatch = 64
  private static let largestBatch = 1_024

  /// The messages next to a place, the nearest first.
  struct Run {
    var places: [FoundMessages.Place] = []
    /// The message at which it stopped; `nil` if it came to the end, or has found as many as were wanted.
    var stoppedAt: Message.ID?
  }

  /// Looks for messages next to an anchor.
  ///
  /// - Parameters:
  ///   - anchor: An end, or a message beside which to begin: towards newer messages from the oldest end and after a message.
  ///   - limit: The number of messages after which it ends.
  ///   - budget: The texts that may be looked at; what was is taken off.
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
  /// Whether reading from here goes toward newer messages.
  var isTowardNewer: Bool {
    switch self {
    case .oldest, .after: true
    case .newest, .before, .around, .time, .ordinal, .percent, .firstUnread: false
    }
  }
}

/// The page of a request under a condition that is asked of what is shown.
struct FoundPage {
  private let request: PageRequest
  private let scan: ShownScan
  private let history: RedactedHistory

  init(_ request: PageRequest, _ condition: ShownCondition, of history: RedactedHistory) {
    (self.request, self.history) = (request, history)
    scan = ShownScan(condition: condition, conversations: request.selection.conversations, history: history)
  }

  /// Returns the page, its messages as the store has them.
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

  /// Returns all that the condition holds for, as far as the budget reaches; the next request goes on from there.
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

  /// Returns the messages beside the anchor; around one, those that follow it.
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

  /// Returns the place of the first message of these conversations that was written at a moment or after it.
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

import MessageModel
import MessageSourceTesting
import MessageWindows

/// The messages that a walk's window is over.
enum WalkPlace {
  /// Those of one conversation.
  case conversation
  /// Those of the whole source.
  case everything
  /// Those of two conversations, while more is written in a third one.
  case union
}

/// A window on a random walk over a source, beside the naive array that it must equal after every step.
struct WindowWalk<Source: MutableMessageSource & SynchronousMessageSource> {
  let source: Source
  var window: MessageWindow
  /// What the source holds, kept in step with it.
  private let model = ReferenceSource()
  let conversation: Conversation.ID
  private let elsewhere: Conversation.ID
  /// Further conversations that are written in by turns; the last one is not in a union.
  private let others: [Conversation.ID]
  private let filters: [MessagePredicate]
  private let place: WalkPlace
  /// Whether the source gives up on the way to a page's limit: what lies beyond is not known then.
  let isPartial: Bool
  var replica: [Message] = []
  var snapshots: [SourceVersion: [Message]] = [:]
  var gapSnapshots: [SourceVersion: [MessageGap]] = [:]
  private var pending: [(request: MessageWindow.Request, page: Page?)] = []
  private(set) var isUnannounced = false
  var edge: Message.ID?
  private var inView: ClosedRange<Message.ID>?
  /// Makes each text another one.
  private var textCount = 0

  /// Fills `source` with `count` messages whose texts have some of these sizes, a third of them edited.
  ///
  /// - Parameter hits: What is looked for in one message after the other; `nil` walks over all messages, and over filters that
  ///   a page answers to its limit.
  init(
    over source: Source, limits: WindowLimits, count: Int, bytes: [Int] = [0],
    hits: [MessagePredicate]? = nil, spansStates: Bool = false, place: WalkPlace = .conversation
  ) async throws {
    self.source = source
    self.place = place
    isPartial = hits != nil
    conversation = try await source.makeConversation(named: "walk")
    elsewhere = try await source.makeConversation(named: "elsewhere")
    others =
      place == .conversation
      ? []
      : [
        try await source.makeConversation(named: "second"), try await source.makeConversation(named: "third"),
      ]
    let middle = MessagePredicate.ids(Self.id(count / 4)...Self.id(count * 3 / 4))
    filters = hits ?? [.everything, .not(.has(.edit)), .has(.edit), .and([middle, .not(.has(.edit))])]
    window = MessageWindow(
      Self.selection(place, conversation, others, where: hits?.first ?? .everything), limits: limits,
      spansStates: spansStates)
    var generator = SeededGenerator(seed: UInt64(count))
    for number in 0..<count {
      let size = bytes[Int.random(in: bytes.indices, using: &generator)]
      try await insert(at: Self.id(number + 1).placeTime, size)
      if number % 3 == 0, let id = model.messages.last?.id { try await edit(id, size) }
    }
    takeSnapshot()
  }

  private static func selection(
    _ place: WalkPlace, _ conversation: Conversation.ID, _ others: [Conversation.ID],
    where filter: MessagePredicate
  ) -> Selection {
    switch place {
    case .conversation: Selection(conversation, where: filter)
    case .everything: Selection(.all, where: filter)
    case .union:
      Selection(
        .all,
        where: .and([.or([.conversation([conversation]), .conversation(Set(others.prefix(1)))]), filter]))
    }
  }

  /// The selection of all that the window is over for which a filter holds.
  private func selection(where filter: MessagePredicate) -> Selection {
    Self.selection(place, conversation, others, where: filter)
  }

  /// Where the next message is written.
  private var home: Conversation.ID { ([conversation] + others)[textCount % (others.count + 1)] }

  private static func id(_ number: Int) -> Message.ID { Message.ID(rawValue: Int64(number) << 20) }

  /// Takes a step, with all the reading it asks for; returns what is wrong after it, or `nil`.
  mutating func take(_ step: WindowStep) async -> String? {
    let before = window.header
    let selection = window.selection
    do {
      if let command = try await carryOut(step) {
        for delta in try window.perform(command, in: source) { delta.apply(to: &replica) }
      }
    } catch { return "the source failed: \(error)" }
    if window.selection != selection { edge = nil }
    noteEdge()
    return mistake() ?? arrivalsMistake() ?? placeMistake(step, before)
  }

  /// Takes a step and leaves it to later steps to read and deliver pages; returns what is wrong after it, or `nil`.
  mutating func race(_ step: WindowStep) async -> String? {
    switch step {
    case .read(let number):
      guard !pending.isEmpty else { return nil }
      let index = number % pending.count
      pending[index].page = read(pending[index].request)
    case .deliver(let number):
      guard let next = takePending(number) else { return nil }
      guard let page = next.page ?? read(next.request) else { return "no page" }
      note(window.pageArrived(page, for: next.request.ticket))
    case .fail(let number):
      guard let next = takePending(number) else { return nil }
      note(window.loadFailed(StoreError(.inputOutput, "cannot read"), for: next.request.ticket))
    case .cancel(let number):
      if let next = takePending(number) { note(window.loadCancelled(for: next.request.ticket)) }
    default:
      do { if let command = try await carryOut(step) { note(window.perform(command)) } } catch {
        return "the source failed: \(error)"
      }
    }
    return mistake()
  }

  /// Lets all that is under way come to its end; returns what is wrong then, or `nil`.
  mutating func settle() async -> String? {
    for step in [.retry] + Array(repeating: WindowStep.deliver(0), count: 200) {
      if let mistake = await race(step) { return mistake }
    }
    if !pending.isEmpty { return "it never comes to rest" }
    let header = window.header
    if [header.jumping, header.readingOlder, header.readingNewer].contains(.reading) {
      return "it waits for nothing"
    }
    return isUpToDate || isUnannounced || !wasShown || window.spansStates ? nil : "it missed a change"
  }

  /// Whether a first page ever came.
  private var wasShown: Bool { window.holdsOldestEdge || window.header.hasOlder }

  private func read(_ request: MessageWindow.Request) -> Page? { try? source.page(request.fetch) }

  private mutating func takePending(_ number: Int) -> (request: MessageWindow.Request, page: Page?)? {
    pending.isEmpty ? nil : pending.remove(at: number % pending.count)
  }

  private mutating func note(_ update: MessageWindow.Update) {
    update.delta?.apply(to: &replica)
    pending += update.requests.map { ($0, nil) }
  }
}

// MARK: What is done

extension WindowWalk {
  /// Changes the source, or returns what the window is to do.
  private mutating func carryOut(_ step: WindowStep) async throws -> ListCommand? {
    switch step {
    case .older: return .scroll(.older)
    case .newer: return .scroll(.newer)
    case .load(let direction): return .load(direction)
    case .back: return .back
    case .forward: return .forward
    case .retry: return .retry
    case .cross(let direction): return .cross(direction)
    case .announce:
      isUnannounced = false
      return .sourceChanged
    case .follow(let follows): return .follow(follows)
    case .restore(let number): return .restore(WindowPosition(id: id(number), rowOffset: number % 3))
    case .select(let number):
      return .select(selection(where: filters[number % filters.count]))
    case .jump(let place): return .jump(to: anchor(place))
    case .look(let number, let height): return look(at: window.isEmpty ? 0 : number % window.count, height)
    case .move(let rows): return move(by: rows)
    case .read, .deliver, .fail, .cancel: return nil
    default:
      try await change(step)
      isUnannounced = true
      takeSnapshot()
      return nil
    }
  }

  private mutating func change(_ step: WindowStep) async throws {
    let all = all
    switch step {
    case .append(let count, let bytes):
      for _ in 0..<count { try await append(bytes) }
    case .insert(let number, let count, let bytes):
      let time = id(number).placeTime.advanced(byMilliseconds: Int64(-(number % 2)))
      for _ in 0..<count { try await insert(at: time, bytes) }
    case .delete(let number, let count):
      let start = all.isEmpty ? 0 : number % all.count
      let ids = all[start..<min(start + count, all.count)].map(\.id)
      try await source.delete(ids)
      model.delete(ids)
    case .edit(let number, let bytes):
      if !all.isEmpty { try await edit(id(number), bytes) }
    case .openGap(let number, let count):
      guard let gap = gap(number, count), let keeping = source as? any GapKeepingSource else { return }
      try await keeping.setGap(gap)
      model.setGap(gap)
    case .closeGaps(let number, let count):
      guard let gap = gap(number, count), let keeping = source as? any GapKeepingSource else { return }
      try await keeping.removeGaps(in: conversation, after: gap.after, before: gap.before)
      model.removeGaps(in: conversation, after: gap.after, before: gap.before)
    default:
      let id = try await source.append("elsewhere", to: elsewhere)
      if place != .conversation {
        model.insert([Message(id: id, conversation: elsewhere, text: "elsewhere")])
      }
    }
  }

  /// The gap behind a message and so many more; `nil` where what is looked for is found by reading on and on.
  private func gap(_ number: Int, _ count: Int) -> MessageGap? {
    let own = all.filter { $0.conversation == conversation }
    guard !isPartial, !own.isEmpty else { return nil }
    let (start, end) = (number % (own.count + 1) - 1, number % (own.count + 1) + count)
    return MessageGap(
      in: conversation, after: start < 0 ? nil : own[start].id, before: end < own.count ? own[end].id : nil,
      token: number.isMultiple(of: 3) ? "\(number)" : nil, size: number.isMultiple(of: 5) ? count : nil)
  }

  /// Whether gaps are to be seen: in a selection of one conversation.
  var showsGaps: Bool { place == .conversation && !isPartial && !window.spansStates }

  private func id(_ number: Int) -> Message.ID {
    let all = all
    return all.isEmpty ? Message.ID(rawValue: 7) : all[number % all.count].id
  }

  private func anchor(_ place: WindowStep.Place) -> PageAnchor {
    switch place {
    case .newest: .newest
    case .oldest: .oldest
    case .before(let number): .before(id(number))
    case .after(let number): .after(id(number))
    case .around(let number, let off): .around(Message.ID(rawValue: id(number).rawValue + off))
    case .ordinal(let ordinal): .ordinal(ordinal)
    case .percent(let percent): .percent(percent)
    }
  }

  private mutating func look(at index: Int, _ height: Int) -> ListCommand? {
    guard !window.isEmpty else { return nil }
    let start = min(max(index, 0), window.count - 1)
    let range = window[start].id...window[min(start + height, window.count) - 1].id
    inView = range
    return .readerMoved(first: range.lowerBound, last: range.upperBound)
  }

  private mutating func move(by rows: Int) -> ListCommand? {
    guard let inView, let start = window.index(of: inView.lowerBound) else {
      return look(at: window.count / 2, 3)
    }
    let end = window.index(of: inView.upperBound) ?? start
    return look(at: start + rows, max(end - start + 1, 1))
  }

  private mutating func append(_ bytes: Int) async throws {
    let (text, home) = (newText(bytes), home)
    let id = try await source.append(text, to: home)
    var message = Message(id: id, conversation: home, text: text)
    // Behind messages of the future it has a time of its own.
    let page = try await source.page(PageRequest(Selection(home), anchor: .around(id), fetchLimit: 1))
    message.writtenAt = page.messages.first.flatMap { $0.id == id ? $0.writtenAt : nil }
    model.insert([message])
  }

  private mutating func insert(at time: Timestamp, _ bytes: Int) async throws {
    let (text, home) = (newText(bytes), home)
    let id = try await source.insert(text, at: time, in: home)
    model.insert([Message(id: id, conversation: home, text: text)])
  }

  private mutating func edit(_ id: Message.ID, _ bytes: Int) async throws {
    let text = newText(bytes)
    try await source.edit(id, text: text)
    model.edit(id, text: text)
  }

  private mutating func newText(_ bytes: Int) -> String {
    textCount += 1
    return "\(textCount)" + String(repeating: "x", count: bytes)
  }

  /// All messages there are, oldest first.
  var all: [Message] { model.messages }

  private mutating func takeSnapshot() {
    guard let version = sourceVersion else { return }
    snapshots[version] = all
    gapSnapshots[version] = model.gaps
  }

  var sourceVersion: SourceVersion? {
    (try? source.page(PageRequest(selection(where: .everything), fetchLimit: 0)))?.version
  }
}

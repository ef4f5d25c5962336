import MessageModel
import MessageSourceTesting
import MessageWindows

/// A window on a random walk, beside the naive array that it must equal after every step.
struct WindowWalk {
  static let conversation = Conversation.ID(rawValue: 1)
  static let alice = Sender(id: Sender.ID(rawValue: 1), name: "alice")
  static let filters: [MessagePredicate] = [
    .everything, .sender([alice.id]), .has(.edit), .and([.sender([alice.id]), .not(.has(.edit))]),
  ]

  let source = ReferenceSource()
  var window: MessageWindow
  private var replica: [Message] = []
  private var snapshots: [SourceVersion: [Message]] = [:]
  private var pending: [(request: MessageWindow.Request, page: Page?)] = []
  private var isUnannounced = false
  private var edge: Message.ID?
  private var inView: ClosedRange<Message.ID>?
  /// All ids there ever were: none is used again.
  private var used: Set<Int64> = []

  init(limits: WindowLimits, count: Int, bytes: [Int] = [0]) {
    window = MessageWindow(Selection(Self.conversation), limits: limits)
    var generator = SeededGenerator(seed: UInt64(count))
    for number in 1...Int64(max(count, 1)) where count > 0 {
      add([number << 20], bytes[Int.random(in: bytes.indices, using: &generator)])
    }
    takeSnapshot()
  }

  /// Takes a step, with all the reading it asks for; returns what is wrong after it, or `nil`.
  mutating func take(_ step: WindowStep) -> String? {
    let before = window.header
    let selection = window.selection
    if let command = carryOut(step) {
      do { for delta in try window.perform(command, in: source) { delta.apply(to: &replica) } } catch {
        return "the source failed: \(error)"
      }
    }
    if window.selection != selection { edge = nil }
    noteEdge()
    return mistake() ?? arrivalsMistake() ?? placeMistake(step, before)
  }

  /// Takes a step and leaves it to later steps to read and deliver pages; returns what is wrong after it, or `nil`.
  mutating func race(_ step: WindowStep) -> String? {
    switch step {
    case .read(let number):
      guard !pending.isEmpty else { return nil }
      let index = number % pending.count
      do { pending[index].page = try source.page(pending[index].request.fetch) } catch { return "\(error)" }
    case .deliver(let number):
      guard let next = takePending(number) else { return nil }
      guard let page = next.page ?? (try? source.page(next.request.fetch)) else { return "no page" }
      note(window.pageArrived(page, for: next.request.ticket))
    case .fail(let number):
      guard let next = takePending(number) else { return nil }
      note(window.loadFailed(StoreError(.inputOutput, "cannot read"), for: next.request.ticket))
    case .cancel(let number):
      if let next = takePending(number) { note(window.loadCancelled(for: next.request.ticket)) }
    default:
      if let command = carryOut(step) { note(window.perform(command)) }
    }
    return mistake()
  }

  /// Lets all that is under way come to its end; returns what is wrong then, or `nil`.
  mutating func settle() -> String? {
    for step in [.retry] + Array(repeating: WindowStep.deliver(0), count: 200) {
      if let mistake = race(step) { return mistake }
    }
    if !pending.isEmpty { return "it never comes to rest" }
    let header = window.header
    if [header.jumping, header.readingOlder, header.readingNewer].contains(.reading) {
      return "it waits for nothing"
    }
    return isUpToDate || isUnannounced || !wasShown ? nil : "it missed a change"
  }

  /// Whether a first page ever came.
  private var wasShown: Bool { window.holdsOldestEdge || window.header.hasOlder }

  private mutating func takePending(_ number: Int) -> (request: MessageWindow.Request, page: Page?)? {
    pending.isEmpty ? nil : pending.remove(at: number % pending.count)
  }

  private mutating func note(_ update: MessageWindow.Update) {
    update.delta?.apply(to: &replica)
    pending += update.requests.map { ($0, nil) }
  }

  /// Changes the source, or returns what the window is to do.
  private mutating func carryOut(_ step: WindowStep) -> MessageWindow.Command? {
    let all = source.messages.filter { $0.conversation == Self.conversation }
    func id(_ number: Int) -> Message.ID {
      all.isEmpty ? Message.ID(rawValue: 7) : all[number % all.count].id
    }
    switch step {
    case .older: return .older
    case .newer: return .newer
    case .back: return .back
    case .forward: return .forward
    case .retry: return .retry
    case .announce:
      isUnannounced = false
      return .sourceChanged
    case .follow(let follows): return .follow(follows)
    case .restore(let number): return .restore(WindowPosition(id: id(number), rowOffset: number % 3))
    case .select(let number): return .select(Selection(Self.conversation, where: Self.filters[number]))
    case .jump(let place): return .jump(to: anchor(place, id))
    case .look(let number, let height): return look(at: window.isEmpty ? 0 : number % window.count, height)
    case .move(let rows): return move(by: rows)
    case .append(let count, let bytes):
      for _ in 0..<count { append(bytes) }
    case .insert(let number, let count, let bytes):
      insert(count, behind: all.isEmpty ? 0 : id(number).rawValue, bytes)
    case .delete(let number, let count):
      let start = all.isEmpty ? 0 : number % all.count
      source.delete(all[start..<min(start + count, all.count)].map(\.id))
    case .edit(let number, let bytes):
      source.edit(id(number)) { [text = text(bytes)] message in
        message.text = text
        message.isEdited.toggle()
      }
    case .read, .deliver, .fail, .cancel: break
    case .noise: used.insert(source.append("elsewhere", to: Conversation.ID(rawValue: 2)).rawValue)
    }
    isUnannounced = true
    takeSnapshot()
    return nil
  }

  private func anchor(_ place: WindowStep.Place, _ id: (Int) -> Message.ID) -> Anchor {
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

  private mutating func look(at index: Int, _ height: Int) -> MessageWindow.Command? {
    guard !window.isEmpty else { return nil }
    let start = min(max(index, 0), window.count - 1)
    let range = window[start].id...window[min(start + height, window.count) - 1].id
    inView = range
    return .readerMoved(first: range.lowerBound, last: range.upperBound)
  }

  private mutating func move(by rows: Int) -> MessageWindow.Command? {
    guard let inView, let start = window.index(of: inView.lowerBound) else {
      return look(at: window.count / 2, 3)
    }
    let end = window.index(of: inView.upperBound) ?? start
    return look(at: start + rows, max(end - start + 1, 1))
  }

  private mutating func append(_ bytes: Int) {
    let last = (used.max() ?? 0) >> 20
    add([(last + 1) << 20], bytes)
  }

  private mutating func insert(_ count: Int, behind base: Int64, _ bytes: Int) {
    let free = (1...).lazy.map { base + Int64($0) }.filter { [used] in !used.contains($0) }
    add(Array(free.prefix(count)), bytes)
  }

  private mutating func add(_ numbers: [Int64], _ bytes: Int) {
    used.formUnion(numbers)
    source.insert(numbers.map { message(Message.ID(rawValue: $0), bytes) })
  }

  private func message(_ id: Message.ID, _ bytes: Int) -> Message {
    Message(
      id: id, conversation: Self.conversation, sender: id.rawValue % 3 == 0 ? nil : Self.alice,
      text: text(bytes))
  }

  private func text(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }

  private mutating func takeSnapshot() {
    guard let page = try? source.page(FetchRequest(Selection(Self.conversation), fetchLimit: 0)) else {
      return
    }
    snapshots[page.version] = source.messages.filter { $0.conversation == Self.conversation }
  }
}

// MARK: What must hold

extension WindowWalk {
  private var naive: [Message] { (snapshots[window.version] ?? []).filter(window.selection.contains) }
  private var isUpToDate: Bool {
    (try? source.page(FetchRequest(Selection(Self.conversation), fetchLimit: 0)).version) == window.version
  }

  /// Returns in what the window differs from the naive array of the same state.
  private func mistake() -> String? {
    let header = window.header
    let naive = naive
    if replica != window.messages { return "the deltas give \(ids(replica)) for \(ids(window.messages))" }
    if window.count > window.limits.messages { return "\(window.count) messages held" }
    if header.byteCount > window.limits.bytes, window.count > 1 { return "\(header.byteCount) bytes held" }
    guard let first = window.messages.first else {
      return naive.isEmpty || header.resolution == Page.Resolution(.exact)
        ? nil : "nothing held of \(ids(naive))"
    }
    guard let start = naive.firstIndex(where: { $0.id == first.id }) else {
      return "\(first.id) is not there"
    }
    let end = start + window.count
    if end > naive.count || Array(naive[start..<end]) != window.messages {
      return "held \(ids(window.messages)) of \(ids(naive))"
    }
    if header.hasOlder != (start > 0) { return "hasOlder is \(header.hasOlder) at \(start)" }
    if header.hasNewer != (end < naive.count) { return "hasNewer is \(header.hasNewer) at \(end)" }
    if header.firstOrdinal != start || header.total != naive.count || !header.isExact {
      return "ordinal \(header.firstOrdinal ?? -1) of \(header.total ?? -1), not \(start) of \(naive.count)"
    }
    if header.isFollowing, end < naive.count { return "it follows an edge that it does not hold" }
    return nil
  }

  private func arrivalsMistake() -> String? {
    guard isUpToDate, let edge, !window.isEmpty else { return nil }
    let arrived = naive.count { $0.id > edge }
    return window.header.arrived == arrived
      ? nil : "\(window.header.arrived.map(String.init) ?? "nothing") arrived, not \(arrived)"
  }

  /// The reader stays where they are unless they go, or that message is gone.
  private func placeMistake(_ step: WindowStep, _ before: WindowHeader) -> String? {
    guard case .announce = step, !before.isFollowing, let place = before.position?.id else { return nil }
    let after = window.header
    if naive.contains(where: { $0.id == place }) {
      return after.position?.id == place ? nil : "the reader was moved from \(place)"
    }
    if naive.isEmpty { return nil }
    return after.resolution.manner == .exact ? "the reader was moved and not told" : nil
  }

  private mutating func noteEdge() {
    if window.header.isFollowing {
      edge = window.messages.last?.id ?? .lowest
    } else if edge == nil, window.header.arrived != nil {
      edge = source.messages.filter(window.selection.contains).last?.id ?? .lowest
    }
  }

  private func ids(_ messages: [Message]) -> String {
    messages.map { String($0.id.rawValue >> 20) + ($0.id.rawValue % (1 << 20) == 0 ? "" : "'") }
      .joined(separator: " ")
  }
}

internal import MessageModel
internal import TerminalText

/// Folds joins and parts: consecutive ones share the row of the last. As in WeeChat's smart filter, those of
/// people who speak around that time stay. Whether an event is folded depends only on a bounded range of held
/// messages around it.
extension HistoryView {
  /// How many messages around an event are checked for its sender.
  private static let mostLookedAt = 200
  /// How long after a join, or before a part, its sender must speak for it to stay.
  private static let patienceMilliseconds = 30 * 60_000
  private static let mostNames = 5
  /// The number of events hidden by `none` before a row appears.
  private static let mostHidden = 64

  /// A filtered view shows all its events.
  private var foldsEvents: Bool { settings.events != .all && window.selection.predicate == .everything }

  /// An event's row: none, or one for it and those before; `nil` if it is not folded.
  mutating func foldedRows(_ index: Int) -> [Row]? {
    guard foldsEvents, isFolded(index) else { return nil }
    if goesOn(behind: index) { return [] }
    var first = index
    while first > 0, isFolded(first - 1), goesOn(behind: first - 1) { first -= 1 }
    let events = window.messages[first...index]
    switch settings.events {
    case .all: return nil
    case .smart: return events.count == 1 ? nil : layout.summary(Self.summary(of: events), at: window[index])
    case .none:
      // Show a row now and then: an endless run of hidden events would be read without end.
      guard events.count >= Self.mostHidden else { return [] }
      return layout.summary("\(NumberText.grouped(events.count)) joins and parts", at: window[index])
    }
  }

  private func isFolded(_ index: Int) -> Bool {
    let message = window[index]
    guard Self.isFoldable(message.kind), message.reactions.isEmpty, message.starredAt == nil else {
      return false
    }
    if settings.hits.contains(where: { message.text.localizedStandardContains($0) }) { return false }
    return settings.events == .none || !speaks(message.sender, around: index)
  }

  private static func isFoldable(_ kind: Message.Kind) -> Bool {
    switch kind {
    case .join, .part, .quit, .nick: true
    case .text, .action, .notice, .mode, .topic, .kick, .call, .system, .unknown, .thinking, .tool, .result:
      false
    }
  }

  private func speaks(_ sender: Sender?, around index: Int) -> Bool {
    let event = window[index]
    let isJoin = event.kind == .join
    let step = isJoin ? 1 : -1
    var place = index + step
    while place >= 0, place < window.count, abs(place - index) <= Self.mostLookedAt {
      let message = window[place]
      let (first, last) = isJoin ? (event.time, message.time) : (message.time, event.time)
      if last.millisecondsSince1970 - first.millisecondsSince1970 > Self.patienceMilliseconds { return false }
      if message.sender == sender, message.conversation == event.conversation, !message.kind.isEvent {
        return true
      }
      place += step
    }
    return false
  }

  private mutating func goesOn(behind index: Int) -> Bool {
    guard index + 1 < window.count else { return false }
    let (message, next) = (window[index], window[index + 1])
    guard message.conversation == next.conversation, message.id != unreadAfter,
      layout.day(of: message) == layout.day(of: next), !Self.isLast(message.id)
    else { return false }
    return isFolded(index + 1)
  }

  /// Ends a row at one message in 256, chosen by id, so that a row stands for a limited number of events,
  /// independent of what is held.
  private static func isLast(_ id: Message.ID) -> Bool {
    UInt64(bitPattern: id.rawValue) &* 0x9E37_79B9_7F4A_7C15 >> 56 == 0
  }

  /// `3 joined, 2 left: ann, bob, carl`
  private static func summary(of events: ArraySlice<Message>) -> String {
    let joined = events.count { $0.kind == .join }
    let renamed = events.count { $0.kind == .nick }
    let left = events.count - joined - renamed
    let parts = [(joined, "joined"), (left, "left"), (renamed, "renamed")].filter { $0.0 > 0 }
    var names: [String] = []
    for name in events.lazy.compactMap({ $0.sender?.name }) where !names.contains(name) {
      names.append(name)
      if names.count > mostNames { break }
    }
    let shown = names.prefix(mostNames).map { SafeText.oneLine($0) }.joined(separator: ", ")
    let counts = parts.map { "\(NumberText.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    return "▸ \(counts)\(shown.isEmpty ? "" : ": \(shown)")\(names.count > mostNames ? " …" : "")"
  }
}

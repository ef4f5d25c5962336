internal import MessageModel
internal import TerminalText

/// Joins and parts, folded: neighbouring ones are one row, that of the last of them. As in WeeChat's smart filter those of somebody
/// who speaks around then stay.
///
/// Whether an event is folded depends on what is held around it alone, and on a bounded part of that.
extension HistoryView {
  /// The distance from an event, in messages, within which its sender has to speak for it to stay.
  private static let mostLookedAt = 200
  /// The time after a join, or before a part, within which its sender has to speak for it to stay.
  private static let patienceMilliseconds = 30 * 60_000
  /// The most names in a row.
  private static let mostNames = 5
  /// The events that `none` hides without a row.
  private static let mostHidden = 64

  /// Whether events are folded in what is shown: where a filter chooses messages, it has chosen them.
  private var foldsEvents: Bool { settings.events != .all && window.selection.predicate == .everything }

  /// Returns the rows of an event that is folded: none, or the one that stands for it and those before; `nil` for a message that is
  /// shown as it is.
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
      // A row now and then where there is nothing else: nobody reads on without an end for a page that has any.
      guard events.count >= Self.mostHidden else { return [] }
      return layout.summary("\(NumberText.grouped(events.count)) joins and parts", at: window[index])
    }
  }

  /// Whether an event is one of several that are folded together.
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

  /// Whether the sender of an event speaks soon after a join, or spoke shortly before they left.
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

  /// Whether the event behind one is folded together with it.
  private mutating func goesOn(behind index: Int) -> Bool {
    guard index + 1 < window.count else { return false }
    let (message, next) = (window[index], window[index + 1])
    guard message.conversation == next.conversation, message.id != unreadAfter,
      layout.day(of: message) == layout.day(of: next), !Self.isLast(message.id)
    else { return false }
    return isFolded(index + 1)
  }

  /// Whether a row ends behind a message whatever follows: one in 256, so that a row stands for so many, and what it stands for does
  /// not depend on what is held.
  private static func isLast(_ id: Message.ID) -> Bool {
    UInt64(bitPattern: id.rawValue) &* 0x9E37_79B9_7F4A_7C15 >> 56 == 0
  }

  /// `3 joined, 2 left: ann, bob, carl`.
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

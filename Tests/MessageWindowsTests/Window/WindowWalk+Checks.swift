import MessageModel
import MessageWindows

/// What must hold after every step.
extension WindowWalk {
  private var naive: [Message] {
    (window.spansStates ? all : snapshots[window.version] ?? []).filter(window.selection.contains)
  }
  var isUpToDate: Bool { sourceVersion == window.version }

  /// Returns in what the window differs from the naive array of the same state.
  func mistake() -> String? {
    let header = window.header
    let naive = naive
    if replica != window.messages { return "the deltas give \(ids(replica)) for \(ids(window.messages))" }
    if window.count > window.limits.messages { return "\(window.count) messages held" }
    if header.byteCount > window.limits.bytes, window.count > 1 { return "\(header.byteCount) bytes held" }
    guard let first = window.messages.first else {
      return naive.isEmpty || header.resolution == Page.Resolution(.exact) || isOpen
        ? nil : "nothing held of \(ids(naive))"
    }
    guard let start = naive.firstIndex(where: { $0.id == first.id }) else {
      return "\(first.id) is not there"
    }
    let end = start + window.count
    if end > naive.count || !zip(naive[start..<end], window.messages).allSatisfy(isSame) {
      return "held \(ids(window.messages)) of \(ids(naive))"
    }
    if header.hasOlder != (start > 0), !(isPartial && header.hasOlder) {
      return "hasOlder is \(header.hasOlder) at \(start)"
    }
    if header.hasNewer != (end < naive.count), !(isPartial && header.hasNewer), !missesNews {
      return "hasNewer is \(header.hasNewer) at \(end)"
    }
    if isPartial { return nil }
    if let mistake = gapMistake(start..<end, of: naive) { return mistake }
    if header.firstOrdinal != start || header.total != naive.count || !header.isExact {
      return "ordinal \(header.firstOrdinal ?? -1) of \(header.total ?? -1), not \(start) of \(naive.count)"
    }
    if header.isFollowing, end < naive.count { return "it follows an edge that it does not hold" }
    return nil
  }

  /// A window reads over no gap, and says which lie at its ends.
  private func gapMistake(_ held: Range<Int>, of naive: [Message]) -> String? {
    guard showsGaps else { return nil }
    let gaps = gapSnapshots[window.version] ?? []
    func gap(at index: Int) -> MessageGap? {
      gaps.gap(
        in: conversation, from: index > 0 ? naive[index - 1].id : nil,
        to: index < naive.count ? naive[index].id : nil)
    }
    if held.dropFirst().contains(where: { gap(at: $0) != nil }) { return "it reads over a gap" }
    for (direction, index) in [(ScrollDirection.older, held.lowerBound), (.newer, held.upperBound)]
    where window.gap(direction) != gap(at: index) {
      return
        "\(direction): \(String(describing: window.gap(direction))), not \(String(describing: gap(at: index)))"
    }
    return nil
  }

  /// Whether more may be beyond an end.
  private var isOpen: Bool { isPartial && (window.header.hasOlder || window.header.hasNewer) }

  /// Whether something has come in of which a window that spans states cannot know yet.
  private var missesNews: Bool {
    let header = window.header
    return window.spansStates && (isUnannounced || [header.jumping, header.readingNewer].contains(.reading))
  }

  func arrivalsMistake() -> String? {
    if isPartial { return nil }
    guard isUpToDate, let edge, !window.isEmpty else { return nil }
    let arrived = naive.count { $0.id > edge }
    return window.header.arrived == arrived
      ? nil : "\(window.header.arrived.map(String.init) ?? "nothing") arrived, not \(arrived)"
  }

  /// The reader stays where they are unless they go, or that message is gone.
  func placeMistake(_ step: WindowStep, _ before: WindowHeader) -> String? {
    // In an empty window a place is that of something else.
    if isPartial, window.isEmpty { return nil }
    guard case .announce = step, !before.isFollowing, let place = before.position?.id else { return nil }
    let after = window.header
    if naive.contains(where: { $0.id == place }) {
      return after.position?.id == place ? nil : "the reader was moved from \(place)"
    }
    if naive.isEmpty { return nil }
    return after.resolution.match == .exact ? "the reader was moved and not told" : nil
  }

  mutating func noteEdge() {
    if window.header.isFollowing {
      edge = window.messages.last?.id ?? .lowest
    } else if edge == nil, window.header.arrived != nil {
      edge = all.last(where: window.selection.contains)?.id ?? .lowest
    }
  }

  /// Whether a page shows what the model holds; a source may cut long texts.
  private func isSame(_ expected: Message, _ found: Message) -> Bool {
    expected.id == found.id && expected.time == found.time && expected.revision == found.revision
      && expected.isEdited == found.isEdited
      && expected.textByteCount == found.textByteCount && expected.text.hasPrefix(found.text)
  }

  private func ids(_ messages: [Message]) -> String {
    messages.map { String($0.id.rawValue >> 20) + ($0.id.rawValue % (1 << 20) == 0 ? "" : "'") }
      .joined(separator: " ")
  }
}

public import MessageModel

/// The changes of one step to a window, and its place in the selection since.
///
/// ``apply(to:)`` turns the messages held before into those held after.
public struct WindowDelta: Hashable, Sendable {
  /// The number of the oldest messages that were let go of.
  public var trimmedOlder = 0
  /// The number of the newest messages that were let go of.
  public var trimmedNewer = 0
  /// Messages that are in the selection no more: deleted, or left by the filter.
  public var removed: [Message.ID] = []
  /// Messages that were held and are of another revision now.
  public var changed: [Message] = []
  /// Messages that were not held before, oldest first.
  public var inserted: [Message] = []
  /// The place of the window in the selection after all this.
  public var header: WindowHeader

  /// Whether the messages are the same as before, and only the header tells something new.
  public var isHeaderOnly: Bool {
    trimmedOlder == 0 && trimmedNewer == 0 && removed.isEmpty && changed.isEmpty && inserted.isEmpty
  }

  /// Carries out the change on the messages that were held before it, oldest first.
  ///
  /// - Complexity: O(held before + after).
  public func apply(to messages: inout [Message]) {
    messages.removeLast(trimmedNewer)
    messages.removeFirst(trimmedOlder)
    let gone = Set(removed)
    let newer = Dictionary(uniqueKeysWithValues: changed.map { ($0.id, $0) })
    let kept = messages.filter { !gone.contains($0.id) }.map { newer[$0.id] ?? $0 }
    messages = Self.merged(kept, inserted)
  }

  private static func merged(_ a: [Message], _ b: [Message]) -> [Message] {
    var result: [Message] = []
    result.reserveCapacity(a.count + b.count)
    var rest = b[...]
    for message in a {
      while let next = rest.first, next.id < message.id { result.append(rest.removeFirst()) }
      result.append(message)
    }
    return result + rest
  }
}

extension WindowDelta {
  /// Finds what a step has done to `run`, which lies in a selection as `header` says.
  ///
  /// - Complexity: O(added) when one end was moved, O(*held*) when all was read again.
  init(_ run: MessageRun, header: WindowHeader) {
    let journal = run.journal
    if let old = journal.replaced {
      self.init(from: old, to: run.messages, header: header)
    } else {
      self.init(
        trimmedOlder: journal.trimmedOlder, trimmedNewer: journal.trimmedNewer,
        inserted: Array(run.messages.prefix(journal.prepended) + run.messages.suffix(journal.appended)),
        header: header)
    }
  }

  /// Finds what turns `old` into `new`, which lies in a selection as `header` says.
  ///
  /// A message that is held no more was let go of if it lies beyond an end where the selection goes on, and has
  /// left the selection otherwise.
  init(from old: [Message], to new: [Message], header: WindowHeader) {
    self.header = header
    // By index and not by element: copying a message counts references.
    var next = 0
    while next < old.count, let first = new.first?.id, old[next].id < first { next += 1 }
    if header.hasOlder { trimmedOlder = next } else { removed = old[..<next].map(\.id) }
    for index in new.indices {
      let id = new[index].id
      while next < old.count, old[next].id < id {
        removed.append(old[next].id)
        next += 1
      }
      guard next < old.count, old[next].id == id else {
        inserted.append(new[index])
        continue
      }
      if old[next].revision != new[index].revision { changed.append(new[index]) }
      next += 1
    }
    if header.hasNewer { trimmedNewer = old.count - next } else { removed += old[next...].map(\.id) }
  }
}

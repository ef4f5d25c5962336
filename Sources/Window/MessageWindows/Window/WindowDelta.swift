public import MessageModel

/// The changes of a step of a window, and its header afterwards.
///
/// ``apply(to:)`` turns the messages before into those after.
package struct WindowDelta: Hashable, Sendable {
  /// The number of oldest messages that were released.
  package var trimmedOlder = 0
  /// The number of newest messages that were released.
  package var trimmedNewer = 0
  /// Messages that have left the selection: deleted, or no longer matching.
  package var removed: [Message.ID] = []
  /// Held messages with a new revision.
  package var changed: [Message] = []
  /// Messages that were not held before, oldest first.
  package var inserted: [Message] = []
  /// The window's header after the step.
  package var header: WindowHeader

  /// Whether only the header is new.
  package var isHeaderOnly: Bool {
    trimmedOlder == 0 && trimmedNewer == 0 && removed.isEmpty && changed.isEmpty && inserted.isEmpty
  }

  /// Applies the change to the messages held before it, oldest first.
  ///
  /// - Complexity: O(held before + after).
  package func apply(to messages: inout [Message]) {
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

  /// A message that is no longer held was released if it lies beyond an end where the selection continues;
  /// otherwise it has left the selection.
  init(from old: [Message], to new: [Message], header: WindowHeader) {
    self.header = header
    // Copying a message counts references, so it is accessed by index.
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

/// Everything to show beside a window's messages, read in the same state.
public struct WindowHeader: Hashable, Sendable {
  /// The number of messages held.
  public var count: Int
  /// The memory of these messages, in units of ``Message/byteCost``.
  package var byteCount: Int
  /// The number of messages of the selection that are older than the oldest held, if known.
  public var firstOrdinal: Int?
  /// The number of messages in the selection, if known.
  public var total: Int?
  /// Whether ordinal, total and ``newerBelow`` are exact; otherwise they are estimates and must be shown as
  /// such.
  public var isExact: Bool
  /// Whether all messages were counted. Otherwise the conversations have gaps (``MessageGap``), and the
  /// numbers are those of the source.
  public var isComplete: Bool
  /// Whether the source has more of the selection at the older end, also beyond a gap. Exact.
  public var hasOlder: Bool
  /// Whether the source has more of the selection at the newer end, also beyond a gap. Exact.
  public var hasNewer: Bool
  /// The number of messages of the selection that are newer than the newest in view, if known.
  public var newerBelow: Int?
  /// The number of messages that arrived at the newer end since the reader was last there, if known, without
  /// the user's own ones (`setMe` of a store).
  public var arrived: Int?
  /// Whether the reader is at the newest edge and stays there when messages arrive.
  public var isFollowing: Bool
  /// The reader's position.
  public var position: WindowPosition?
  /// How the requested anchor was found, and the message there.
  public var resolution: Page.Resolution
  /// The numbers of changes since the view was frozen; `nil` unless it is frozen.
  public var sinceFrozen: SourceVersion?
  /// Whether a jump is being read, or has failed.
  public var jumping: WindowActivity
  /// Whether older messages are being read, or reading them has failed.
  public var readingOlder: WindowActivity
  /// Whether newer messages are being read, or reading them has failed.
  public var readingNewer: WindowActivity
}

/// The state of reading in one direction of a window.
public enum WindowActivity: Hashable, Sendable {
  /// Nothing is being read.
  case idle
  /// A page is being read.
  case reading
  /// Reading failed. It stops in this direction until ``ListCommand/retry``.
  case failed(StoreError)
}

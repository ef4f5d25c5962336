package import MessageModel

/// The course of a history in time: its ends, longest silence, busiest day, and how fast people reply.
package struct HistoryPace: Hashable, Sendable {
  /// The number of messages.
  package var messageCount = 0
  /// The oldest message; `nil` if there is none.
  package var oldest: Moment?
  /// The newest message; `nil` if there is none.
  package var newest: Moment?
  /// The longest silence; `nil` if none was as long as an hour.
  package var silence: Silence?
  /// The day with the most messages, the first of several; `nil` if there are no messages.
  package var busiestDay: Day?
  /// The replies by who replies to whom, the most frequent first.
  package var answers: [Answers] = []

  /// A message, and when it was written.
  package struct Moment: Hashable, Comparable, Sendable {
    /// The message.
    package var id: Message.ID
    /// When it was written.
    package var time: Timestamp

    package static func < (a: Moment, b: Moment) -> Bool { (a.time, a.id) < (b.time, b.id) }
  }

  /// A time without messages.
  package struct Silence: Hashable, Sendable {
    /// The last message before it.
    package var last: Moment
    /// The first message after it.
    package var first: Moment
  }

  /// A day on the clock of a zone.
  package struct Day: Hashable, Sendable {
    /// The day.
    package var date: CivilTime
    /// The number of its messages.
    package var count: Int
  }

  /// The replies of one person or sender to another.
  package struct Answers: Hashable, Sendable {
    /// The person or sender who replies.
    package var who: MessageGroup.Key
    /// The person or sender whose messages are replied to.
    package var whom: MessageGroup.Key
    /// The number of replies.
    package var count: Int
    /// The median delay of a reply in seconds, to within three percent.
    package var medianSeconds: Int
  }

  /// The hours within which a message that names no other counts as a reply to the one before it.
  package static let mostHours = 8
  /// Replies are counted among this number of people or senders, those with the most messages.
  package static let speakerLimit = 64
}

/// A histogram of durations: exact below 32 seconds, then sixteen steps to each doubling.
struct DurationCounts {
  private static let exact = 32
  private static let leastPower = 5
  private static let maxPower = 31
  private static let steps = 16

  private(set) var count = 0
  private var counts = [UInt32](repeating: 0, count: exact + (maxPower - leastPower + 1) * steps)

  mutating func add(seconds: Int) {
    let index = Self.index(of: seconds)
    counts[index] = counts[index] == .max ? .max : counts[index] + 1
    count += 1
  }

  var median: Int {
    var below = 0
    for index in counts.indices {
      below += Int(counts[index])
      if below * 2 >= count { return Self.middle(of: index) }
    }
    return 0
  }

  private static func index(of seconds: Int) -> Int {
    guard seconds >= exact else { return max(0, seconds) }
    let power = min(maxPower, Int.bitWidth - 1 - seconds.leadingZeroBitCount)
    let step = min(2 * steps - 1, seconds >> (power - 4)) - steps
    return exact + (power - leastPower) * steps + step
  }

  private static func middle(of index: Int) -> Int {
    guard index >= exact else { return index }
    let (power, step) = ((index - exact) / steps + leastPower, (index - exact) % steps)
    let width = 1 << (power - 4)
    return (steps + step) * width + width / 2
  }
}

public import Foundation
public import MessageModel
internal import MessageStorage

/// A history over time.
public struct PaceAnswer: Codable, Hashable, Sendable {
  /// The number of messages.
  public var messages: Int
  /// The oldest message; `nil` if there is none.
  public var first: MomentAnswer?
  /// The newest message; `nil` if there is none.
  public var last: MomentAnswer?
  /// The longest silence; `nil` if none lasted an hour.
  public var silence: SilenceAnswer?
  /// The day with the most messages; `nil` if there are no messages.
  public var busiest: BusyDayAnswer?
  /// Who replies to whom, the most frequent pairs first.
  public var answers: [AnsweringAnswer]

  init(_ pace: HistoryPace, limit: Int) {
    messages = pace.messageCount
    first = pace.oldest.map { MomentAnswer($0) }
    last = pace.newest.map { MomentAnswer($0) }
    silence = pace.silence.map { SilenceAnswer($0) }
    busiest = pace.busiestDay.map { BusyDayAnswer(day: $0.date.dateText, messages: $0.count) }
    answers = pace.answers.prefix(limit).map { AnsweringAnswer($0) }
  }
}

/// A message and its time.
public struct MomentAnswer: Codable, Hashable, Sendable {
  /// Its id.
  public var id: Message.ID
  /// When it was written.
  public var time: Timestamp

  init(_ moment: HistoryPace.Moment) { (id, time) = (moment.id, moment.time) }
}

/// A time without messages.
public struct SilenceAnswer: Codable, Hashable, Sendable {
  /// The last message before it.
  public var from: MomentAnswer
  /// The first message after it.
  public var until: MomentAnswer
  /// The length of the silence, in seconds.
  public var seconds: Int

  init(_ silence: HistoryPace.Silence) {
    (from, until) = (MomentAnswer(silence.last), MomentAnswer(silence.first))
    seconds = Int((until.time.millisecondsSince1970 - from.time.millisecondsSince1970) / 1_000)
  }
}

/// The day with the most messages.
public struct BusyDayAnswer: Codable, Hashable, Sendable {
  /// The date: `2024-05-01`.
  public var day: String
  /// The number of its messages.
  public var messages: Int
}

/// How often, and how fast, one replies to another.
public struct AnsweringAnswer: Codable, Hashable, Sendable {
  /// The name of the person or sender who replies.
  public var who: String
  /// The name of the person or sender replied to.
  public var whom: String
  /// The number of replies.
  public var answers: Int
  /// The median of the seconds until the reply, to within three percent.
  public var medianSeconds: Int

  init(_ answers: HistoryPace.Answers) {
    (who, whom) = (answers.who.speakerName ?? "", answers.whom.speakerName ?? "")
    self.answers = answers.count
    medianSeconds = answers.medianSeconds
  }
}

extension MessageGroup.Key {
  /// The name of a person or sender; `nil` for messages without one.
  fileprivate var speakerName: String? {
    switch self {
    case .person(_, let name): name
    case .sender(let sender): sender?.name
    case .date, .weekday, .hour, .conversation, .kind: nil
    }
  }
}

extension QuestionAnswerer {
  /// Returns the course of a selection over time: its first and last message, its longest silence, its
  /// busiest day, and who replies to whom, and how fast.
  ///
  /// - Parameters:
  ///   - selection: The messages.
  ///   - zone: The time zone whose midnights separate days.
  ///   - limit: The maximum number of pairs; those with the most replies are returned.
  ///   - progress: Receives the number of messages read so far, and returns whether to continue.
  /// - Complexity: One pass, O(*n* log *n*) for *n* messages that all name others.
  public func pace(
    of selection: Selection, zone: TimeZone, limit: Int = QuestionAnswerer.usualLimit,
    progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) -> PaceAnswer {
    PaceAnswer(try store.pace(of: selection, zone: zone, progress: progress), limit: limit)
  }
}

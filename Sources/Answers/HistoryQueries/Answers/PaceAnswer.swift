public import Foundation
public import MessageModel
internal import MessageStorage

/// The course of a history in time.
public struct PaceAnswer: Codable, Hashable, Sendable {
  /// The number of messages.
  public var messages: Int
  /// The oldest message; `nil` if there is none.
  public var first: MomentAnswer?
  /// The newest message; `nil` if there is none.
  public var last: MomentAnswer?
  /// The longest silence; `nil` if none was as long as an hour.
  public var silence: SilenceAnswer?
  /// The day with the most messages; `nil` if there are no messages.
  public var busiest: BusyDayAnswer?
  /// The answers by who answers whom, the most frequent first.
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

/// A message, and when it was written.
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

/// The number of times that one answers another, and the time that it takes.
public struct AnsweringAnswer: Codable, Hashable, Sendable {
  /// The name of the person or sender who answers.
  public var who: String
  /// The name of the one who is answered.
  public var whom: String
  /// The number of answers.
  public var answers: Int
  /// The median of the seconds until then, to within three percent.
  public var medianSeconds: Int

  init(_ answers: HistoryPace.Answers) {
    (who, whom) = (answers.who.speakerName ?? "", answers.whom.speakerName ?? "")
    self.answers = answers.count
    medianSeconds = answers.medianSeconds
  }
}

extension MessageGroup.Key {
  /// The name of a person or sender; `nil` of another property, and of messages without a sender.
  fileprivate var speakerName: String? {
    switch self {
    case .person(_, let name): name
    case .sender(let sender): sender?.name
    case .date, .weekday, .hour, .conversation, .kind: nil
    }
  }
}

extension QuestionAnswerer {
  /// Returns how a selection goes on in time: its ends, its longest silence, its busiest day, and who answers whom how fast.
  ///
  /// - Parameters:
  ///   - selection: The messages.
  ///   - zone: The zone whose midnights part days.
  ///   - limit: The most pairs of those who answer each other, the most frequent ones.
  ///   - progress: Told now and then how many messages have been read; answers whether to go on.
  /// - Throws: ``StoreError`` of kind `cancelled` if it was stopped, `invalidRequest` if an expression is wrong, `damaged`,
  ///   `busy` or `inputOutput`.
  /// - Complexity: As for ``StoreReading/pace(of:zone:progress:)``.
  public func pace(
    of selection: Selection, zone: TimeZone, limit: Int = QuestionAnswerer.usualLimit,
    progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) -> PaceAnswer {
    PaceAnswer(try store.pace(of: selection, zone: zone, progress: progress), limit: limit)
  }
}
